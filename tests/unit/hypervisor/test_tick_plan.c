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
	 * costs 4 + 4 + 24 and less than one for the ret: two ticks. */
	plan(CODE("\x31\xc0\x48\x83\xc0\x01\x48\x39\xf8\x75\xf7\xc3"));
	expect(2, CODE_TICK, 7, 2);
	assert_int_equal(counts.loops, 1);
	assert_int_equal(counts.loops_without, 0);
	/* 1: mov %rsi, 0x100(%rdi); adc $0, %rax; jne 1b; ret: adc reads the carry of the round before. */
	plan(CODE("\x48\x89\xb7\x00\x01\x00\x00\x48\x83\xd0\x00\x75\xf3\xc3"));
	expect(0, CODE_TICK_FLAGS, 7, 3);
	/* 1: mov 0x100(%rip), %eax; test %eax, %eax; je 1b; ret: the operand is relative to the instruction. */
	plan(CODE("\x8b\x05\x00\x01\x00\x00\x85\xc0\x74\xf6\xc3"));
	expect(0, CODE_TICK, 6, 3);
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
	assert_int_equal(code_loop_bytes(&scan.patches[2]), 18);
	/* jmp 2f; 1: add %rax, %rax; sub $1, %edx; je 3f; 2: mov %rax, %rsi; sub %rcx, %rsi; jns 1b; sub $2, %edx; jne
	 * 2b; 3: ret: the head is in the middle, and two blocks jump to it. */
	plan(CODE("\xeb\x08\x48\x01\xc0\x83\xea\x01\x74\x0d\x48\x89\xc6\x48\x29\xce\x79\xf0\x83\xea\x02\x75\xf3"
	          "\xc3"));
	assert_int_equal(scan.count, 4);
	expect_part(0, CODE_LOOP_PART, 8, 1, 1);
	assert_int_equal(scan.patches[1].kind, CODE_TICK);
	expect_part(2, CODE_LOOP_PART, 16, 1, 1);
	expect_part(3, CODE_LOOP, 21, 1, 1);
	assert_int_equal(scan.patches[3].reason, 3);
	assert_int_equal(code_loop_bytes(&scan.patches[3]), 21);
	/* jmp 2f; 1: lea 1(%rax,%rax,2), %rax; add $1, %rdx; cmp $1, %rax; je 3f; 2: test $1, %al; jne 1b; shr %rax;
	 * add $1, %rdx; cmp $1, %rax; jne 2b; 3: ret: the head has room only with the jump at its end. */
	plan(CODE("\xeb\x0f\x48\x8d\x44\x40\x01\x48\x83\xc2\x01\x48\x83\xf8\x01\x74\x11\xa8\x01\x75\xed\x48\xd1\xe8"
	          "\x48\x83\xc2\x01\x48\x83\xf8\x01\x75\xef\xc3"));
	assert_int_equal(scan.count, 3);
	expect_part(0, CODE_LOOP_PART, 15, 1, 1);
	expect_part(1, CODE_TICK_LOOP, 17, 3, 1);
	assert_int_equal(scan.patches[1].length + scan.patches[1].after, 7);
	expect_part(2, CODE_LOOP, 32, 1, 1);
	assert_int_equal(code_loop_bytes(&scan.patches[2]), 32);
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
	assert_int_equal(code_ticks(only_site()), (4 + 124 + 124 + 4 + 4 + 24 + 15) / 16);
}

/* Checks the price of a loop: div %rcx; these bytes; cmp %rdi, %rdx; jne back. */
static void expect_price(const void *middle, unsigned bytes, unsigned price)
{
	uint8_t code[64] = {0x48, 0xf7, 0xf1, 0x48, 0xf7, 0xf1};
	memcpy(code + 6, middle, bytes);
	memcpy(code + 6 + bytes, "\x48\x39\xfa\x75", 4);
	code[6 + bytes + 4] = (uint8_t) - (6 + bytes + 5);
	code[6 + bytes + 5] = 0xc3;
	plan(code, 6 + bytes + 6);
	assert_int_equal(code_ticks(only_site()), (124 + 124 + price + 4 + 24 + 15) / 16);
}

#define EXPECT_PRICE(bytes, price) expect_price(bytes bytes bytes bytes, 4 * (sizeof(bytes) - 1), 4 * (price))

static void test_price_of_memory(void **state)
{
	(void)state;
	EXPECT_PRICE("\x8b\x06", 12);            /* mov (%rsi), %eax */
	EXPECT_PRICE("\x8b\x45\x08", 6);         /* mov 8(%rbp), %eax */
	EXPECT_PRICE("\x8b\x04\x24", 6);         /* mov (%rsp), %eax */
	EXPECT_PRICE("\x8b\x04\x8e", 36);        /* mov (%rsi, %rcx, 4), %eax */
	EXPECT_PRICE("\x8d\x04\x8e", 4);         /* lea (%rsi, %rcx, 4), %eax */
	EXPECT_PRICE("\x50", 6);                 /* push %rax */
	EXPECT_PRICE("\x66\x0f\xfe\xc1", 1);     /* paddd %xmm1, %xmm0 */
	EXPECT_PRICE("\xc5\xfd\xfe\x06", 3);     /* vpaddd (%rsi), %ymm0, %ymm0 */
	EXPECT_PRICE("\xf3\x0f\x6f\x06", 3);     /* movdqu (%rsi), %xmm0 */
	EXPECT_PRICE("\xf2\x0f\x58\xc1", 4);     /* addsd %xmm1, %xmm0 */
	EXPECT_PRICE("\xc5\xfb\x58\xc1", 4);     /* vaddsd %xmm1, %xmm0, %xmm0 */
	EXPECT_PRICE("\x66\x0f\x38\x00\xc1", 1); /* pshufb %xmm1, %xmm0 */
	EXPECT_PRICE("\xc4\xe2\x78\xf2\xc1", 4); /* andn %ecx, %eax, %eax */
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

#define FUNCTIONS(...) \
	(const struct code_range[]){__VA_ARGS__}, \
		sizeof((const struct code_range[]){__VA_ARGS__}) / sizeof(struct code_range)

/* Functions that call each other, of 15 bytes and an int3 each: sub $8, %rsp; nop; call; add $8, %rsp; ret; int3. */
#define CALLER(distance) "\x48\x83\xec\x08\x90\xe8" distance "\x48\x83\xc4\x08\xc3\xcc"

static void test_called_functions(void **state)
{
	(void)state;
	/* The first calls the second, which calls the third: lea (%rdi,%rdi), %eax; add $1000, %eax; ret. All are in
	 * the price of the first one's call. */
	plan_functions(CODE(CALLER("\x06\0\0\0") CALLER("\x06\0\0\0") "\x8d\x04\x3f\x05\xe8\x03\0\0\xc3"),
	               FUNCTIONS({MADE_CODE, 15}, {MADE_CODE + 16, 15}, {MADE_CODE + 32, 9}));
	assert_int_equal(counts.entries, 0);
	/* The second calls the first: one of the two has a place. */
	plan_functions(CODE(CALLER("\x06\0\0\0") CALLER("\xe6\xff\xff\xff")),
	               FUNCTIONS({MADE_CODE, 15}, {MADE_CODE + 16, 15}));
	assert_int_equal(counts.entries, 1);
	/* It calls itself. */
	plan_functions(CODE(CALLER("\xf6\xff\xff\xff")), FUNCTIONS({MADE_CODE, 15}));
	assert_int_equal(counts.entries, 1);
	expect(0, CODE_TICK, 5, (4 + 4 + 26 + 4 + 4 + 15) / 16);
	/* sub $8, %rsp; lea (%rip), %rax with the address of the function; call *%rax; add $8, %rsp; ret: what is
	 * called may be this function. */
	plan_functions(CODE("\x48\x83\xec\x08\x48\x8d\x05\xf5\xff\xff\xff\xff\xd0\x48\x83\xc4\x08\xc3"),
	               FUNCTIONS({MADE_CODE, 18}));
	assert_int_equal(counts.entries, 1);
	/* ret; int3, up to 16 bytes; sub $8, %rsp; nop; nop; call *%rax; add $8, %rsp; ret: the second one is called by
	 * functions of the file alone, and what it calls cannot lead back. The first one is the entry of the program.
	 */
	plan_functions(CODE("\xc3\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc"
	                    "\x48\x83\xec\x08\x90\x90\xff\xd0\x48\x83\xc4\x08\xc3"),
	               FUNCTIONS({MADE_CODE, 1}, {MADE_CODE + 16, 13}));
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
		cmocka_unit_test(test_price),          cmocka_unit_test(test_price_of_memory),
		cmocka_unit_test(test_entries),        cmocka_unit_test(test_called_functions),
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
