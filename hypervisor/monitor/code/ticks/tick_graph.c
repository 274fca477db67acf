/* SPDX-License-Identifier: MIT */
#include "code/ticks/tick_graph.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "code/ticks/tick_price.h"

/* Limit of edges from indirect jumps, for each block: with more, the search would take too long. */
#define TABLE_EDGES 64

/* Limit of loops around each other that are looked at: hostile files have many. */
#define NESTING_MAX 64

/* Of the price of the code behind a loop, a round is charged so many 256ths. */
#define LEAVING 32
#define WHOLE 256

/* --- blocks --- */

static bool ends_block(const struct instruction *in)
{
	return instruction_is_jump(in) || in->flags & (INSTRUCTION_END | INSTRUCTION_INDIRECT);
}

/* Marks in block_of where blocks begin: at the start, at labels, and after jumps. */
static void mark_starts(struct tick_graph *graph, const struct code_function *function)
{
	const uint64_t bytes = function->end - function->start;
	memset(graph->block_of, 0, bytes * sizeof(*graph->block_of));
	graph->block_of[0] = 1;
	for (size_t i = 0; i < function->label_count; i++)
		if (function->labels[i] - function->start < bytes)
			graph->block_of[function->labels[i] - function->start] = 1;
	for (size_t i = 0; i + 1 < function->count; i++)
		if (ends_block(&function->steps[i].instruction) || !code_function_goes_on(function, i))
			graph->block_of[function->steps[i + 1].address - function->start] = 1;
}

/* Returns 0 or -ENOMEM. */
static int add_block(struct tick_graph *graph, size_t first)
{
	if (!array_reserve(graph->blocks, graph->room, graph->count + 1))
		return -ENOMEM;
	graph->blocks[graph->count++] = (struct tick_block){.first = first,
	                                                    .end = first,
	                                                    .next = {TICK_NONE, TICK_NONE},
	                                                    .number = TICK_NONE,
	                                                    .header = TICK_NONE,
	                                                    .latch = TICK_NONE};
	return 0;
}

static int make_blocks(struct tick_graph *graph, const struct code_function *function, const struct code_area *area)
{
	graph->count = 0;
	for (size_t i = 0; i < function->count; i++) {
		const struct code_step *s = &function->steps[i];
		uint32_t *begins = &graph->block_of[s->address - function->start];
		if ((*begins || !i) && add_block(graph, i))
			return -ENOMEM;
		if (*begins)
			*begins = (uint32_t)graph->count;
		struct tick_block *block = &graph->blocks[graph->count - 1];
		block->end = i + 1;
		block->is_live |= block->first == i && s->is_reached;
		block->price += tick_price_of(area, s);
		block->leaves_function |= !!(s->instruction.flags & INSTRUCTION_LEAVES);
	}
	return 0;
}

/* The block that begins at an address of the function; TICK_NONE: none does. */
static uint32_t block_at(const struct tick_graph *graph, const struct code_function *function, uint64_t address)
{
	const uint64_t at = address - function->start;
	const uint32_t found = at < function->end - function->start ? graph->block_of[at] : 0;
	/* A label inside an instruction begins no block. */
	return found && found <= graph->count && function->steps[graph->blocks[found - 1].first].address == address
	               ? found - 1
	               : TICK_NONE;
}

static void connect_blocks(struct tick_graph *graph, const struct code_function *function)
{
	for (size_t i = 0; i < graph->count; i++) {
		struct tick_block *block = &graph->blocks[i];
		const struct code_step *last = &function->steps[block->end - 1];
		const struct instruction *in = &last->instruction;
		if (instruction_is_jump(in))
			block->next[0] = block_at(graph, function, in->target);
		if (!(in->flags & (INSTRUCTION_END | INSTRUCTION_INDIRECT)) && i + 1 < graph->count)
			block->next[1] = block_at(graph, function, last->address + in->length);
		block->is_indirect = in->flags & INSTRUCTION_INDIRECT;
		block->leaves_function |=
			block->is_indirect || (instruction_is_jump(in) && block->next[0] == TICK_NONE);
		if (block->next[0] == block->next[1])
			block->next[0] = TICK_NONE;
	}
}

/* Fills the table with the blocks that jump tables list. */
static int list_table(struct tick_graph *graph, const struct code_function *function, const bool *listed)
{
	size_t jumps = 0;
	graph->table_count = 0;
	for (size_t i = 0; i < graph->count; i++)
		jumps += graph->blocks[i].is_indirect;
	for (size_t i = 0; listed && jumps && i < graph->count; i++) {
		if (!listed[function->steps[graph->blocks[i].first].address - function->start])
			continue;
		if (!array_reserve(graph->table, graph->table_room, graph->table_count + 1))
			return -ENOMEM;
		graph->table[graph->table_count++] = (uint32_t)i;
	}
	if (jumps * graph->table_count > TABLE_EDGES * graph->count)
		graph->table_count = 0;
	return 0;
}

/* The number of blocks that follow a block, and each of them; TICK_NONE is no block. */
static size_t way_count(const struct tick_graph *graph, uint32_t block)
{
	return 2 + (graph->blocks[block].is_indirect ? graph->table_count : 0);
}

static uint32_t way_of(const struct tick_graph *graph, uint32_t block, size_t way)
{
	return way < 2 ? graph->blocks[block].next[way] : graph->table[way - 2];
}

/* --- loops --- */

/* Searches depth first from a block. While a block is on the path, `last` is TICK_NONE. */
static void search_from(struct tick_graph *graph, uint32_t root, uint32_t *number)
{
	size_t depth = 0;
	graph->stack[depth++] = root;
	graph->way[root] = 0;
	graph->blocks[root].number = (*number)++;
	graph->blocks[root].last = TICK_NONE;
	while (depth) {
		const uint32_t at = graph->stack[depth - 1];
		if (graph->way[at] == way_count(graph, at)) {
			graph->blocks[at].last = *number - 1;
			graph->order[graph->order_count++] = at;
			depth--;
			continue;
		}
		const uint32_t to = way_of(graph, at, graph->way[at]++);
		if (to == TICK_NONE)
			continue;
		struct tick_block *next = &graph->blocks[to];
		if (next->number == TICK_NONE) {
			graph->stack[depth++] = to;
			graph->way[to] = 0;
			next->number = (*number)++;
			next->last = TICK_NONE;
		} else if (next->last == TICK_NONE) {
			next->latch = next->is_head ? TICK_NONE : at;
			next->is_head = true;
		}
	}
}

/* Lists the predecessors of all blocks: edges[block] is where they begin. Returns 0 or -ENOMEM. */
static int list_predecessors(struct tick_graph *graph)
{
	size_t edges = 0;
	for (uint32_t i = 0; i < graph->count; i++)
		edges += way_count(graph, i);
	if (!array_reserve(graph->edges, graph->edges_room, graph->count + 2 + edges))
		return -ENOMEM;
	uint32_t *begins = graph->edges;
	memset(begins, 0, (graph->count + 2) * sizeof(*begins));
	for (uint32_t i = 0; i < graph->count; i++)
		for (size_t k = 0; k < way_count(graph, i); k++)
			if (way_of(graph, i, k) != TICK_NONE)
				begins[way_of(graph, i, k) + 2]++;
	for (size_t i = 2; i < graph->count + 2; i++)
		begins[i] += begins[i - 1];
	for (uint32_t i = 0; i < graph->count; i++)
		for (size_t k = 0; k < way_count(graph, i); k++)
			if (way_of(graph, i, k) != TICK_NONE)
				begins[graph->count + 2 + begins[way_of(graph, i, k) + 1]++] = i;
	return 0;
}

/* The head of the outermost loop found so far around a block, or the block itself. */
static uint32_t find_outer(struct tick_graph *graph, uint32_t block)
{
	while (graph->set[block] != block)
		block = graph->set[block] = graph->set[graph->set[block]];
	return block;
}

static bool is_met_from(const struct tick_graph *graph, uint32_t head, uint32_t block)
{
	const struct tick_block *h = &graph->blocks[head], *b = &graph->blocks[block];
	return b->number != TICK_NONE && b->number >= h->number && b->number <= h->last;
}

/* Adds a block to the body of the head's loop, which is listed in `stack`. */
static void add_to_body(struct tick_graph *graph, uint32_t head, uint32_t block, size_t *count)
{
	const uint32_t outer = find_outer(graph, block);
	if (outer == head || !is_met_from(graph, head, outer))
		return;
	graph->set[outer] = head;
	graph->blocks[outer].header = head;
	graph->stack[(*count)++] = outer;
}

/* Finds the body of the loop of a head, from the blocks that jump back to it. Inner loops are found before. */
static void find_body(struct tick_graph *graph, uint32_t head)
{
	const uint32_t *begins = graph->edges, *from = graph->edges + graph->count + 2;
	size_t count = 0;
	for (uint32_t i = begins[head]; i < begins[head + 1]; i++)
		if (is_met_from(graph, head, from[i]))
			add_to_body(graph, head, from[i], &count);
	while (count) {
		const uint32_t block = graph->stack[--count];
		for (uint32_t i = begins[block]; i < begins[block + 1]; i++)
			add_to_body(graph, head, from[i], &count);
	}
}

static int find_loops(struct tick_graph *graph)
{
	uint32_t number = 0;
	if (!array_reserve(graph->stack, graph->stack_room, graph->count) ||
	    !array_reserve(graph->way, graph->way_room, graph->count) ||
	    !array_reserve(graph->set, graph->set_room, graph->count) ||
	    !array_reserve(graph->order, graph->order_room, graph->count) || list_predecessors(graph))
		return -ENOMEM;
	graph->order_count = 0;
	for (uint32_t i = 0; i < graph->count; i++) {
		graph->set[i] = i;
		if (graph->blocks[i].number == TICK_NONE && (!i || graph->blocks[i].is_live))
			search_from(graph, i, &number);
	}
	const uint32_t live = number;
	for (uint32_t i = 0; i < graph->count; i++)
		if (graph->blocks[i].number == TICK_NONE)
			search_from(graph, i, &number);
	for (uint32_t i = 0; i < graph->count; i++)
		graph->blocks[i].is_live = graph->blocks[i].number < live;
	for (uint32_t i = 0; i < graph->count; i++)
		graph->way[graph->blocks[i].number] = i;
	for (uint32_t i = number; i--;)
		if (graph->blocks[graph->way[i]].is_head)
			find_body(graph, graph->way[i]);
	return 0;
}

int tick_graph_make(struct tick_graph *graph, const struct code_function *function, const struct code_area *area,
                    const bool *listed)
{
	graph->count = graph->table_count = 0;
	if (!function->count)
		return 0;
	if (!array_reserve(graph->block_of, graph->block_of_room, function->end - function->start))
		return -ENOMEM;
	mark_starts(graph, function);
	int result = make_blocks(graph, function, area);
	if (result)
		return result;
	connect_blocks(graph, function);
	result = list_table(graph, function, listed);
	return result ? result : find_loops(graph);
}

/* --- prices --- */

bool tick_graph_is_in_loop(const struct tick_graph *graph, uint32_t block, uint32_t head)
{
	for (unsigned depth = 0; block != TICK_NONE && block != head && depth < NESTING_MAX; depth++)
		block = graph->blocks[block].header;
	return block == head;
}

/* The price of what is behind a block, by its edges. */
static uint64_t price_behind(const struct tick_graph *graph, uint32_t at)
{
	const struct tick_block *block = &graph->blocks[at];
	const uint32_t loop = block->is_head ? at : block->header;
	uint64_t sums[2] = {0, 0}, counts[2] = {0, 0}; /* of edges that leave the loop, and of others */
	for (size_t i = 0; i < way_count(graph, at); i++) {
		const uint32_t to = way_of(graph, at, i);
		if (to == TICK_NONE)
			continue;
		const bool stays = loop == TICK_NONE || tick_graph_is_in_loop(graph, to, loop);
		counts[stays]++;
		sums[stays] += graph->blocks[to].has_site ? 0 : graph->blocks[to].ahead;
	}
	for (unsigned i = 0; i < 2; i++)
		sums[i] = counts[i] ? sums[i] / counts[i] : 0;
	if (counts[0] && counts[1])
		return (sums[0] * LEAVING + sums[1] * (WHOLE - LEAVING)) / WHOLE;
	return sums[0] + sums[1];
}

void tick_graph_price(struct tick_graph *graph)
{
	for (size_t i = 0; i < graph->count; i++)
		graph->blocks[i].ahead = 0; /* also of heads without a site, when the edge back is looked at */
	for (size_t i = 0; i < graph->order_count; i++) {
		struct tick_block *block = &graph->blocks[graph->order[i]];
		block->ahead = block->price + price_behind(graph, graph->order[i]);
	}
}

void tick_graph_fini(struct tick_graph *graph)
{
	free(graph->blocks);
	free(graph->block_of);
	free(graph->table);
	free(graph->order);
	free(graph->stack);
	free(graph->way);
	free(graph->set);
	free(graph->edges);
	*graph = (struct tick_graph){0};
}
