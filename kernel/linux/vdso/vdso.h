/* SPDX-License-Identifier: MIT */
/* The vDSO of Linux programs (vdso(7)). */
#ifndef KERNEL_LINUX_VDSO_VDSO_H
#define KERNEL_LINUX_VDSO_VDSO_H

/** Maps it into the address space in use, below what is there, and notes where (memory_layout.vdso). 0 or -ENOMEM. */
int vdso_map(void);

#endif
