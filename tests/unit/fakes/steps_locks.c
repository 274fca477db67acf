/* SPDX-License-Identifier: MIT */
/* Locks: none of these waits, so a conflict shows as EAGAIN. */
#define _GNU_SOURCE
#include "abi/linux.h"

#include "tests/unit/fakes/both.h"
#include "tests/unit/fakes/random_args.h"
#include "tests/unit/fakes/steps.h"

static long pick(const long *from, uint64_t count)
{
	return from[random_args_below(count)];
}

static void whole(void)
{
	static const long operations[] = {1, 2, 8, 1, 2, 8, 0, 3, 16, 32};
	int fd = random_args_fd();
	long operation = pick(operations, 10) | LINUX_LOCK_NB;
	BOTH(flock, both_describe("(%d, %ld)", fd, operation), fd, operation);
}

static void record(void)
{
	static const long commands[] = {5, 6, 6, 6, 36, 37, 37, 37};
	static const long edges[] = {-30, -1, 0, INT64_MAX, INT64_MAX - 5, INT64_MIN};
	int fd = random_args_fd();
	long command = pick(commands, 8);
	struct linux_flock lock = {
		.l_type = (int16_t)(random_args_one_in(40) ? 3 : (long)random_args_below(3)),
		.l_whence = (int16_t)(random_args_one_in(4) ? (long)random_args_below(4) : 0),
		.l_start = random_args_one_in(10) ? pick(edges, 6) : (long)random_args_below(20),
		.l_len = random_args_one_in(10) ? pick(edges, 6) : (long)random_args_below(12),
		.l_pid = random_args_one_in(40),
	};
	if (both_is_directory(fd)) /* whose positions are each side's own */
		lock.l_whence = LINUX_SEEK_SET;
	for (int side = 0; side < 2; side++)
		*(struct linux_flock *)both_out[side] = lock;
	if (BOTH(fcntl,
	         both_describe("(%d, %ld, {%d, %d, %ld, %ld, %d})", fd, command, lock.l_type, lock.l_whence,
	                       (long)lock.l_start, (long)lock.l_len, lock.l_pid),
	         fd, command, BOTH_RESULT) < 0)
		return;
	/* Each side has a process of its own. */
	struct linux_flock *found[2] = {(void *)both_out[0], (void *)both_out[1]};
	if ((found[0]->l_pid > 0) != (found[1]->l_pid > 0))
		both_differ("owner of a lock");
	if (found[0]->l_pid > 0)
		found[0]->l_pid = found[1]->l_pid;
	both_check_data(sizeof(lock));
}

void steps_locks(void)
{
	if (random_args_one_in(3))
		whole();
	else
		record();
}
