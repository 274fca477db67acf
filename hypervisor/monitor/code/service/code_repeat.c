/* SPDX-License-Identifier: MIT */
/* Takes only the functions with a drawn store again, because a store changes nothing outside its function: between
 * their patches, those of the analysis stay. */
#include "code/service/code_repeat.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "code/code_search.h"
#include "code/code_shared.h"

struct repeat {
	struct code_search search;
	const struct code_scan *from; /* of the analysis */
	size_t next;                  /* the first of its patches that is not decided */
};

static uint64_t end_of(const struct code_patch *patch)
{
	return patch->offset + patch->before + patch->length + patch->after;
}

/* Takes over the patches of the analysis whose instructions begin before an offset. */
static int take_over(struct repeat *repeat, uint64_t offset)
{
	for (; repeat->next < repeat->from->count; repeat->next++) {
		const struct code_patch *patch = &repeat->from->patches[repeat->next];
		if (patch->offset + patch->before >= offset)
			return 0;
		if (code_search_append(&repeat->search, patch))
			return -ENOMEM;
	}
	return 0;
}

/* Takes a function again, and drops its patches of the analysis. If a new one were in the way of what stays behind the
 * function, the function keeps those of the analysis. */
static int take_function(struct repeat *repeat)
{
	struct code_search *search = &repeat->search;
	const struct code_area *area = search->area;
	const uint64_t start = area->offset + (search->range.address - area->address);
	if (take_over(repeat, start))
		return -ENOMEM;
	const size_t kept = search->scan->count, old = repeat->next;
	const uint64_t used = kept ? end_of(&search->scan->patches[kept - 1]) : 0;
	if (used > area->offset && area->address + (used - area->offset) > search->floor)
		search->floor = area->address + (used - area->offset);
	int result = code_search_take_function(search);
	if (result)
		return result;
	const uint64_t end = area->offset + (search->function.end - area->address);
	while (repeat->next < repeat->from->count &&
	       repeat->from->patches[repeat->next].offset + repeat->from->patches[repeat->next].before < end)
		repeat->next++;
	bool is_in_the_way =
		search->scan->count > kept && repeat->next < repeat->from->count &&
		end_of(&search->scan->patches[search->scan->count - 1]) > repeat->from->patches[repeat->next].offset;
	if (!is_in_the_way)
		return 0;
	search->scan->count = kept;
	repeat->next = old;
	return take_over(repeat, end);
}

/* Takes the functions with drawn stores in an area. */
static int repeat_area(struct repeat *repeat, const struct code_area *area)
{
	struct code_search *search = &repeat->search;
	const struct code_chosen *chosen = &search->chosen;
	int result = 0;
	code_search_enter(search, area);
	for (size_t i = chosen->next; i < chosen->count && !result; i++) {
		const struct code_choice *choice = &chosen->at[i];
		if (choice->address - area->address >= area->count)
			break;
		if (choice->waits || choice->address < search->decided)
			continue;
		result = code_search_check_stop(search);
		if (!result)
			result = code_map_find(&search->map, area, choice->address, &search->range, &search->source,
			                       &search->gap);
		if (result > 0)
			result = take_function(repeat);
	}
	return result;
}

static int draw(struct repeat *repeat, const struct code_analysis *analysis, const struct code_points *points)
{
	struct code_search *search = &repeat->search;
	struct code_sample sample;
	int result = points->shared ? code_shared_pick(points->shared, &search->map, &sample)
	                            : code_stores_draw(&search->map, &analysis->stores, points, &sample);
	if (result)
		return result;
	result = code_chosen_make(&analysis->waits, &sample, points->atomics, &search->chosen);
	free(sample.at);
	return result;
}

int code_repeat(const uint8_t *file, uint64_t bytes, struct code_analysis *analysis, const struct code_points *points,
                struct code_scan *scan, struct error *error)
{
	struct repeat repeat = {.search = {.scan = scan, .error = error}, .from = &analysis->scan};
	struct code_search *search = &repeat.search;
	*scan = (struct code_scan){0};
	int result = disassembler_load(error);
	if (!result)
		result = code_map_open(&search->map, file, bytes, error);
	if (result)
		return result;
	code_search_begin(search, true, points->atomics);
	result = draw(&repeat, analysis, points);
	for (unsigned i = 0; i < search->map.area_count && !result; i++)
		result = repeat_area(&repeat, &search->map.areas[i]);
	if (!result)
		result = take_over(&repeat, UINT64_MAX);
	code_search_fini(search);
	if (result) {
		code_scan_fini(scan);
		return result == -ENOMEM ? code_search_out_of_memory(search) : result;
	}
	scan->note = analysis->scan.note;
	scan->undecided = analysis->scan.undecided;
	scan->undecided_count = analysis->scan.undecided_count;
	scan->undecided_room = analysis->scan.undecided_room;
	analysis->scan.undecided = NULL;
	return 0;
}
