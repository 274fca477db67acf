/* SPDX-License-Identifier: MIT */
/* The search for opcodes finds each form of each instruction that must not run unchanged: all opcodes of all maps, with
 * each prefix and each ModRM, as the disassembler knows them. With the argument
 * `list` the program prints the mnemonics, with `table` the definitions of abi/opcode_table.inc. */
#include "tests/unit/fakes/tap.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "abi/boot.h"
#include "abi/opcodes.h"
#include "base/error.h"
#include "scan/disassembler.h"
#include "scan/opcode_search.h"

#define CODE_BYTES 32
#define NOPS 4 /* before the instruction, so that the search has a byte before the prefix */
#define KINDS_MAX 32
#define NAMES_MAX 512

static struct {
	const char *name;
	uint8_t kind;
} names[NAMES_MAX];
static size_t name_count;
static unsigned long forms[KINDS_MAX], missed;
static uint32_t thirds[256][2][8], vex[8]; /* as in abi/opcode_table.inc, by the second byte */

static int note_hit(void *context, uint64_t offset)
{
	const unsigned length = *(unsigned *)context;
	return offset >= NOPS && offset < NOPS + length;
}

static void note_name(const char *name, uint8_t kind)
{
	for (size_t i = 0; i < name_count; i++)
		if (names[i].name == name)
			return;
	assert_true(name_count < NAMES_MAX);
	names[name_count].name = name;
	names[name_count++].kind = kind;
}

static void set_bit(uint32_t set[8], uint8_t byte)
{
	set[byte / 32] |= 1U << byte % 32;
}

/* Notes the bytes of a form for the table. */
static void note_opcode(const uint8_t *form)
{
	const bool has_prefix = form[0] == 0x66 || form[0] == 0xf2 || form[0] == 0xf3;
	const uint8_t *at = form + has_prefix;
	at += (*at & 0xf0) == 0x40;
	if (*at == 0x0f)
		set_bit(thirds[at[1]][has_prefix], at[2]);
	else if (*at == 0xc4)
		set_bit(vex, at[3]);
}

/* Checks the instruction of some bytes; what follows them is zeros. */
static void check(const uint8_t *form, unsigned bytes)
{
	uint8_t code[CODE_BYTES] = {0x90, 0x90, 0x90, 0x90};
	struct instruction in;
	memcpy(code + NOPS, form, bytes);
	unsigned length = disassemble(code + NOPS, sizeof(code) - NOPS, 0x400000, &in);
	if (!length || disassembler_set_of(in.kind) != OPCODE_TRAPS)
		return;
	assert_true(in.kind < KINDS_MAX);
	forms[in.kind]++;
	note_name(disassembler_mnemonic(code + NOPS, sizeof(code) - NOPS), in.kind);
	note_opcode(form);
	if (opcode_search(code, sizeof(code), OPCODE_TRAPS, note_hit, &length))
		return;
	if (missed++ < 20)
		print_message("# not found: %s: %02x %02x %02x %02x %02x %02x\n",
		              disassembler_mnemonic(code + NOPS, sizeof(code) - NOPS), form[0], form[1], form[2],
		              form[3], form[4], form[5]);
}

static void check_legacy(const uint8_t *opcode, unsigned bytes)
{
	static const uint8_t prefixes[] = {0, 0x66, 0xf2, 0xf3}, rexes[] = {0, 0x41, 0x48};
	for (unsigned p = 0; p < sizeof(prefixes); p++)
		for (unsigned r = 0; r < sizeof(rexes); r++)
			for (unsigned modrm = 0; modrm < 256; modrm++) {
				uint8_t form[8];
				unsigned n = 0;
				if (prefixes[p])
					form[n++] = prefixes[p];
				if (rexes[r])
					form[n++] = rexes[r];
				memcpy(form + n, opcode, bytes);
				n += bytes;
				form[n++] = (uint8_t)modrm;
				check(form, n);
			}
}

static void check_vex(uint8_t opcode)
{
	for (unsigned map = 1; map <= 3; map++)
		for (unsigned third = 0; third < 256; third++)
			for (unsigned modrm = 0; modrm < 256; modrm += modrm < 0xc0 ? 4 : 1) {
				const uint8_t form[] = {0xc4, (uint8_t)(0xe0 | map), (uint8_t)third, opcode,
				                        (uint8_t)modrm};
				check(form, sizeof(form));
			}
}

static void test_search_finds_all_forms(void **state)
{
	struct error error;
	(void)state;
	assert_int_equal(disassembler_load(&error), 0);
	for (unsigned opcode = 0; opcode < 256; opcode++) {
		const uint8_t plain[] = {(uint8_t)opcode}, second[] = {0x0f, (uint8_t)opcode},
			      third[] = {0x0f, 0x38, (uint8_t)opcode}, fourth[] = {0x0f, 0x3a, (uint8_t)opcode};
		bool is_prefix = opcode == 0x0f || (opcode & 0xf0) == 0x40 || opcode == 0x66 || opcode == 0x67;
		if (!is_prefix && opcode != 0xc4 && opcode != 0xc5 && opcode != 0xf0 && opcode < 0xf2)
			check_legacy(plain, sizeof(plain));
		if (opcode != 0x38 && opcode != 0x3a)
			check_legacy(second, sizeof(second));
		check_legacy(third, sizeof(third));
		check_legacy(fourth, sizeof(fourth));
		check_vex((uint8_t)opcode);
	}
	assert_int_equal(missed, 0);
	for (uint8_t kind = TRAP_CPUID; kind <= TRAP_SYSTEM; kind++)
		assert_true(forms[kind] > 0);
}

/* Every instruction of the table begins with one of the bytes that the kernel looks for. */
static void test_first_bytes(void **state)
{
	static const uint8_t is_first[256] = {OPCODES_FIRST};
	unsigned found[256] = {0};
	(void)state;
	for (unsigned i = 0; i < 1U << 24; i++) {
		const uint8_t at[OPCODES_BYTES] = {(uint8_t)i, (uint8_t)(i >> 8), (uint8_t)(i >> 16), 0x49};
		found[at[0]] += opcodes_may_trap(0x66, at) || opcodes_may_store_x87(at);
	}
	for (unsigned i = 0; i < 256; i++)
		if (found[i] && !is_first[i])
			fail_msg("an instruction begins with %02x", i);
	assert_true(found[0x0f] && found[0xd9]);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_first_bytes),
	cmocka_unit_test(test_search_finds_all_forms),
};

static void print_set(const char *name, const uint32_t set[8])
{
	printf("\t\t%s{", name);
	for (unsigned i = 0; i < 8; i++)
		printf("%s0x%x", i ? ", " : "", set[i]);
	printf("},\n");
}

/* Prints the definitions of abi/opcode_table.inc. */
static void print_table(void)
{
	static const uint32_t none[2][8];
	unsigned row = 0;
	printf("static const uint8_t opcode_rows[256] = {\n");
	for (unsigned i = 0; i < 256; i++)
		if (memcmp(thirds[i], none, sizeof(none)))
			printf("\t[0x%02x] = %u,\n", i, ++row);
	printf("};\n\nstatic const struct opcode_thirds opcode_thirds[] = {\n");
	row = 0;
	for (unsigned i = 0; i < 256; i++)
		if (memcmp(thirds[i], none, sizeof(none))) {
			printf("\t[%u] = {\n", ++row);
			print_set(".plain = ", thirds[i][0]);
			print_set(".prefixed = ", thirds[i][1]);
			printf("\t},\n");
		}
	printf("};\n\nstatic const struct opcode_thirds opcode_vex = {\n");
	print_set(".plain = ", vex);
	printf("};\n");
}

int main(int argc, char **argv)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (argc > 1 && !strcmp(argv[1], "table"))
		print_table();
	for (size_t i = 0; argc > 1 && !strcmp(argv[1], "list") && i < name_count; i++)
		printf("%u %s\n", names[i].kind, names[i].name);
	return failed;
}
