/* SPDX-License-Identifier: MIT */
/* The table of plain instructions against the library: all opcodes with all ModRM bytes, and this program's own code.
 */
#include "tests/unit/fakes/tap.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scan/plain_instruction.h"

#define ADDRESS 0x401000
#define BYTES 32

struct counts {
	unsigned long asked, known, uses_known;
};

static int load(void **state)
{
	struct error error;
	(void)state;
	return disassembler_load(&error);
}

static void fail_at(const uint8_t *bytes, const char *what)
{
	char text[3 * 15 + 1] = "";
	for (unsigned i = 0; i < 15; i++)
		snprintf(text + (size_t)3 * i, 4, "%02x ", bytes[i]);
	fail_msg("%s: %s", what, text);
}

static void compare_uses(const uint8_t *bytes, struct counts *counts)
{
	struct instruction_uses plain = {0}, full = {0};
	if (!plain_instruction_uses(bytes, BYTES, ADDRESS, &plain))
		return;
	counts->uses_known++;
	if (!disassembler_uses_fully(bytes, BYTES, ADDRESS, &full))
		fail_at(bytes, "not an instruction");
	if (plain.reads != full.reads || plain.writes != full.writes || plain.addresses != full.addresses)
		fail_at(bytes, "other registers");
	if (plain.is_call != full.is_call || plain.is_repeatable != full.is_repeatable ||
	    plain.is_stack != full.is_stack || plain.is_unknown != full.is_unknown)
		fail_at(bytes, "of another kind");
	if (plain.reads_memory != full.reads_memory || plain.writes_memory != full.writes_memory ||
	    plain.base != full.base || plain.index != full.index || plain.bytes != full.bytes ||
	    plain.displacement != full.displacement)
		fail_at(bytes, "other memory");
}

static void compare_instruction(const uint8_t *bytes, struct counts *counts)
{
	struct instruction plain = {0}, full = {0};
	const unsigned length = plain_instruction(bytes, BYTES, ADDRESS, &plain);
	counts->asked++;
	if (!length) {
		struct instruction_uses uses;
		assert_false(plain_instruction_uses(bytes, BYTES, ADDRESS, &uses));
		return;
	}
	counts->known++;
	if (disassemble_fully(bytes, BYTES, ADDRESS, &full) != length || plain.length != full.length)
		fail_at(bytes, "another length");
	if (plain.kind != full.kind || plain.flags != full.flags || plain.relative_at != full.relative_at ||
	    plain.target != full.target)
		fail_at(bytes, "another description");
	compare_uses(bytes, counts);
}

/* Tries an opcode with each ModRM byte, and with different bytes behind it. */
static void compare_opcode(const uint8_t *before, unsigned count, uint8_t opcode, struct counts *counts)
{
	static uint32_t state = 1;
	uint8_t bytes[BYTES];
	for (unsigned modrm = 0; modrm < 256; modrm++) {
		for (unsigned i = 0; i < BYTES; i++) {
			state = state * 1664525 + 1013904223;
			bytes[i] = (uint8_t)(state >> 24);
		}
		memcpy(bytes, before, count);
		bytes[count] = opcode;
		bytes[count + 1] = (uint8_t)modrm;
		compare_instruction(bytes, counts);
		bytes[count + 2] = 0x25; /* SIB: no base, no index */
		compare_instruction(bytes, counts);
	}
}

static void test_all_opcodes(void **state)
{
	static const uint8_t rex[] = {0, 0x40, 0x41, 0x42, 0x44, 0x45, 0x48, 0x49, 0x4c, 0x4f};
	struct counts counts = {0};
	(void)state;
	for (unsigned form = 0; form < 4 * sizeof(rex); form++) {
		uint8_t before[3];
		unsigned count = 0;
		if (form & 1)
			before[count++] = 0x66;
		if (rex[form / 4])
			before[count++] = rex[form / 4];
		if (form & 2)
			before[count++] = 0x0f;
		for (unsigned opcode = 0; opcode < 256; opcode++)
			compare_opcode(before, count, (uint8_t)opcode, &counts);
	}
	/* Most of the opcodes behind 0x0f are left to the library. */
	assert_true(counts.known > counts.asked / 3);
	assert_true(counts.uses_known > counts.known / 2);
}

static int compare_own(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	for (unsigned i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
		const uint8_t *bytes = (const uint8_t *)(info->dlpi_addr + segment->p_vaddr);
		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X)
			for (size_t at = 0; at + BYTES <= segment->p_filesz; at++)
				compare_instruction(bytes + at, context);
	}
	return 1; /* the program alone, not its libraries */
}

static void test_own_code(void **state)
{
	struct counts counts = {0};
	(void)state;
	dl_iterate_phdr(compare_own, &counts);
	assert_true(counts.asked > 1000);
	assert_true(counts.known > counts.asked / 2);
}

/* What is cut off, and what has other prefixes, is left to the library. */
static void test_left_to_the_library(void **state)
{
	static const uint8_t nothing[BYTES] = {0x31, 0xc0}, of_segment[BYTES] = {0x64, 0x8b, 0x04, 0x25},
			     locked[BYTES] = {0xf0, 0x01, 0x00}, exchange[BYTES] = {0x87, 0x00};
	struct instruction in;
	(void)state;
	assert_int_equal(plain_instruction(nothing, BYTES, ADDRESS, &in), 2);
	assert_int_equal(plain_instruction(nothing, 15, ADDRESS, &in), 0);
	assert_int_equal(plain_instruction(of_segment, BYTES, ADDRESS, &in), 0);
	assert_int_equal(plain_instruction(locked, BYTES, ADDRESS, &in), 0);
	assert_int_equal(plain_instruction(exchange, BYTES, ADDRESS, &in), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_opcodes),
		cmocka_unit_test(test_own_code),
		cmocka_unit_test(test_left_to_the_library),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, load, NULL);
}
