/* SPDX-License-Identifier: MIT */
/* A touched block is present and keeps its bytes, also those that another thread writes meanwhile. */
#include "tests/unit/fakes/tap.h"

#include <pthread.h>
#include <sys/mman.h>

#include "abi/layout.h"
#include "guest/host_memory.h"

#define ROUNDS 200000U

static struct host_memory memory;

static int set_up(void **state)
{
	(void)state;
	return host_memory_anonymous(&memory, 4 * BLOCK_SIZE);
}

static int tear_down(void **state)
{
	(void)state;
	host_memory_release(&memory);
	return 0;
}

static void test_touch_makes_present(void **state)
{
	(void)state;
	unsigned char before, after;
	uint8_t *const block = memory.base + 2 * BLOCK_SIZE;
	assert_int_equal(mincore(block, PAGE_SIZE, &before), 0);
	assert_false(before & 1);
	host_memory_touch(block);
	assert_int_equal(mincore(block, PAGE_SIZE, &after), 0);
	assert_true(after & 1);
	assert_int_equal(*block, 0);
	*block = 0xa5;
	host_memory_touch(block);
	assert_int_equal(*block, 0xa5);
}

/* Counts in the byte that is touched, as a guest that already uses the block. */
static void *count_up(void *argument)
{
	uint8_t *byte = argument;
	for (unsigned i = 0; i < ROUNDS; i++)
		__atomic_fetch_add(byte, 1, __ATOMIC_RELAXED);
	return NULL;
}

static void test_touch_loses_no_write(void **state)
{
	(void)state;
	pthread_t thread;
	assert_int_equal(pthread_create(&thread, NULL, count_up, memory.base), 0);
	for (unsigned i = 0; i < ROUNDS; i++)
		host_memory_touch(memory.base);
	assert_int_equal(pthread_join(thread, NULL), 0);
	assert_int_equal(*memory.base, (uint8_t)ROUNDS);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {TEST(test_touch_makes_present), TEST(test_touch_loses_no_write)};

TAP_MAIN(tests)
