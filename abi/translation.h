/* SPDX-License-Identifier: MIT */
/* How the kernel tells an engine whose guest has no ring 0 that page tables have changed: boot_info.translation. Also
 * included by assembly. */
#ifndef ABI_TRANSLATION_H
#define ABI_TRANSLATION_H

/* Value in esi; an address in rdi. The routine jumps to r8. It preserves the stack, rbx, rbp and r12 to r15. */
#define TRANSLATION_FORGET 0         /* as INVLPG */
#define TRANSLATION_FORGET_CHANGED 1 /* as a load of CR3 with the same root, which is in rdi */
#define TRANSLATION_SHOW 2           /* the program will use the address, whose page is new */

/* Offset of boot_info.translation in struct boot_info. */
#define TRANSLATION_IN_BOOT_INFO 648

#endif
