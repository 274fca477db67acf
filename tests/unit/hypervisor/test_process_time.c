/* SPDX-License-Identifier: MIT */
/* The processor time of a process counts that of its descendants, and not that of others. */
#include "tests/unit/fakes/tap.h"

#include "base/process_time.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* Starts a process that ends with its parent. Returns as fork(2) does. */
static pid_t start(void)
{
	const pid_t process = fork();
	if (!process)
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	return process;
}

static _Noreturn void wait_for_the_end(void)
{
	for (;;)
		pause();
}

/* Uses half a second of processor time, says so, and waits. */
static _Noreturn void work(int done)
{
	struct timespec used = {0};
	while (!used.tv_sec && used.tv_nsec < 500000000L)
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	if (write(done, "", 1) == 1)
		wait_for_the_end();
	_exit(1);
}

/* Starts a process that works, or whose child does, and waits until that is done. */
static pid_t start_work(bool is_by_child)
{
	int done[2];
	char byte;
	assert_int_equal(pipe(done), 0);
	const pid_t process = start();
	if (!process && (!is_by_child || !start()))
		work(done[1]);
	if (!process)
		wait_for_the_end();
	assert_int_equal(read(done[0], &byte, 1), 1);
	close(done[0]);
	close(done[1]);
	return process;
}

static void test_it_counts_descendants(void **state)
{
	(void)state;
	const double half = 0.45; /* the system counts in hundredths */
	const pid_t idle = start();
	if (!idle)
		wait_for_the_end();
	const pid_t one = start_work(false), other = start_work(true);
	assert_true(process_time_with_descendants(one) >= half);
	assert_true(process_time_with_descendants(other) >= half);
	assert_true(process_time_with_descendants(getpid()) >= 2 * half);
	assert_true(process_time_with_descendants(idle) < half);
	kill(one, SIGKILL);
	kill(other, SIGKILL);
	kill(idle, SIGKILL);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_it_counts_descendants),
};

TAP_MAIN(tests)
