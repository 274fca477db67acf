/* SPDX-License-Identifier: MIT */
/* Scans programs that a test makes of a few bytes of code, and compares what was found. */
#ifndef TESTS_UNIT_SCAN_MAKER_H
#define TESTS_UNIT_SCAN_MAKER_H

#include "base/error.h"
#include "code/code_scan.h"
#include "tests/unit/fakes/elf_maker.h"
#include "tests/unit/fakes/tap.h"

static struct made_elf elf;
static struct code_scan scan;
static struct error error;

/* Bytes of a test's code, with their number. */
#define CODE(text) text, sizeof(text) - 1

/* Whatever was scanned: patches ascend, do not overlap, are in the file, and jumps fit. */
static inline void expect_sound(uint64_t bytes)
{
	uint64_t after = 0;
	for (size_t i = 0; i < scan.count; i++) {
		const struct code_patch *p = &scan.patches[i];
		assert_true(p->offset >= after);
		assert_true(p->length >= 2 && p->length <= CODE_INSTRUCTION_MAX);
		after = p->offset + p->length;
		if (p->kind == CODE_SYSCALL || code_trap_of(p->kind)) {
			assert_true(p->kind == CODE_SYSCALL || p->length <= 3);
			assert_true(p->before + p->length + p->after >= 5);
			after += (uint64_t)p->before + p->after;
		} else if (p->kind >= CODE_ATOMIC && p->kind <= CODE_UPDATE) {
			bool jumps = !(p->operand[0] & CODE_TRAPS);
			assert_true(jumps == (p->before + p->length + p->after >= 5) || (!jumps && p->length >= 5));
			after += (uint64_t)p->before + p->after;
		} else {
			assert_int_equal(p->before, 0);
			assert_int_equal(p->after, 0);
		}
		assert_true(after <= bytes);
	}
	for (size_t i = 0; i < scan.undecided_count; i++)
		assert_true(scan.undecided[i] < bytes);
}

static inline void run_for(const struct code_points *points)
{
	code_scan_fini(&scan);
	error.text[0] = 0;
	assert_int_equal(code_scan_elf(elf.bytes, sizeof(elf.bytes), points, &scan, &error), 0);
	expect_sound(sizeof(elf.bytes));
}

static inline void run(bool atomics)
{
	const struct code_points points = {.atomics = atomics};
	run_for(&points);
}

/* Scans code that is one function. */
static inline void scan_function(const void *code, uint64_t bytes)
{
	const struct code_range function = {MADE_CODE, bytes};
	made_elf_init(&elf, code, bytes, &function, 1, MADE_PLAIN);
	run(false);
}

/* Scans code that is functions of given sizes, the last one up to the end. */
static inline void scan_functions(const void *code, uint64_t bytes, uint64_t first, uint64_t second)
{
	const struct code_range functions[] = {
		{MADE_CODE, first},
		{MADE_CODE + first, second},
		{MADE_CODE + first + second, bytes - first - second},
	};
	made_elf_init(&elf, code, bytes, functions, first + second < bytes ? 3 : 2, MADE_PLAIN);
	run(false);
}

static inline void expect_patch(size_t index, uint64_t offset, unsigned kind, unsigned before, unsigned after,
                                unsigned reason)
{
	assert_true(index < scan.count);
	const struct code_patch *p = &scan.patches[index];
	assert_int_equal(p->offset, MADE_CODE_OFFSET + offset);
	assert_int_equal(p->kind, kind);
	assert_int_equal(p->before, before);
	assert_int_equal(p->after, after);
	assert_int_equal(p->reason, reason);
}

/* The one system call of the code becomes a jump. */
static inline void expect_jump(uint64_t offset, unsigned before, unsigned after, unsigned reason)
{
	assert_int_equal(scan.count, 1);
	expect_patch(0, offset, CODE_SYSCALL, before, after, reason);
}

static inline void expect_trap(uint64_t offset, unsigned reason)
{
	assert_int_equal(scan.count, 1);
	expect_patch(0, offset, CODE_SYSCALL_TRAP, 0, 0, reason);
}

#endif
