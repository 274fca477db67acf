/* SPDX-License-Identifier: MIT */
/* What is kept of runs for those that follow: by command line, else by program, and the memory that either used. */
#include "tests/unit/fakes/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hostfs/host_recall.h"
#include "tests/unit/fakes/folder.h"

#define MIB (1UL << 20)
#define LOW (20 * MIB)
#define MANY 100

static char base[64];
static const struct host_files files;
static char program[] = "/usr/bin/program", small[] = "small", large[] = "large", other[] = "other";

static int set_up(void **state)
{
	(void)state;
	return !folder_make(base) || setenv("EREMITE_CACHE", base, 1) ? -1 : 0;
}

static int tear_down(void **state)
{
	(void)state;
	return !folder_remove(base);
}

/* What the next run of the command begins with; how many requests it expects. */
static unsigned recall(struct host_recall *kept, char *argument)
{
	char *const arguments[] = {program, argument};
	struct host_asked_list list = {0};
	struct host_asked asked;
	unsigned count = 0;
	host_recall_get(kept, &files, arguments, 2, "/", &list);
	for (size_t at = 0; host_asked_next(&list, &at, &asked);)
		count++;
	host_asked_fini(&list);
	return count;
}

static uint64_t expected_mib(char *argument)
{
	struct host_recall kept;
	recall(&kept, argument);
	return kept.memory.bytes / MIB;
}

/* A run of the command, which asked for so many things, had to ask for some of them, and used so much memory. */
static void run_with_vain(char *argument, unsigned count, unsigned missed, uint64_t mib, uint64_t vain)
{
	char *const arguments[] = {program, argument};
	struct host_recall kept;
	struct host_asked_list before = {0}, now = {0};
	const struct host_recall_memory memory = {LOW, mib * MIB};
	host_recall_get(&kept, &files, arguments, 2, "/", &before);
	for (unsigned i = 0; i < count; i++)
		host_asked_add(&now, &(struct host_asked){.path = argument, .offset = i});
	host_recall_put(&kept, &before, &now, &memory, count - missed, missed, vain);
	host_asked_fini(&before);
	host_asked_fini(&now);
}

static void run(char *argument, unsigned count, unsigned missed, uint64_t mib)
{
	run_with_vain(argument, count, missed, mib, 0);
}

static void nothing_is_known_at_first(void **state)
{
	struct host_recall kept;
	(void)state;
	assert_int_equal(recall(&kept, small), 0);
	assert_false(kept.has_command || kept.has_program);
	assert_int_equal(kept.memory.bytes, 0);
}

static void first_run_is_kept_however_small(void **state)
{
	struct host_recall kept;
	(void)state;
	run(small, 2, 2, 3);
	assert_int_equal(recall(&kept, other), 2);
	assert_true(kept.has_program && !kept.has_command);
	assert_int_equal(kept.memory.low, LOW);
	assert_int_equal(kept.memory.bytes, 3 * MIB);
}

static void what_fits_is_not_kept_again(void **state)
{
	struct host_recall kept;
	(void)state;
	run(small, MANY, MANY, 10);
	run(other, MANY + 3, 3, 12);
	assert_int_equal(recall(&kept, other), MANY);
	assert_false(kept.has_command);
}

static void what_does_not_fit_is_kept_by_command(void **state)
{
	struct host_recall kept;
	(void)state;
	run(small, MANY, MANY, 10);
	run(large, 3 * MANY, 2 * MANY + 1, 160);
	assert_int_equal(recall(&kept, large), 3 * MANY);
	assert_true(kept.has_command);
}

/* Answers that a command does not take cost time in each of its runs. */
static void list_of_which_much_is_vain_is_replaced(void **state)
{
	struct host_recall kept;
	(void)state;
	run(large, 3 * MANY, 3 * MANY, 160);
	run_with_vain(small, MANY, 0, 20, 5);
	assert_int_equal(recall(&kept, small), 3 * MANY);
	run_with_vain(small, MANY, 0, 20, 2 * MANY);
	assert_int_equal(recall(&kept, small), MANY);
	assert_true(kept.has_command);
	assert_int_equal(recall(&kept, other), 3 * MANY);
	run_with_vain(small, 2, 0, 20, MANY); /* of its own list: in a slow run all may be */
	assert_int_equal(recall(&kept, small), MANY);
}

/* A command without a list of its own expects no more memory than the program's smallest run used. */
static void program_has_the_least_memory(void **state)
{
	(void)state;
	run(large, MANY, MANY, 160);
	assert_int_equal(expected_mib(small), 160);
	run(small, MANY, 0, 20);
	assert_int_equal(expected_mib(small), 20);
	assert_int_equal(expected_mib(other), 20);
	run(large, MANY, 0, 160);
	assert_int_equal(expected_mib(small), 20);
}

/* And nothing else of it changes. */
static void list_that_fits_stays(void **state)
{
	struct host_recall kept;
	(void)state;
	run(large, MANY, MANY, 160);
	run(small, 2, 0, 20);
	assert_int_equal(recall(&kept, other), MANY);
	assert_int_equal(kept.memory.bytes, 20 * MIB);
}

static void unknown_memory_is_not_the_least(void **state)
{
	(void)state;
	run(small, MANY, MANY, 20);
	run(small, MANY, 0, 0);
	run(other, MANY, MANY, 0);
	assert_int_equal(expected_mib(small), 20);
}

/* As the second of two runs that are compared. */
static void first_run_is_kept_if_all_was_foreseen(void **state)
{
	(void)state;
	run(small, MANY, 0, 20);
	assert_int_equal(expected_mib(small), 20);
}

static void command_has_its_own_memory(void **state)
{
	(void)state;
	run(small, MANY, MANY, 20);
	run(large, 3 * MANY, 2 * MANY, 160);
	assert_int_equal(expected_mib(large), 160);
	assert_int_equal(expected_mib(small), 20);
	run(large, 3 * MANY, 0, 40); /* of another build, say */
	assert_int_equal(expected_mib(large), 40);
	assert_int_equal(expected_mib(small), 20);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
	TEST(nothing_is_known_at_first),       TEST(first_run_is_kept_however_small),
	TEST(what_fits_is_not_kept_again),     TEST(what_does_not_fit_is_kept_by_command),
	TEST(program_has_the_least_memory),    TEST(list_that_fits_stays),
	TEST(unknown_memory_is_not_the_least), TEST(first_run_is_kept_if_all_was_foreseen),
	TEST(command_has_its_own_memory),      TEST(list_of_which_much_is_vain_is_replaced),
};

TAP_MAIN(tests)
