/* SPDX-License-Identifier: MIT */
/* The bases of the segments FS and GS. WRFSBASE and WRGSBASE set them, unless the host keeps ring 3 from these
 * instructions, or loses what they set: then boot_info.set_base names a routine of the engine. */
#ifndef KERNEL_ARCH_BASE_H
#define KERNEL_ARCH_BASE_H

#include <stdint.h>

/** Loads the base, an address below 0x7ffffffff000. The general registers afterwards are the same either way. */
void base_load_fs(uint64_t base);
void base_load_gs(uint64_t base);

/** The WRFSBASE of base_load_fs, which traps where the multiboot door has a processor without it. */
extern const char base_wrfsbase[];

#endif
