/* SPDX-License-Identifier: MIT */
/* The bases of segments FS and GS. WRFSBASE and WRGSBASE set them, unless the host denies these instructions to ring 3
 * or loses what they set: then boot_info.set_base is a routine of the engine. */
#ifndef KERNEL_ARCH_BASE_H
#define KERNEL_ARCH_BASE_H

#include <stdint.h>

/** Loads a base, an address below 0x7ffffffff000. The general registers have the same values afterwards with either
 * method. */
void base_load_fs(uint64_t base);
void base_load_gs(uint64_t base);

/** The WRFSBASE of base_load_fs. With the multiboot door it traps on a processor that lacks it. */
extern const char base_wrfsbase[];

#endif
