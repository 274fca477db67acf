/* SPDX-License-Identifier: MIT */
#include "code/code_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "code/go_functions.h"
#include "scan/disassembler.h"
#include "scan/eh_frame.h"

#define EH_FRAME_PCREL_SDATA4 0x1b

/* How far before a function instructions are checked for leading over its start, in bytes. */
#define LEAD_BYTES 64

static struct code_area area_of(const struct elf_file *elf, uint64_t offset, uint64_t bytes, uint64_t address)
{
	return (struct code_area){.bytes = elf->file + offset, .count = bytes, .address = address, .offset = offset};
}

/* Adds the sections with instructions in a segment. Returns whether there are any. */
static bool add_sections(struct code_map *map, const struct elf_segment *segment)
{
	const struct elf_file *elf = &map->elf;
	unsigned before = map->area_count;
	for (unsigned i = 0; i < elf->section_count; i++) {
		Elf64_Shdr s;
		if (!elf_file_section(elf, i, &s) || !(s.sh_flags & SHF_EXECINSTR) || !(s.sh_flags & SHF_ALLOC) ||
		    !s.sh_size || s.sh_offset < segment->offset || s.sh_offset - segment->offset >= segment->bytes)
			continue;
		uint64_t at = s.sh_offset - segment->offset;
		if (s.sh_addr != segment->address + at || s.sh_size > segment->bytes - at ||
		    map->area_count == CODE_AREAS_MAX) {
			map->area_count = before; /* one wrong section makes all of them doubtful */
			return false;
		}
		map->areas[map->area_count++] = area_of(elf, s.sh_offset, s.sh_size, s.sh_addr);
	}
	return map->area_count > before;
}

static int compare_areas(const void *a, const void *b)
{
	const struct code_area *x = a, *y = b;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return x->count == y->count ? 0 : x->count > y->count ? -1 : 1;
}

/* Removes overlaps in the file, so that each byte is patched once, even if it has several addresses. */
static void separate(struct code_map *map)
{
	unsigned kept = 0;
	uint64_t after = 0;
	qsort(map->areas, map->area_count, sizeof(map->areas[0]), compare_areas);
	for (unsigned i = 0; i < map->area_count; i++) {
		struct code_area area = map->areas[i];
		uint64_t skip = area.offset < after ? after - area.offset : 0;
		if (skip >= area.count)
			continue;
		after = area.offset + area.count;
		map->areas[kept] = area_of(&map->elf, area.offset + skip, area.count - skip, area.address + skip);
		map->areas[kept++].is_segment = area.is_segment;
	}
	map->area_count = kept;
}

int code_map_open(struct code_map *map, const uint8_t *file, uint64_t bytes, struct error *error)
{
	*map = (struct code_map){0};
	int result = elf_file_open(&map->elf, file, bytes, error);
	for (unsigned i = 0; i < map->elf.segment_count && !result; i++) {
		const struct elf_segment *s = &map->elf.segments[i];
		if (!(s->flags & PF_X) || add_sections(map, s))
			continue;
		if (map->area_count == CODE_AREAS_MAX)
			return error_set(error, ENOEXEC, "its code is in more than %u parts", CODE_AREAS_MAX);
		struct code_area area = area_of(&map->elf, s->offset, s->bytes, s->address);
		area.is_segment = true;
		map->areas[map->area_count++] = area;
	}
	if (!result)
		separate(map);
	return result;
}

void code_map_open_raw(struct code_map *map, const uint8_t *memory, uint64_t bytes)
{
	*map = (struct code_map){.is_raw = true, .area_count = 1, .is_landing_unknown = true};
	map->areas[0] = (struct code_area){.bytes = memory, .count = bytes};
}

void code_map_fini(struct code_map *map)
{
	for (unsigned i = 0; i < CODE_SOURCES; i++)
		free(map->functions[i].at);
	free(map->joined.at);
	free(map->landing.at);
	*map = (struct code_map){0};
}

/* Returns the size of .eh_frame if no section gives it: up to the empty record at the end. */
static uint64_t measure_eh_frame(const uint8_t *at, uint64_t left)
{
	uint64_t bytes = 0;
	while (left - bytes >= 4) {
		uint32_t length;
		uint64_t longer = 0;
		memcpy(&length, at + bytes, 4);
		if (!length)
			break;
		if (length == 0xffffffff && left - bytes >= 12)
			memcpy(&longer, at + bytes + 4, 8);
		uint64_t record = length == 0xffffffff ? 12 : 4, body = longer ? longer : length;
		if (body > left - bytes - record)
			break;
		bytes += record + body;
	}
	return bytes;
}

/* Finds the unwind tables as a program itself does, by PT_GNU_EH_FRAME (LSB Core, chapter 10.6.2), or by the section.
 */
static const uint8_t *find_eh_frame(struct code_map *map)
{
	const struct elf_file *elf = &map->elf;
	Elf64_Shdr section;
	uint64_t left, address = 0;
	const uint8_t *header = elf->eh_frame_hdr ? elf_file_at(elf, elf->eh_frame_hdr, &left) : NULL;
	if (header && left >= 8 && header[0] == 1 && header[1] == EH_FRAME_PCREL_SDATA4) {
		int32_t distance;
		memcpy(&distance, header + 4, sizeof(distance));
		address = elf->eh_frame_hdr + 4 + (uint64_t)(int64_t)distance;
	}
	if (elf_file_section_named(elf, ".eh_frame", &section) && section.sh_size &&
	    (!address || section.sh_addr == address)) {
		map->eh_frame = section.sh_addr;
		map->eh_frame_bytes = section.sh_size;
		return elf->file + section.sh_offset;
	}
	const uint8_t *table = address ? elf_file_at(elf, address, &left) : NULL;
	map->eh_frame = table ? address : 0;
	map->eh_frame_bytes = table ? measure_eh_frame(table, left) : 0;
	return table;
}

static int read_eh_frame(struct code_map *map)
{
	struct code_ranges *list = &map->functions[CODE_SOURCE_EH_FRAME];
	const uint8_t *table = find_eh_frame(map);
	if (!table)
		return 0;
	int result = eh_frame_plain_functions(table, map->eh_frame_bytes, map->eh_frame, &list->at, &list->count,
	                                      &map->note);
	return result == -EINVAL ? 0 : result;
}

static int read_symbols(struct code_map *map)
{
	struct elf_symbol *symbols;
	size_t count;
	int result = elf_file_functions(&map->elf, &symbols, &count);
	for (size_t i = 0; i < count && !result; i++)
		result = code_range_append(&map->functions[CODE_SOURCE_SYMBOLS],
		                           (struct code_range){symbols[i].address, symbols[i].bytes});
	free(symbols);
	return result;
}

static int read_source(struct code_map *map, enum code_source source)
{
	if (map->is_read[source] || map->is_raw)
		return 0;
	map->is_read[source] = true;
	switch (source) {
	case CODE_SOURCE_EH_FRAME:
		return read_eh_frame(map);
	case CODE_SOURCE_SYMBOLS:
		return read_symbols(map);
	default:
		return go_functions_read(&map->elf, &map->functions[CODE_SOURCE_GO]);
	}
}

int code_map_read(struct code_map *map)
{
	int result = 0;
	for (unsigned i = 0; i < CODE_SOURCES && !result; i++)
		result = read_source(map, i);
	return result;
}

int code_map_find(struct code_map *map, const struct code_area *area, uint64_t address, struct code_range *range,
                  enum code_source *source, uint64_t *gap)
{
	*gap = area->address;
	for (unsigned i = 0; i < CODE_SOURCES; i++) {
		int result = read_source(map, i);
		if (result)
			return result;
		const struct code_range *found =
			code_range_find(map->functions[i].at, map->functions[i].count, address, gap);
		if (found && found->address >= area->address) {
			*range = *found;
			*source = i;
			return 1;
		}
	}
	return 0;
}

/* Whether GHC has compiled the file. Its code has tables between and before functions and no unwind tables. It
 * does not use the wanted instructions. The first text is in its libraries, the second in its runtime system. */
static bool is_of_ghc(struct code_map *map)
{
	static const char of_library[] = "\0stg_ap_", of_runtime[] = "(GHC version ";
	if (!map->is_maker_known)
		map->is_of_ghc = memmem(map->elf.file, map->elf.bytes, of_library, sizeof(of_library) - 1) ||
		                 memmem(map->elf.file, map->elf.bytes, of_runtime, sizeof(of_runtime) - 1);
	map->is_maker_known = true;
	return map->is_of_ghc;
}

/* Whether the instructions from an offset on overlap the start of a function. */
static bool leads_over(const struct code_area *area, uint64_t offset, uint64_t start)
{
	struct instruction in;
	for (uint64_t at = area->address + offset; at < start; at += in.length) {
		uint64_t from = at - area->address;
		if (!disassemble(area->bytes + from, area->count - from, at, &in) || in.flags & INSTRUCTION_END)
			return false;
		if (at + in.length > start)
			return true;
	}
	return false;
}

bool code_map_denies(struct code_map *map, const struct code_area *area, uint64_t offset, bool in_gap)
{
	const uint64_t limit = area->address + offset + LEAD_BYTES;
	uint64_t start = limit;
	if (map->is_raw)
		return false;
	if (is_of_ghc(map))
		return true;
	for (unsigned i = 0; i < CODE_SOURCES && in_gap; i++) /* all sources have been read */
		start = code_range_next(&map->functions[i], area->address + offset, start);
	return start < limit && leads_over(area, offset, start);
}

const struct code_area *code_map_area(const struct code_map *map, uint64_t address)
{
	for (unsigned i = 0; i < map->area_count; i++)
		if (address - map->areas[i].address < map->areas[i].count)
			return &map->areas[i];
	return NULL;
}

/* Sets *functions to those of the first source that has any, or to NULL. Returns 0 or -ENOMEM. */
static int find_functions(struct code_map *map, const struct code_ranges **functions)
{
	*functions = map->joined.count ? &map->joined : NULL;
	for (unsigned i = 0; i < CODE_SOURCES && !*functions; i++) {
		int result = read_source(map, i);
		if (result)
			return result;
		if (map->functions[i].count) {
			*functions = &map->functions[i];
			return 0;
		}
	}
	return 0;
}

/* Appends those functions of `from` that share no byte with a function of `others`. */
static int append_others(struct code_ranges *to, const struct code_ranges *from, const struct code_ranges *others)
{
	int result = 0;
	for (size_t i = 0; i < from->count && !result; i++) {
		const struct code_range *range = &from->at[i];
		uint64_t gap = 0;
		if (!code_range_find(others->at, others->count, range->address, &gap) &&
		    code_range_next(others, range->address, UINT64_MAX) - range->address >= range->bytes)
			result = code_range_append(to, *range);
	}
	return result;
}

int code_map_join_go(struct code_map *map)
{
	const struct code_ranges *first, *go = &map->functions[CODE_SOURCE_GO], none = {0};
	int result = find_functions(map, &first);
	if (!result)
		result = read_source(map, CODE_SOURCE_GO);
	if (result || !first || first == go || !go->count)
		return result;
	struct code_ranges joined = {0};
	result = append_others(&joined, first, &none);
	if (!result)
		result = append_others(&joined, go, first);
	code_range_sort(&joined);
	map->joined = joined;
	return result;
}

int code_map_each_function(struct code_map *map, code_map_visit *visit, void *context)
{
	const struct code_ranges *functions;
	int result = find_functions(map, &functions);
	for (unsigned i = 0; functions && i < map->area_count && !result; i++) {
		const struct code_area *area = &map->areas[i];
		uint64_t done = area->address; /* functions of the tables may overlap */
		for (size_t j = 0; j < functions->count && !result; j++) {
			struct code_range function = functions->at[j];
			uint64_t from = function.address - area->address;
			if (function.address < done || from >= area->count)
				continue;
			if (function.bytes > area->count - from)
				function.bytes = area->count - from;
			done = function.address + function.bytes;
			result = visit(context, area, &function);
		}
	}
	return result;
}

int code_map_each_rest(struct code_map *map, code_map_visit *visit, void *context)
{
	const struct code_ranges *functions;
	int result = find_functions(map, &functions);
	for (unsigned i = 0; i < map->area_count && !result; i++) {
		const struct code_area *area = &map->areas[i];
		const uint64_t end = area->address + area->count;
		uint64_t done = area->address;
		for (size_t j = 0; functions && j < functions->count && !result; j++) {
			struct code_range function = functions->at[j];
			if (function.address - area->address >= area->count)
				continue;
			if (function.bytes > end - function.address)
				function.bytes = end - function.address;
			const struct code_range gap = {done, function.address - done};
			if (function.address < done)
				result = visit(context, area, &function);
			else if (gap.bytes)
				result = visit(context, area, &gap);
			if (function.address + function.bytes > done && function.address >= done)
				done = function.address + function.bytes;
		}
		const struct code_range last = {done, end - done};
		if (!result && last.bytes)
			result = visit(context, area, &last);
	}
	return result;
}

static int add_pad(void *context, uint64_t pad)
{
	return code_function_add_listed(context, pad);
}

/* Lists the functions with landing pads. 0 or -ENOMEM. */
static int read_landing(struct code_map *map)
{
	uint64_t left;
	struct error error;
	map->is_landing_read = true;
	int result = read_source(map, CODE_SOURCE_EH_FRAME);
	if (result || !map->eh_frame_bytes)
		return result;
	const uint8_t *table = elf_file_at(&map->elf, map->eh_frame, &left);
	if (table && left >= map->eh_frame_bytes)
		result = eh_frame_landing_data(table, map->eh_frame_bytes, map->eh_frame, &map->landing.at,
		                               &map->landing.count, &error);
	map->is_landing_unknown = !table || left < map->eh_frame_bytes || result == -EINVAL;
	return result == -ENOMEM ? result : 0;
}

int code_map_add_landing_pads(struct code_map *map, struct code_function *function)
{
	uint64_t left;
	int result = map->is_landing_read ? 0 : read_landing(map);
	if (result)
		return result;
	if (map->is_landing_unknown)
		return -EINVAL;
	size_t i = search_first(map->landing.count, at, map->landing.at[at].address < function->start);
	for (; i < map->landing.count && map->landing.at[i].address == function->start && !result; i++) {
		uint64_t data = map->landing.at[i].bytes;
		const uint8_t *at = elf_file_at(&map->elf, data, &left);
		result = at ? eh_frame_landing_pads(at, left, data, function->start, add_pad, function) : -EINVAL;
	}
	return result;
}
