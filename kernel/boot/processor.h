/* SPDX-License-Identifier: MIT */
/* The processor of a machine booted by multiboot: what it must have, and the state that ring 3 finds it in. */
#ifndef KERNEL_BOOT_PROCESSOR_H
#define KERNEL_BOOT_PROCESSOR_H

#include <stdint.h>

#include "abi/image.h"

/** What CPUID says, in multiboot.S: EDX of leaf 1, EBX of leaf 7 (0 when there is none), EDX of leaf 0x80000001. */
struct processor_features {
	uint32_t basic, structured, extended;
};

_Static_assert(sizeof(struct processor_features) == 12, "processor_features matches multiboot.S");

/** Names the first feature that is missing; NULL when the processor will do. */
const char *processor_check(void);

/** Loads tables, control registers and MSRs as abi/tables.h has them, from a filled boot area. Ring 0. */
void processor_set(const struct image_header *header);

#endif
