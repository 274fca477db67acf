/* SPDX-License-Identifier: MIT */
/* Arrays that grow, also without memory, and binary search. */
#include "tests/unit/fakes/tap.h"

#include <stdint.h>

#include "kernel/lib/search.h"
#include "kernel/mm/array.h"

static bool is_full;
void *__real_krealloc(void *at, size_t bytes);
void *__wrap_krealloc(void *at, size_t bytes);

void *__wrap_krealloc(void *at, size_t bytes)
{
	return is_full ? NULL : __real_krealloc(at, bytes);
}

static void test_grows(void **state)
{
	uint32_t *numbers = NULL;
	size_t room = 0, moves = 0;
	(void)state;
	for (uint32_t i = 0; i < 10000; i++) {
		size_t before = room;
		assert_true(array_reserve(numbers, room, i + 1));
		assert_true(room > i);
		moves += room != before;
		numbers[i] = i;
	}
	assert_in_range(moves, 2, 12); /* its room is doubled */
	for (uint32_t i = 0; i < 10000; i++)
		assert_int_equal(numbers[i], i);
	assert_true(array_reserve(numbers, room, 1000000));
	assert_int_equal(room, 1000000);
	assert_int_equal(numbers[9999], 9999);
	kfree(numbers);
}

static void test_without_memory(void **state)
{
	uint64_t *numbers = NULL;
	size_t room = 0;
	(void)state;
	is_full = true;
	assert_false(array_reserve(numbers, room, 1));
	is_full = false;
	assert_null(numbers);
	assert_int_equal(room, 0);
	assert_true(array_reserve(numbers, room, 1));
	numbers[0] = 5;
	uint64_t *before = numbers;
	size_t had = room;
	assert_false(array_reserve(numbers, room, SIZE_MAX / sizeof(uint64_t) + 2)); /* its bytes are no size_t */
	is_full = true;
	assert_false(array_reserve(numbers, room, had + 1));
	assert_true(array_reserve(numbers, room, had));
	is_full = false;
	assert_ptr_equal(numbers, before);
	assert_int_equal(room, had);
	assert_int_equal(numbers[0], 5);
	kfree(numbers);
}

static void test_search(void **state)
{
	static const int sorted[] = {1, 3, 3, 3, 7, 9};
	(void)state;
	for (size_t count = 0; count <= 6; count++) {
		for (int wanted = 0; wanted < 11; wanted++) {
			size_t first = 0, behind = 0;
			while (first < count && sorted[first] < wanted)
				first++;
			while (behind < count && sorted[behind] <= wanted)
				behind++;
			assert_int_equal(search_first(count, i, sorted[i] < wanted), first);
			assert_int_equal(search_first(count, i, sorted[i] <= wanted), behind);
		}
	}
	/* It looks at few elements, and at none that is not there. */
	unsigned looks = 0;
	assert_int_equal(search_first(1UL << 40, i, (assert_true(i < 1UL << 40), looks++, i < 12345678901UL)),
	                 12345678901UL);
	assert_in_range(looks, 30, 41);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_grows),
	cmocka_unit_test(test_without_memory),
	cmocka_unit_test(test_search),
};

TAP_MAIN(tests)
