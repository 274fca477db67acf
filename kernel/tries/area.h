/* SPDX-License-Identifier: MIT */
/* The guest's part of the area at LAYOUT_TRIES. Nothing in it is restored, so all state of tries is here, and no static
 * variable of kernel/tries/ changes after the point where tries start. */
#ifndef KERNEL_TRIES_AREA_H
#define KERNEL_TRIES_AREA_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/stats.h"
#include "abi/tries.h"
#include "kernel/arch/direct_map.h"
#include "kernel/tries/enter.h"

#define AREA_STACK_BYTES 0x10000UL
#define AREA_FRAMES_MAX (LAYOUT_RAM_MAX / PAGE_SIZE)
/* Table pages and frames that can be kept: the rest of the area. */
#define AREA_TABLES_MAX 0x4000UL
#define AREA_HOT_MAX 0x2b000UL

struct area {
	/* tries.c */
	struct enter_place place; /**< where tries start */
	bool begun;               /**< the point was reached */
	uint64_t at;              /**< the next request */
	uint64_t pairs_at;        /**< the next pair of a result */
	uint64_t output[2], output_bytes[2];
	uint64_t first_output[2], first_output_bytes[2]; /**< at the point */
	uint64_t deadlock;                               /**< hash of the threads that wait */
	struct run_stats stats;
	uint64_t input_at, first_input_at; /**< bytes of standard input that were taken; at the point */
	uint8_t stdin_buffer[LAYOUT_STDIN_BUFFER_SIZE];
	uint8_t sched[PAGE_SIZE];
	uint8_t policy_stack[LAYOUT_SCHED_STACK_BYTES];

	/* guard.c */
	uint64_t hot_count;
	uint64_t pool_next, pool_end;          /**< table pages for the direct map */
	uint64_t region_low, region_high;      /**< table pages, used or not */
	uint64_t tables_low, tables_high;      /**< tables that were used before the point, without those of the pool */
	uint64_t root;                         /**< of the address space at the point */
	uint64_t boot_tables_end;              /**< the boot door's tables in use end here */
	bool has_tables;                       /**< tables are copied */
	uint64_t is_hot[AREA_FRAMES_MAX / 64]; /**< a bit for each frame of RAM */
	uint64_t hot[AREA_HOT_MAX];            /**< hot frames, in the order of their copies */
};

#define AREA_STATE 0x300000UL /* struct area; the stack is below it */
#define AREA_TABLES 0x1000000UL
#define AREA_COPIES (AREA_TABLES + AREA_TABLES_MAX * PAGE_SIZE)

_Static_assert(LAYOUT_TRIES_SHARED_SIZE + AREA_STACK_BYTES <= AREA_STATE, "the stack");
_Static_assert(AREA_STATE + sizeof(struct area) <= AREA_TABLES, "struct area");
_Static_assert(AREA_COPIES + AREA_HOT_MAX * PAGE_SIZE <= TRIES_INPUT, "the area");

static inline struct tries_shared *area_shared(void)
{
	return phys_to_virt(LAYOUT_TRIES);
}

static inline struct area *area(void)
{
	return phys_to_virt(LAYOUT_TRIES + AREA_STATE);
}

/** The end of the stack on which state is restored. */
static inline uint64_t area_stack_top(void)
{
	return (uint64_t)phys_to_virt(LAYOUT_TRIES + AREA_STATE);
}

#endif
