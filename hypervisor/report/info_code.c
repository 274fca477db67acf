/* SPDX-License-Identifier: MIT */
/* Function names come from the file's symbol tables, which elf_file.h reads with every step checked. Debug information,
 * which only a separate process reads, would add nothing to them. */
#include "report/info_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/boot.h"
#include "base/clean_text.h"
#include "base/error.h"
#include "base/search.h"
#include "code/code_scan.h"
#include "code/code_seeds.h"
#include "guest/elf_file.h"
#include "scan/disassembler.h"

#define NAME_MAX_SHOWN 80
#define TEXT_MAX 400

struct counts {
	unsigned rules[CODE_REASON_C + 1];
	unsigned traps, emulated, refused, yields, waits, seeds, points[2], points_trap;
};

struct view {
	FILE *to;
	struct elf_file elf;
	struct elf_symbol *symbols;
	size_t symbol_count;
	struct counts counts;
};

/* Returns the address of the byte at a file offset, by the segment with the flag that contains it; or 0. */
static uint64_t address_of(const struct elf_file *elf, uint64_t offset, uint32_t flag)
{
	for (unsigned i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];
		if (offset >= s->offset && offset - s->offset < s->bytes && (s->flags & flag))
			return s->address + (offset - s->offset);
	}
	return 0;
}

/* Returns the function around an address, or NULL. */
static const struct elf_symbol *find_symbol(const struct view *view, uint64_t address)
{
	size_t low = search_first(view->symbol_count, at, view->symbols[at].address <= address);
	/* Of several symbols at the last address, takes the first one that is long enough. */
	while (low > 1 && view->symbols[low - 2].address == view->symbols[low - 1].address)
		low--;
	for (; low && low <= view->symbol_count; low++) {
		const struct elf_symbol *s = &view->symbols[low - 1];
		if (s->address > address)
			break;
		if (address - s->address < s->bytes)
			return s;
	}
	return NULL;
}

/* Prints an address with its function, without control characters, because it goes to a terminal. */
static void print_place(const struct view *view, uint64_t address)
{
	const struct elf_symbol *symbol = find_symbol(view, address);
	if (!symbol || !symbol->name[0]) {
		fprintf(view->to, "?: ");
		return;
	}
	char name[NAME_MAX_SHOWN + 1];
	snprintf(name, sizeof(name), "%.*s", NAME_MAX_SHOWN, symbol->name); /* names may be as long as the file */
	clean_text(name, strlen(name));
	fprintf(view->to, "%s+0x%lx: ", name, address - symbol->address);
}

/* Prints the instructions in [offset, offset + bytes). */
static void print_instructions(const struct view *view, uint64_t offset, uint64_t bytes)
{
	const char *between = "";
	for (uint64_t at = offset; at < offset + bytes;) {
		char text[DISASSEMBLER_TEXT];
		struct instruction instruction;
		uint64_t address = address_of(&view->elf, at, PF_X);
		unsigned length = disassemble(view->elf.file + at, view->elf.bytes - at, address, &instruction);
		if (!length)
			break;
		disassembler_format(view->elf.file + at, view->elf.bytes - at, address, text);
		fprintf(view->to, "%s%s", between, text);
		between = "; ";
		at += length;
	}
	putc('\n', view->to);
}

/* Whether the processor model decides if the instruction exists. */
static bool is_of_model(uint8_t kind)
{
	return kind == TRAP_RDRAND || kind == TRAP_RDSEED || kind == TRAP_RDPID || kind == TRAP_XGETBV;
}

/* Describes the treatment of an instruction in a few words, and counts it. */
static void describe(const struct code_patch *patch, struct counts *counts, char text[TEXT_MAX])
{
	static const char *const rules[] = {
		[CODE_REASON_A] = "A", [CODE_REASON_A2] = "A2", [CODE_REASON_B] = "B", [CODE_REASON_C] = "C"};
	switch (patch->kind) {
	case CODE_SYSCALL:
		counts->rules[patch->reason]++;
		snprintf(text, TEXT_MAX, "patched: jump (%s)", rules[patch->reason]);
		return;
	case CODE_SYSCALL_TRAP:
		counts->traps++;
		snprintf(text, TEXT_MAX, "traps: %s", code_rules_text(patch->reason));
		return;
	case CODE_PAUSE:
		counts->yields++;
		snprintf(text, TEXT_MAX, "yields");
		return;
	case CODE_WAIT:
		counts->waits++;
		snprintf(text, TEXT_MAX, "waits: %s", patch->operand[0] & CODE_TRAPS ? "trap" : "jump");
		return;
	case CODE_ATOMIC:
	case CODE_STORE:
	case CODE_UPDATE:
	case CODE_LOAD:
		counts->points[patch->kind != CODE_ATOMIC]++;
		counts->points_trap += !!(patch->operand[0] & CODE_TRAPS);
		snprintf(text, TEXT_MAX, "point: %s", patch->operand[0] & CODE_TRAPS ? "trap" : "jump");
		return;
	case CODE_CPUID:
	case CODE_RDTSC:
	case CODE_RDTSCP:
	case CODE_XGETBV:
		counts->emulated++;
		snprintf(text, TEXT_MAX, "emulated: jump (%s)", rules[patch->reason]);
		return;
	case TRAP_TSX:
	case TRAP_RDPRU:
	case TRAP_ABSENT:
	case TRAP_SYSTEM:
		counts->refused++;
		snprintf(text, TEXT_MAX, "refused: SIGILL");
		return;
	case TRAP_SYSENTER:
		counts->refused++;
		snprintf(text, TEXT_MAX, "refused: SIGSEGV");
		return;
	default:
		counts->emulated++;
		snprintf(text, TEXT_MAX, "%s", is_of_model(patch->kind) ? "by --cpu, or SIGILL" : "emulated");
	}
}

static void print_seed(struct view *view, const struct code_patch *patch)
{
	view->counts.seeds++;
	fprintf(view->to, "%#10lx %#14lx  %-18s  %s, by --seed\n", patch->offset,
	        address_of(&view->elf, patch->offset, PF_W), "constant seed", code_seeds_name(patch));
}

static void print_patch(struct view *view, const struct code_patch *patch)
{
	if (patch->kind == CODE_SEED) {
		print_seed(view, patch);
		return;
	}
	char text[TEXT_MAX];
	uint64_t site = patch->offset + patch->before;
	uint64_t address = address_of(&view->elf, site, PF_X);
	describe(patch, &view->counts, text);
	fprintf(view->to, "%#10lx %#14lx  %-18s  ", site, address, text);
	print_place(view, address);
	print_instructions(view, patch->offset, (uint64_t)patch->before + patch->length + patch->after);
}

static void print_undecided(struct view *view, uint64_t offset)
{
	uint64_t address = address_of(&view->elf, offset, PF_X);
	fprintf(view->to, "%#10lx %#14lx  %-18s  ", offset, address, "undecided");
	print_place(view, address);
	print_instructions(view, offset, 1);
}

/* Explains the rules that were used. */
static void print_rules(const struct view *view)
{
	static const char *const rules[] = {
		[CODE_REASON_A] = "rule A: the jump to the kernel replaces the mov of the call's number before it",
		[CODE_REASON_A2] = "rule A2: the jump replaces another instruction of 5 bytes or more before it",
		[CODE_REASON_B] = "rule B: the jump replaces the system call and the instructions behind it",
		[CODE_REASON_C] =
			"rule C: the jump replaces the instructions before the system call, and the call if necessary",
	};
	const struct counts *c = &view->counts;
	for (unsigned i = CODE_REASON_A; i <= CODE_REASON_C; i++)
		if (c->rules[i])
			fprintf(view->to, "%s\n", rules[i]);
	if (c->traps)
		fprintf(view->to,
		        "trap: no instruction there can become a jump, so the call traps, which is slower and does the "
		        "same\n");
	if (c->emulated)
		fprintf(view->to, "emulated: the kernel gives the result, which does not depend on the host\n");
}

static void print_summary(const struct view *view, const struct code_scan *scan, const struct code_points *points)
{
	const struct counts *c = &view->counts;
	unsigned jumps =
		c->rules[CODE_REASON_A] + c->rules[CODE_REASON_A2] + c->rules[CODE_REASON_B] + c->rules[CODE_REASON_C];
	const bool is_plain = !jumps && !c->traps && !c->emulated && !c->refused && !c->yields;
	if (is_plain)
		fprintf(view->to, "no instruction of this file needs a change: it makes its system calls by libraries, "
		                  "such as libc.so.6, and has none whose result is the host's\n");
	if (is_plain && !c->waits && !c->seeds && !scan->undecided_count && !points->atomics && !points->shared &&
	    !code_points_draw(points) && !scan->note.text[0])
		return;
	fprintf(view->to,
	        "%u system calls: %u by a jump (rule A %u, A2 %u, B %u, C %u), %u trap; other instructions: %u "
	        "emulated, "
	        "%u refused, %u yield",
	        jumps + c->traps, jumps, c->rules[CODE_REASON_A], c->rules[CODE_REASON_A2], c->rules[CODE_REASON_B],
	        c->rules[CODE_REASON_C], c->traps, c->emulated, c->refused, c->yields);
	if (points->atomics)
		fprintf(view->to, ", %u atomic", c->points[0]);
	if (points->shared || points->loads)
		fprintf(view->to, ", %u %s accesses", c->points[1], points->shared ? "listed" : "sampled");
	else if (points->stores)
		fprintf(view->to, ", %u sampled stores", c->points[1]);
	if (points->atomics || code_points_draw(points))
		fprintf(view->to, " (%u of the points trap)", c->points_trap);
	if (c->waits)
		fprintf(view->to, ", %u in loops that wait", c->waits);
	if (c->seeds)
		fprintf(view->to, ", %u constant seeds", c->seeds);
	fprintf(view->to, ", %zu undecided\n", scan->undecided_count);
	if (scan->undecided_count)
		fprintf(view->to,
		        "undecided: the file does not show whether it is code or data, so it is left unchanged\n");
	print_rules(view);
	if (scan->note.text[0])
		fprintf(view->to, "note: %s; they were not used\n", scan->note.text);
}

int info_code_print(FILE *to, const char *path, const uint8_t *file, uint64_t bytes, const struct code_points *points,
                    struct error *error)
{
	struct view view = {.to = to};
	struct code_scan scan;
	int result = code_scan_elf(file, bytes, points, &scan, error);
	if (result)
		return result;
	result = elf_file_open(&view.elf, file, bytes, error);
	if (!result && elf_file_functions(&view.elf, &view.symbols, &view.symbol_count))
		result = error_set(error, ENOMEM, "out of memory");
	if (!result) {
		fprintf(to, "%s: Linux, x86-64, %s, %lu bytes\n", path,
		        view.elf.header.e_type == ET_EXEC ? "at fixed addresses" : "at any address", bytes);
		size_t next = 0;
		for (size_t i = 0; i < scan.count; i++) {
			while (next < scan.undecided_count && scan.undecided[next] < scan.patches[i].offset)
				print_undecided(&view, scan.undecided[next++]);
			print_patch(&view, &scan.patches[i]);
		}
		while (next < scan.undecided_count)
			print_undecided(&view, scan.undecided[next++]);
		print_summary(&view, &scan, points);
	}
	free(view.symbols);
	code_scan_fini(&scan);
	return result;
}
