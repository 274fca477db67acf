/* SPDX-License-Identifier: MIT */
/* Who would wait for a record lock of somebody who waits for one of its own is told EDEADLK, by way of any number of
 * others; locks of open files, and waits that only look alike, are not counted. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/linux/asleep.h"

static int file;

static int set(int command, short type, off_t start)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = start, .l_len = 1};
	return fcntl(file, command, &lock) ? errno : 0;
}

/* Processes 1 to `count`, each of which has byte n and waits for byte n - 1; all run into the last one's wait when the
 * parent, which has byte 0, waits for byte `count`. */
static void ring(int count)
{
	pid_t *children = calloc((size_t)count + 1, sizeof(*children));
	int status;
	assert(children);
	assert(!set(F_SETLK, F_WRLCK, 0));
	for (int i = 1; i <= count; i++) {
		int ready[2];
		char byte;
		assert(!pipe(ready));
		children[i] = fork();
		if (!children[i]) {
			assert(!set(F_SETLK, F_WRLCK, i));
			assert(write(ready[1], "x", 1) == 1);
			int error = set(F_SETLKW, F_WRLCK, i - 1);
			_exit(error);
		}
		assert(read(ready[0], &byte, 1) == 1);
		close(ready[0]);
		close(ready[1]);
	}
	for (int i = 1; i <= count; i++)
		asleep_await(children[i]);
	printf("ring of %d: %s\n", count + 1, strerrorname_np(set(F_SETLKW, F_WRLCK, count)));
	assert(!set(F_SETLK, F_UNLCK, 0));
	for (int i = 1; i <= count; i++)
		assert(waitpid(children[i], &status, 0) == children[i] && !status);
	free(children);
}

/* A process that waits while the other does not: no deadlock. */
static void chain(void)
{
	int status, ready[2];
	char byte;
	assert(!pipe(ready));
	assert(!set(F_SETLK, F_WRLCK, 0));
	pid_t child = fork();
	if (!child) {
		assert(!set(F_SETLK, F_WRLCK, 1));
		assert(write(ready[1], "x", 1) == 1);
		_exit(set(F_SETLKW, F_WRLCK, 0));
	}
	assert(read(ready[0], &byte, 1) == 1);
	asleep_await(child);
	printf("try: %s\n", strerrorname_np(set(F_SETLK, F_WRLCK, 1)));
	printf("read: %s\n", strerrorname_np(set(F_SETLK, F_RDLCK, 2)));
	assert(!set(F_SETLK, F_UNLCK, 0));
	assert(waitpid(child, &status, 0) == child && !status);
	printf("later: %d\n", set(F_SETLKW, F_WRLCK, 1));
	assert(!set(F_SETLK, F_UNLCK, 0) && !set(F_SETLK, F_UNLCK, 1) && !set(F_SETLK, F_UNLCK, 2));
}

int main(void)
{
	char name[] = "/tmp/lock_deadlock.XXXXXX";
	file = mkstemp(name);
	assert(file >= 0);
	unlink(name);
	ring(1);
	ring(2);
	ring(7);
	chain();
	return 0;
}
