/* SPDX-License-Identifier: MIT */
/* A function is some blocks of random instructions, and a last one that returns. Each block ends in one of many ways;
 * what may lead back, to another function or through a table consumes fuel, and goes to the last block without. */
#include "tests/unit/ticks/program.h"

#include <elf.h>
#include <stdlib.h>

#include "tests/unit/fakes/elf_maker.h"
#include "tests/unit/ticks/maker.h"

#define FUNCTIONS_MAX 5
#define BLOCKS_MAX 12
#define TABLE_ENTRIES 4
#define NOT_SIGNED 9 /* condition codes: jns, ja, js */
#define ABOVE 7
#define SIGNED 8

struct function {
	unsigned entry;
	unsigned blocks[BLOCKS_MAX + 1], middles[BLOCKS_MAX]; /* labels: at the start and somewhere within */
	unsigned count;
	uint64_t start, end;
};

struct plan {
	struct maker *maker;
	struct function functions[FUNCTIONS_MAX];
	unsigned count;
	bool has_hidden; /* draws jumps that are not shown by a table */
};

static bool chance(struct maker *maker, unsigned of)
{
	return !maker_draw(maker, of);
}

/* A block's start, or its middle. */
static unsigned any_label(struct maker *maker, const struct function *function)
{
	const unsigned block = maker_draw(maker, function->count);
	return chance(maker, 4) ? function->middles[block] : function->blocks[block];
}

static unsigned last_label(const struct function *function)
{
	return function->blocks[function->count];
}

/* dec %r14; js the last block. */
static void add_fuel_check(struct maker *maker, const struct function *function)
{
	maker_begin(maker);
	if (chance(maker, 2))
		MAKER_ADD(maker, 0x49, 0xff, 0xce);
	else
		MAKER_ADD(maker, 0x49, 0x83, 0xee, 1);
	maker_jump(maker, SIGNED, last_label(function), chance(maker, 3));
}

/* A jump back that needs no check before: dec %r14; jns the label. */
static void add_jump_back(struct maker *maker, unsigned label)
{
	maker_begin(maker);
	MAKER_ADD(maker, 0x49, 0xff, 0xce);
	maker_jump(maker, NOT_SIGNED, label, !chance(maker, 3));
}

/* Conditional jump back, with a test before it that sets the flags. */
static void add_conditional_back(struct maker *maker, const struct function *function, unsigned label)
{
	add_fuel_check(maker, function);
	maker_instruction(maker);
	maker_jump(maker, maker_draw(maker, 16), label, !chance(maker, 3));
}

static void add_call(struct plan *plan, const struct function *from)
{
	struct maker *maker = plan->maker;
	const struct function *to = &plan->functions[maker_draw(maker, plan->count)];
	add_fuel_check(maker, from);
	maker_begin(maker);
	maker->program->calls++;
	if (!chance(maker, 3)) {
		MAKER_ADD(maker, 0xe8);
		maker_distance(maker, to->entry, 0, 0);
		return;
	}
	MAKER_ADD(maker, 0x48, 0x8d, 0x05); /* lea function(%rip), %rax; call *%rax */
	maker_distance(maker, to->entry, 0, 0);
	maker_begin(maker);
	MAKER_ADD(maker, 0xff, 0xd0);
}

/* rcx becomes an index of a table. */
static void add_index(struct maker *maker, const struct function *function, bool is_compared)
{
	if (chance(maker, 2)) {
		maker_begin(maker);
		MAKER_ADD(maker, 0x89, 0xc1); /* mov %eax, %ecx */
	}
	if (is_compared) { /* cmp $3, %ecx; ja the last block: after a shift, so that this is no rule */
		maker_begin(maker);
		MAKER_ADD(maker, 0xc1, 0xe9, 29); /* shr $29, %ecx */
		maker_begin(maker);
		MAKER_ADD(maker, 0x83, 0xf9, TABLE_ENTRIES - 1);
		maker_jump(maker, ABOVE, last_label(function), false);
	} else {
		maker_begin(maker);
		MAKER_ADD(maker, 0x83, 0xe1, TABLE_ENTRIES - 1); /* and $3, %ecx */
	}
	maker->program->instructions++;
	MAKER_ADD(maker, 0x89, 0xc9); /* mov %ecx, %ecx */
}

static void draw_entries(struct maker *maker, const struct function *function, unsigned entries[TABLE_ENTRIES])
{
	for (unsigned i = 0; i < TABLE_ENTRIES; i++)
		entries[i] = any_label(maker, function);
}

/* The table of a `switch`: lea table(%rip), %rdx; movslq (%rdx, %rcx, 4), %rax; add %rdx, %rax; jmp *%rax */
static void add_switch(struct maker *maker, const struct function *function)
{
	unsigned entries[TABLE_ENTRIES];
	draw_entries(maker, function, entries);
	add_fuel_check(maker, function);
	add_index(maker, function, !chance(maker, 3));
	const uint64_t table = maker_table(maker, entries, TABLE_ENTRIES, MAKER_DISTANCE, 0);
	MAKER_ADD(maker, 0x48, 0x8d, 0x15);
	maker_word(maker, (uint32_t)(table - (maker_here(maker) + 4)));
	MAKER_ADD(maker, 0x48, 0x63, 0x04, 0x8a, 0x48, 0x01, 0xd0);
	if (chance(maker, 3))
		MAKER_ADD(maker, 0x3e); /* notrack */
	MAKER_ADD(maker, 0xff, 0xe0);
	maker->program->instructions += 4;
}

/* A table of addresses: jmp *table(, %rcx, 8), or mov table(, %rcx, 8), %rax; jmp *%rax */
static void add_address_table(struct maker *maker, const struct function *function)
{
	unsigned entries[TABLE_ENTRIES];
	draw_entries(maker, function, entries);
	add_fuel_check(maker, function);
	add_index(maker, function, chance(maker, 2));
	const uint32_t table = (uint32_t)maker_table(maker, entries, TABLE_ENTRIES, MAKER_ABSOLUTE, 0);
	maker->program->instructions += 2;
	if (chance(maker, 2)) {
		MAKER_ADD(maker, 0xff, 0x24, 0xcd);
		maker_word(maker, table);
		return;
	}
	MAKER_ADD(maker, 0x48, 0x8b, 0x04, 0xcd);
	maker_word(maker, table);
	if (chance(maker, 2))
		MAKER_ADD(maker, 0x48, 0x89, 0xc2, 0xff, 0xe2); /* mov %rax, %rdx; jmp *%rdx */
	else
		MAKER_ADD(maker, 0xff, 0xe0);
}

/* A table of two bytes an entry, relative to the function, which no rule of the planner knows:
 * movzwl table(, %rcx, 2), %eax; lea function(%rip), %rdx; add %rdx, %rax; jmp *%rax */
static void add_hidden_table(struct maker *maker, const struct function *function)
{
	unsigned entries[TABLE_ENTRIES];
	draw_entries(maker, function, entries);
	add_fuel_check(maker, function);
	add_index(maker, function, false);
	const uint64_t table = maker_table(maker, entries, TABLE_ENTRIES, MAKER_WORD, function->start);
	MAKER_ADD(maker, 0x0f, 0xb7, 0x04, 0x4d);
	maker_word(maker, (uint32_t)table);
	MAKER_ADD(maker, 0x48, 0x8d, 0x15);
	maker_word(maker, (uint32_t)(function->start - (maker_here(maker) + 4)));
	MAKER_ADD(maker, 0x48, 0x01, 0xd0, 0xff, 0xe0);
	maker->program->instructions += 4;
	maker->program->has_hidden_jumps = true;
}

/* Four pieces of 16 bytes, of which a computed jump takes one:
 * lea piece(%rip), %rdx; shl $4, %ecx; add %rcx, %rdx; jmp *%rdx */
static void add_computed_jump(struct maker *maker, const struct function *function)
{
	const unsigned piece = maker_label(maker), behind = maker_label(maker);
	add_index(maker, function, false);
	MAKER_ADD(maker, 0x48, 0x8d, 0x15);
	maker_distance(maker, piece, 0, 0);
	MAKER_ADD(maker, 0xc1, 0xe1, 4, 0x48, 0x01, 0xca, 0xff, 0xe2);
	maker_put(maker, piece);
	for (unsigned i = 0; i < TABLE_ENTRIES; i++) {
		/* add $i, %rbx; add $imm32, %r8d; jmp behind */
		MAKER_ADD(maker, 0x48, 0x83, 0xc3, (uint8_t)i, 0x41, 0x81, 0xc0);
		maker_word(maker, maker_draw(maker, 1 << 30));
		MAKER_ADD(maker, 0xe9);
		maker_distance(maker, behind, 0, 0);
	}
	maker_put(maker, behind);
	maker->program->instructions += 4 + 3 * TABLE_ENTRIES;
	maker->program->has_hidden_jumps = true;
}

/* A jump into the constant of a movabs, which is instructions, too. */
static void add_overlap(struct maker *maker)
{
	const unsigned inside = maker_label(maker);
	maker_jump(maker, maker_draw(maker, 16), inside, true);
	MAKER_ADD(maker, 0x48, 0xb8);
	maker_put(maker, inside);
	/* add $5, %rbx; add %edx, %r8d; nop */
	MAKER_ADD(maker, 0x48, 0x83, 0xc3, 5, 0x41, 0x01, 0xd0, 0x90);
	maker->program->instructions += 4;
}

/* mov $count, %ecx; 1: inc %eax, or a long instruction; loop 1b */
static void add_loop_instruction(struct maker *maker)
{
	const unsigned again = maker_label(maker);
	MAKER_ADD(maker, 0xb9);
	maker_word(maker, 1 + maker_draw(maker, 6));
	maker_put(maker, again);
	if (chance(maker, 2))
		MAKER_ADD(maker, 0xff, 0xc0);
	else
		MAKER_ADD(maker, 0x48, 0x81, 0xc3, 1, 2, 3, 4); /* add $0x4030201, %rbx */
	MAKER_ADD(maker, 0xe2, (uint8_t)(maker->labels[again] - (maker_here(maker) + 2)));
	maker->program->instructions += 3;
}

/* Jumps into another function: a shared tail. */
static void add_tail(struct plan *plan, const struct function *from)
{
	struct maker *maker = plan->maker;
	const struct function *to = &plan->functions[maker_draw(maker, plan->count)];
	add_fuel_check(maker, from);
	maker_jump(maker, chance(maker, 2) ? MAKER_ALWAYS : maker_draw(maker, 16), any_label(maker, to), false);
}

/* One of the ways in which a block ends; most continue at the next one, at times. */
static void end_block(struct plan *plan, const struct function *function, unsigned block)
{
	struct maker *maker = plan->maker;
	const unsigned later = function->blocks[block + 1 + maker_draw(maker, function->count - block)];
	const unsigned kind = maker_draw(maker, plan->has_hidden ? 24 : 22);
	if (kind < 5)
		maker_jump(maker, maker_draw(maker, 16), later, !chance(maker, 3));
	else if (kind < 6)
		maker_jump(maker, MAKER_ALWAYS, later, !chance(maker, 3));
	else if (kind < 10)
		add_jump_back(maker, chance(maker, 2) ? function->blocks[block] : any_label(maker, function));
	else if (kind < 12)
		add_conditional_back(maker, function, any_label(maker, function));
	else if (kind < 15)
		add_call(plan, function);
	else if (kind < 16)
		add_switch(maker, function);
	else if (kind < 17)
		add_address_table(maker, function);
	else if (kind < 18)
		add_loop_instruction(maker);
	else if (kind < 19)
		add_tail(plan, function);
	else if (kind < 20)
		add_overlap(maker);
	else if (kind == 22)
		add_hidden_table(maker, function);
	else if (kind == 23)
		add_computed_jump(maker, function);
}

static void add_block(struct plan *plan, const struct function *function, unsigned block)
{
	struct maker *maker = plan->maker;
	const unsigned count = maker_draw(maker, 7), middle = maker_draw(maker, count + 1);
	maker_put(maker, function->blocks[block]);
	for (unsigned i = 0; i < count; i++) {
		if (i == middle)
			maker_put(maker, function->middles[block]);
		maker_instruction(maker);
	}
	if (middle == count)
		maker_put(maker, function->middles[block]);
	end_block(plan, function, block);
}

static void add_function(struct plan *plan, struct function *function)
{
	struct maker *maker = plan->maker;
	const uint8_t padding = chance(maker, 2) ? 0x90 : 0xcc;
	while (maker->at % 16 && !chance(maker, 20))
		MAKER_ADD(maker, padding);
	function->start = maker_here(maker);
	maker_put(maker, function->entry);
	if (chance(maker, 3))
		MAKER_ADD(maker, 0xf3, 0x0f, 0x1e, 0xfa);
	for (unsigned i = 0; i < function->count; i++)
		add_block(plan, function, i);
	maker_put(maker, last_label(function));
	MAKER_ADD(maker, 0xc3);
	function->end = maker_here(maker);
	maker->program->instructions += 2;
}

/* --- the file --- */

/* Changes where the unwind tables say that functions are. */
static void spoil_ranges(struct maker *maker, struct code_range *ranges, unsigned *count)
{
	maker->program->has_wrong_tables = true;
	for (unsigned i = 0; i < *count; i++) {
		struct code_range *range = &ranges[i];
		const unsigned kind = maker_draw(maker, 6);
		if (kind == 0 && range->bytes > 4)
			range->bytes -= 1 + maker_draw(maker, (unsigned)range->bytes / 2);
		else if (kind == 1)
			range->bytes += 1 + maker_draw(maker, 60);
		else if (kind == 2 && range->bytes > 20) {
			const unsigned skipped = 1 + maker_draw(maker, (unsigned)range->bytes / 2);
			range->address += skipped;
			range->bytes -= skipped;
		} else if (kind == 3) {
			*range = ranges[--*count];
		}
	}
}

static void write_file(struct plan *plan)
{
	struct maker *maker = plan->maker;
	struct program *program = maker->program;
	struct code_range ranges[FUNCTIONS_MAX];
	unsigned count = plan->count;
	for (unsigned i = 0; i < count; i++)
		ranges[i] = (struct code_range){plan->functions[i].start,
		                                plan->functions[i].end - plan->functions[i].start};
	if (chance(maker, 4))
		spoil_ranges(maker, ranges, &count);
	Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
	                     .e_type = ET_EXEC,
	                     .e_machine = EM_X86_64,
	                     .e_version = EV_CURRENT,
	                     .e_entry = program->entry,
	                     .e_phoff = sizeof(Elf64_Ehdr),
	                     .e_ehsize = sizeof(Elf64_Ehdr),
	                     .e_phentsize = sizeof(Elf64_Phdr),
	                     .e_phnum = 4};
#define SEGMENT(type, flags, name, bytes) \
	{.p_type = type, \
	 .p_flags = flags, \
	 .p_offset = PROGRAM_##name##_OFFSET, \
	 .p_vaddr = PROGRAM_##name, \
	 .p_filesz = bytes, \
	 .p_memsz = bytes}
	Elf64_Phdr segments[4] = {
		SEGMENT(PT_LOAD, PF_R | PF_X, CODE, maker->at), SEGMENT(PT_LOAD, PF_R | PF_W, DATA, PROGRAM_DATA_BYTES),
		SEGMENT(PT_LOAD, PF_R, TABLES, PROGRAM_TABLES_BYTES), SEGMENT(PT_GNU_EH_FRAME, PF_R, TABLES, 8)};
#undef SEGMENT
	uint8_t *table = program->file + PROGRAM_TABLES_OFFSET;
	const uint64_t unwinding = PROGRAM_TABLES + PROGRAM_TABLES_BYTES / 2;
	const uint32_t distance = (uint32_t)(unwinding - (PROGRAM_TABLES + 4));
	memcpy(program->file, &header, sizeof(header));
	memcpy(program->file + sizeof(header), segments, sizeof(segments));
	memcpy(table, "\x01\x1b\xff\xff", 4); /* as in made_elf_init */
	memcpy(table + 4, &distance, sizeof(distance));
	made_eh_frame(table + PROGRAM_TABLES_BYTES / 2, unwinding, ranges, count, MADE_PLAIN);
}

/* Returns false if a short jump is too far. */
static bool make(struct maker *maker, uint64_t seed)
{
	struct plan plan = {.maker = maker};
	maker->random = seed * 0x9e3779b97f4a7c15 + 1;
	for (unsigned i = 0; i < 8; i++)
		maker_draw(maker, 2);
	plan.count = 1 + maker_draw(maker, FUNCTIONS_MAX);
	plan.has_hidden = chance(maker, 3);
	for (unsigned i = 0; i < plan.count; i++) {
		struct function *function = &plan.functions[i];
		function->count = 1 + maker_draw(maker, BLOCKS_MAX);
		function->entry = maker_label(maker);
		for (unsigned k = 0; k <= function->count; k++)
			function->blocks[k] = maker_label(maker);
		for (unsigned k = 0; k < function->count; k++)
			function->middles[k] = maker_label(maker);
	}
	for (unsigned i = 0; i < plan.count; i++)
		add_function(&plan, &plan.functions[i]);
	maker->program->entry = plan.functions[maker_draw(maker, plan.count)].start;
	write_file(&plan);
	return maker_finish(maker);
}

void program_make(struct program *program, uint64_t seed)
{
	struct maker *maker = calloc(1, sizeof(*maker));
	for (bool is_made = false; !is_made;) {
		const bool no_short = maker->no_short;
		memset(program, 0, sizeof(*program));
		memset(maker, 0, sizeof(*maker));
		maker->program = program;
		maker->no_short = no_short;
		is_made = make(maker, seed);
		maker->no_short = true;
	}
	free(maker);
}
