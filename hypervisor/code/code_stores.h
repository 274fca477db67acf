/* SPDX-License-Identifier: MIT */
/* A sample of a file's instructions that store into memory which other threads may see: --preempt sites. */
#ifndef HYPERVISOR_CODE_STORES_H
#define HYPERVISOR_CODE_STORES_H

#include <stdint.h>

#include "code/code_map.h"

#define CODE_STORES_MAX 65536

struct code_stores {
	uint64_t *at; /**< addresses, ascending; for the caller to free */
	uint32_t count;
};

/**
 * Draws `wanted` (at most CODE_STORES_MAX) of the instructions in known functions, or takes all when there are fewer:
 * those whose numbers are smallest, a number being made of the seed, the file's code and the place in it, so that
 * each sample of that size is as likely as any other. The disassembler must be loaded. 0 or -ENOMEM.
 */
int code_stores_draw(struct code_map *map, uint32_t wanted, uint64_t seed, struct code_stores *stores);

#endif
