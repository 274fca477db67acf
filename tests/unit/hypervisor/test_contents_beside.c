/* SPDX-License-Identifier: MIT */
/* Parts of a content of any size and place are copied whole, by one thread and by two. */
#include "tests/unit/fakes/tap.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/layout.h"
#include "base/beside.h"
#include "guest/contents_beside.h"

#define MIB 0x100000UL
#define FILE_BYTES (3 * MIB + 5)

static uint8_t original[FILE_BYTES], copy[FILE_BYTES + PAGE_SIZE];
static struct guest_contents contents;

static int show(void *engine, uint64_t address, const struct host_memory *memory, uint64_t offset, uint64_t bytes)
{
	(void)engine, (void)address, (void)memory, (void)offset, (void)bytes;
	return 0;
}

static int set_up(void **state)
{
	const struct guest_content content = {.address = LAYOUT_CONTENTS, .bytes = FILE_BYTES};
	(void)state;
	for (size_t i = 0; i < FILE_BYTES; i++)
		original[i] = (uint8_t)(i * 2654435761U >> 13);
	int file = memfd_create("content", MFD_CLOEXEC);
	assert_int_equal(write(file, original, FILE_BYTES), FILE_BYTES);
	contents = (struct guest_contents){.file = -1, .show = show};
	assert_int_equal(guest_contents_add_file(&contents, &content, file, 0), 0);
	return close(file);
}

static int tear_down(void **state)
{
	(void)state;
	guest_contents_fini(&contents);
	return 0;
}

static void check(struct contents_beside *beside, uint64_t from, uint64_t bytes)
{
	memset(copy, 0xa5, sizeof(copy));
	assert_true(contents_beside_copy(beside, &contents, LAYOUT_CONTENTS + from, bytes, copy));
	const uint64_t in_file = bytes < FILE_BYTES - from ? bytes : FILE_BYTES - from;
	assert_memory_equal(copy, original + from, in_file);
	for (uint64_t i = in_file; i < bytes; i++)
		assert_int_equal(copy[i], 0); /* the rest of the last page */
	assert_int_equal(copy[bytes], 0xa5);
}

static void test_parts(void **state)
{
	struct contents_beside beside = {0};
	(void)state;
	for (unsigned i = 0; i < 50; i++) {
		check(&beside, i * PAGE_SIZE, PAGE_SIZE);
		check(&beside, i * PAGE_SIZE, 2 * MIB);
		check(&beside, i * PAGE_SIZE, MIB / 2 + i);
	}
	check(&beside, MIB, 2 * MIB + PAGE_SIZE); /* to the end of the last page */
	assert_int_equal(beside.running, beside_has_processor());
	contents_beside_end(&beside);
	contents_beside_end(&beside);
}

static void test_parts_that_are_not_there(void **state)
{
	struct contents_beside beside = {0};
	(void)state;
	assert_false(contents_beside_copy(&beside, &contents, LAYOUT_CONTENTS + 2 * MIB, 2 * MIB, copy));
	assert_false(contents_beside_copy(&beside, &contents, LAYOUT_CONTENTS - PAGE_SIZE, MIB, copy));
	assert_false(contents_beside_copy(&beside, &contents, LAYOUT_CONTENTS, UINT64_MAX - PAGE_SIZE, copy));
	assert_false(beside.running);
	contents_beside_end(&beside);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(test_parts, set_up, tear_down),
	cmocka_unit_test_setup_teardown(test_parts_that_are_not_there, set_up, tear_down),
};
TAP_MAIN(tests)
