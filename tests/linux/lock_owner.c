/* SPDX-License-Identifier: MIT */
/* Who has a record lock, as F_GETLK tells: another process. */
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int ready[2], status;
	char byte, path[] = "/tmp/lock_owner-XXXXXX";
	struct flock lock = {.l_type = F_WRLCK, .l_start = 10, .l_len = 5}, test;
	int fd = mkstemp(path);
	assert(fd >= 0 && pipe(ready) == 0);
	pid_t child = fork();
	assert(child >= 0);
	if (!child) {
		assert(fcntl(fd, F_SETLK, &lock) == 0);
		assert(write(ready[1], "x", 1) == 1);
		pause();
	}
	assert(read(ready[0], &byte, 1) == 1);
	test = (struct flock){.l_type = F_RDLCK};
	assert(fcntl(fd, F_GETLK, &test) == 0);
	printf("%d %ld %ld, the child's: %d\n", test.l_type == F_WRLCK, (long)test.l_start, (long)test.l_len,
	       test.l_pid == child);
	lock.l_start = 0;
	assert(fcntl(fd, F_SETLK, &lock) == 0);
	pid_t other = fork();
	assert(other >= 0);
	if (!other) { /* what its parent has, a child has not */
		test = (struct flock){.l_type = F_WRLCK, .l_len = 1};
		assert(fcntl(fd, F_GETLK, &test) == 0);
		_exit(test.l_pid == getppid() ? 7 : 1);
	}
	assert(waitpid(other, &status, 0) == other);
	printf("the parent's: %d\n", WEXITSTATUS(status) == 7);
	unlink(path);
	kill(child, SIGKILL);
	assert(waitpid(child, &status, 0) == child);
	return 0;
}
