/* SPDX-License-Identifier: MIT */
#include "code/code_scan.h"

#include <errno.h>
#include <stdlib.h>

#include "code/code_hits.h"
#include "code/code_runtime.h"
#include "code/service/code_analysis.h"
#include "code/service/code_repeat.h"
#include "code/ticks/tick_plan.h"

/* Searches a map that was opened, without decision points, and frees everything but the result. */
static int search_plainly(struct code_search *search)
{
	code_search_begin(search, false, false);
	int result = code_hits_search(search);
	code_search_fini(search);
	if (result)
		code_scan_fini(search->scan);
	return result;
}

static int scan_with_points(const uint8_t *file, uint64_t bytes, const struct code_points *points,
                            struct code_scan *scan, struct error *error)
{
	struct code_analysis analysis;
	const struct code_points wanted = code_runtime_points(file, bytes, points);
	int result = code_analysis_make(file, bytes, wanted.atomics, wanted.stores, &analysis, error);
	if (result)
		return result;
	if (code_points_draw(&wanted)) {
		result = code_repeat(file, bytes, &analysis, &wanted, scan, error);
	} else {
		*scan = analysis.scan;
		analysis.scan = (struct code_scan){0};
	}
	code_analysis_fini(&analysis);
	if (!result && wanted.ticks)
		result = tick_plan_add(file, bytes, scan, NULL, error);
	return result;
}

int code_scan_elf(const uint8_t *file, uint64_t bytes, const struct code_points *points, struct code_scan *scan,
                  struct error *error)
{
	struct code_search search = {.scan = scan, .error = error};
	*scan = (struct code_scan){0};
	if (bytes > CODE_SCAN_BYTES_MAX)
		return error_set(error, EFBIG, "it is larger than %lu MiB", CODE_SCAN_BYTES_MAX >> 20);
	if (points)
		return scan_with_points(file, bytes, points, scan, error);
	int result = code_map_open(&search.map, file, bytes, error);
	return result ? result : search_plainly(&search);
}

int code_scan_raw(const uint8_t *memory, uint64_t bytes, uint64_t entry, struct code_scan *scan, struct error *error)
{
	struct code_search search = {.scan = scan, .error = error};
	*scan = (struct code_scan){0};
	if (bytes > CODE_SCAN_BYTES_MAX)
		return error_set(error, EFBIG, "it is larger than %lu MiB", CODE_SCAN_BYTES_MAX >> 20);
	int result = entry < bytes ? disassembler_load(error) : 0;
	if (result)
		return result;
	code_map_open_raw(&search.map, memory, bytes);
	if (entry < bytes && code_function_follow(&search.function, &search.map.areas[0], entry)) {
		code_function_fini(&search.function);
		return code_search_out_of_memory(&search);
	}
	return search_plainly(&search);
}

void code_scan_fini(struct code_scan *scan)
{
	free(scan->patches);
	free(scan->undecided);
	*scan = (struct code_scan){0};
}
