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
#include "code/ticks/tick_calls.h"
#include "code/ticks/tick_flags.h"
#include "code/ticks/tick_graph.h"
#include "code/ticks/tick_labels.h"
#include "code/ticks/tick_loop.h"
#include "code/ticks/tick_planner.h"
#include "code/ticks/tick_price.h"
#include "scan/opcode_search.h"

#define JUMP_BYTES 5
#define COUNTED_BACK 2 /* how many instructions may move with one that is charged by its count, before it */

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

/* Adds the patch of a block's site. Returns 1 or -ENOMEM. */
static int add_patch(struct planner *planner, uint32_t number, const struct code_patch *patch)
{
	struct code_scan *scan = planner->scan;
	if (!array_reserve(scan->patches, scan->room, scan->count + 1))
		return -ENOMEM;
	planner->site_of[number] = (uint32_t)scan->count;
	scan->patches[scan->count++] = *patch;
	planner->graph.blocks[number].has_site = true;
	return 1;
}

/* Adds a site to a block, before its first call if possible: what follows a call may never run. A single instruction is
 * better than several, and unused flags are better than others. Returns 1, 0 if there is no room, or -ENOMEM. */
static int add_site(struct planner *planner, uint32_t number)
{
	const struct tick_block *block = &planner->graph.blocks[number];
	struct code_patch best, patch;
	unsigned least = 4;
	planner->reason = 0;
	for (size_t i = block->first; i < block->end && least; i++) {
		const struct instruction *in = &planner->function.steps[i].instruction;
		if (in->flags & INSTRUCTION_LEAVES && least < 4)
			break;
		if (!fits(planner, i, i, block->end, &patch))
			continue;
		const bool has_flags = !tick_flags_are_unused(&planner->function, planner->area, i, block->end);
		const unsigned cost = 2 * has_flags + (patch.after != 0);
		patch.kind = has_flags ? CODE_TICK_FLAGS : CODE_TICK;
		if (cost < least) {
			best = patch;
			least = cost;
		}
	}
	return least == 4 ? 0 : add_patch(planner, number, &best);
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

/* Whether the bytes of a loop, from one offset in the file to another, have another patch than its site. */
static bool has_other_patch(const struct planner *planner, const struct code_patch *site, uint64_t from, uint64_t end)
{
	const uint64_t shift = planner->area->address - planner->area->offset;
	const uint64_t behind = site->offset + site->length + site->after;
	const struct code_patch before = {.offset = from, .after = (uint8_t)(site->offset - from)};
	const struct code_patch after = {.offset = behind, .after = (uint8_t)(end - behind)};
	return is_taken(planner, from + shift, end + shift) || is_beside_site(planner, &before) ||
	       is_beside_site(planner, &after);
}

/* --- one function --- */

/* Whether a block jumps forward into the middle of another function, as parts that are rarely executed do. Each cycle
 * through several functions, but for calls, has such a jump. */
static bool jumps_on(struct planner *planner, const struct tick_block *block)
{
	const struct code_function *function = &planner->function;
	const struct instruction *in = &function->steps[block->end - 1].instruction;
	const struct code_area *area = code_map_area(&planner->map, in->target);
	return instruction_is_jump(in) && in->target >= function->end && area &&
	       !code_bits_any(&planner->starts, &planner->map, area, in->target, in->target + 1);
}

/* Whether code from one offset in the file to another gets a site later, other than at the head of a loop. */
static bool gets_other_site(struct planner *planner, uint32_t head, uint64_t from, uint64_t end)
{
	const struct code_area *area = planner->area;
	for (uint32_t i = 0; i < planner->graph.count; i++) {
		const struct tick_block *block = &planner->graph.blocks[i];
		for (size_t k = block->first; k < block->end; k++) {
			const struct code_step *s = &planner->function.steps[k];
			const uint64_t at = s->address - area->address;
			if (area->offset + at < from || area->offset + at >= end)
				continue;
			if (tick_repeated_bytes(area->bytes + at, s->instruction.length) ||
			    (i != head && jumps_on(planner, block)))
				return true;
		}
	}
	return false;
}

/* Adds a site that begins at the head of a loop and contains the jump at the end of that block. The program itself
 * cannot have it, because the jump cannot be moved alone; the copy of the whole loop can. Returns 1, 0 if there is no
 * such site, or -ENOMEM. */
static int add_copied_site(struct planner *planner, uint32_t number)
{
	const struct code_function *function = &planner->function;
	struct tick_block *block = &planner->graph.blocks[number];
	struct code_patch parts[TICK_LOOP_PARTS_MAX], jump;
	const uint64_t from = function->steps[block->first].address;
	uint64_t to = from;
	struct code_patch patch = {.offset = planner->area->offset + (from - planner->area->address),
	                           .kind = CODE_TICK_LOOP,
	                           .length = function->steps[block->first].instruction.length};
	for (size_t i = block->first; to - from < JUMP_BYTES; i++) {
		const struct code_step *s = &function->steps[i];
		if (i == function->count || s->address != to || planner->is_unknown)
			return 0;
		const uint8_t *at = planner->area->bytes + (to - planner->area->address);
		const bool is_jump = !(s->instruction.flags & INSTRUCTION_END) &&
		                     tick_loop_describe_jump(at, &s->instruction, &jump);
		if (is_jump ? patch.operand[1] : s->instruction.relative_at || !tick_loop_is_movable(s, false))
			return 0;
		if (is_jump) {
			patch.operand[0] = (uint8_t)(to - from + jump.operand[0]);
			patch.operand[1] = jump.operand[1];
		}
		to += s->instruction.length;
	}
	patch.after = (uint8_t)(to - from - patch.length);
	const unsigned count =
		why_not(planner, from, to) == TICK_REASONS &&
				tick_flags_are_unused(function, planner->area, block->first, block->end)
			? tick_loop_list(function, &planner->graph, planner->area, number, &patch, false, parts)
			: 0;
	const uint64_t end = count ? parts[count - 1].offset + parts[count - 1].length : 0;
	const uint64_t first = count ? end - code_loop_bytes(&parts[count - 1]) : 0;
	if (!count || has_other_patch(planner, &patch, first, end) || gets_other_site(planner, number, first, end))
		return 0;
	return add_patch(planner, number, &patch);
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
			result = add_copied_site(planner, i);
		if (!result && block->is_head)
			result = add_latch_sites(planner, i);
		if (!result && block->is_head)
			planner->counts->loop_reasons[reason]++;
		*(block->is_head ? &planner->counts->loops : &planner->counts->jumps) += 1;
		*(block->is_head ? &planner->counts->loops_without : &planner->counts->jumps_without) += !result;
	}
	return result < 0 ? result : 0;
}

/* Adds a site to the entry of a function whose price is not in that of its calls. */
static int add_entry_site(struct planner *planner)
{
	struct tick_graph *graph = &planner->graph;
	tick_graph_price(graph);
	if (graph->blocks[0].has_site || !tick_calls_wants_place(&planner->calls, planner->own, graph->blocks[0].ahead))
		return 0;
	const int result = add_site(planner, 0);
	if (!result)
		tick_calls_set_without(planner->own);
	planner->counts->entries++;
	planner->counts->entries_without += !result;
	planner->counts->entry_reasons[planner->reason % TICK_REASONS] += !result;
	return result < 0 ? result : 0;
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
		const uint64_t end = count ? parts[count - 1].offset + parts[count - 1].length : 0;
		if (!count || has_other_patch(planner, &site, end - code_loop_bytes(&parts[count - 1]), end))
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

static int plan_function(void *context, struct tick_function *own)
{
	struct planner *planner = context;
	const struct code_area *area = own->area;
	const struct code_range *range = &own->range;
	struct code_search stop = {.error = planner->error};
	if (code_search_check_stop(&stop))
		return -EINTR;
	planner->area = area;
	planner->own = own;
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
	tick_calls_add_prices(&planner->calls, &planner->function, &planner->graph);
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
	tick_calls_fini(&planner->calls);
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
	    code_bits_begin(&planner->read, map) || tick_calls_begin(&planner->calls, map))
		return -ENOMEM;
	if (code_map_join_go(map))
		return -ENOMEM;
	code_branches_mark(&planner->led_to, map, true);
	tick_labels_mark_pointed(&planner->pointed, map);
	int result = code_map_each_function(map, tick_note_function, planner);
	if (!result)
		result = code_map_each_rest(map, tick_note_rest, planner);
	if (!result)
		result = tick_calls_each(&planner->calls, plan_function, planner);
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
