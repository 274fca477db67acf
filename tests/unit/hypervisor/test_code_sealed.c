/* SPDX-License-Identifier: MIT */
/* Sealed results of searches: what is packed is read again, and mutations of it are refused or harmless. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/constant_seeds.h"
#include "base/error.h"
#include "code/service/code_sealed.h"
#include "scan/disassembler.h"
#include "tests/unit/fakes/elf_maker.h"

#define CODE \
	"\xb8\x27\x00\x00\x00\x0f\x05\x0f\xa2\xf3\x90\xf0\x48\xff\x03\x90\x48\x89\x03\x48\x8b\x0d\x00\x00\x00\x00\x0f" \
	"\x05\xc3"

static struct made_elf elf;
static struct code_scan found;
static struct error error;

static bool read_elf(void *context, uint64_t offset, void *to, uint64_t bytes)
{
	(void)context;
	if (offset > sizeof(elf.bytes) || bytes > sizeof(elf.bytes) - offset)
		return false;
	memcpy(to, elf.bytes + offset, bytes);
	return true;
}

static bool fits(struct code_patch *patches, size_t count)
{
	const struct code_sealed_list list = {.file.bytes = sizeof(elf.bytes), .patches = patches, .count = count};
	return code_sealed_check(&list, read_elf, NULL);
}

static void test_fits(void **state)
{
	struct code_patch bad[16];
	(void)state;
	assert_true(found.count >= 4);
	assert_true(fits(found.patches, found.count));
	assert_true(fits(NULL, 0));
#define BAD(change) \
	memcpy(bad, found.patches, found.count * sizeof(*bad)); \
	change; \
	assert_false(fits(bad, found.count))
	BAD(bad[0].offset++);
	BAD(bad[0].before = 0);
	BAD(bad[0].before = 4);
	BAD(bad[0].after = 1);
	BAD(bad[0].length = 3);
	BAD(bad[0].kind = CODE_RDTSC);
	BAD(bad[0].offset = MADE_TABLE_OFFSET); /* not executable */
	BAD(bad[1].kind = TRAP_RDTSC);
	BAD(bad[1].kind = CODE_UNDECIDED);
	BAD(bad[1].offset = bad[0].offset);
	BAD(bad[found.count - 1].offset = sizeof(elf.bytes));
	BAD(bad[found.count - 1].offset = UINT64_MAX - 4);
	BAD(bad[0] =
	            ((struct code_patch){.offset = 0, .kind = CODE_SEED, .length = 4, .reason = CONSTANT_SEEDS_COUNT}));
#undef BAD
	elf.bytes[EI_MAG0]++;
	assert_false(fits(found.patches, found.count));
	elf.bytes[EI_MAG0]--;
}

/* A mutated patch is refused, or still one that a search could find: no sanitizer reports anything. */
static void test_mutated_patches(void **state)
{
	struct code_patch bad[16];
	size_t refused = 0, all = 0;
	(void)state;
	for (size_t at = 0; at < found.count * sizeof(*bad); at++)
		for (unsigned bit = 0; bit < 8; bit++, all++) {
			memcpy(bad, found.patches, found.count * sizeof(*bad));
			((uint8_t *)bad)[at] ^= (uint8_t)(1U << bit);
			refused += !fits(bad, found.count);
		}
	assert_true(refused > all * 3 / 4);
	for (size_t at = 0; at < 256; at++) { /* the file's headers */
		const uint8_t was = elf.bytes[at];
		for (unsigned value = 0; value < 256; value += 17) {
			elf.bytes[at] = (uint8_t)value;
			fits(found.patches, found.count);
		}
		elf.bytes[at] = was;
	}
}

static struct code_sealed *make(struct code_sealed *sealed)
{
	static const struct code_points points = {.atomics = true, .seed = 5};
	struct code_sealed_list list = {.patches = found.patches, .count = found.count};
	code_sealed_init(sealed, &points);
	for (unsigned i = 0; i < 5; i++) {
		list.file = (struct code_sealed_file){
			.sha256 = {(uint8_t)i}, .content = {3 - i % 4, i}, .bytes = sizeof(elf.bytes)};
		list.count = found.count - i % 3;
		assert_int_equal(code_sealed_note(sealed, &list), 0);
		assert_int_equal(code_sealed_note(sealed, &list), 0); /* has no effect */
	}
	return sealed;
}

static void test_round_trip(void **state)
{
	struct code_sealed sealed, again;
	size_t bytes, bytes_again;
	(void)state;
	void *packed = code_sealed_pack(make(&sealed), &bytes);
	assert_int_equal(code_sealed_read(&again, packed, bytes, &error), 0);
	assert_int_equal(again.count, 5);
	assert_int_equal(again.version, CODE_SCAN_VERSION);
	assert_true(code_sealed_is_for(&again, &(struct code_points){.atomics = true, .seed = 5}));
	assert_false(code_sealed_is_for(&again, &(struct code_points){.atomics = true, .seed = 6}));
	const struct code_sealed_list *list = code_sealed_find(&again, (struct code_content){1, 2}, sizeof(elf.bytes));
	assert_non_null(list);
	assert_int_equal(list->file.sha256[0], 2);
	assert_ptr_equal(list, code_sealed_find_hash(&again, list->file.sha256));
	assert_int_equal(list->count, found.count - 2);
	assert_memory_equal(list->patches, found.patches, list->count * sizeof(*found.patches));
	assert_null(code_sealed_find(&again, (struct code_content){1, 2}, sizeof(elf.bytes) + 1));
	assert_null(code_sealed_find(&again, (struct code_content){9, 9}, sizeof(elf.bytes)));
	void *packed_again = code_sealed_pack(&again, &bytes_again);
	assert_int_equal(bytes, bytes_again);
	assert_memory_equal(packed, packed_again, bytes);
	free(packed);
	free(packed_again);
	code_sealed_fini(&sealed);
	code_sealed_fini(&again);
}

/* Each truncation and each changed byte: an error with one line, or a set that can be used. */
static void test_mutated_sets(void **state)
{
	struct code_sealed sealed, again;
	size_t bytes;
	(void)state;
	uint8_t *packed = code_sealed_pack(make(&sealed), &bytes);
	for (size_t less = 0; less < bytes; less++) {
		uint8_t *part = malloc(less + 1);
		memcpy(part, packed, less);
		assert_int_equal(code_sealed_read(&again, part, less, &error), -EUCLEAN);
		assert_int_equal(strncmp(error.text, "its patches", 11), 0);
		free(part);
	}
	for (size_t at = 0; at < bytes; at++) {
		const uint8_t was = packed[at];
		for (unsigned value = 1; value; value = value << 1 & 0xff) {
			packed[at] = (uint8_t)(was ^ value);
			if (!code_sealed_read(&again, packed, bytes, &error)) {
				for (size_t i = 0; i < again.count; i++)
					fits(again.lists[i].patches, again.lists[i].count);
				code_sealed_fini(&again);
			}
		}
		packed[at] = was;
	}
	free(packed);
	code_sealed_fini(&sealed);
}

static int set_up(void **state)
{
	static const struct code_points points = {.atomics = true, .stores = 4};
	const struct code_range function = {MADE_CODE, sizeof(CODE) - 1};
	(void)state;
	made_elf_init(&elf, (const uint8_t *)CODE, sizeof(CODE) - 1, &function, 1, MADE_PLAIN);
	return disassembler_load(&error) || code_scan_elf(elf.bytes, sizeof(elf.bytes), &points, &found, &error) ||
	       found.count > 16;
}

static int tear_down(void **state)
{
	(void)state;
	code_scan_fini(&found);
	return 0;
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_fits),
	cmocka_unit_test(test_mutated_patches),
	cmocka_unit_test(test_round_trip),
	cmocka_unit_test(test_mutated_sets),
};

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
