/* SPDX-License-Identifier: MIT */
/* Two passes over the functions of the file. The first one notes where their branches lead, and which bytes of code
 * they read as data. The second one plans each function. */
#include "code/ticks/tick_plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/layout.h"
#include "base/array.h"
#include "base/search.h"
#include "code/code_bits.h"
#include "code/code_branches.h"
#include "code/code_search.h"
#include "code/ticks/tick_graph.h"
#include "code/ticks/tick_labels.h"
#include "code/ticks/tick_loop.h"
#include "code/ticks/tick_price.h"
#include "scan/opcode_search.h"

#define JUMP_BYTES 5
#define CONSTANT_BYTES 64 /* limit of an operand: a vector register of AVX-512 */
/* A function without calls and loops is charged at its entry from this price on, in sixteenths of a tick; a smaller one
 * is in the price of its calls. */
#define LEAF_PRICE 160
#define COUNTED_BACK 2 /* how many instructions may move with one that is charged by its count, before it */

struct planner {
	struct code_map map;
	struct code_function function;
	struct tick_graph graph;
	struct code_bits starts;  /* of functions */
	struct code_bits cut;     /* starts of functions that are within an instruction */
	struct code_bits led_to;  /* targets of branches */
	struct code_bits pointed; /* places to which data point */
	struct code_bits read;    /* bytes that an instruction reads as data */
	struct code_scan *scan;   /* its first `count` patches are those of the search */
	size_t count;
	size_t own_first; /* the first one of the present function */
	const struct code_area *area;
	bool is_unknown; /* not all places are known to which the function's jumps lead */
	bool *is_own;    /* of each step: the function's start leads there, not only other functions */
	size_t own_room;
	bool *listed; /* of each byte of the function: a jump table leads there */
	size_t listed_room;
	uint32_t *site_of; /* of each block: the index of its patch */
	size_t site_room;
	enum tick_reason reason; /* why the last block that was looked at has no site */
	bool is_measured;        /* the caller asks for the counts */
	struct tick_counts *counts;
	struct error *error;
};

/* --- the whole file --- */

/* Notes where an instruction leads, if that is outside of `own`, and the bytes that it reads. */
static void note_step(struct planner *planner, const struct code_area *area, const struct code_step *step,
                      const struct code_range *own)
{
	const struct instruction *in = &step->instruction;
	int32_t distance;
	if (in->flags & INSTRUCTION_TARGET && in->target - own->address >= own->bytes)
		code_bits_set(&planner->led_to, &planner->map, in->target);
	if (!in->relative_at || in->flags & INSTRUCTION_REFERENCE)
		return;
	memcpy(&distance, area->bytes + (step->address - area->address) + in->relative_at, sizeof(distance));
	const uint64_t at = step->address + in->length + (uint64_t)(int64_t)distance;
	for (unsigned k = 0; code_map_area(&planner->map, at) && k < CONSTANT_BYTES; k++)
		code_bits_set(&planner->read, &planner->map, at + k);
}

/* Notes this for code that is in no function, or in one that overlaps another: the unwind tables may be wrong. Then
 * an instruction may also lead over the start of the next function, which is therefore none. */
static int note_rest(void *context, const struct code_area *area, const struct code_range *range)
{
	static const struct code_range nothing;
	struct planner *planner = context;
	const uint64_t end = range->address + range->bytes;
	struct code_step step = {.address = range->address};
	for (; step.address < end; step.address += step.instruction.length) {
		const uint64_t at = step.address - area->address;
		step.instruction.length = 1;
		if (!area->bytes[at] ||
		    !disassemble(area->bytes + at, area->count - at, step.address, &step.instruction))
			step.instruction = (struct instruction){.length = 1};
		note_step(planner, area, &step, &nothing);
	}
	code_bits_set(&planner->led_to, &planner->map, range->address);
	if (step.address > end)
		code_bits_set(&planner->cut, &planner->map, end);
	return 0;
}

/* Notes if the last instruction of a function leads over its end: then what begins there is no function. */
static void note_end(struct planner *planner, const struct code_range *range)
{
	const struct code_function *function = &planner->function;
	const struct code_step *last = function->count ? &function->steps[function->count - 1] : NULL;
	const uint64_t end = range->address + range->bytes;
	const uint64_t at = last ? last->address + last->instruction.length : 0;
	if (at > end)
		code_bits_set(&planner->cut, &planner->map, end);
}

static int note_function(void *context, const struct code_area *area, const struct code_range *range)
{
	struct planner *planner = context;
	struct code_function *function = &planner->function;
	struct code_search stop = {.error = planner->error};
	if (code_search_check_stop(&stop))
		return -EINTR;
	if (code_function_read(function, area, range))
		return -ENOMEM;
	code_bits_set(&planner->starts, &planner->map, range->address);
	for (size_t i = 0; i < function->count; i++)
		note_step(planner, area, &function->steps[i], range);
	note_end(planner, range);
	/* Where some of it is no instruction, the rest may have been read wrongly. */
	return function->is_whole ? 0 : note_rest(planner, area, range);
}

/* --- where a site fits --- */

/* Whether a patch of the search has one of the bytes [from, to) of the area. */
static bool is_taken(const struct planner *planner, uint64_t from, uint64_t to)
{
	const struct code_patch *patches = planner->scan->patches;
	const uint64_t offset = planner->area->offset + (from - planner->area->address);
	const size_t next =
		search_first(planner->count, i,
	                     patches[i].offset + patches[i].before + patches[i].length + patches[i].after <= offset);
	return next < planner->count && patches[next].offset < offset + (to - from);
}

/* Why bytes cannot be replaced by a jump, or TICK_REASONS: nothing leads between them, and nothing reads them. */
static enum tick_reason why_not(struct planner *planner, uint64_t from, uint64_t to)
{
	const struct code_map *map = &planner->map;
	/* The program may change or remap one page: then the other one must not have a part of the jump. */
	if (from / PAGE_SIZE != (to - 1) / PAGE_SIZE)
		return TICK_REASON_PAGE;
	if (code_function_is_entered(&planner->function, from, to) ||
	    code_bits_any(&planner->led_to, map, planner->area, from + 1, to) ||
	    code_bits_any(&planner->pointed, map, planner->area, from + 1, to))
		return TICK_REASON_ENTERED;
	if (code_bits_any(&planner->read, map, planner->area, from, to))
		return TICK_REASON_READ;
	return is_taken(planner, from, to) ? TICK_REASON_TAKEN : TICK_REASONS;
}

/* Fills in the patch that replaces whole instructions from a step on, with those up to `last` and before `end`. Returns
 * whether that is safe; if not, the reason is noted. */
static bool fits(struct planner *planner, size_t first, size_t last, size_t end, struct code_patch *patch)
{
	struct code_function *function = &planner->function;
	const uint64_t from = function->steps[first].address;
	uint64_t to = from;
	enum tick_reason reason = TICK_REASONS;
	*patch = (struct code_patch){.offset = planner->area->offset + (from - planner->area->address),
	                             .length = function->steps[first].instruction.length};
	for (size_t i = first; reason == TICK_REASONS && (to - from < JUMP_BYTES || i <= last); i++) {
		const struct code_step *s = &function->steps[i];
		if (i == end || s->address != to)
			reason = TICK_REASON_SHORT;
		else if (!tick_loop_is_movable(s, false) || (s->instruction.relative_at && patch->operand[1]))
			reason = TICK_REASON_MOVE;
		else if (planner->is_unknown && (i > first || !tick_loop_is_movable(s, true)))
			reason = TICK_REASON_UNKNOWN;
		else if (s->instruction.relative_at) {
			patch->operand[0] = (uint8_t)(to - from + s->instruction.relative_at);
			patch->operand[1] = (uint8_t)(s->instruction.length - s->instruction.relative_at);
		}
		to += reason == TICK_REASONS ? s->instruction.length : 0;
	}
	patch->after = (uint8_t)(to - from - patch->length);
	if (reason == TICK_REASONS)
		reason = why_not(planner, from, to);
	if (reason > planner->reason)
		planner->reason = reason;
	return reason == TICK_REASONS;
}

/* Whether an instruction sets all flags of arithmetic, and reads none: cmp, test, add, sub, and, or, xor. */
static bool sets_all_flags(const uint8_t *at)
{
	at += (at[0] & 0xf0) == 0x40;
	const bool is_operation = at[0] < 0x40 && (at[0] & 7) < 6;
	const unsigned reg = at[0] >= 0x80 && at[0] <= 0x83 ? at[1] >> 3 & 7 : at[0] >> 3 & 7;
	if (at[0] == 0x84 || at[0] == 0x85 || at[0] == 0xa8 || at[0] == 0xa9)
		return true;
	return (is_operation || (at[0] >= 0x80 && at[0] <= 0x83)) && reg != 2 && reg != 3; /* adc, sbb */
}

/* Whether the flags have no use before the instructions from a step on set them. */
static bool are_flags_unused(const struct planner *planner, size_t step, size_t end)
{
	for (; step < end; step++) {
		const struct code_step *s = &planner->function.steps[step];
		const uint64_t offset = s->address - planner->area->address;
		struct instruction_uses uses;
		if (sets_all_flags(planner->area->bytes + offset))
			return true;
		if (!disassembler_uses(planner->area->bytes + offset, planner->area->count - offset, s->address,
		                       &uses) ||
		    uses.is_call || s->instruction.flags & (INSTRUCTION_LEAVES | INSTRUCTION_END) ||
		    uses.reads & (USES_BIT(USES_FLAGS) | USES_BIT(USES_OTHER)))
			return false;
	}
	return false;
}

/* Adds a site to a block, before its first call if possible: what follows a call may never run. A single instruction is
 * better than several, and unused flags are better than others. Returns 1, 0 if there is no room, or -ENOMEM. */
static int add_site(struct planner *planner, uint32_t number)
{
	struct tick_block *block = &planner->graph.blocks[number];
	struct code_scan *scan = planner->scan;
	struct code_patch best, patch;
	unsigned least = 4;
	planner->reason = 0;
	for (size_t i = block->first; i < block->end && least; i++) {
		const struct instruction *in = &planner->function.steps[i].instruction;
		if (in->flags & INSTRUCTION_LEAVES && least < 4)
			break;
		if (!fits(planner, i, i, block->end, &patch))
			continue;
		const bool has_flags = !are_flags_unused(planner, i, block->end);
		const unsigned cost = 2 * has_flags + (patch.after != 0);
		patch.kind = has_flags ? CODE_TICK_FLAGS : CODE_TICK;
		if (cost < least) {
			best = patch;
			least = cost;
		}
	}
	if (least == 4)
		return 0;
	if (!array_reserve(scan->patches, scan->room, scan->count + 1))
		return -ENOMEM;
	planner->site_of[number] = (uint32_t)scan->count;
	scan->patches[scan->count++] = best;
	block->has_site = true;
	return 1;
}

/* --- one function --- */

/* Whether a block jumps forward into the middle of another function, as parts that are rarely executed do. Each cycle
 * through several functions, but for calls, has such a jump. */
static bool jumps_on(struct planner *planner, const struct tick_block *block)
{
	const struct code_function *function = &planner->function;
	const struct instruction *in = &function->steps[block->end - 1].instruction;
	const struct code_area *area = code_map_area(&planner->map, in->target);
	return in->flags & INSTRUCTION_TARGET && !(in->flags & (INSTRUCTION_REFERENCE | INSTRUCTION_LEAVES)) &&
	       in->target >= function->end && area &&
	       !code_bits_any(&planner->starts, &planner->map, area, in->target, in->target + 1);
}

/* Adds sites to the blocks that jump back to a head, in place of one there. Returns 1, 0 if one of them has no room, or
 * -ENOMEM. */
static int add_latch_sites(struct planner *planner, uint32_t head)
{
	struct tick_graph *graph = &planner->graph;
	size_t count;
	const uint32_t *before = tick_graph_before(graph, head, &count);
	int all = 1;
	for (size_t i = 0; i < count; i++) {
		if (!tick_graph_is_in_loop(graph, before[i], head))
			continue;
		const int result = graph->blocks[before[i]].has_site ? 1 : add_site(planner, before[i]);
		if (result < 0)
			return result;
		all = all && result;
	}
	return all;
}

/* Adds sites to the heads of loops. In place of a head without room, the blocks that jump back get one each. Where
 * indirect jumps are not understood, each has one, because it may lead back. */
static int add_loop_sites(struct planner *planner)
{
	struct tick_graph *graph = &planner->graph;
	int result = 0;
	for (uint32_t i = 0; i < graph->count && result >= 0; i++) {
		const struct tick_block *block = &graph->blocks[i];
		const bool is_gate = (block->is_indirect && !graph->table_count) || jumps_on(planner, block);
		if (!(block->is_head || is_gate) || block->has_site || !(block->is_live || planner->is_unknown))
			continue;
		/* Compilers put thousands of rarely executed blocks into functions of their own. */
		const bool is_left = !block->is_head && !planner->is_own[block->first];
		result = is_left ? 0 : add_site(planner, i);
		const enum tick_reason reason = planner->reason;
		if (!result && block->is_head)
			result = add_latch_sites(planner, i);
		if (!result && block->is_head)
			planner->counts->loop_reasons[reason]++;
		*(block->is_head ? &planner->counts->loops : &planner->counts->jumps) += 1;
		*(block->is_head ? &planner->counts->loops_without : &planner->counts->jumps_without) += !result;
	}
	return result < 0 ? result : 0;
}

/* Adds a site to the entry of a function that calls others, or that has much to do. */
static int add_entry_site(struct planner *planner)
{
	struct tick_graph *graph = &planner->graph;
	bool leaves = false;
	for (size_t i = 0; i < graph->count; i++)
		leaves |= graph->blocks[i].leaves_function;
	tick_graph_price(graph);
	if (graph->blocks[0].has_site || (!leaves && graph->blocks[0].ahead < LEAF_PRICE))
		return 0;
	const int result = add_site(planner, 0);
	planner->counts->entries++;
	planner->counts->entries_without += !result;
	planner->counts->entry_reasons[planner->reason % TICK_REASONS] += !result;
	return result < 0 ? result : 0;
}

/* Whether a patch has a byte of another site of the function. */
static bool is_beside_site(const struct planner *planner, const struct code_patch *patch)
{
	const uint64_t end = patch->offset + patch->before + patch->length + patch->after;
	for (size_t i = planner->own_first; i < planner->scan->count; i++) {
		const struct code_patch *own = &planner->scan->patches[i];
		if (patch->offset < own->offset + own->before + own->length + own->after && own->offset < end)
			return true;
	}
	return false;
}

/* Fills in the patch of an instruction that is charged by its count, with those before it if there is no room without.
 */
static bool fits_counted(struct planner *planner, const struct tick_block *block, size_t step, struct code_patch *patch)
{
	const struct code_step *steps = planner->function.steps;
	for (size_t back = 0; back <= COUNTED_BACK && step >= block->first + back; back++) {
		if (!fits(planner, step - back, step, block->end, patch))
			continue;
		const unsigned bytes = patch->length + patch->after;
		patch->kind = CODE_TICK_COUNT;
		patch->before = (uint8_t)(steps[step].address - steps[step - back].address);
		patch->length = steps[step].instruction.length;
		patch->after = (uint8_t)(bytes - patch->before - patch->length);
		if (!is_beside_site(planner, patch))
			return true;
	}
	return false;
}

/* Adds sites to the instructions of a block that are charged by their counts, where there is room. */
static int add_counted_sites(struct planner *planner, const struct tick_block *block)
{
	struct code_scan *scan = planner->scan;
	struct code_patch patch;
	for (size_t i = block->first; i < block->end; i++) {
		const struct code_step *s = &planner->function.steps[i];
		const unsigned bytes = tick_repeated_bytes(planner->area->bytes + (s->address - planner->area->address),
		                                           s->instruction.length);
		if (!bytes || !fits_counted(planner, block, i, &patch))
			continue;
		if (!array_reserve(scan->patches, scan->room, scan->count + 1))
			return -ENOMEM;
		code_set_ticks(&patch, tick_price_of_bytes(bytes));
		scan->patches[scan->count++] = patch;
	}
	return 0;
}

/* Whether the bytes of a loop have another patch than its site. */
static bool has_other_patch(const struct planner *planner, const struct code_patch *site, uint64_t from, uint64_t end)
{
	const uint64_t shift = planner->area->address - planner->area->offset;
	const struct code_patch before = {
		.offset = from - shift, .length = 0, .after = (uint8_t)(site->offset - (from - shift))};
	const uint64_t behind = site->offset + site->length + site->after;
	const struct code_patch after = {.offset = behind, .after = (uint8_t)(end - shift - behind)};
	return is_taken(planner, from, end) || is_beside_site(planner, &before) || is_beside_site(planner, &after);
}

/* Lists the parts of the loops that are copied. */
static int add_loops(struct planner *planner)
{
	struct code_patch parts[TICK_LOOP_PARTS_MAX];
	struct code_scan *scan = planner->scan;
	for (uint32_t i = 0; i < planner->graph.count; i++) {
		const struct tick_block *block = &planner->graph.blocks[i];
		if (!block->is_head || !block->has_site)
			continue;
		const struct code_patch site = scan->patches[planner->site_of[i]];
		const unsigned count = tick_loop_list(&planner->function, &planner->graph, planner->area, i, &site,
		                                      planner->is_unknown, parts);
		const struct code_step *last =
			count ? &planner->function.steps[planner->graph.blocks[block->latch].end - 1] : NULL;
		if (!last || has_other_patch(planner, &site, planner->function.steps[block->first].address,
		                             last->address + last->instruction.length))
			continue;
		if (!array_reserve(scan->patches, scan->room, scan->count + count))
			return -ENOMEM;
		memcpy(scan->patches + scan->count, parts, count * sizeof(*parts));
		scan->count += count;
	}
	return 0;
}

/* Writes the prices into the patches of a function. */
static void set_prices(struct planner *planner)
{
	struct tick_graph *graph = &planner->graph;
	tick_graph_price(graph);
	for (size_t i = 0; i < graph->count; i++) {
		if (!graph->blocks[i].has_site)
			continue;
		const uint64_t ticks = (graph->blocks[i].ahead + (1 << TICK_PRICE_SHIFT) - 1) >> TICK_PRICE_SHIFT;
		code_set_ticks(&planner->scan->patches[planner->site_of[i]],
		               ticks < CODE_TICKS_MAX ? (unsigned)ticks : CODE_TICKS_MAX);
	}
}

/* Adds labels where other code leads into the function. Flow then reaches these steps, if all of the function is known
 * to be code. Returns 0 or -ENOMEM. */
static int add_entries(struct planner *planner)
{
	struct code_function *function = &planner->function;
	if (!array_reserve(planner->is_own, planner->own_room, function->count + 1))
		return -ENOMEM;
	for (size_t i = 0; i < function->count; i++)
		planner->is_own[i] = function->steps[i].is_reached;
	for (size_t i = 0; i < function->count; i++) {
		struct code_step *s = &function->steps[i];
		if (!code_bits_any(&planner->led_to, &planner->map, planner->area, s->address, s->address + 1))
			continue;
		s->is_reached |= !planner->is_unknown;
		if (code_function_add_listed(function, s->address) == -ENOMEM)
			return -ENOMEM;
	}
	return 0;
}

/* Counts what `eremite info` prints of a function beside its sites. */
static void measure_function(struct planner *planner)
{
	struct tick_counts *counts = planner->counts;
	if (!planner->is_measured)
		return;
	tick_measure_distance(&counts->longest, &planner->function, planner->area,
	                      planner->scan->patches + planner->own_first, planner->scan->count - planner->own_first);
	const uint64_t before = counts->unknown_jumps;
	for (size_t i = 0; i < planner->graph.count; i++)
		counts->unknown_jumps += planner->graph.blocks[i].is_indirect && planner->is_unknown;
	counts->unknown_functions += counts->unknown_jumps > before;
}

/* Counts a piece of code that is in no function. */
static int measure_rest(void *context, const struct code_area *area, const struct code_range *range)
{
	struct tick_counts *counts = context;
	(void)area;
	counts->pieces += range->bytes >= TICK_PIECE_BYTES;
	counts->piece_bytes += range->bytes >= TICK_PIECE_BYTES ? range->bytes : 0;
	return 0;
}

static int plan_function(void *context, const struct code_area *area, const struct code_range *range)
{
	struct planner *planner = context;
	struct code_search stop = {.error = planner->error};
	if (code_search_check_stop(&stop))
		return -EINTR;
	planner->area = area;
	if (code_bits_any(&planner->cut, &planner->map, area, range->address, range->address + 1))
		return 0;
	planner->counts->functions++;
	if (code_function_read(&planner->function, area, range) ||
	    !array_reserve(planner->listed, planner->listed_room, range->bytes + 1))
		return -ENOMEM;
	const int unknown =
		tick_labels_add(&planner->map, area, &planner->pointed, &planner->function, planner->listed);
	planner->is_unknown = unknown;
	if (unknown < 0 || add_entries(planner) ||
	    tick_graph_make(&planner->graph, &planner->function, area, unknown ? NULL : planner->listed))
		return -ENOMEM;
	if (!planner->graph.count || !array_reserve(planner->site_of, planner->site_room, planner->graph.count))
		return planner->graph.count ? -ENOMEM : 0;
	planner->own_first = planner->scan->count;
	if (add_loop_sites(planner) || add_entry_site(planner))
		return -ENOMEM;
	set_prices(planner);
	int result = 0;
	for (size_t i = 0; i < planner->graph.count && !result; i++)
		result = add_counted_sites(planner, &planner->graph.blocks[i]);
	measure_function(planner);
	return result ? result : add_loops(planner);
}

/* --- the plan --- */

static int compare_patches(const void *a, const void *b)
{
	const struct code_patch *x = a, *y = b;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Whether a patch is one of the plan. */
static bool is_planned(const struct code_patch *patch)
{
	return code_is_tick(patch->kind) || patch->kind == CODE_LOOP || patch->kind == CODE_LOOP_PART;
}

/* Sorts the patches, and removes those of the plan that share bytes: functions may overlap. The kernel
 * copies no loop that lacks a part. */
static void sort_patches(struct code_scan *scan)
{
	size_t kept = 0;
	uint64_t after = 0;
	if (scan->count)
		qsort(scan->patches, scan->count, sizeof(*scan->patches), compare_patches);
	for (size_t i = 0; i < scan->count; i++) {
		const struct code_patch patch = scan->patches[i];
		if (is_planned(&patch) && patch.offset < after)
			continue;
		after = patch.offset + patch.before + patch.length + patch.after;
		scan->patches[kept++] = patch;
	}
	scan->count = kept;
}

static void free_planner(struct planner *planner)
{
	tick_graph_fini(&planner->graph);
	code_bits_fini(&planner->starts);
	code_bits_fini(&planner->cut);
	code_bits_fini(&planner->led_to);
	code_bits_fini(&planner->pointed);
	code_bits_fini(&planner->read);
	code_function_fini(&planner->function);
	free(planner->is_own);
	free(planner->listed);
	free(planner->site_of);
	code_map_fini(&planner->map);
	free(planner);
}

/* Plans the file of the map. */
static int plan_file(struct planner *planner)
{
	struct code_map *map = &planner->map;
	if (code_bits_begin(&planner->starts, map) || code_bits_begin(&planner->cut, map) ||
	    code_bits_begin(&planner->led_to, map) || code_bits_begin(&planner->pointed, map) ||
	    code_bits_begin(&planner->read, map))
		return -ENOMEM;
	if (code_map_join_go(map))
		return -ENOMEM;
	code_branches_mark(&planner->led_to, map, true);
	tick_labels_mark_pointed(&planner->pointed, map);
	int result = code_map_each_function(map, note_function, planner);
	if (!result)
		result = code_map_each_rest(map, note_rest, planner);
	if (!result)
		result = code_map_each_function(map, plan_function, planner);
	if (!result && planner->is_measured)
		result = code_map_each_rest(map, measure_rest, planner->counts);
	if (!result)
		sort_patches(planner->scan);
	return result;
}

int tick_plan_add(const uint8_t *file, uint64_t bytes, struct code_scan *scan, struct tick_counts *counts,
                  struct error *error)
{
	struct tick_counts unused = {0};
	int result = disassembler_load(error);
	struct planner *planner = result ? NULL : calloc(1, sizeof(*planner));
	if (!planner)
		return result ? result : error_set(error, ENOMEM, "out of memory");
	planner->scan = scan;
	planner->count = scan->count;
	planner->counts = counts ? counts : &unused;
	planner->is_measured = counts;
	planner->error = error;
	result = code_map_open(&planner->map, file, bytes, error);
	if (result) {
		free(planner);
		return result;
	}
	error->text[0] = 0;
	result = plan_file(planner);
	free_planner(planner);
	return result == -ENOMEM ? error_set(error, ENOMEM, "out of memory") : result;
}
