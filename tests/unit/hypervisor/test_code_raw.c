/* SPDX-License-Identifier: MIT */
/* Memory that a program has made code of: what of it is an instruction, and what is in doubt. Nothing that may be one
 * with results of the host's is passed over because what lies before it is no code. */
#include "tests/unit/fakes/tap.h"

#include "abi/boot.h"
#include "scan/opcode_search.h"
#include "scan/vote_memo.h"
#include "tests/unit/fakes/scan_maker.h"

static uint8_t memory[512];

static void scan_from(uint64_t entry)
{
	code_scan_fini(&scan);
	assert_int_equal(code_scan_raw(memory, sizeof(memory), entry, &scan, &error), 0);
}

static void expect_only(unsigned kind, uint64_t offset)
{
	assert_int_equal(scan.count, 1);
	assert_int_equal(scan.patches[0].kind, kind);
	assert_int_equal(scan.patches[0].offset, offset);
}

/* mov $7, %eax; ret */
static void fill(uint8_t byte)
{
	memset(memory, byte, sizeof(memory));
	memcpy(memory, "\xb8\x07\x00\x00\x00\xc3", 6);
}

/* shl $32, %rdx; or %rdx, %rax; ret */
#define BEHIND "\x48\xc1\xe2\x20\x48\x09\xd0\xc3"

static void test_behind_zeros(void **state)
{
	(void)state;
	/* Where functions are aligned, one begins behind zeros. */
	fill(0);
	memcpy(memory + 256, CODE("\x0f\x31" BEHIND));
	scan_from(0);
	expect_only(TRAP_RDTSC, 256);
	memset(memory + 256, 0, 32);
	memcpy(memory + 256, CODE("\x55\x48\x89\xe5\x48\x83\xec\x10\x0f\xa2\x89\xd8\xc9\xc3"));
	scan_from(0);
	expect_only(TRAP_CPUID, 264);
	memmove(memory + 16, memory + 256, 32);
	memset(memory + 256, 0, 32);
	scan_from(0);
	expect_only(TRAP_CPUID, 24);
	/* Elsewhere it may be data, and when it is not followed by code, too. */
	fill(0);
	memcpy(memory + 261, CODE("\x0f\x31" BEHIND));
	scan_from(0);
	expect_only(CODE_UNDECIDED, 261);
	scan_from(261);
	expect_only(TRAP_RDTSC, 261);
	fill(0);
	memcpy(memory + 256, "\x0f\x31", 2);
	scan_from(0);
	expect_only(CODE_UNLIKELY, 256);
	/* Behind something that does not come back, it is not known what follows: rdtsc; call *%rax */
	fill(0);
	memcpy(memory + 261, "\x0f\x31\xff\xd0", 4);
	scan_from(0);
	expect_only(CODE_UNDECIDED, 261);
}

static void test_between_others(void **state)
{
	(void)state;
	/* In a constant of the only instructions that can be seen: ret; mov $0xc148310f, %eax; ... */
	fill(0x90);
	memcpy(memory + 256, CODE("\xc3\xb8\x0f\x31" BEHIND));
	scan_from(0);
	expect_only(CODE_UNLIKELY, 258);
	scan_from(257); /* unless that is executed */
	assert_int_equal(scan.count, 0);
	scan_from(258);
	expect_only(TRAP_RDTSC, 258);
	/* Behind a prefix, which may be data: data16 rdtsc */
	fill(0x90);
	memcpy(memory + 256, CODE("\x66\x0f\x31" BEHIND));
	scan_from(0);
	assert_int_equal(scan.count, 2);
	assert_int_equal(scan.patches[0].kind, TRAP_RDTSC);
	assert_int_equal(scan.patches[0].offset, 256);
	assert_int_equal(scan.patches[1].kind, CODE_UNLIKELY);
	assert_int_equal(scan.patches[1].offset, 257);
	scan_from(256);
	expect_only(TRAP_RDTSC, 256);
}

static void test_seldom_instructions(void **state)
{
	(void)state;
	/* What would be LSL is data: the tables that OpenJDK puts beside its code are full of it. */
	fill(0);
	memcpy(memory + 252, "\x2f\0\0\0\x0f\x03\0\0\x3f\0\0\0", 12);
	scan_from(0);
	assert_int_equal(scan.count, 0);
	scan_from(256); /* unless that is executed */
	expect_only(TRAP_SEGMENT, 256);
	/* Also before code: lsl %ecx, %eax; ret */
	fill(0);
	memcpy(memory + 261, "\x0f\x03\xc1\xc3", 4);
	scan_from(0);
	assert_int_equal(scan.count, 0);
	scan_from(261);
	expect_only(TRAP_SEGMENT, 261);
}

static void test_far_xbegin(void **state)
{
	(void)state;
	/* mov $0x1f8, %rdi; mov ... among zeros: an xbegin to 0x48000001 bytes away; and one that goes on near by */
	fill(0);
	memcpy(memory + 261, CODE("\x48\xc7\xc7\xf8\x01\x00\x00\x48\x89\xc3\x90\xc3"));
	scan_from(0);
	assert_int_equal(scan.count, 0);
	/* Racket's mov $0x26, %rbp; add $-8, %rdi; cmp $0, %rdi; jle ...: one to 0xff8348 bytes away */
	fill(0);
	memcpy(memory + 256,
	       CODE("\x48\xc7\xc5\x26\x00\x00\x00\x48\x83\xc7\xf8\x48\x83\xff\x00\x0f\x8e\xa0\x00\x00\x00"));
	memcpy(memory + 248, "\x01", 1);
	scan_from(0);
	assert_int_equal(scan.count, 0);
	fill(0);
	memcpy(memory + 261, CODE("\xc7\xf8\x02\x00\x00\x00\x90\xc3\x90\x90\x90\xc3"));
	scan_from(0);
	expect_only(CODE_UNDECIDED, 261);
}

static void test_between_addresses(void **state)
{
	(void)state;
	/* Addresses of objects, as SBCL has them before a function. One of them would be CPUID. */
	fill(0);
	memcpy(memory + 248, "\x4f\x75\x14\x50\0\0\0\0\x0f\xa2\xaf\xff\x0f\0\0\0\x4f\xa2\xaf\xff\x0f\0\0\0", 24);
	scan_from(0);
	assert_int_equal(scan.count, 0);
	scan_from(256); /* unless that is executed */
	expect_only(TRAP_CPUID, 256);
	/* Before code it is in doubt: cpuid; ret */
	memcpy(memory + 256, "\x0f\xa2\xc3\0\0\0\0\0", 8);
	scan_from(0);
	assert_int_equal(scan.count, 1);
	assert_int_equal(scan.patches[0].offset, 256);
	/* Not between two on each side, wherever it is in a word. */
	for (unsigned at = 240; at <= 272; at += 8)
		memcpy(memory + at, "\x70\x14\x50\xff\x0f\0\0\0", 8);
	memcpy(memory + 257, "\x0f\xa2\x25", 3);
	scan_from(0);
	assert_int_equal(scan.count, 0);
	scan_from(257);
	expect_only(TRAP_CPUID, 257);
	/* Except for a function in one word: cpuid; ret */
	memcpy(memory + 257, "\x0f\xa2\xc3", 3);
	scan_from(0);
	assert_int_equal(scan.count, 1);
	assert_int_equal(scan.patches[0].offset, 257);
	/* And where it is not aligned, as such words are. */
	fill(0);
	memcpy(memory + 250, "\x4f\x75\x14\x50\0\0\0\0\x0f\xa2\xaf\xff\x0f\0\0\0\x4f\xa2\xaf\xff\x0f\0\0\0", 24);
	scan_from(0);
	assert_int_equal(scan.count, 1);
	assert_int_equal(scan.patches[0].offset, 258);
}

/* A vote that was asked for before, also at another place, is the same as a new one. */
static void test_remembered_votes(void **state)
{
	const unsigned set = OPCODE_RAW | OPCODE_TRAPS | OPCODE_RARE | OPCODE_SYSCALL;
	uint32_t random = 1;
	(void)state;
	for (unsigned i = 0; i < sizeof(memory); i++) {
		random = random * 1103515245 + 12345;
		memory[i] = random >> 28 < 4 ? 0 : random >> 28 < 6 ? 0x0f : (uint8_t)(random >> 16);
	}
	memcpy(memory + 256, memory, 256);
	for (unsigned round = 0; round < 3; round++)
		for (uint64_t offset = 0; offset < sizeof(memory); offset++) {
			struct vote asked, remembered;
			vote_ask(memory, sizeof(memory), 0, 0, offset, set, &asked);
			vote_memo_ask(memory, sizeof(memory), 0, offset, set, &remembered);
			assert_int_equal(remembered.asked, asked.asked);
			assert_int_equal(remembered.yes, asked.yes);
			assert_int_equal(remembered.no, asked.no);
			if (!asked.yes)
				continue;
			assert_int_equal(remembered.offset, asked.offset);
			assert_int_equal(remembered.goes_on, asked.goes_on);
			assert_int_equal(remembered.instruction.kind, asked.instruction.kind);
			assert_int_equal(remembered.instruction.length, asked.instruction.length);
		}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_behind_zeros),        cmocka_unit_test(test_between_others),
	cmocka_unit_test(test_seldom_instructions), cmocka_unit_test(test_between_addresses),
	cmocka_unit_test(test_remembered_votes),    cmocka_unit_test(test_far_xbegin),
};

TAP_MAIN(tests)
