/* SPDX-License-Identifier: MIT */
/* How the kernel has an engine load a segment's base: boot_info.set_base. Also for assembly. */
#ifndef ABI_BASE_H
#define ABI_BASE_H

/* In esi, as arch_prctl(2) has them; rdi is the base. The routine jumps to r8, and leaves the stack, rbx, rbp, rdx, r9,
 * r10 and r12 to r15 alone. */
#define BASE_GS 0x1001
#define BASE_FS 0x1002

/* Where boot_info.set_base stands in struct boot_info. */
#define BASE_IN_BOOT_INFO 32

#endif
