/* SPDX-License-Identifier: MIT */
/* Draws a sample of a file's instructions that store to memory which other threads may see: --preempt sites. */
#ifndef HYPERVISOR_CODE_STORES_H
#define HYPERVISOR_CODE_STORES_H

#include <stdint.h>

#include "code/code_map.h"

#define CODE_STORES_MAX 65536

struct code_stores {
	uint64_t *at; /**< ascending addresses; freed by the caller */
	uint32_t count;
};

/**
 * Draws `wanted` (at most CODE_STORES_MAX) of the instructions in known functions, or all if there are fewer. Each
 * instruction gets a number from the seed, the file's code and its place, and those with the smallest numbers are
 * taken. So all samples of that size are equally likely. The disassembler must be loaded. Returns 0 or -ENOMEM.
 */
int code_stores_draw(struct code_map *map, uint32_t wanted, uint64_t seed, struct code_stores *stores);

#endif
