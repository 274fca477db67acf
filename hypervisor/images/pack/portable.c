/* SPDX-License-Identifier: MIT */
/* Searches the bytes first, and disassembles only functions with hits. Judges hits outside functions by vote
 * (disassembler.h), and takes the undecided places from code_scan.h. Names come from the file's symbol tables, whose
 * every step elf_file.h checks. */
#include "pack/portable.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clean_text.h"
#include "base/error.h"
#include "code/code_data.h"
#include "code/code_function.h"
#include "code/code_map.h"
#include "code/code_scan.h"
#include "guest/elf_file.h"
#include "scan/disassembler.h"
#include "scan/vote.h"
#include "scan/opcode_search.h"

/* Limit of bytes to disassemble in all: WORK_MIN, and WORK_FACTOR for each byte. It is needed because tables can make
 * one byte part of any number of functions. */
#define WORK_FACTOR 32
#define WORK_MIN (16UL << 20)
#define VOTE_WORK 2048 /* cost of one vote, about */
/* Shares of the votes, as 1 of N (code_hits.c): below the first a hit is data, from the second on an instruction. */
#define YES_MIN 16
#define YES_ENOUGH 3
#define NAME_MAX_SHOWN 80

struct found {
	uint64_t address;
	const char *mnemonic;
	enum portable_reason reason;
};

struct search {
	struct code_map map;
	struct code_function function; /* the last one read */
	const struct code_area *area;
	uint64_t decided; /* address: hits before it are decided */
	uint64_t work;    /* bytes that may still be disassembled */
	struct found *found;
	size_t count, room;
	struct error *error;
};

static int out_of_memory(struct search *search)
{
	return error_set(search->error, ENOMEM, "out of memory");
}

static int spend(struct search *search, uint64_t work)
{
	if (work > search->work)
		return error_set(search->error, EFBIG,
		                 "its code takes too long to disassemble: functions overlap, or too much is in none");
	search->work -= work;
	return 0;
}

static int append_site(struct search *search, const struct code_area *area, uint64_t offset,
                       enum portable_reason reason)
{
	if (search->count == PORTABLE_SITES_MAX)
		return error_set(search->error, EFBIG, "it has more than %lu instructions that depend on the processor",
		                 PORTABLE_SITES_MAX);
	if (!array_reserve(search->found, search->room, search->count + 1))
		return out_of_memory(search);
	search->found[search->count++] = (struct found){
		.address = area->address + offset,
		.mnemonic = disassembler_mnemonic(area->bytes + offset, area->count - offset),
		.reason = reason,
	};
	return 0;
}

static enum portable_reason reason_of(const struct instruction *in)
{
	if (in->flags & INSTRUCTION_X87_FUNCTION)
		return PORTABLE_X87;
	return in->flags & INSTRUCTION_INTEL_EXACT ? PORTABLE_INTEL_EXACT : PORTABLE_APPROXIMATE;
}

/* Takes all wanted instructions of a function. */
static int search_portable(struct search *search, const struct code_range *range)
{
	struct code_function *function = &search->function;
	const struct code_area *area = search->area;
	int result = spend(search, range->bytes < area->count ? range->bytes : area->count);
	if (!result && code_function_read(function, area, range))
		result = out_of_memory(search);
	for (size_t i = 0; !result && i < function->count; i++) {
		const struct code_step *s = &function->steps[i];
		if (s->instruction.flags & INSTRUCTION_VARIES && s->address >= search->decided)
			result = append_site(search, area, s->address - area->address, reason_of(&s->instruction));
	}
	if (!result && function->end > search->decided)
		search->decided = function->end;
	return result;
}

/* Judges a hit that is in no known function. */
static int judge_site(struct search *search, uint64_t offset)
{
	const struct code_area *area = search->area;
	struct vote vote;
	int result = spend(search, VOTE_WORK);
	if (result)
		return result;
	vote_ask(area->bytes, area->count, area->address, 0, offset, OPCODE_VARIES, &vote);
	if (vote.no > 7 * vote.yes || vote.yes * YES_MIN < vote.asked || !vote.goes_on ||
	    area->address + vote.offset < search->decided)
		return 0;
	bool is_code = vote.yes > 7 * vote.no && vote.yes * YES_ENOUGH >= vote.asked;
	if (code_data_surround(area, offset)) {
		if (!is_code)
			return 0;
		is_code = false;
	}
	search->decided = area->address + vote.offset + vote.instruction.length;
	return append_site(search, area, vote.offset, is_code ? reason_of(&vote.instruction) : PORTABLE_UNDECIDED);
}

static int visit_site(void *context, uint64_t offset)
{
	struct search *search = context;
	const struct code_area *area = search->area;
	struct code_range range;
	enum code_source source;
	uint64_t gap;
	if (area->address + offset < search->decided)
		return 0;
	int result = disassembler_load(search->error);
	if (result)
		return result;
	result = code_map_find(&search->map, area, area->address + offset, &range, &source, &gap);
	if (result < 0)
		return out_of_memory(search);
	if (!(result && source == CODE_SOURCE_EH_FRAME) && code_map_denies(&search->map, area, offset, !result))
		return 0;
	return result ? search_portable(search, &range) : judge_site(search, offset);
}

/* Adds the undecided places, which are offsets in the file. */
static int add_undecided(struct search *search, const uint64_t *undecided, size_t count)
{
	int result = 0;
	for (size_t i = 0; i < count && !result; i++)
		for (unsigned j = 0; j < search->map.area_count && !result; j++) {
			const struct code_area *area = &search->map.areas[j];
			if (undecided[i] - area->offset < area->count)
				result = append_site(search, area, undecided[i] - area->offset, PORTABLE_UNDECIDED);
		}
	return result;
}

static int scan_undecided(struct search *search, const uint8_t *file, uint64_t bytes)
{
	struct code_scan scan;
	int result = code_scan_elf(file, bytes, NULL, &scan, search->error);
	if (result)
		return result;
	result = add_undecided(search, scan.undecided, scan.undecided_count);
	code_scan_fini(&scan);
	return result;
}

static int compare_portable(const void *a, const void *b)
{
	const struct found *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->reason != y->reason ? (x->reason < y->reason ? -1 : 1) : strcmp(x->mnemonic, y->mnemonic);
}

static int find_all(struct search *search, const uint8_t *file, uint64_t bytes)
{
	int result = 0;
	search->work = WORK_MIN + WORK_FACTOR * bytes;
	for (unsigned i = 0; i < search->map.area_count && !result; i++) {
		search->area = &search->map.areas[i];
		search->decided = search->area->address;
		result = opcode_search(search->area->bytes, search->area->count, OPCODE_VARIES, visit_site, search);
	}
	if (!result)
		result = scan_undecided(search, file, bytes);
	if (search->count)
		qsort(search->found, search->count, sizeof(*search->found), compare_portable);
	return result;
}

/* Passes the places on with their symbols. Both are sorted by address, symbols at one address by size. So one pass
 * finds, of the symbols that begin last before a place, the smallest around it. */
static void pass_on(const struct search *search, const struct elf_symbol *symbols, size_t symbol_count,
                    void (*each)(void *context, const struct portable_site *site), void *context)
{
	size_t at = 0, next = 0; /* symbols[at] to symbols[next - 1] have one address */
	for (size_t i = 0; i < search->count; i++) {
		const struct found *f = &search->found[i];
		struct portable_site site = {.address = f->address, .mnemonic = f->mnemonic, .reason = f->reason};
		for (; next < symbol_count && symbols[next].address <= f->address; next++)
			if (symbols[next].address != symbols[at].address)
				at = next;
		while (at + 1 < next && f->address - symbols[at].address >= symbols[at].bytes)
			at++;
		if (at < next && f->address - symbols[at].address < symbols[at].bytes && symbols[at].name[0]) {
			site.symbol = symbols[at].name;
			site.symbol_offset = f->address - symbols[at].address;
		}
		each(context, &site);
	}
}

bool portable_is_code(const uint8_t *file, uint64_t bytes)
{
	Elf64_Ehdr header;
	if (bytes < sizeof(header))
		return false;
	memcpy(&header, file, sizeof(header));
	return !memcmp(header.e_ident, ELFMAG, SELFMAG) && header.e_machine == EM_X86_64 &&
	       (header.e_type == ET_EXEC || header.e_type == ET_DYN);
}

int64_t portable_list(const uint8_t *file, uint64_t bytes,
                      void (*each)(void *context, const struct portable_site *site), void *context, struct error *error)
{
	struct search search = {.error = error};
	struct elf_symbol *symbols = NULL;
	size_t symbol_count = 0;
	if (!portable_is_code(file, bytes))
		return 0;
	if (bytes > CODE_SCAN_BYTES_MAX)
		return error_set(error, EFBIG, "it is larger than %lu MiB", CODE_SCAN_BYTES_MAX >> 20);
	int result = code_map_open(&search.map, file, bytes, error);
	if (result)
		return result;
	result = find_all(&search, file, bytes);
	if (!result && search.count && elf_file_functions(&search.map.elf, &symbols, &symbol_count))
		result = out_of_memory(&search);
	if (!result)
		pass_on(&search, symbols, symbol_count, each, context);
	free(symbols);
	free(search.found);
	code_function_fini(&search.function);
	code_map_fini(&search.map);
	return result ? result : (int64_t)search.count;
}

void portable_print(FILE *to, const char *path, const struct portable_site *site)
{
	static const char *const reasons[PORTABLE_REASONS] = {
		[PORTABLE_APPROXIMATE] = "approximate",
		[PORTABLE_INTEL_EXACT] = "approximate, specified by Intel",
		[PORTABLE_X87] = "x87 function",
		[PORTABLE_UNDECIDED] = "undecided",
	};
	char name[NAME_MAX_SHOWN + 1] = "?";
	fprintf(to, "%s: %#lx %s ", path, site->address, site->mnemonic);
	if (site->symbol) {
		snprintf(name, sizeof(name), "%.*s", NAME_MAX_SHOWN,
		         site->symbol); /* names may be as long as the file */
		clean_text(name, strlen(name));
		fprintf(to, "%s+0x%lx", name, site->symbol_offset);
	} else {
		fputs(name, to);
	}
	fprintf(to, " (%s)\n", reasons[site->reason]);
}

void portable_print_counts(FILE *to, const char *path, const struct portable_counts *counts)
{
	const uint64_t *n = counts->reasons;
	uint64_t all = 0;
	for (unsigned i = 0; i < PORTABLE_REASONS; i++)
		all += n[i];
	fprintf(to, "%s: %lu place%s: %lu approximate, %lu specified by Intel, %lu x87 function%s, %lu undecided\n",
	        path, all, all == 1 ? "" : "s", n[PORTABLE_APPROXIMATE], n[PORTABLE_INTEL_EXACT], n[PORTABLE_X87],
	        n[PORTABLE_X87] == 1 ? "" : "s", n[PORTABLE_UNDECIDED]);
}
