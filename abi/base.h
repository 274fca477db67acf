/* SPDX-License-Identifier: MIT */
/* How the kernel asks an engine to load a segment base: boot_info.set_base. Also included by assembly. */
#ifndef ABI_BASE_H
#define ABI_BASE_H

/* Value in esi, as in arch_prctl(2); the base is in rdi. The routine jumps to r8. It preserves the stack, rbx, rbp,
 * rdx, r9, r10 and r12 to r15. */
#define BASE_GS 0x1001
#define BASE_FS 0x1002

/* Offset of boot_info.set_base in struct boot_info. */
#define BASE_IN_BOOT_INFO 32

#endif
