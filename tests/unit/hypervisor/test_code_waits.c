/* SPDX-License-Identifier: MIT */
/* Loops that count while they wait: which are found, by which of their instructions, and which are none. */
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

static void scan_functions(const void *code, uint64_t bytes, const struct code_range *functions, unsigned count)
{
	static const struct code_points none;
	made_elf_init(&elf, code, bytes, functions, count, MADE_PLAIN);
	code_scan_fini(&scan);
	assert_int_equal(code_scan_elf(elf.bytes, sizeof(elf.bytes), &none, &scan, &error), 0);
	assert_true(code_scan_is_possible(scan.patches, scan.count, sizeof(elf.bytes)));
}

static void scan_code(const void *code, uint64_t bytes)
{
	scan_functions(code, bytes, &(struct code_range){MADE_CODE, bytes}, 1);
}

/* One loop, by the instruction at an offset, which becomes a jump or a trap. */
static void expect(const void *code, uint64_t bytes, uint64_t offset, bool jumps)
{
	scan_code(code, bytes);
	assert_int_equal(scan.count, 1);
	const struct code_patch *p = scan.patches;
	assert_int_equal(p->kind, CODE_WAIT);
	assert_int_equal(p->offset + p->before, MADE_CODE_OFFSET + offset);
	assert_int_equal(!(p->operand[0] & CODE_TRAPS), jumps);
}

static bool is_sure(void)
{
	return !(scan.patches[0].operand[2] & CODE_UNSURE);
}

static void expect_none(const void *code, uint64_t bytes)
{
	scan_code(code, bytes);
	assert_int_equal(scan.count, 0);
}

static void test_found(void **state)
{
	(void)state;
	/* 1: add $1, %rax; mov 0x100(%rip), %edx; test %edx, %edx; je 1b; ret */
	expect(CODE("\x48\x83\xc0\x01\x8b\x15\x00\x01\x00\x00\x85\xd2\x74\xf2\xc3"), 4, true);
	/* 1: add $1, %rax; cmpl $0, 8(%rbx); je 1b; ret: with what stands before. */
	expect(CODE("\x48\x83\xc0\x01\x83\x7b\x08\x00\x74\xf6\xc3"), 4, true);
	/* 1: addq $1, 0x10(%rbx); mov 8(%rbx), %eax; test %eax, %eax; je 1b; ret: another field. */
	expect(CODE("\x48\x83\x43\x10\x01\x8b\x43\x08\x85\xc0\x74\xf4\xc3"), 5, true);
	/* As it is written: the count and what was read are on the stack.
	 * 1: addq $1, -0x10(%rbp); mov 0x100(%rip), %eax; mov %eax, -4(%rbp); mov -4(%rbp), %eax; test %eax, %eax; je
	 * 1b */
	expect(CODE("\x48\x83\x45\xf0\x01\x8b\x05\x00\x01\x00\x00\x89\x45\xfc\x8b\x45\xfc\x85\xc0\x74\xeb\xc3"), 5,
	       true);
	/* 1: add $1, %rax; ucomisd 0x100(%rip), %xmm0; je 1b; ret */
	expect(CODE("\x48\x83\xc0\x01\x66\x0f\x2e\x05\x00\x01\x00\x00\x74\xf2\xc3"), 4, true);
	/* The same with jp 2f before the je. */
	expect(CODE("\x48\x83\xc0\x01\x66\x0f\x2e\x05\x00\x01\x00\x00\x7a\x02\x74\xf0\xc3"), 4, true);
	assert_true(is_sure());
	/* As clang does without optimising: 1: cmpl $0, 0x100(%rip); jne 2f; jmp 3f; 2: add $1, %rax; jmp 1b; 3: ret */
	expect(CODE("\x83\x3d\x00\x01\x00\x00\x00\x75\x02\xeb\x06\x48\x83\xc0\x01\xeb\xef\xc3"), 0, true);
	/* 1: addl $1, 0x100(%rip); jmp 1b */
	expect(CODE("\x83\x05\x00\x01\x00\x00\x01\xeb\xf7"), 0, true);
	/* 1: add $1, %rbx; call 1b; cmpl $0, 0x100(%rip); je 1b; ret: who is called may change it. */
	expect(CODE("\x48\x83\xc3\x01\xe8\xf7\xff\xff\xff\x83\x3d\x00\x01\x00\x00\x00\x74\xee\xc3"), 9, true);
	assert_false(is_sure());
	/* 1: addl $1, 0x100(%rip); mov 8(%rbx), %eax; test %eax, %eax; je 1b; ret: the pointer may lead to the count.
	 */
	expect(CODE("\x83\x05\x00\x01\x00\x00\x01\x8b\x43\x08\x85\xc0\x74\xf2\xc3"), 7, true);
	assert_false(is_sure());
}

/* Locks that are tried: what is stored each time is the same. */
static void test_locks(void **state)
{
	(void)state;
	/* 1: add $1, %rax; mov $1, %ecx; xchg %ecx, 0x100(%rip); test %ecx, %ecx; jne 1b; ret */
	expect(CODE("\x48\x83\xc0\x01\xb9\x01\x00\x00\x00\x87\x0d\x00\x01\x00\x00\x85\xc9\x75\xed\xc3"), 9, true);
	assert_true(is_sure());
	/* 1: add $1, %rbx; xor %eax, %eax; lock cmpxchg %cl, 0x10(%rdi); jne 1b; ret */
	expect(CODE("\x48\x83\xc3\x01\x31\xc0\xf0\x0f\xb0\x4f\x10\x75\xf3\xc3"), 6, true);
	/* 1: add $1, %rax; lock btsl $0, 0x100(%rip); setb %dl; jb 1b; ret */
	expect(CODE("\x48\x83\xc0\x01\xf0\x0f\xba\x2d\x00\x01\x00\x00\x00\x0f\x92\xc2\x72\xee\xc3"), 4, true);
	/* 1: lea 1(%rax), %edx; lock cmpxchg %edx, (%rdi); jne 1b; ret: it adds what others have added to. */
	expect_none(CODE("\x8d\x50\x01\xf0\x0f\xb1\x17\x75\xf7\xc3"));
	/* 1: mov (%rdi), %eax; and the same. */
	expect_none(CODE("\x8b\x07\x8d\x50\x01\xf0\x0f\xb1\x17\x75\xf5\xc3"));
	/* 1: add $1, %rbx; mov $1, %eax; lock xadd %eax, (%rdi); test %eax, %eax; jne 1b; ret: it counts. */
	expect_none(CODE("\x48\x83\xc3\x01\xb8\x01\x00\x00\x00\xf0\x0f\xc1\x07\x85\xc0\x75\xef\xc3"));
}

/* What it waits for is looked at by a function: 1: add $1, %rbx; call 2f; test %al, %al; je 1b; ret; 2: */
static void test_calls(void **state)
{
	static const struct code_range functions[] = {{MADE_CODE, 17}, {MADE_CODE + 17, 7}};
#define LOOP "\x48\x81\xc3\x01\x00\x00\x00\xe8\x05\x00\x00\x00\x84\xc0\x74\xf0\xc3"
	(void)state;
	/* mov 0x100(%rip), %al; ret */
	scan_functions(CODE(LOOP "\x8a\x05\x00\x01\x00\x00\xc3"), functions, 2);
	assert_int_equal(scan.count, 1);
	assert_int_equal(scan.patches[0].kind, CODE_WAIT);
	assert_int_equal(scan.patches[0].offset, MADE_CODE_OFFSET);
	assert_false(is_sure());
	/* mov %al, 0x100(%rip); ret: it stores. */
	scan_functions(CODE(LOOP "\x88\x05\x00\x01\x00\x00\xc3"), functions, 2);
	assert_int_equal(scan.count, 0);
	/* jmp 1b: of what another one does nothing is known but that it calls itself. */
	scan_functions(CODE(LOOP "\xe9\xea\xff\xff\xff\xcc\xcc"), functions, 2);
	assert_int_equal(scan.count, 0);
#undef LOOP
}

/* What stands between the instructions of a loop and is none of its. */
static void test_ways_out(void **state)
{
	(void)state;
	/* 1: add $1, %rax; cmpl $0, 0x100(%rip); je 2f; ret; 2: jmp 1b */
	expect(CODE("\x48\x83\xc0\x01\x83\x3d\x00\x01\x00\x00\x00\x74\x01\xc3\xeb\xf0"), 4, true);
	/* 1: add $1, %rax; jc 3f; cmpl $0, 0x100(%rip); je 1b; ret; 3: call 4f; 4: ud2: it never comes back. */
	expect(CODE("\x48\x83\xc0\x01\x72\x0a\x83\x3d\x00\x01\x00\x00\x00\x74\xf1\xc3\xe8\x00\x00\x00\x00\x0f\x0b"), 6,
	       true);
	/* The same with ret in the place of ud2: it has another way out. */
	expect_none(
		CODE("\x48\x83\xc0\x01\x72\x0a\x83\x3d\x00\x01\x00\x00\x00\x74\xf1\xc3\xe8\x00\x00\x00\x00\xc3\x90"));
}

static void test_none(void **state)
{
	(void)state;
	/* A pointer that may lead to the count, and no room for a jump: that is not worth a trap.
	 * 1: incl (%rdi); cmp %esi, 0(%rbx); jl 1b; ret */
	expect_none(CODE("\xff\x07\x39\x33\x7c\xfa\xc3"));
	/* 1: mov 0x100(%rip), %edx; test %edx, %edx; je 1b; ret: its state comes again. */
	expect_none(CODE("\x8b\x15\x00\x01\x00\x00\x85\xd2\x74\xf6\xc3"));
	/* 1: add $1, %rax; cmp %rcx, %rax; jne 1b; ret: it ends by itself. */
	expect_none(CODE("\x48\x83\xc0\x01\x48\x39\xc8\x75\xf7\xc3"));
	/* 1: add $1, %rax; cmpl $0, (%rax); jne 1b; ret: it looks at another place each time. */
	expect_none(CODE("\x48\x83\xc0\x01\x83\x38\x00\x75\xf7\xc3"));
	/* 1: add $1, %rax; subl $1, 0x100(%rip); jne 1b; ret: it changes what it looks at. */
	expect_none(CODE("\x48\x83\xc0\x01\x83\x2d\x00\x01\x00\x00\x01\x75\xf3\xc3"));
	/* 1: add $1, %rax; mov %eax, (%rdi); cmpl $0, (%rsi); je 1b; ret: these may be one place. */
	expect_none(CODE("\x48\x83\xc0\x01\x89\x07\x83\x3e\x00\x74\xf5\xc3"));
	/* 1: add $1, %rax; cmp %rcx, %rax; je 2f; cmpl $0, 0x100(%rip); je 1b; 2: ret: it has another way out. */
	expect_none(CODE("\x48\x83\xc0\x01\x48\x39\xc8\x74\x09\x83\x3d\x00\x01\x00\x00\x00\x74\xee\xc3"));
	/* 1: add $1, %rbx; call 1b; cmpl $0, -4(%rbp); je 1b; ret: who is called may know of the place. */
	expect_none(CODE("\x48\x83\xc3\x01\xe8\xf7\xff\xff\xff\x83\x7d\xfc\x00\x74\xf1\xc3"));
	/* mov $0x0100f274, %eax has bytes of a jump back; ret */
	expect_none(CODE("\xb8\x74\xf2\x00\x01\xc3"));
}

/* One that yields needs nothing else. */
static void test_pause(void **state)
{
	(void)state;
	/* 1: add $1, %rax; pause; cmpl $0, 0x100(%rip); je 1b; ret */
	scan_code(CODE("\x48\x83\xc0\x01\xf3\x90\x83\x3d\x00\x01\x00\x00\x00\x74\xf1\xc3"));
	assert_int_equal(scan.count, 1);
	assert_int_equal(scan.patches[0].kind, CODE_PAUSE);
}

static int teardown(void **state)
{
	(void)state;
	code_scan_fini(&scan);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_found),    cmocka_unit_test(test_locks), cmocka_unit_test(test_calls),
		cmocka_unit_test(test_ways_out), cmocka_unit_test(test_none),  cmocka_unit_test(test_pause),
	};
	return cmocka_run_group_tests(tests, NULL, teardown);
}
