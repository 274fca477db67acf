/* SPDX-License-Identifier: MIT */
/* Decision points in code (--preempt): which instructions become some, what a jump to a stub replaces, what is said of
 * their operands, and which stores are drawn. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "code/code_scan.h"
#include "tests/unit/fakes/elf_maker.h"

#define CODE(bytes) bytes, sizeof(bytes) - 1

static struct made_elf elf;
static struct code_scan scan;
static struct error error;

static void scan_for(const struct code_points *points, const void *code, uint64_t bytes)
{
	const struct code_range function = {MADE_CODE, bytes};
	made_elf_init(&elf, code, bytes, &function, 1, MADE_PLAIN);
	code_scan_fini(&scan);
	assert_int_equal(code_scan_elf(elf.bytes, sizeof(elf.bytes), points, &scan, &error), 0);
	assert_true(code_scan_is_possible(scan.patches, scan.count, sizeof(elf.bytes)));
}

static void expect(size_t index, uint64_t offset, unsigned kind, unsigned before, unsigned length, unsigned after)
{
	assert_true(index < scan.count);
	const struct code_patch *p = &scan.patches[index];
	assert_int_equal(p->offset, MADE_CODE_OFFSET + offset);
	assert_int_equal(p->kind, kind);
	assert_int_equal(p->before, before);
	assert_int_equal(p->length, length);
	assert_int_equal(p->after, after);
}

static void expect_operand(unsigned base, unsigned index, unsigned scale, unsigned at, unsigned displacement,
                           unsigned bytes)
{
	const uint8_t *operand = scan.patches[0].operand;
	assert_int_equal(CODE_BASE(operand), base);
	assert_int_equal(CODE_INDEX(operand), index);
	assert_int_equal(CODE_SCALE(operand), scale);
	assert_int_equal(CODE_DISPLACEMENT_BYTES(operand), displacement);
	assert_int_equal(CODE_DISPLACEMENT_AT(operand), at);
	assert_int_equal(CODE_OPERAND_BYTES(operand), bytes);
}

static bool jumps(size_t index)
{
	return !(scan.patches[index].operand[0] & CODE_TRAPS);
}

static const struct code_points atomics = {.atomics = true}, stores = {.stores = 100, .seed = 1};

static void test_room(void **state)
{
	(void)state;
	/* lock addl $1, 0x100(%rip), of 8 bytes; ret */
	scan_for(&atomics, CODE("\xf0\x83\x05\x00\x01\x00\x00\x01\xc3"));
	expect(0, 0, CODE_ATOMIC, 0, 8, 0);
	assert_true(jumps(0));
	expect_operand(CODE_RIP, CODE_NO_REGISTER, 0, 3, 4, 4);
	/* 1: xchg %eax, (%rdi); test %eax, %eax; jne 1b; ret: who jumps to it must meet it. */
	scan_for(&atomics, CODE("\x87\x07\x85\xc0\x75\xfa\xc3"));
	expect(0, 0, CODE_ATOMIC, 0, 2, 0);
	assert_false(jumps(0));
	/* 1: xchg %eax, (%rdi); test %rax, %rax; jne 1b; ret: with what follows. */
	scan_for(&atomics, CODE("\x87\x07\x48\x85\xc0\x75\xf9\xc3"));
	expect(0, 0, CODE_ATOMIC, 0, 2, 3);
	assert_true(jumps(0));
	/* mov $1, %eax; xchg %eax, (%rdi); ret: with what stands before, as nobody jumps to it. */
	scan_for(&atomics, CODE("\xb8\x01\x00\x00\x00\x87\x07\xc3"));
	expect(0, 0, CODE_ATOMIC, 5, 2, 0);
	assert_true(jumps(0));
	/* mov $1, %eax; 1: xchg %eax, (%rdi); jne 1b; ret: somebody does. */
	scan_for(&atomics, CODE("\xb8\x01\x00\x00\x00\x87\x07\x75\xfc\xc3"));
	expect(0, 5, CODE_ATOMIC, 0, 2, 0);
	assert_false(jumps(0));
	/* je 1f; lock; 1: cmpxchg %ecx, 0x100(%rip); ret: glibc leaves its lock prefix out. */
	scan_for(&atomics, CODE("\x74\x01\xf0\x0f\xb1\x0d\x00\x01\x00\x00\xc3"));
	expect(0, 2, CODE_ATOMIC, 0, 8, 0);
	assert_false(jumps(0));
}

static void test_operands(void **state)
{
	(void)state;
	scan_for(&atomics, CODE("\xf0\x48\x0f\xc1\x44\x91\x10\xc3")); /* lock xadd %rax, 0x10(%rcx,%rdx,4) */
	expect_operand(1, 2, 2, 6, 1, 8);
	scan_for(&atomics, CODE("\xf0\x43\xfe\x04\xac\xc3")); /* lock incb (%r12,%r13,4) */
	expect_operand(12, 13, 2, 0, 0, 1);
	scan_for(&atomics, CODE("\xf0\x66\xff\x80\x00\x01\x00\x00\xc3")); /* lock incw 0x100(%rax) */
	expect_operand(0, CODE_NO_REGISTER, 0, 4, 4, 2);
	scan_for(&atomics, CODE("\xf0\xff\x04\xc5\x00\x01\x00\x00\xc3")); /* lock incl 0x100(,%rax,8) */
	expect_operand(CODE_NO_REGISTER, 0, 3, 4, 4, 4);
	scan_for(&atomics, CODE("\xf0\x64\xff\x00\x90\xc3")); /* lock incl %fs:(%rax) */
	assert_int_equal(CODE_BASE(scan.patches[0].operand), CODE_UNKNOWN);
	scan_for(&atomics, CODE("\xf0\x67\xff\x00\x90\xc3")); /* lock incl (%eax) */
	assert_int_equal(CODE_BASE(scan.patches[0].operand), CODE_UNKNOWN);
}

/* What stores, and where others may see it. */
static void test_stores(void **state)
{
	(void)state;
	scan_for(&stores, CODE("\x89\x87\x00\x01\x00\x00"     /* 0 mov %eax, 0x100(%rdi) */
	                       "\x8b\x87\x00\x01\x00\x00"     /* 6 mov 0x100(%rdi), %eax */
	                       "\x89\x44\x24\x08"             /* 12 mov %eax, 8(%rsp) */
	                       "\x64\x89\x00"                 /* 16 mov %eax, %fs:(%rax) */
	                       "\x83\x87\x00\x01\x00\x00\x01" /* 19 addl $1, 0x100(%rdi) */
	                       "\x83\xbf\x00\x01\x00\x00\x01" /* 26 cmpl $1, 0x100(%rdi) */
	                       "\xf0\xff\x87\x00\x01\x00\x00" /* 33 lock incl 0x100(%rdi) */
	                       "\x0f\xab\x87\x00\x01\x00\x00" /* 40 bts %eax, 0x100(%rdi) */
	                       "\xaa\xa4\x50"                 /* 47 stosb; movsb; push %rax */
	                       "\x0f\x11\x87\x00\x01\x00\x00" /* 50 movups %xmm0, 0x100(%rdi) */
	                       "\xc3"));
	assert_int_equal(scan.count, 4);
	expect(0, 0, CODE_STORE, 0, 6, 0);
	expect(1, 19, CODE_UPDATE, 0, 7, 0);
	expect(2, 40, CODE_STORE, 0, 7, 0);
	expect(3, 50, CODE_STORE, 0, 7, 0);
	/* Of two that were drawn, neither becomes part of the other's stub: mov %eax, (%rdi); mov %eax, (%rsi); ret */
	scan_for(&stores, CODE("\x89\x07\x89\x06\xc3"));
	assert_int_equal(scan.count, 2);
	assert_false(jumps(0) || jumps(1));
}

/* A sample of each size is some of the larger one of the same seed, and depends on content and seed alone. */
static void test_draw(void **state)
{
	enum { STORES = 200 };
	uint8_t code[7 * STORES + 1];
	bool drawn[2][STORES] = {{0}};
	(void)state;
	for (unsigned i = 0; i < STORES; i++)
		memcpy(code + 7UL * i, "\x90\x89\x87\x00\x01\x00\x00", 7); /* nop; mov %eax, 0x100(%rdi) */
	code[7 * STORES] = 0xc3;
	for (unsigned round = 0; round < 4; round++) {
		const struct code_points points = {.stores = round < 3 ? 20 : 60, .seed = round == 2 ? 8 : 7};
		unsigned same = 0;
		scan_for(&points, code, sizeof(code));
		assert_int_equal(scan.count, points.stores);
		for (size_t i = 0; i < scan.count; i++) {
			uint64_t number = (scan.patches[i].offset - MADE_CODE_OFFSET) / 7;
			same += drawn[0][number];
			if (round == 0)
				drawn[0][number] = true;
		}
		assert_true(round == 0 ? same == 0 : round == 2 ? same < 10 : same == 20);
	}
	const struct code_points all = {.stores = 1000};
	scan_for(&all, code, sizeof(code));
	assert_int_equal(scan.count, STORES);
}

/* --preempt own draws stores to the stack last: those relative to a frame pointer that the function sets up. */
static void test_stack_last(void **state)
{
	static const char framed[] = "\x55\x48\x89\xe5"            /* 0 push %rbp; mov %rsp, %rbp */
				     "\x89\x85\x00\xff\xff\xff"    /* 4 mov %eax, -0x100(%rbp) */
				     "\x89\x87\x00\x01\x00\x00"    /* 10 mov %eax, 0x100(%rdi) */
				     "\x89\x85\x04\xff\xff\xff"    /* 16 mov %eax, -0xfc(%rbp) */
				     "\x5d\xc3";                   /* 22 pop %rbp; ret */
	static const char frameless[] = "\x55\x48\x89\xfd"         /* 0 push %rbp; mov %rdi, %rbp */
					"\x89\x85\x00\x01\x00\x00" /* 4 mov %eax, 0x100(%rbp) */
					"\x89\x87\x00\x01\x00\x00" /* 10 mov %eax, 0x100(%rdi) */
					"\x5d\xc3";                /* 16 pop %rbp; ret */
	unsigned on_stack = 0, by_rbp = 0;
	(void)state;
	for (uint64_t seed = 0; seed < 30; seed++) {
		const struct code_points own = {.stores = 1, .seed = seed, .own = true};
		const struct code_points all = {.stores = 1, .seed = seed};
		scan_for(&own, CODE(framed));
		assert_int_equal(scan.count, 1);
		expect(0, 10, CODE_STORE, 0, 6, 0);
		scan_for(&all, CODE(framed));
		on_stack += scan.patches[0].offset != MADE_CODE_OFFSET + 10;
		scan_for(&own, CODE(frameless));
		by_rbp += scan.patches[0].offset == MADE_CODE_OFFSET + 4;
	}
	assert_true(on_stack && by_rbp);
	const struct code_points more = {.stores = 2, .own = true};
	scan_for(&more, CODE(framed));
	assert_int_equal(scan.count, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_room), cmocka_unit_test(test_operands),   cmocka_unit_test(test_stores),
		cmocka_unit_test(test_draw), cmocka_unit_test(test_stack_last),
	};
	int result = cmocka_run_group_tests(tests, NULL, NULL);
	code_scan_fini(&scan);
	return result;
}
