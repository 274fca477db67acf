/* SPDX-License-Identifier: MIT */
/* Which bytes are instructions, as far as that follows from one that is executed: each way to go on, what is not
 * reached, data among them, the ends of what is shown, and bytes that mean harm. */
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "code/code_function.h"
#include "scan/disassembler.h"

#define CODE(text) (const uint8_t *)(text), sizeof(text) - 1

static int load(void **state)
{
	struct error error;
	(void)state;
	return disassembler_load(&error);
}

static struct code_function function;

/* Looks at a copy, whose end the sanitizer knows. */
static void look(const uint8_t *bytes, size_t count, uint64_t entry, bool is_whole)
{
	uint8_t *copy = malloc(count);
	assert_non_null(copy);
	memcpy(copy, bytes, count);
	const struct code_area area = {.bytes = copy, .count = count, .address = 0x1000};
	if (is_whole)
		assert_int_equal(code_function_read(&function, &area, &(struct code_range){0x1000, count}), 0);
	else
		assert_int_equal(code_function_follow(&function, &area, 0x1000 + entry), 0);
	free(copy);
}

static void compare(size_t count, const char *expected)
{
	static const char letters[] = {
		[CODE_BYTE_UNKNOWN] = '.', [CODE_BYTE_BEGINS] = 'x', [CODE_BYTE_INSIDE] = '.', [CODE_BYTE_DATA] = 'd'};
	char found[64] = "";
	for (size_t i = 0; i < count; i++)
		found[i] = letters[function.bytes[i]];
	for (size_t i = 0; i < function.count; i++)
		if (!function.steps[i].is_reached)
			found[function.steps[i].address - 0x1000] = 'g';
	assert_string_equal(found, expected);
}

/* `begins` has an x for each byte where an instruction begins, and a dot for each other one. */
static void expect(const uint8_t *bytes, size_t count, uint64_t entry, const char *begins)
{
	look(bytes, count, entry, false);
	compare(count, begins);
}

/* The same of a whole function, where g is what is guessed to be an instruction, and d is data. */
static void expect_function(const uint8_t *bytes, size_t count, const char *begins)
{
	look(bytes, count, 0, true);
	compare(count, begins);
	assert_int_equal(function.is_whole, !strchr(begins, 'd'));
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

/* Behind a call, if that does not return, are data. */
static void test_calls(void **state)
{
	(void)state;
	/* call over `movabs`, whose other bytes would be the code: pop %rax; rdtsc; ret */
	expect(CODE("\xe8\x02\x00\x00\x00\x48\xb8\x58\x0f\x31\xc3"), 0, "x......xx.x");
	/* call *%rax; je to the ret; ret: all that agrees is code */
	expect(CODE("\xff\xd0\x74\x01\x90\xc3"), 0, "x.x.xx");
	/* call *%rax, and what is no instruction */
	expect(CODE("\xff\xd0\x06\xc3"), 0, "x...");
	/* je over ud2, which is followed by half an instruction */
	expect(CODE("\x74\x03\x0f\x0b\xb8\xc3"), 0, "x.x..x");
}

/* What flow does not reach. */
static void test_gaps(void **state)
{
	(void)state;
	/* jmp over movabs to rdtsc; ret */
	expect_function(CODE("\xeb\x02\x48\xb8\x0f\x31\xc3"), "x.ddx.x");
	/* jmp over bytes that are instructions: nop; cpuid */
	expect_function(CODE("\xeb\x03\x90\x0f\xa2\x0f\x31\xc3"), "x.gg.x.x");
	/* jmp *%rax, and two cases: the second is known by the jump of the first; the data between are too long */
	expect_function(CODE("\xff\xe0\xeb\x02\x48\xb8\x0f\x31\xc3"), "x.g.ddg.g");
	/* A case that does not agree with what is reached is none, nor is it up to the label that a lea makes. */
	expect_function(CODE("\x48\x8d\x05\x04\x00\x00\x00\xff\xe0\x48\xb8\x90\xc3"), "x......x.ddgg");
	/* Data at the end, of which the last is cut off, and padding. */
	expect_function(CODE("\xc3\xb8\x00"), "xdd");
	expect_function(CODE("\xc3\x66\x90\xcc\xcc"), "xg.gg");
	/* Of two that share bytes the first is a step, and both are known to begin: je into a mov. */
	expect_function(CODE("\x74\x01\xb0\x90\xc3"), "x.xxx");
	assert_int_equal(function.count, 3);
	assert_int_equal(code_function_step_at(&function, 0x1003)->address, 0x1002);
	assert_null(code_function_step_at(&function, 0x1005));
}

/* Whatever there is is in order, apart and inside. */
static void expect_sound(unsigned count)
{
	uint64_t after = 0x1000;
	for (size_t i = 0; i < function.count; i++) {
		const struct code_step *s = &function.steps[i];
		assert_true(s->address >= after && s->address < 0x1000 + count);
		assert_int_equal(function.bytes[s->address - 0x1000], CODE_BYTE_BEGINS);
		assert_ptr_equal(code_function_step_at(&function, s->address + s->instruction.length - 1), s);
		after = s->address + s->instruction.length;
	}
}

/* As many branches as there can be, and whatever bytes there are: it ends, and stays inside. */
static void test_hostile(void **state)
{
	enum { BYTES = 5000 };
	uint8_t *bytes = malloc(BYTES);
	uint32_t random = 1;
	(void)state;
	assert_non_null(bytes);
	for (unsigned fill = 0; fill < 256; fill++) {
		memset(bytes, (int)fill, BYTES);
		look(bytes, BYTES, fill, fill % 2);
		expect_sound(BYTES);
	}
	for (unsigned round = 0; round < 200; round++) {
		for (unsigned i = 0; i < BYTES; i++) {
			random = random * 1664525 + 1013904223;
			/* short branches, mostly, of which each other has the next one's opcode for its distance */
			bytes[i] = (uint8_t)(random >> 24 & (round % 2 ? 0xff : 0x0f)) | (round % 2 ? 0 : 0x70);
		}
		look(bytes, BYTES, round, round % 3);
		expect_sound(BYTES);
		for (unsigned i = 0; i < BYTES && round % 3; i++)
			assert_int_not_equal(function.bytes[i], CODE_BYTE_UNKNOWN);
	}
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_going_on), cmocka_unit_test(test_branches), cmocka_unit_test(test_not_followed),
		cmocka_unit_test(test_bounds),   cmocka_unit_test(test_calls),    cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_hostile),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	int failed = cmocka_run_group_tests(tests, load, NULL);
	code_function_fini(&function);
	return failed;
}
