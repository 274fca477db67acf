/* SPDX-License-Identifier: MIT */
/* Which bytes are instructions, as far as that follows from one that is executed: each way to go on, what is not
 * reached, the ends of what is shown, and bytes that mean harm. */
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>
#include <string.h>

#include "code_flow.h"
#include "disassembler.h"

#define CODE(text) (const uint8_t *)(text), sizeof(text) - 1

static int load(void **state)
{
	char error[256];
	(void)state;
	return disassembler_load(error);
}

/* `begins` has an x for each byte where an instruction begins, and a dot for each other one. */
static void expect(const uint8_t *bytes, size_t count, uint64_t entry, const char *begins)
{
	uint8_t *copy = malloc(count), *flow; /* whose end the sanitizer knows */
	char found[64] = "";
	assert_non_null(copy);
	memcpy(copy, bytes, count);
	flow = code_flow_from(copy, count, entry);
	assert_non_null(flow);
	for (size_t i = 0; i < count; i++)
		found[i] = flow[i] ? 'x' : '.';
	assert_string_equal(found, begins);
	free(flow);
	free(copy);
}

static void test_going_on(void **state)
{
	(void)state;
	/* nop; cpuid; ret; what is behind it is not known */
	expect(CODE("\x90\x0f\xa2\xc3\x0f\xa2"), 0, "xx.x..");
	expect(CODE("\x90\x0f\xa2\xc3\x0f\xa2"), 1, ".x.x..");
	/* from the middle of an instruction: mov $0x0000a20f, %eax */
	expect(CODE("\xb8\x0f\xa2\x00\x00\xc3"), 0, "x....x");
	expect(CODE("\xb8\x0f\xa2\x00\x00\xc3"), 1, ".x.x.x");
	/* what faults or traps at most goes on: int3; syscall; then hlt, behind which nothing is */
	expect(CODE("\xcc\x0f\x05\xf4\x90"), 0, "xx.x.");
}

static void test_branches(void **state)
{
	(void)state;
	/* jmp over a table; ret */
	expect(CODE("\xeb\x02\x0f\xa2\xc3"), 0, "x...x");
	expect(CODE("\xe9\x02\x00\x00\x00\x0f\xa2\xc3"), 0, "x......x");
	/* je, jne with four bytes, loop: both ways */
	expect(CODE("\x74\x01\xc3\xc3"), 0, "x.xx");
	expect(CODE("\x0f\x85\x01\x00\x00\x00\xc3\xc3"), 0, "x.....xx");
	expect(CODE("\x90\xe2\xfd\xc3"), 0, "xx.x");
	/* call: what is called, and what is behind it */
	expect(CODE("\xe8\x02\x00\x00\x00\xc3\x0f\xc3"), 0, "x....x.x");
	/* backwards, to before the entry */
	expect(CODE("\x90\xc3\x90\xeb\xfb"), 2, "xxxx.");
	/* into an instruction, which is then two: je to the 0x90 of mov $0x90..., %al */
	expect(CODE("\x74\x01\xb0\x90\xc3"), 0, "x.xxx");
	/* to itself */
	expect(CODE("\xeb\xfe\x90"), 0, "x..");
}

static void test_not_followed(void **state)
{
	(void)state;
	/* jmp *%rax; call *%rax goes on; jmp *0(%rip) */
	expect(CODE("\xff\xe0\x90"), 0, "x..");
	expect(CODE("\xff\xd0\xc3"), 0, "x.x");
	expect(CODE("\xff\x25\x00\x00\x00\x00\x90"), 0, "x......");
	/* lea 1(%rip), %rax tells of an address, not of code */
	expect(CODE("\x48\x8d\x05\x01\x00\x00\x00\xc3\x90"), 0, "x......x.");
}

static void test_bounds(void **state)
{
	(void)state;
	/* Targets before the first byte, behind the last, and as far as can be. */
	expect(CODE("\x74\xf0\x74\x70\xc3"), 0, "x.x.x");
	expect(CODE("\x0f\x84\x00\x00\x00\x80\xc3"), 0, "x.....x");
	expect(CODE("\x0f\x84\xff\xff\xff\x7f\xc3"), 0, "x.....x");
	/* to the last byte, and to the one behind it */
	expect(CODE("\x74\x01\x90\xc3"), 0, "x.xx");
	expect(CODE("\x74\x02\x90\xc3"), 0, "x.xx");
	/* The last instruction is cut off, or there is none; nothing is known of the rest. */
	expect(CODE("\x90\xb8\x00\x00"), 0, "x...");
	expect(CODE("\x90\x06\x90"), 0, "x..");
	expect(CODE("\x90\x0f"), 0, "x.");
	expect(CODE("\xc3"), 0, "x");
	/* An entry that is not there. */
	expect(CODE("\x90\xc3"), 2, "..");
	expect(CODE("\x90\xc3"), UINT64_MAX, "..");
}

/* As many branches as there can be, and whatever bytes there are: it ends, and stays inside. */
static void test_hostile(void **state)
{
	enum { BYTES = 5000 };
	uint8_t *bytes = malloc(BYTES), *flow;
	uint32_t random = 1;
	(void)state;
	assert_non_null(bytes);
	for (unsigned fill = 0; fill < 256; fill++) {
		memset(bytes, (int)fill, BYTES);
		flow = code_flow_from(bytes, BYTES, fill);
		assert_non_null(flow);
		free(flow);
	}
	for (unsigned round = 0; round < 200; round++) {
		for (unsigned i = 0; i < BYTES; i++) {
			random = random * 1664525 + 1013904223;
			/* short branches, mostly, of which each other has the next one's opcode for its distance */
			bytes[i] = (uint8_t)(random >> 24 & (round % 2 ? 0xff : 0x0f)) | (round % 2 ? 0 : 0x70);
		}
		flow = code_flow_from(bytes, BYTES, round);
		assert_non_null(flow);
		assert_int_equal(flow[BYTES], 0);
		for (unsigned i = 0; i < BYTES; i++) {
			struct instruction in;
			assert_in_range(flow[i], 0, 1);
			assert_true(!flow[i] || disassemble(bytes + i, BYTES - i, i, &in));
		}
		free(flow);
	}
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_going_on), cmocka_unit_test(test_branches), cmocka_unit_test(test_not_followed),
		cmocka_unit_test(test_bounds),   cmocka_unit_test(test_hostile),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, load, NULL);
}
