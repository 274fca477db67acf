/* SPDX-License-Identifier: MIT */
/* The processor of a machine booted by multiboot: the features that it must have, and the state in which ring 3
 * starts. */
#ifndef KERNEL_BOOT_PROCESSOR_H
#define KERNEL_BOOT_PROCESSOR_H

#include <stdint.h>

#include "abi/image.h"

/** CPUID results, stored by multiboot.S: EDX of leaf 1, EBX of leaf 7 (0 without that leaf), EDX of leaf 0x80000001. */
struct processor_features {
	uint32_t basic, structured, extended;
};

_Static_assert(sizeof(struct processor_features) == 12, "processor_features matches multiboot.S");

/** The name of the first missing feature; NULL when the processor has all. */
const char *processor_check(void);

/** Loads tables, control registers and MSRs from a filled boot area, as in abi/tables.h. Ring 0. */
void processor_set(const struct image_header *header);

#endif
