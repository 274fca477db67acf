/* SPDX-License-Identifier: MIT */
/* Memory that is given ahead: where, and what stays as it was; a guest that lies about how far it has come; the end. */
#include "tests/unit/fakes/tap.h"

#include <dirent.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "abi/layout.h"
#include "run/memory_ahead.h"

#define BYTES (64 * BLOCK_SIZE)
#define WAIT_S 60

static struct guest_memory memory;
static struct memory_ahead ahead;

static int set_up(void **state)
{
	(void)state;
	ahead = (struct memory_ahead){0};
	return guest_memory_init(&memory, BYTES);
}

static unsigned threads(void)
{
	unsigned count = 0;
	DIR *dir = opendir("/proc/self/task");
	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

static int tear_down(void **state)
{
	(void)state;
	memory_ahead_end(&ahead);
	guest_memory_fini(&memory);
	return threads() != 1;
}

static bool is_given(uint64_t block)
{
	unsigned char given;
	assert_int_equal(mincore(memory.base + block * BLOCK_SIZE + BLOCK_SIZE / 2, PAGE_SIZE, &given), 0);
	return given & 1;
}

static void wait_until_given(uint64_t block)
{
	time_t limit = time(NULL) + WAIT_S;
	while (!is_given(block)) {
		assert_true(time(NULL) < limit);
		sched_yield();
	}
}

/* Whether there is a second processor: else nothing is given ahead. */
static bool is_alone(void)
{
	cpu_set_t set;
	assert_int_equal(sched_getaffinity(0, sizeof(set), &set), 0);
	return CPU_COUNT(&set) < 2;
}

static void test_follow(void **state)
{
	(void)state;
	if (is_alone()) {
		memory_ahead_follow(&ahead, &memory, 20 * BLOCK_SIZE);
		assert_int_equal(threads(), 1);
		return;
	}
	strcpy((char *)memory.base + 22 * BLOCK_SIZE, "kept");
	memory_ahead_follow(&ahead, &memory, 20 * BLOCK_SIZE + 1);
	for (uint64_t block = 21; block <= 23; block++)
		wait_until_given(block);
	assert_false(is_given(20));
	assert_false(is_given(24));
	assert_string_equal((char *)memory.base + 22 * BLOCK_SIZE, "kept");
	for (uint64_t i = 0; i < BLOCK_SIZE; i++)
		assert_int_equal(memory.base[23 * BLOCK_SIZE + i], 0);
	memory_ahead_follow(&ahead, &memory, 10 * BLOCK_SIZE); /* it does not go back */
	memory_ahead_follow(&ahead, &memory, 40 * BLOCK_SIZE);
	wait_until_given(42);
	assert_false(is_given(10));
	assert_false(is_given(30));
	assert_int_equal(threads(), 2);
	memory_ahead_end(&ahead);
	assert_int_equal(threads(), 1);
}

/* What a guest says of itself may be anything. */
static void test_lies(void **state)
{
	static const uint64_t lies[] = {BYTES, BYTES + 1, UINT64_MAX, UINT64_MAX - BLOCK_SIZE, 1UL << 63, BYTES - 1};
	(void)state;
	for (unsigned i = 0; i < sizeof(lies) / sizeof(lies[0]); i++)
		memory_ahead_follow(&ahead, &memory, lies[i]);
	memory_ahead_follow(&ahead, &memory, 5 * BLOCK_SIZE);
	memory_ahead_end(&ahead);
	assert_int_equal(threads(), 1);
}

/* The end comes at any moment, also when nothing was begun. */
static void test_end(void **state)
{
	(void)state;
	memory_ahead_end(&ahead);
	for (unsigned i = 0; i < 200; i++) {
		memory_ahead_follow(&ahead, &memory, 4 * BLOCK_SIZE);
		for (volatile unsigned wait = 0; wait < i * 100;)
			wait++;
		memory_ahead_end(&ahead);
		ahead = (struct memory_ahead){0};
	}
	assert_int_equal(threads(), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {TEST(test_follow), TEST(test_lies), TEST(test_end)};

TAP_MAIN(tests)
