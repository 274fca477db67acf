/* SPDX-License-Identifier: MIT */
/* The vDSO of Linux programs (vdso(7)). */
#ifndef KERNEL_LINUX_VDSO_VDSO_H
#define KERNEL_LINUX_VDSO_VDSO_H

/** Maps the vDSO into the current address space, below the other mappings, and stores its address in
 * memory_layout.vdso. Returns 0 or -ENOMEM. */
int vdso_map(void);

#endif
