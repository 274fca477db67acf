/* SPDX-License-Identifier: MIT */
/* Page-table walks over tables that are right and tables that are made to do harm. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/tables.h"
#include "guest/guest_virtual.h"

#define SMALL 0x200000000000UL /* two pages of 4 KiB, of which the second comes first in memory */
#define LARGE 0x300000000000UL

static struct guest_memory memory;
static uint64_t next;

static uint64_t *entry_of(uint64_t va, unsigned shift)
{
	uint64_t *entry =
		tables_walk(guest_memory_at(&memory, gpa(TABLES_WINDOW), TABLES_WINDOW_BYTES), &next, va, shift);
	assert_non_null(entry);
	return entry;
}

static int set_up(void **state)
{
	(void)state;
	if (guest_memory_init(&memory, LAYOUT_RAM_MIN))
		return -1;
	next = LAYOUT_PAGE_TABLES + PAGE_SIZE;
	*entry_of(SMALL, 12) = 0x601000 | PTE_LEAF | PTE_NO_EXECUTE;
	*entry_of(SMALL + PAGE_SIZE, 12) = 0x600000 | PTE_LEAF;
	*entry_of(LARGE, 21) = 0x800000 | PTE_LEAF | PTE_LARGE | PTE_NO_EXECUTE;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	guest_memory_fini(&memory);
	return 0;
}

static void test_read(void **state)
{
	char text[16] = "";
	gpa_t where;
	uint64_t bytes;
	(void)state;
	guest_memory_write(&memory, gpa(0x601ffc), "abcd", 4);
	guest_memory_write(&memory, gpa(0x600000), "efgh", 4);
	assert_int_equal(guest_virtual_read(&memory, SMALL + 0xffc, text, 8), 0);
	assert_string_equal(text, "abcdefgh");
	guest_memory_write(&memory, gpa(0x9ffffc), "last", 4);
	assert_int_equal(guest_virtual_read(&memory, LARGE + 0x1ffffc, text, 4), 0);
	assert_memory_equal(text, "last", 4);
	assert_int_equal(guest_virtual_translate(&memory, LARGE + 0x1234, &where, &bytes), 0);
	assert_int_equal(where.value, 0x801234);
	assert_int_equal(bytes, BLOCK_SIZE - 0x1234);
}

static void test_not_mapped(void **state)
{
	char *to = malloc(BLOCK_SIZE + 1);
	(void)state;
	const uint64_t bad[] = {0,
	                        SMALL - 1,
	                        SMALL + 2 * PAGE_SIZE,
	                        0x800000000000UL,
	                        0x1000000000000UL | SMALL,
	                        0xffff800000000000UL,
	                        UINT64_MAX};
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(guest_virtual_read(&memory, bad[i], to, 1), -EFAULT);
	assert_int_equal(guest_virtual_read(&memory, SMALL, to, 2 * PAGE_SIZE + 1), -EFAULT);
	assert_int_equal(guest_virtual_read_some(&memory, SMALL + 1, to, 1UL << 40), 2 * PAGE_SIZE - 1);
	assert_int_equal(guest_virtual_read_some(&memory, LARGE, to, BLOCK_SIZE + 1), BLOCK_SIZE);
	assert_int_equal(guest_virtual_read(&memory, 0, to, 0), 0);
	free(to);
}

static void test_hostile_tables(void **state)
{
	char to[8];
	uint64_t *root = guest_memory_at(&memory, gpa(LAYOUT_PAGE_TABLES), PAGE_SIZE);
	(void)state;
	*entry_of(SMALL, 12) = PTE_ADDRESS | PTE_LEAF; /* memory that is not there */
	assert_int_equal(guest_virtual_read(&memory, SMALL, to, 8), -EFAULT);
	root[1] = LAYOUT_PAGE_TABLES | PTE_TABLE; /* a table that is its own */
	assert_int_equal(guest_virtual_read(&memory, 0x8040201000UL, to, 8), 0);
	root[2] = PTE_ADDRESS | PTE_TABLE; /* a table outside memory, and one that crosses its end */
	assert_int_equal(guest_virtual_read(&memory, 0x10000000000UL, to, 8), -EFAULT);
	root[3] = (LAYOUT_RAM_MIN - PAGE_SIZE) | PTE_TABLE;
	assert_int_equal(guest_virtual_read(&memory, 0x180ffffffffUL, to, 8), -EFAULT);
	root[4] = PTE_TABLE | PTE_LARGE; /* a page of 512 GiB */
	assert_int_equal(guest_virtual_read(&memory, 0x20000000000UL, to, 8), -EFAULT);
	*entry_of(LARGE + (1UL << 30), 30) = PTE_LEAF | PTE_LARGE;
	assert_int_equal(guest_virtual_read(&memory, LARGE + (1UL << 30), to, 8), -EFAULT);
	/* Every table full of noise: an answer of some kind, always. */
	srand(1);
	for (unsigned round = 0; round < 1000; round++) {
		uint64_t *tables = guest_memory_at(&memory, gpa(LAYOUT_PAGE_TABLES), 8 * PAGE_SIZE);
		for (unsigned i = 0; i < 8 * 512; i += 1 + (unsigned)rand() % 64)
			tables[i] =
				((uint64_t)rand() << 32 | (unsigned)rand()) & (rand() % 2 ? UINT64_MAX : 0xffffffUL);
		guest_virtual_read(&memory, (uint64_t)rand() << 17 ^ (unsigned)rand(), to, sizeof(to));
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {TEST(test_read), TEST(test_not_mapped), TEST(test_hostile_tables)};

TAP_MAIN(tests)
