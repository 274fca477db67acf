/* SPDX-License-Identifier: MIT */
/* Exports the program's files in /out to the host. */
#ifndef KERNEL_VFS_EXPORT_H
#define KERNEL_VFS_EXPORT_H

/** Announces every object below /out, in sorted order, with its contents. */
void export_out(void);

#endif
