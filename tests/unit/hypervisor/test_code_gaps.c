/* SPDX-License-Identifier: MIT */
/* Functions that do not consist of instructions alone, or of which some cannot be seen to be reached. */
#include "tests/unit/fakes/tap.h"

#include "abi/boot.h"
#include "tests/unit/fakes/scan_maker.h"

static void test_data_in_function(void **state)
{
	(void)state;
	/* Behind bytes that are no instruction (06) there may be jumps that nobody sees. */
	scan_function(CODE("\x0f\x05\x48\x89\xc2\xc3\x06\x06\x06\x06\x06\x06"));
	expect_trap(0, CODE_REASON_INDIRECT);
	scan_function(CODE("\xb8\x27\x00\x00\x00\x0f\x05\xc3\x06\x06\x06\x06"));
	expect_jump(0, 5, 0, CODE_REASON_A);
	/* In other instructions there are none: mov $0x050f, %eax; lea 0x050f(%rax), %rax */
	scan_function(CODE("\xb8\x0f\x05\x0f\x31\x48\x8d\x80\x0f\x05\xf3\x90\xc3"));
	assert_int_equal(scan.count, 0);
	assert_int_equal(scan.undecided_count, 0);
}

static void expect_undecided(size_t index, uint64_t offset)
{
	assert_true(index < scan.undecided_count);
	assert_int_equal(scan.undecided[index], MADE_CODE_OFFSET + offset);
}

/* Data between instructions, behind which a sweep would be out of step, or which look like instructions. */
static void test_data_before_code(void **state)
{
	(void)state;
	/* jmp over the begin of a movabs; rdtsc */
	scan_function(CODE("\xeb\x02\x48\xb8\x0f\x31\xc3\x90\x90\x90\x90\x90\x90"));
	assert_int_equal(scan.count, 1);
	expect_patch(0, 4, TRAP_RDTSC, 0, 0, 0);
	/* call over a text; pop %rax; cpuid */
	scan_function(CODE("\xe8\x04\x00\x00\x00"
	                   "ab%\0"
	                   "\x58\x0f\xa2\xc3"));
	assert_int_equal(scan.count, 1);
	expect_patch(0, 10, TRAP_CPUID, 0, 0, 0);
	/* jmp over cpuid; rdtsc; mov $39, %eax; syscall; pause, which are data; ret */
	scan_function(CODE("\xeb\x0d\x0f\xa2\x0f\x31\xb8\x27\x00\x00\x00\x0f\x05\xf3\x90\xc3"));
	assert_int_equal(scan.count, 0);
	assert_int_equal(scan.undecided_count, 2);
	expect_undecided(0, 2);
	expect_undecided(1, 4);
	/* jmp over mov $1, %eax, which is no part of a stub; syscall */
	scan_function(CODE("\xeb\x05\xb8\x01\x00\x00\x00\x0f\x05\xc3"));
	expect_trap(7, CODE_REASON_NO_ROOM);
	/* Data that cannot be instructions: jmp over cpuid; movabs. */
	scan_function(CODE("\xeb\x04\x0f\xa2\x48\xb8\x0f\x31\xc3"));
	assert_int_equal(scan.count, 1);
	expect_patch(0, 6, TRAP_RDTSC, 0, 0, 0);
	assert_int_equal(scan.undecided_count, 1);
	expect_undecided(0, 2);
	/* What a condition jumps over, if the condition always holds: je into mov $0xa20f, %eax */
	scan_function(CODE("\x74\x01\xb8\x0f\xa2\x00\x00\xc3"));
	assert_int_equal(scan.count, 1);
	expect_patch(0, 3, TRAP_CPUID, 0, 0, 0);
	/* The same byte in two instructions that both are jumped to: je to mov $0x310fc0ff, %eax; jne into it; ret */
	scan_function(CODE("\x74\x02\x75\x01\xb8\xff\xc0\x0f\x31\xc3"));
	assert_int_equal(scan.count, 0);
	assert_int_equal(scan.undecided_count, 1);
	expect_undecided(0, 7);
	/* jmp *%rax, of which the lea before it tells where it leads: over the begin of a movabs; cpuid */
	scan_function(CODE("\x48\x8d\x05\x04\x00\x00\x00\xff\xe0\x48\xb8\x0f\xa2\xc3\x90\x90\x90\x90\x90\x90"));
	assert_int_equal(scan.count, 1);
	expect_patch(0, 11, TRAP_CPUID, 0, 0, 0);
	/* A prefix that some jump over: je; 66 rdtsc, which traps behind it. */
	scan_function(CODE("\x74\x01\x66\x0f\x31\xc3"));
	assert_int_equal(scan.count, 1);
	expect_patch(0, 3, TRAP_RDTSC, 0, 0, 0);
	/* The same of a lock, which is a point for those who do not: je; lock cmpxchg %ecx, (%rdx); ret */
	const struct code_range function = {MADE_CODE, 8};
	made_elf_init(&elf, "\x74\x01\xf0\x0f\xb1\x0a\xc3\x90", 8, &function, 1, MADE_PLAIN);
	run(true);
	assert_int_equal(scan.count, 1);
	assert_int_equal(scan.patches[0].offset, MADE_CODE_OFFSET + 2);
	assert_int_equal(scan.patches[0].kind, CODE_ATOMIC);
}

/* What flow does not reach is an instruction if there is any way to it that can be seen. */
static void test_ways_to_gaps(void **state)
{
	uint8_t code[40];
	(void)state;
	/* jmp over cpuid; ret; to which somebody comes by a number of four bytes in the file, a symbol's for instance.
	 */
	memset(code, 0x90, sizeof(code));
	memcpy(code, "\xeb\x03\x0f\xa2\xc3\xc3", 6);
	scan_function(code, sizeof(code));
	assert_int_equal(scan.count, 0);
	expect_undecided(0, 2);
	const uint64_t address = MADE_CODE + 2;
	memcpy(elf.bytes + MADE_TABLE_OFFSET + 0x101, &address, sizeof(address));
	run(false);
	assert_int_equal(scan.count, 1);
	expect_patch(0, 2, TRAP_CPUID, 0, 0, 0);
	assert_int_equal(scan.undecided_count, 0);
	/* by a branch of another function */
	memcpy(code + 20, "\x74\xec", 2);
	scan_functions(code, sizeof(code), 10, 20);
	assert_int_equal(scan.count, 1);
	expect_patch(0, 2, TRAP_CPUID, 0, 0, 0);
	/* by a jump that is not understood: jmp *%rax; cpuid; ret; and the other one is the first behind it: movabs */
	scan_function(CODE("\xff\xe0\x0f\xa2\xc3\x90\x90\x90"));
	assert_int_equal(scan.count, 1);
	expect_patch(0, 2, TRAP_CPUID, 0, 0, 0);
	scan_function(CODE("\xff\xe0\x48\xb8\x0f\xa2\xc3\x90\x90\x90\x90\x90\xc3"));
	assert_int_equal(scan.count, 0);
	expect_undecided(0, 4);
	scan_function(CODE("\xff\xe0\x90\x48\xb8\x0f\xa2\xc3\x90\x90\x90\x90\x90\xc3"));
	assert_int_equal(scan.undecided_count, 0);
	/* by an address that is taken: lea to the cpuid; jmp *x(%rip); a byte that would be a mov; cpuid; ret */
	scan_function(CODE("\x48\x8d\x05\x07\x00\x00\x00\xff\x25\x00\x10\x00\x00\xb8\x0f\xa2\xc3"));
	assert_int_equal(scan.count, 1);
	expect_patch(0, 14, TRAP_CPUID, 0, 0, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_data_in_function),
	cmocka_unit_test(test_data_before_code),
	cmocka_unit_test(test_ways_to_gaps),
};

TAP_MAIN(tests)
