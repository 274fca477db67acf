/* SPDX-License-Identifier: MIT */
/* The answer to DOORBELL_CODE: files in pieces, from the cache and without, and requests that lie. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "abi/boot.h"
#include "abi/code.h"
#include "abi/constant_seeds.h"
#include "abi/layout.h"
#include "base/error.h"
#include "code/code_scan.h"
#include "code/service/code_service.h"
#include "scan/scan_cache.h"
#include "tests/unit/fakes/elf_maker.h"
#include "tests/unit/fakes/folder.h"

#define REQUEST 0x400000UL
#define PIECES 0x401000UL
#define PATCHES 0x402000UL
#define FILE_AT 0x500000UL

static char cache[64];
static struct guest_memory memory;
static struct made_elf elf;
static struct code_request request;
static struct code_piece pieces[3];
static struct code_points points;
static struct code_known known;
static struct error error;

static int64_t ask(void)
{
	assert_int_equal(guest_memory_write(&memory, gpa(REQUEST), &request, sizeof(request)), 0);
	assert_int_equal(guest_memory_write(&memory, gpa(PIECES), pieces, sizeof(pieces)), 0);
	return code_service_answer(&memory, gpa(REQUEST), &points, &known, &error);
}

static struct code_patch patch(unsigned index)
{
	struct code_patch p;
	assert_int_equal(guest_memory_read(&memory, gpa(PATCHES + index * sizeof(p)), &p, sizeof(p)), 0);
	return p;
}

/* A file in three pieces: headers and code, half a page of zeros that has no memory, the rest. */
static void prepare(void)
{
	static const uint8_t code[] = "\xb8\x27\x00\x00\x00\x0f\x05\x0f\xa2\xc3";
	const struct code_range function = {MADE_CODE, sizeof(code) - 1};
	made_elf_init(&elf, code, sizeof(code) - 1, &function, 1, MADE_PLAIN);
	guest_memory_write(&memory, gpa(FILE_AT), elf.bytes, sizeof(elf.bytes));
	memset(guest_memory_at(&memory, gpa(PATCHES), 4096), 0xee, 4096);
	request = (struct code_request){.pieces = PIECES, .piece_count = 3, .patches = PATCHES, .patches_max = 8};
	pieces[0] = (struct code_piece){FILE_AT, MADE_CODE_OFFSET + 0x800};
	pieces[1] = (struct code_piece){CODE_HOLE, 0x800};
	pieces[2] = (struct code_piece){FILE_AT + MADE_TABLE_OFFSET, MADE_BYTES - MADE_TABLE_OFFSET};
}

static void expect_answer(void)
{
	assert_int_equal(ask(), 2);
	assert_int_equal(error.text[0], 0);
	assert_int_equal(patch(0).offset, MADE_CODE_OFFSET);
	assert_int_equal(patch(0).kind, CODE_SYSCALL);
	assert_int_equal(patch(0).before, 5);
	assert_int_equal(patch(1).offset, MADE_CODE_OFFSET + 7);
	assert_int_equal(patch(1).kind, TRAP_CPUID);
	assert_int_equal(patch(2).kind, 0xee);
}

/* By looking; from the cache; again, when that is damaged, and when it holds what cannot be. */
static void test_answers(void **state)
{
	char command[400];
	(void)state;
	for (unsigned round = 0; round < 4; round++) {
		prepare();
		expect_answer();
		snprintf(command, sizeof(command),
		         "test $(ls %s/*.patches | wc -l) = 1 && case %u in 1) printf x | dd of=$(ls %s/*.patches) "
		         "bs=1 seek=40 conv=notrunc status=none;; 2) truncate -s 30 %s/*.patches;; esac",
		         cache, round, cache, cache);
		assert_int_equal(system(command), 0);
	}
	/* Other flags are another question. */
	prepare();
	points.atomics = true;
	expect_answer();
	points = (struct code_points){0};
	snprintf(command, sizeof(command), "test $(ls %s/*.patches | wc -l) = 2", cache);
	assert_int_equal(system(command), 0);
	/* Without a cache. */
	setenv("EREMITE_CACHE", "", 1);
	prepare();
	expect_answer();
	setenv("EREMITE_CACHE", cache, 1);
}

/* Another seed takes the stores from the same analysis, which is made again when it is damaged. */
static void test_draws(void **state)
{
	static const char *const damages[] = {
		"true",
		"truncate -s 30 %s/*.analysis",
		"printf x | dd of=$(ls %s/*.analysis) bs=1 seek=40 conv=notrunc status=none",
	};
	char command[400], damage[300];
	(void)state;
	for (unsigned round = 0; round < 3; round++) {
		prepare();
		points.stores = 2;
		points.seed = round;
		expect_answer();
		snprintf(command, sizeof(command),
		         "cd %s && test $(ls *.analysis | wc -l) = 1 && { test -e kept || cp *.analysis kept; } && "
		         "cmp -s *.analysis kept",
		         cache);
		assert_int_equal(system(command), 0);
		snprintf(damage, sizeof(damage), damages[round], cache);
		assert_int_equal(system(damage), 0);
	}
	points = (struct code_points){0};
}

/* A file of a list is used if it is scanned and if it comes from the cache, and not as memory of which nothing is
 * known. */
static void test_uses(void **state)
{
	uint8_t file[MADE_BYTES];
	(void)state;
	for (unsigned round = 0; round < 2; round++) {
		prepare();
		memcpy(file, elf.bytes, sizeof(file));
		memset(file + MADE_CODE_OFFSET + 0x800, 0, 0x800);
		struct code_access access = {.content = code_shared_content(file, sizeof(file)), .offset = 1};
		const struct code_shared list = {.at = &access, .count = 1};
		assert_int_equal(code_shared_uses_init(&known.uses, &list), 0);
		points.shared = &list;
		request.flags = CODE_RAW;
		assert_true(ask() >= 0);
		assert_int_equal(known.uses.unused, 1);
		request.flags = 0;
		pieces[1].bytes += PAGE_SIZE;
		ask();
		assert_int_equal(known.uses.unused, 1);
		prepare();
		expect_answer();
		assert_int_equal(known.uses.unused, 0);
		code_shared_uses_fini(&known.uses);
	}
	known = (struct code_known){0};
	points = (struct code_points){0};
}

/* A guest that changes its file when the monitor has summed it. */
static uint64_t change_at; /* 0: it does not */
int __real_scan_cache_get(const struct scan_key *key, enum scan_cache_kind kind, void **records, size_t *count);
int __wrap_scan_cache_get(const struct scan_key *key, enum scan_cache_kind kind, void **records, size_t *count);

int __wrap_scan_cache_get(const struct scan_key *key, enum scan_cache_kind kind, void **records, size_t *count)
{
	static const uint8_t nop = 0x90;
	int result = __real_scan_cache_get(key, kind, records, count);
	if (change_at)
		guest_memory_write(&memory, gpa(change_at), &nop, sizeof(nop));
	return result;
}

/* What is found in a file that changes meanwhile is not kept for those that have the file as it was. */
static void test_changes(void **state)
{
	(void)state;
	points.seed = 77; /* which no other test has asked with */
	prepare();
	change_at = FILE_AT + MADE_CODE_OFFSET + 7; /* the CPUID */
	assert_int_equal(ask(), 1);
	change_at = 0;
	prepare();
	expect_answer();
	points = (struct code_points){0};
}

/* What a sealed image has precedes what a search finds, whatever version of the search it is from; its own result is
 * noted as it is. A result that does not fit the file is refused. */
static void test_sealed(void **state)
{
	struct code_sealed noted, sealed;
	struct code_patch *patches;
	(void)state;
	prepare();
	code_sealed_init(&noted, &points);
	known.noted = &noted;
	expect_answer();
	assert_int_equal(noted.count, 1);
	assert_int_equal(noted.lists[0].count, 2);
	size_t bytes;
	void *packed = code_sealed_pack(&noted, &bytes);
	assert_int_equal(code_sealed_read(&sealed, packed, bytes, &error), 0);
	free(packed);
	sealed.version = 1;
	patches = sealed.lists[0].patches;
	patches[0].kind = CODE_SYSCALL_TRAP; /* an older search knew no jumps */
	patches[0].offset += 5;
	patches[0].before = 0;
	known = (struct code_known){.sealed = &sealed};
	assert_int_equal(ask(), 2);
	assert_int_equal(patch(0).offset, MADE_CODE_OFFSET + 5);
	assert_int_equal(patch(0).kind, CODE_SYSCALL_TRAP);
	points.atomics = true; /* other points were not sealed */
	expect_answer();
	points.atomics = false;
	pieces[0].bytes = 0x900; /* another file */
	assert_true(ask() >= 0);
	assert_int_not_equal(patch(0).kind, CODE_SYSCALL_TRAP);
	prepare();
	patches[0].offset++;
	assert_int_equal(ask(), -EUCLEAN);
	assert_non_null(strstr(error.text, "the image is damaged: what it has to replace in the program file with the "
	                                   "sha256:"));
	known = (struct code_known){0};
	code_sealed_fini(&noted);
	code_sealed_fini(&sealed);
	expect_answer();
}

static void test_possible(void **state)
{
	const struct code_patch good[] = {{.offset = 0, .kind = CODE_SYSCALL, .length = 2, .before = 5},
	                                  {.offset = 7, .kind = TRAP_CPUID, .length = 2}};
	struct code_patch bad[2];
	(void)state;
	assert_true(code_scan_is_possible(good, 2, 9));
	assert_true(code_scan_is_possible(NULL, 0, 0));
	assert_false(code_scan_is_possible(good, 2, 8));
#define BAD(change) \
	memcpy(bad, good, sizeof(bad)); \
	change; \
	assert_false(code_scan_is_possible(bad, 2, 9))
	BAD(bad[1].offset = 6);
	BAD(bad[1].offset = UINT64_MAX);
	BAD(bad[0].before = 2);
	BAD(bad[0].length = 3);
	BAD(bad[1].length = 1);
	BAD(bad[1].length = 16);
	BAD(bad[1].kind = 0);
	BAD(bad[1].kind = 0x3f);
	BAD(bad[1].kind = CODE_UNDECIDED);
	BAD(bad[1].before = 1);
	BAD(bad[1].operand[2] = 1);
	/* Decision points: with room for the jump or a trap, and a displacement inside the instruction. */
	memcpy(bad, good, sizeof(bad));
	bad[0] = (struct code_patch){.kind = CODE_STORE, .length = 3, .after = 2, .operand = {0, 16 | 1 << 5, 2}};
	assert_true(code_scan_is_possible(bad, 1, 9));
#undef BAD
#define BAD(change) \
	bad[0] = (struct code_patch){.kind = CODE_STORE, .length = 3, .after = 2, .operand = {0, 16 | 1 << 5, 2}}; \
	change; \
	assert_false(code_scan_is_possible(bad, 1, 9))
	BAD(bad[0].operand[0] |= CODE_TRAPS);
	BAD(bad[0].operand[2] = 3);
	BAD(bad[0].operand[1] = 2 << 5);
	BAD(bad[0].after = 1);
#undef BAD
	/* A constant in the data. */
	const struct code_patch seed = {.offset = 8, .kind = CODE_SEED, .length = CONSTANT_SEED_BYTES};
	assert_true(code_scan_is_possible(&seed, 1, 12));
#define BAD(change) \
	bad[0] = seed; \
	change; \
	assert_false(code_scan_is_possible(bad, 1, 12))
	BAD(bad[0].offset = 12);
	BAD(bad[0].offset = 6);
	BAD(bad[0].length = 2);
	BAD(bad[0].before = 1);
	BAD(bad[0].operand[0] = 1);
	BAD(bad[0].reason = CONSTANT_SEEDS_COUNT);
#undef BAD
}

static void test_raw(void **state)
{
	uint8_t *code;
	(void)state;
	prepare();
	request.flags = CODE_RAW;
	request.piece_count = 1;
	pieces[0].bytes = 4096;
	code = guest_memory_at(&memory, gpa(FILE_AT), 4096);
	memset(code, 0x90, 4096);
	memcpy(code + 1000, "\xb8\x27\x00\x00\x00\x0f\x05", 7);
	assert_int_equal(ask(), 1);
	assert_int_equal(patch(0).kind, CODE_SYSCALL_TRAP);
	assert_int_equal(patch(0).offset, 1005);
}

static void test_little_room(void **state)
{
	(void)state;
	prepare();
	request.patches_max = 1;
	assert_int_equal(ask(), 2);
	assert_int_equal(patch(0).kind, CODE_SYSCALL);
	assert_int_equal(patch(1).kind, 0xee);
	request.patches_max = 0;
	request.patches = UINT64_MAX; /* then it does not matter */
	assert_int_equal(ask(), 2);
}

static void expect_refusal(int64_t reason, bool ends_run)
{
	assert_int_equal(ask(), -reason);
	assert_int_equal(error.text[0] != 0, ends_run);
}

static void test_hostile(void **state)
{
	(void)state;
	prepare();
	assert_int_equal(code_service_answer(&memory, gpa(memory.bytes - 8), &points, &known, &error), -EFAULT);
	assert_int_not_equal(error.text[0], 0);
	assert_int_equal(code_service_answer(&memory, gpa(UINT64_MAX), &points, &known, &error), -EFAULT);
	request.pieces = memory.bytes - 16;
	expect_refusal(EFAULT, true);
	prepare();
	request.piece_count = CODE_PIECES_MAX + 1;
	expect_refusal(EINVAL, true);
	request.piece_count = UINT64_MAX / 16 + 1;
	expect_refusal(EINVAL, true);
	prepare();
	request.flags = 4;
	expect_refusal(EINVAL, true);
	prepare();
	request.entry = 1;
	expect_refusal(EINVAL, true);
	prepare();
	request.patches = memory.bytes - 16;
	expect_refusal(EFAULT, true);
	prepare();
	pieces[2].address = memory.bytes - 0x800;
	expect_refusal(EFAULT, true);
	pieces[2].address = UINT64_MAX - 1;
	expect_refusal(EFAULT, true);
	prepare();
	pieces[1].bytes = UINT64_MAX - 10;
	expect_refusal(EFBIG, false);
	/* More than there can be, by naming the same memory again. */
	prepare();
	pieces[0] = pieces[1] = (struct code_piece){0, memory.bytes};
	expect_refusal(EFAULT, true);
	/* What is no program. */
	prepare();
	pieces[0].bytes--;
	elf.bytes[0] = 'x';
	guest_memory_write(&memory, gpa(FILE_AT), elf.bytes, 1);
	expect_refusal(ENOEXEC, false);
	request.piece_count = 0;
	expect_refusal(ENOEXEC, false);
}

static int set_up(void **state)
{
	(void)state;
	assert_true(folder_make(cache));
	setenv("EREMITE_CACHE", cache, 1);
	return guest_memory_init(&memory, LAYOUT_RAM_MIN);
}

static int tear_down(void **state)
{
	(void)state;
	guest_memory_fini(&memory);
	return !folder_remove(cache);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_answers),  cmocka_unit_test(test_draws), cmocka_unit_test(test_changes),
	cmocka_unit_test(test_possible), cmocka_unit_test(test_raw),   cmocka_unit_test(test_little_room),
	cmocka_unit_test(test_hostile),  cmocka_unit_test(test_uses),  cmocka_unit_test(test_sealed),
};

int main(void)
{
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
