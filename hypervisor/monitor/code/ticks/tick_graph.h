/* SPDX-License-Identifier: MIT */
/* The control-flow graph of one function: its basic blocks, its loops, and the price of the code from one block to the
 * next that has a site. Loops are found as in P. Havlak, "Nesting of Reducible and Irreducible Loops" (TOPLAS 19(4),
 * 1997): the target of an edge to a block on the path of a depth-first search is a head, and each cycle has one. */
#ifndef HYPERVISOR_TICK_GRAPH_H
#define HYPERVISOR_TICK_GRAPH_H

#include "code/code_function.h"

#define TICK_NONE UINT32_MAX

struct tick_block {
	size_t first, end;    /**< its steps: [first, end) */
	uint32_t next[2];     /**< blocks that follow, or TICK_NONE */
	uint32_t number;      /**< in the order in which the search meets blocks; TICK_NONE: it does not */
	uint32_t last;        /**< the largest number of those met from here */
	uint32_t header;      /**< the head of the innermost loop around it, without its own; TICK_NONE: none */
	uint32_t latch;       /**< of a head: the block that jumps back; TICK_NONE: several do */
	bool is_live;         /**< control flow leads here from the function's start or from other code */
	bool is_head;         /**< a loop begins here */
	bool is_indirect;     /**< ends by a jump to the blocks in the graph's table */
	bool leaves_function; /**< has a call, or jumps out of the function */
	bool has_site;        /**< the caller sets it before tick_graph_price */
	uint64_t price;       /**< of its own instructions, in sixteenths of a tick */
	uint64_t ahead;       /**< of the code from here to the next sites */
};

/** All zero at first; its memory is reused for the next function. */
struct tick_graph {
	struct tick_block *blocks; /**< in the order of their addresses */
	size_t count, room;
	uint32_t *block_of; /**< of each byte of the function: 1 + the block that begins there, or 0 */
	size_t block_of_room;
	uint32_t *table; /**< the blocks to which indirect jumps may lead */
	size_t table_count, table_room;
	uint32_t *order; /**< blocks in the order in which the search leaves them */
	size_t order_count, order_room;
	uint32_t *stack, *way, *set; /**< of searches: one word for each block */
	size_t stack_room, way_room, set_room;
	uint32_t *edges; /**< predecessors, and where those of a block begin */
	size_t edges_room;
};

/**
 * Makes the graph of a function whose labels are complete, and finds its loops. `listed`: for each byte of the function
 * whether a jump table leads there; NULL if indirect jumps are not understood, or there are none: these end the path
 * then. Returns 0 or -ENOMEM.
 */
int tick_graph_make(struct tick_graph *graph, const struct code_function *function, const struct code_area *area,
                    const bool *listed);

/** Whether a block is in the loop of a head. */
bool tick_graph_is_in_loop(const struct tick_graph *graph, uint32_t block, uint32_t head);

/** The blocks that lead to a block, and how many they are. */
static inline const uint32_t *tick_graph_before(const struct tick_graph *graph, uint32_t block, size_t *count)
{
	const uint32_t *begins = graph->edges;
	*count = begins[block + 1] - begins[block];
	return graph->edges + graph->count + 2 + begins[block];
}

/** Computes `ahead` of all blocks. An edge that leaves a loop is expected to be taken once in eight rounds; other edges
 * from a block equally often. */
void tick_graph_price(struct tick_graph *graph);

/** Frees the memory. */
void tick_graph_fini(struct tick_graph *graph);

#endif
