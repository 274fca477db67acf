/* SPDX-License-Identifier: MIT */
/* gdb's agent expressions: what its instructions do, and that no bytes lead beyond the expression or its stack (the
 * test runs under sanitizers). */
#include "tests/unit/fakes/tap.h"

#include <string.h>

#include "kernel/linux/debug/debug_condition.h"
#include "kernel/linux/debug/debug_memory.h"
#include "kernel/linux/patch/stub.h"

#define MEMORY 0x1000UL

bool debug_memory_peek(uint64_t address, void *to, size_t bytes)
{
	static const uint8_t memory[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	if (address != MEMORY)
		return false;
	memcpy(to, memory, bytes);
	return true;
}

uint64_t stub_original(uint64_t address)
{
	return address;
}

static const struct trap_frame frame = {.rax = 7, .rdi = 77, .rsp = 9, .r15 = 15, .rip = 0x400};

/* Whether an expression, which has no length before it, is false. */
static bool is_false(const void *code, size_t bytes)
{
	uint8_t list[300] = {(uint8_t)bytes, (uint8_t)(bytes >> 8)};
	memcpy(list + 2, code, bytes);
	assert_true(debug_condition_is_list(list, bytes + 2));
	return debug_condition_is_false(list, bytes + 2, &frame);
}

#define CODE(text) text, sizeof(text) - 1

static void test_instructions(void **state)
{
	(void)state;
	assert_true(is_false(CODE("\x22\x00\x27")));                 /* 0 */
	assert_false(is_false(CODE("\x22\x01\x27")));                /* 1 */
	assert_true(is_false(CODE("\x26\x00\x05\x22\x4e\x13\x27"))); /* $rdi == 78 */
	assert_false(is_false(CODE("\x26\x00\x05\x22\x4d\x13\x27")));
	assert_false(is_false(CODE("\x26\x00\x10\x23\x04\x00\x13\x27"))); /* $rip == 0x400 */
	assert_false(is_false(CODE("\x26\x00\x0f\x22\x0f\x13\x27")));     /* $r15 == 15 */
	/* memory: 0x0201, 0x04030201 */
	assert_false(is_false(CODE("\x23\x10\x00\x18\x23\x02\x01\x13\x27")));
	assert_false(is_false(CODE("\x23\x10\x00\x19\x24\x04\x03\x02\x01\x13\x27")));
	/* (int8_t)0xff < 0, but not as unsigned */
	assert_false(is_false(CODE("\x22\xff\x16\x08\x22\x00\x14\x27")));
	assert_true(is_false(CODE("\x22\xff\x22\x00\x14\x27")));
	/* 7 / -2 == -3, 7 % -2 == 1, -8 >> 1 == -4 */
	assert_false(is_false(CODE("\x22\x07\x22\xfe\x16\x08\x05\x22\xfd\x16\x08\x13\x27")));
	assert_false(is_false(CODE("\x22\x07\x22\xfe\x16\x08\x07\x22\x01\x13\x27")));
	assert_false(is_false(CODE("\x22\xf8\x16\x08\x22\x01\x0a\x22\xfc\x16\x08\x13\x27")));
	/* goto over a constant; if_goto */
	assert_true(is_false(CODE("\x22\x00\x21\x00\x07\x22\x01\x27")));
	assert_false(is_false(CODE("\x22\x01\x20\x00\x08\x22\x00\x27\x22\x01\x27")));
	/* swap, rot, pick, dup, pop: 1 2 swap - == 1; 1 2 3 rot leaves 2 on top */
	assert_false(is_false(CODE("\x22\x01\x22\x02\x2b\x03\x22\x01\x13\x27")));
	assert_false(is_false(CODE("\x22\x01\x22\x02\x22\x03\x33\x22\x02\x13\x27")));
	assert_false(is_false(CODE("\x22\x05\x22\x02\x32\x01\x22\x05\x13\x27")));
	assert_true(is_false(CODE("\x22\x00\x28\x29\x27")));
}

/* An expression that cannot be evaluated is not false. */
static void test_errors(void **state)
{
	(void)state;
	assert_false(is_false(CODE("")));
	assert_false(is_false(CODE("\x27")));                         /* an empty stack */
	assert_false(is_false(CODE("\x22\x00")));                     /* no end */
	assert_false(is_false(CODE("\x22")));                         /* cut */
	assert_false(is_false(CODE("\x21\x00\x00")));                 /* a loop for ever */
	assert_false(is_false(CODE("\x22\x00\x28\x21\x00\x02")));     /* one that fills the stack */
	assert_false(is_false(CODE("\x21\xff\xff\x27")));             /* beyond the end */
	assert_false(is_false(CODE("\x22\x00\x17\x27")));             /* memory that is not there */
	assert_false(is_false(CODE("\x22\x00\x22\x00\x05\x27")));     /* division by zero */
	assert_false(is_false(CODE("\x26\x00\x30\x29\x22\x00\x27"))); /* a register of SSE */
	assert_false(is_false(CODE("\x22\x00\x01\x27")));             /* floating point */
	/* INT64_MIN / -1 does not trap */
	assert_false(is_false(CODE("\x25\x80\x00\x00\x00\x00\x00\x00\x00\x22\xff\x16\x08\x05\x27")));
	/* damaged lists */
	assert_false(debug_condition_is_list((const uint8_t *)"\x05\x00\x27", 3));
	assert_false(debug_condition_is_list((const uint8_t *)"\x05", 1));
	assert_true(debug_condition_is_list(NULL, 0));
	assert_false(debug_condition_is_false(NULL, 0, &frame));
}

static void test_noise(void **state)
{
	uint64_t seed = 1;
	uint8_t code[256];
	(void)state;
	for (unsigned i = 0; i < 200000; i++) {
		const size_t bytes = i % sizeof(code);
		for (size_t j = 0; j < bytes; j++) {
			seed = seed * 6364136223846793005 + 1442695040888963407;
			code[j] = (uint8_t)(seed >> 33 & (seed >> 60 ? 0x37 : 0xff));
		}
		is_false(code, bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_instructions),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_noise),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("debug_condition", tests, NULL, NULL);
}
