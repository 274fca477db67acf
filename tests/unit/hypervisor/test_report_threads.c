/* SPDX-License-Identifier: MIT */
/* States of threads as they are told, with a symbolizer that is played. */
#include "abi/thread.h"
#include "tests/unit/fakes/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_threads.h"
#include "report/symbolizer.h"

static char stacks[][200] = {
	"",
	"  #0  one\n",
	"  #0  two\n  #1  main\n",
	"  #0  0x11 wait (kernel/a.c:1) inlined\n  #0  0x11 wait (kernel/a.c:1)\n  #1  0x20 wait\n  #2  0x21 one "
	"(kernel/one.c:3)\n"
	"  #2  0x21 two\n  #10 0x11 main\n",
	"  #0  0x1f wait (kernel/a.c:1)\n",
	"  #0  0x11 wait (kernel/a.c:1)\n  #7 x\n 8 x\n#3\n",
	"  #0  0x11 wait (kernel/a.c:1)\n  #1  cut shor",
	"  #0  0x20 mine (kernel/mine.c:1)\n  #1  0x11 wait\n",
	"  #0  0xf mine (kernel/mine.c:1)\n  #1  0x10 main\n",
};
static struct guest_memory memory;
static const struct image image = {.header = {.kernel_text = 0x10, .kernel_text_end = 0x20}, .file = -1};
static struct thread_reports threads;
static struct thread_report reports[THREADS_MAX];

/* The stack is the one that the first register says; objects below 0x1000 have a symbol. */
int symbolizer_ask(struct symbolizer_answers *answers, int file, const struct guest_memory *of,
                   const struct symbolizer_query *queries, unsigned count)
{
	(void)file;
	(void)of;
	*answers = (struct symbolizer_answers){.at = calloc(count, sizeof(*answers->at))};
	for (unsigned i = 0; i < count; i++) {
		answers->at[i].frames = stacks[queries[i].registers[0]];
		answers->at[i].object = queries[i].object && queries[i].object < 0x1000 ? "lock+0x8" : "";
	}
	return 0;
}

void symbolizer_free(struct symbolizer_answers *answers)
{
	free(answers->at);
}

static void add(uint32_t thread, const char *name, const char *waits_for, uint64_t object, uint32_t holder,
                unsigned stack)
{
	struct thread_report *report = &reports[threads.count++];
	*report = (struct thread_report){.thread = thread, .object = object, .holder = holder, .registers = {stack}};
	strcpy(report->name, name);
	strcpy(report->waits_for, waits_for);
}

static void expect(const char *wanted)
{
	char *text;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	threads.at = reports;
	report_threads(to, &image, &threads, &memory);
	fclose(to);
	assert_string_equal(text, wanted);
	free(text);
	threads.count = 0;
}

static void test_alone(void **state)
{
	(void)state;
	expect("");
	add(1, "", "end of thread 2", 0, 2, 2);
	add(2, "worker", "mutex", 0x10, 3, 1);
	add(3, "", "mutex", 0x10000, 3, 2);
	add(4, "", "", 0, 0, 1);
	expect("eremite: thread 1 waits for end of thread 2\n"
	       "  #0  two\n  #1  main\n"
	       "eremite: thread 2 \"worker\" waits for mutex lock+0x8 (0x10), which thread 3 holds\n"
	       "  #0  one\n"
	       "eremite: thread 3 waits for mutex at 0x10000, which it holds itself\n"
	       "  (the same stack as thread 1)\n"
	       "eremite: thread 4 could go on\n"
	       "  (the same stack as thread 2)\n");
}

static void test_together(void **state)
{
	(void)state;
	add(1, "", "end of thread 2", 0, 0, 2);
	for (unsigned i = 2; i < 10; i++)
		add(i, i == 7 ? "seven" : "", "semaphore", 0x10, 0, 1);
	add(20, "", "semaphore", 0x18, 0, 1);
	add(21, "", "semaphore", 0x10, 0, 1);
	expect("eremite: thread 1 waits for end of thread 2\n"
	       "  #0  two\n  #1  main\n"
	       "eremite: 8 threads (2 to 6, 8 to 9, 21) wait for semaphore lock+0x8 (0x10)\n"
	       "  #0  one\n"
	       "eremite: thread 7 \"seven\" waits for semaphore lock+0x8 (0x10)\n"
	       "  (the same stack as thread 2)\n"
	       "eremite: thread 20 waits for semaphore lock+0x8 (0x18)\n"
	       "  (the same stack as thread 2)\n");
}

/* What of a stack is in the kernel, by its address, is left out where something else is left, and in what is no stack
 * nothing is. */
static void test_kernel(void **state)
{
	(void)state;
	for (unsigned i = 3; i < 9; i++)
		add(i, "", "mutex", 0, 0, i);
	expect("eremite: thread 3 waits for mutex\n"
	       "  #0  0x21 one (kernel/one.c:3)\n  #0  0x21 two\n  #8  0x11 main\n"
	       "eremite: thread 4 waits for mutex\n"
	       "  #0  0x1f wait (kernel/a.c:1)\n"
	       "eremite: thread 5 waits for mutex\n"
	       "  #7 x\n 8 x\n#3\n"
	       "eremite: thread 6 waits for mutex\n"
	       "  #1  cut shor\n"
	       "eremite: thread 7 waits for mutex\n"
	       "  #0  0x20 mine (kernel/mine.c:1)\n  #1  0x11 wait\n"
	       "eremite: thread 8 waits for mutex\n"
	       "  #0  0xf mine (kernel/mine.c:1)\n  #1  0x10 main\n");
}

/* Stacks that are not known are not taken for the same. */
static void test_without_stacks(void **state)
{
	(void)state;
	add(1, "", "mutex", 0x10, 0, 0);
	add(2, "", "mutex", 0x10, 0, 0);
	expect("eremite: thread 1 waits for mutex lock+0x8 (0x10)\n"
	       "  #0  0x0000000000000000\n"
	       "eremite: thread 2 waits for mutex lock+0x8 (0x10)\n"
	       "  #0  0x0000000000000000\n");
}

/* As many as there can be: all the same, and none like another. */
static void test_many(void **state)
{
	(void)state;
	for (unsigned i = 1; i <= THREADS_MAX; i++)
		add(i, "", "mutex", 0x10, 0, 1);
	expect("eremite: 32768 threads (1 to 32768) wait for mutex lock+0x8 (0x10)\n  #0  one\n");
	for (unsigned i = 1; i <= THREADS_MAX; i++)
		add(i, "", "mutex", 0x100000 + 64 * i, i + 1, 0);
	threads.at = reports;
	FILE *to = fopen("/dev/null", "w");
	report_threads(to, &image, &threads, &memory);
	fclose(to);
	threads.count = 0;
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_alone),          cmocka_unit_test(test_together), cmocka_unit_test(test_kernel),
	cmocka_unit_test(test_without_stacks), cmocka_unit_test(test_many),
};

TAP_MAIN(tests)
