/* SPDX-License-Identifier: MIT */
/* Reports of threads: what is taken, and in which words a deadlock is told. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <string.h>

#include "abi/layout.h"
#include "abi/thread.h"
#include "run/thread_reports.h"

static struct guest_memory memory;
static struct thread_reports reports;

static int set_up(void **state)
{
	(void)state;
	return guest_memory_init(&memory, LAYOUT_RAM_MIN);
}

static int tear_down(void **state)
{
	(void)state;
	thread_reports_free(&reports);
	guest_memory_fini(&memory);
	return 0;
}

static int take(uint32_t thread, uint32_t holder, const char *waits_for)
{
	struct thread_report report = {.thread = thread, .holder = holder};
	strcpy(report.waits_for, waits_for);
	guest_memory_write(&memory, gpa(0x400000), &report, sizeof(report));
	return thread_reports_take(&reports, &memory, gpa(0x400000));
}

static void expect(const char *text)
{
	char line[400];
	thread_reports_describe(&reports, line, sizeof(line));
	assert_string_equal(line, text);
	thread_reports_free(&reports);
}

static void test_taken(void **state)
{
	struct thread_report report = {.thread = 1};
	(void)state;
	memset(report.name, 0x80, sizeof(report.name));
	memset(report.waits_for, '\n', sizeof(report.waits_for));
	guest_memory_write(&memory, gpa(0x400000), &report, sizeof(report));
	assert_int_equal(thread_reports_take(&reports, &memory, gpa(0x400000)), 0);
	assert_string_equal(reports.at[0].name, "???????????????");
	assert_int_equal(strspn(reports.at[0].waits_for, "?"), 79);
	assert_int_equal(thread_reports_take(&reports, &memory, gpa(0x400000)), -EPROTO);
	assert_int_equal(take(0, 0, ""), -EPROTO);
	assert_int_equal(thread_reports_take(&reports, &memory, gpa(LAYOUT_RAM_MIN - 8)), -EFAULT);
	assert_int_equal(thread_reports_take(&reports, &memory, gpa(UINT64_MAX)), -EFAULT);
	for (unsigned i = 1; i < THREADS_MAX; i++)
		assert_int_equal(take(10 * i, 0, "mutex"), 0);
	assert_int_equal(take(UINT32_MAX, 0, ""), -EPROTO);
	assert_int_equal(thread_reports_find(&reports, 70)->thread, 70);
	assert_null(thread_reports_find(&reports, 71));
}

/* A guest that shows a process for some threads alone; the list grows in between. */
static void test_views_come_and_go(void **state)
{
	struct linux_view view = {.magic = LINUX_VIEW_MAGIC, .tables = 77};
	(void)state;
	for (unsigned i = 1; i <= 100; i++) {
		view.magic = i == 5 || i == 100 ? LINUX_VIEW_MAGIC : 0;
		guest_memory_write(&memory, gpa(LAYOUT_LINUX_VIEW), &view, sizeof(view));
		assert_int_equal(take(i, 0, "data"), 0);
	}
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(reports.views[i].tables, i == 4 || i == 99 ? 77 : 0);
}

static void test_told(void **state)
{
	(void)state;
	expect("deadlock: nothing can ever wake the program, which waits for what it did not say");
	take(1, 0, "data in a pipe (read)");
	expect("deadlock: nothing can ever wake the program, which waits for data in a pipe (read)");
	take(1, 0, "end of thread 2");
	take(2, 7, "mutex"); /* whose holder has ended */
	take(3, 0, "semaphore");
	expect("deadlock: none of 3 threads can go on; thread 1 waits for end of thread 2");
	take(1, 2, "end of thread 2");
	take(2, 2, "mutex");
	expect("deadlock: thread 2 waits for itself");
	take(1, 2, "end of thread 2");
	take(2, 3, "mutex");
	take(3, 2, "mutex");
	expect("deadlock: thread 2 waits for thread 3, which waits for thread 2");
	for (unsigned i = 1; i <= 9; i++)
		take(i, i % 9 + 1, "mutex");
	expect("deadlock: thread 1 waits for thread 2, which waits for thread 3, which waits for thread 4, which waits "
	       "for "
	       "thread 5, and so on in a circle");
}

/* As long as a guest can make it. */
static void test_long_chain(void **state)
{
	char line[400];
	(void)state;
	for (unsigned i = 1; i <= THREADS_MAX; i++)
		take(i, i == THREADS_MAX ? THREADS_MAX - 1 : i + 1, "mutex");
	thread_reports_describe(&reports, line, sizeof(line));
	assert_string_equal(line, "deadlock: thread 32767 waits for thread 32768, which waits for thread 32767");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {TEST(test_taken), TEST(test_views_come_and_go), TEST(test_told),
                                          TEST(test_long_chain)};

TAP_MAIN(tests)
