/* SPDX-License-Identifier: MIT */
/* Places that count time for --clock work: where the planner puts them, what they cost, and what it leaves alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "code/code_scan.h"
#include "code/ticks/tick_plan.h"
#include "tests/unit/fakes/elf_maker.h"

#define CODE(bytes) bytes, sizeof(bytes) - 1

static struct made_elf elf;
static struct code_scan scan;
static struct tick_counts counts;
static struct error error;

static void plan_functions(const void *code, uint64_t bytes, const struct code_range *functions, unsigned count)
{
	static const struct code_points none;
	made_elf_init(&elf, code, bytes, functions, count, MADE_PLAIN);
	code_scan_fini(&scan);
	counts = (struct tick_counts){0};
	assert_int_equal(code_scan_elf(elf.bytes, sizeof(elf.bytes), &none, &scan, &error), 0);
	assert_int_equal(tick_plan_add(elf.bytes, sizeof(elf.bytes), &scan, &counts, &error), 0);
	assert_true(code_scan_is_possible(scan.patches, scan.count, sizeof(elf.bytes)));
}

static void plan(const void *code, uint64_t bytes)
{
	plan_functions(code, bytes, &(struct code_range){MADE_CODE, bytes}, 1);
}

/* The only site; others are parts of loops. */
static const struct code_patch *only_site(void)
{
	const struct code_patch *site = NULL;
	for (size_t i = 0; i < scan.count; i++) {
		const bool is_site = code_is_tick(scan.patches[i].kind);
		assert_true(is_site || scan.patches[i].kind == CODE_LOOP || scan.patches[i].kind == CODE_LOOP_PART);
		assert_false(is_site && site);
		site = is_site ? &scan.patches[i] : site;
	}
	assert_non_null(site);
	return site;
}

/* The only site is at an offset, with a price in ticks. */
static void expect(uint64_t offset, uint8_t kind, unsigned bytes, unsigned ticks)
{
	const struct code_patch *p = only_site();
	assert_int_equal(p->kind, kind);
	assert_int_equal(p->offset, MADE_CODE_OFFSET + offset);
	assert_int_equal(p->before + p->length + p->after, bytes);
	assert_int_equal(code_ticks(p), ticks);
}

static void test_loop(void **state)
{
	(void)state;
	/* xor %eax, %eax; 1: add $1, %rax; cmp %rdi, %rax; jne 1b; ret: the flags are set before they are read. A round
	 * costs 4 + 4 + 12 and an eighth of the ret's 4: two ticks. */
	plan(CODE("\x31\xc0\x48\x83\xc0\x01\x48\x39\xf8\x75\xf7\xc3"));
	expect(2, CODE_TICK, 7, 2);
	assert_int_equal(counts.loops, 1);
	assert_int_equal(counts.loops_without, 0);
	/* 1: mov %rsi, 0x100(%rdi); adc $0, %rax; jne 1b; ret: adc reads the carry of the round before. */
	plan(CODE("\x48\x89\xb7\x00\x01\x00\x00\x48\x83\xd0\x00\x75\xf3\xc3"));
	expect(0, CODE_TICK_FLAGS, 7, 2);
	/* 1: mov 0x100(%rip), %eax; test %eax, %eax; je 1b; ret: the operand is relative to the instruction. */
	plan(CODE("\x8b\x05\x00\x01\x00\x00\x85\xc0\x74\xf6\xc3"));
	expect(0, CODE_TICK, 6, 2);
	assert_int_equal(scan.patches[0].operand[0], 2);
	assert_int_equal(scan.patches[0].operand[1], 4);
}

static void expect_part(size_t index, uint8_t kind, uint64_t offset, unsigned at, unsigned bytes)
{
	const struct code_patch *p = &scan.patches[index];
	assert_int_equal(p->kind, kind);
	assert_int_equal(p->offset, MADE_CODE_OFFSET + offset);
	assert_int_equal(p->operand[0], at);
	assert_int_equal(p->operand[1], bytes);
}

static void test_loops_are_copied(void **state)
{
	(void)state;
	/* xor %eax, %eax; 1: add $1, %rax; cmp 0x100(%rip), %rax; je 2f; cmp %rdi, %rax; jne 1b; 2: ret: the operand is
	 * in the bytes of the loop, and a jump leaves it. */
	plan(CODE("\x31\xc0\x48\x83\xc0\x01\x48\x3b\x05\x00\x01\x00\x00\x74\x05\x48\x39\xf8\x75\xee\xc3"));
	assert_int_equal(scan.count, 3);
	assert_int_equal(scan.patches[0].kind, CODE_TICK);
	expect_part(1, CODE_LOOP_PART, 13, 1, 1);
	expect_part(2, CODE_LOOP, 18, 1, 1);
	assert_int_equal(scan.patches[2].reason, 2);
	/* 1: call *%rdi; add $0x100, %rax; cmp %rsi, %rax; jne 1b; ret: it calls. */
	plan(CODE("\xff\xd7\x48\x05\x00\x01\x00\x00\x48\x39\xf0\x75\xf3\xc3"));
	for (size_t i = 0; i < scan.count; i++)
		assert_true(code_is_tick(scan.patches[i].kind));
	/* 1: add $0x100, %rax; 2: dec %rsi; jne 2b; cmp %rdi, %rax; jne 1b; ret: of two loops the inner one has no room
	 * for a site but with its jump, and the outer one has it within. */
	plan(CODE("\x48\x05\x00\x01\x00\x00\x48\xff\xce\x75\xfb\x48\x39\xf8\x75\xf0\xc3"));
	for (size_t i = 0; i < scan.count; i++)
		assert_true(code_is_tick(scan.patches[i].kind));
}

static void test_price(void **state)
{
	(void)state;
	/* 1: mov %rsi, %rax; div %rcx; div %rcx; add $1, %rdx; cmp %rdi, %rdx; jne 1b; ret */
	plan(CODE("\x48\x89\xf0\x48\xf7\xf1\x48\xf7\xf1\x48\x83\xc2\x01\x48\x39\xfa\x75\xee\xc3"));
	assert_int_equal(code_ticks(only_site()), (4 + 124 + 124 + 4 + 4 + 12 + 15) / 16);
}

static void test_entries(void **state)
{
	(void)state;
	/* sub $8, %rsp; nop; call; add $8, %rsp; ret: it calls another function. */
	plan(CODE("\x48\x83\xec\x08\x90\xe8\x10\x00\x00\x00\x48\x83\xc4\x08\xc3"));
	assert_int_equal(scan.count, 1);
	assert_int_equal(scan.patches[0].offset, MADE_CODE_OFFSET);
	assert_int_equal(counts.entries, 1);
	/* lea (%rdi,%rdi), %eax; add $1000, %eax; ret: the price of the call has it. */
	plan(CODE("\x8d\x04\x3f\x05\xe8\x03\x00\x00\xc3"));
	assert_int_equal(scan.count, 0);
	assert_int_equal(counts.entries, 0);
}

static void test_no_room(void **state)
{
	(void)state;
	/* 1: dec %edi; jne 1b; ret: two bytes and no more. */
	plan(CODE("\xff\xcf\x75\xfc\xc3"));
	assert_int_equal(scan.count, 0);
	assert_int_equal(counts.loops_without, 1);
	assert_int_equal(counts.loop_reasons[TICK_REASON_MOVE], 1); /* the jump */
	assert_int_equal(counts.longest.instructions, 3);
	assert_int_equal(counts.longest.address, MADE_CODE);
	/* The same, and a jump to the middle: 1: inc %eax; 2: inc %ecx; inc %edx; jne 1b; jns 2b; ret. The head's block
	 * has two bytes alone, and so has the rest until the second loop's room: inc %ecx; inc %edx is too short. */
	plan(CODE("\xff\xc0\xff\xc1\xff\xc2\x75\xf8\x79\xf8\xc3"));
	assert_int_equal(scan.count, 0);
	assert_int_equal(counts.loops_without, 2);
}

static void test_other_function_leads_in(void **state)
{
	(void)state;
	/* 1: add $1, %rax; 2: cmp %rdi, %rax; jne 1b; ret, and another function that jumps to 2. */
	static const char code[] = "\x48\x83\xc0\x01\x48\x39\xf8\x75\xf7\xc3"
				   "\xeb\xf8";
	const struct code_range functions[] = {{MADE_CODE, 10}, {MADE_CODE + 10, 2}};
	plan_functions(code, sizeof(code) - 1, functions, 2);
	for (size_t i = 0; i < scan.count; i++)
		assert_true(scan.patches[i].offset > MADE_CODE_OFFSET + 4);
	assert_int_equal(counts.loops_without, 1);
	assert_int_equal(counts.loop_reasons[TICK_REASON_SHORT], 1); /* up to the label that the jump makes */
}

static void test_constants_stay(void **state)
{
	(void)state;
	/* 1: movabs $0x1122334455667788, %rdx; cmp %rdi, %rax; jne 1b; mov -14(%rip), %rcx; ret: the last one reads the
	 * constant in the first. */
	plan(CODE("\x48\xba\x88\x77\x66\x55\x44\x33\x22\x11\x48\x39\xf8\x75\xf1\x48\x8b\x0d\xec\xff\xff\xff\xc3"));
	assert_int_equal(scan.count, 0);
	assert_int_equal(counts.loops_without, 1);
	assert_int_equal(counts.loop_reasons[TICK_REASON_READ], 1);
}

static void test_others_stay(void **state)
{
	(void)state;
	/* 1: mov $39, %eax; syscall; add $1, %rbx; cmp %rdi, %rbx; jne 1b; ret: the call keeps its mov. */
	plan(CODE("\xb8\x27\x00\x00\x00\x0f\x05\x48\x83\xc3\x01\x48\x39\xfb\x75\xf0\xc3"));
	assert_int_equal(scan.count, 2);
	assert_int_equal(scan.patches[0].kind, CODE_SYSCALL);
	assert_int_equal(scan.patches[0].reason, CODE_REASON_A);
	assert_int_equal(scan.patches[1].kind, CODE_TICK);
	assert_int_equal(scan.patches[1].offset, MADE_CODE_OFFSET + 7);
}

static void test_data_stays(void **state)
{
	(void)state;
	/* ret, and bytes behind it that look like the loop of test_loop, to which nothing leads. */
	plan(CODE("\x31\xc0\xc3\x48\x83\xc0\x01\x48\x39\xf8\x75\xf7\xc3"));
	assert_int_equal(scan.count, 0);
}

/* By wrong unwind tables a function begins within an instruction: of code in no function, or of the function before. */
static void test_wrong_tables(void **state)
{
	(void)state;
	/* add $0x1c08348, %rax, and the loop of test_loop in its constant and behind it */
	static const char code[] = "\x48\x05\x48\x83\xc0\x01\x48\x39\xf8\x75\xf7\xc3";
	static const struct code_range functions[] = {{MADE_CODE, 2}, {MADE_CODE + 2, 10}};
	plan_functions(code, sizeof(code) - 1, functions, 2);
	assert_int_equal(scan.count, 0);
	plan_functions(code, sizeof(code) - 1, functions + 1, 1);
	assert_int_equal(scan.count, 0);
}

static void test_jump_forward(void **state)
{
	(void)state;
	/* mov $1, %eax; jmp 1f, and another function: four nops; 1: inc %eax; ret */
	static const char code[] = "\xb8\x01\x00\x00\x00\xeb\x04\x90\x90\x90\x90\xff\xc0\xc3";
	static const struct code_range functions[] = {{MADE_CODE, 7}, {MADE_CODE + 7, 7}};
	plan_functions(code, sizeof(code) - 1, functions, 2);
	expect(0, CODE_TICK_FLAGS, 5, 1);
	assert_int_equal(counts.jumps, 1);
	assert_int_equal(counts.jumps_without, 0);
}

static void test_count(void **state)
{
	(void)state;
	/* mov %rdi, %rax; mov %edx, %ecx; rep movsb; ret: there is no room behind it. */
	plan(CODE("\x48\x89\xf8\x89\xd1\xf3\xa4\xc3"));
	expect(0, CODE_TICK_COUNT, 7, 64);
	assert_int_equal(scan.patches[0].before, 5);
	/* rep stosq; mov %rdx, %rax; ret */
	plan(CODE("\xf3\x48\xab\x48\x89\xd0\xc3"));
	expect(0, CODE_TICK_COUNT, 6, 512);
	/* rep scasb; mov %rdx, %rax; ret: how often is not known before. */
	plan(CODE("\xf3\xae\x48\x89\xd0\xc3"));
	assert_int_equal(scan.count, 0);
}

/* Sites that the cache or a guest could have are refused when they cannot be. */
static void test_possible(void **state)
{
	(void)state;
	struct code_patch patch = {.offset = 0x100, .kind = CODE_TICK, .length = 4, .after = 3};
	code_set_ticks(&patch, 2);
	assert_true(code_scan_is_possible(&patch, 1, 0x1000));
	struct code_patch wrong = patch;
	wrong.after = 0; /* no room for a jump */
	assert_false(code_scan_is_possible(&wrong, 1, 0x1000));
	wrong = patch;
	wrong.before = 1;
	assert_false(code_scan_is_possible(&wrong, 1, 0x1000));
	wrong = patch;
	wrong.offset = 0xffc; /* in two pages */
	assert_false(code_scan_is_possible(&wrong, 1, 0x2000));
	wrong = patch;
	code_set_ticks(&wrong, 0);
	assert_false(code_scan_is_possible(&wrong, 1, 0x1000));
	wrong = patch;
	wrong.operand[0] = 5; /* a displacement beyond the instructions */
	wrong.operand[1] = 4;
	assert_false(code_scan_is_possible(&wrong, 1, 0x1000));
	wrong = patch;
	wrong.kind = CODE_TICK_COUNT; /* a price that is no power of two */
	code_set_ticks(&wrong, 96);
	assert_false(code_scan_is_possible(&wrong, 1, 0x1000));
	code_set_ticks(&wrong, 128);
	wrong.before = 1;
	assert_true(code_scan_is_possible(&wrong, 1, 0x1000));
	assert_int_equal(code_ticks(&(struct code_patch){.operand = {0, 0, 0x34}, .reason = 0x12}), 0x1234);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loop),           cmocka_unit_test(test_loops_are_copied),
		cmocka_unit_test(test_price),          cmocka_unit_test(test_entries),
		cmocka_unit_test(test_no_room),        cmocka_unit_test(test_other_function_leads_in),
		cmocka_unit_test(test_constants_stay), cmocka_unit_test(test_others_stay),
		cmocka_unit_test(test_data_stays),     cmocka_unit_test(test_wrong_tables),
		cmocka_unit_test(test_jump_forward),   cmocka_unit_test(test_count),
		cmocka_unit_test(test_possible),
	};
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	code_scan_fini(&scan);
	return failed;
}
