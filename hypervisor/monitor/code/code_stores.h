/* SPDX-License-Identifier: MIT */
/* Draws a sample of a file's instructions that store to memory which other threads may see: --preempt sites. */
#ifndef HYPERVISOR_CODE_STORES_H
#define HYPERVISOR_CODE_STORES_H

#include <stddef.h>
#include <stdint.h>

#include "code/code_map.h"
#include "code/code_scan.h"

#define CODE_STORES_MAX 65536

/** Marks an offset: the store is relative to the frame pointer, so hardly any other thread sees it. */
#define CODE_STORES_STACK 0x80000000U

/** Marks an offset: the instruction only loads. */
#define CODE_STORES_LOAD 0x40000000U

/** The offset itself. */
#define CODE_STORES_OFFSET(at) ((at) & ~(CODE_STORES_STACK | CODE_STORES_LOAD))

/** A file with a section of this name has instructions that can be drawn only there: Eremite's own library for
 * -fsanitize=thread (tsan/points.S), whose other code must not be interrupted. */
#define CODE_STORES_SECTION ".eremite.points"

/** The instructions that can be drawn. */
struct code_stores {
	uint32_t *at; /**< ascending offsets in the file, with marks; freed by the caller */
	size_t count, room;
};

/** The drawn instructions. */
struct code_sample {
	uint64_t *at; /**< ascending addresses; freed by the caller */
	uint32_t count;
};

/**
 * Lists the instructions in known functions of a file of at most CODE_SCAN_BYTES_MAX that store to memory which other
 * threads may see, or load from it. The disassembler must be loaded. Returns 0, or -ENOMEM and an empty list.
 */
int code_stores_find(struct code_map *map, struct code_stores *stores);

/**
 * Draws points->stores (at most CODE_STORES_MAX) of a file's listed instructions, or all if there are fewer. Each
 * instruction gets a number from the seed, the file's code and its place, and those with the smallest numbers are
 * taken. So all samples of that size are equally likely. Loads are drawn with points->loads. With points->own, those
 * with CODE_STORES_STACK are taken only if there are too few others. The list may be untrusted. Returns 0 or -ENOMEM.
 */
int code_stores_draw(const struct code_map *map, const struct code_stores *stores, const struct code_points *points,
                     struct code_sample *sample);

#endif
