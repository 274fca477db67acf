/* SPDX-License-Identifier: MIT */
/* also for native images */
/* Descriptors beyond 4096: limits, dup2, F_DUPFD, close_range, poll, select, fork's and execve's copies. Where Linux
 * denies this process so many, what is asked for is not looked at. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/utsname.h>
#include <unistd.h>

#define HARD (1 << 20) /* of a Debian host */
#define HIGH 16000
#define MANY 6000

static int is_possible, is_guest;

#define HOLDS(what) printf("%s: %d\n", #what, !is_possible || (what))
#define FAILS(what, error) printf("%s fails: %d\n", #what, !is_possible || ((what) == -1 && errno == (error)))

static int set(rlim_t soft, rlim_t hard)
{
	return setrlimit(RLIMIT_NOFILE, &(struct rlimit){soft, hard});
}

static void limits(void)
{
	struct rlimit found;
	getrlimit(RLIMIT_NOFILE, &found);
	is_possible = found.rlim_max >= HIGH;
	printf("soft and hard: %d\n", !is_guest || (found.rlim_cur == 1024 && found.rlim_max == HARD));
	HOLDS(sysconf(_SC_OPEN_MAX) == (long)found.rlim_cur);
	HOLDS(set(1000, found.rlim_max) == 0);
	FAILS(dup2(1, 1000), EBADF);
	FAILS(fcntl(1, F_DUPFD, 1000), EINVAL);
	HOLDS(set(HIGH, found.rlim_max) == 0);
	HOLDS(dup2(1, 999) == 999);
	printf("beyond any: %d %s\n", set(1UL << 30, 1UL << 31), strerror(errno));
	printf("soft above hard: %d %s\n", set(HIGH + 1, HIGH), strerror(errno));
}

static void high(int *ends)
{
	HOLDS(pipe(ends) == 0);
	HOLDS(dup2(ends[0], HIGH - 1) == HIGH - 1);
	FAILS(dup2(ends[0], HIGH), EBADF);
	HOLDS(fcntl(ends[0], F_DUPFD, 5000) == 5000);
	HOLDS(fcntl(ends[0], F_DUPFD_CLOEXEC, 5000) == 5001);
	HOLDS(fcntl(5000, F_GETFD) == 0 && fcntl(5001, F_GETFD) == FD_CLOEXEC);
	FAILS(fcntl(ends[0], F_DUPFD, HIGH - 1), EMFILE);
	FAILS(fcntl(15998, F_GETFD), EBADF);
	FAILS(close(1 << 29), EBADF);
	FAILS(close(-7), EBADF);
}

/* Descriptors that the structures of select(2) have no room for. */
static void ready(const int *ends)
{
	static long numbers[HIGH / 64 + 1];
	struct pollfd poll_set[] = {{HIGH - 1, POLLIN, 0}, {5000, POLLIN, 0}, {5002, POLLIN, 0}};
	HOLDS(write(ends[1], "x", 1) == 1);
	numbers[(HIGH - 1) / 64] |= 1L << (HIGH - 1) % 64;
	numbers[5001 / 64] |= 1L << 5001 % 64;
	HOLDS(select(HIGH, (fd_set *)numbers, NULL, NULL, NULL) == 2);
	HOLDS(numbers[(HIGH - 1) / 64] == 1L << (HIGH - 1) % 64 && numbers[5001 / 64] == 1L << 5001 % 64);
	numbers[5002 / 64] |= 1L << 5002 % 64;
	FAILS(select(HIGH, (fd_set *)numbers, NULL, NULL, NULL), EBADF);
	HOLDS(poll(poll_set, 3, -1) == 3 && poll_set[0].revents == POLLIN && poll_set[1].revents == POLLIN &&
	      poll_set[2].revents == POLLNVAL);
}

/* All numbers are used in order, and again when they are free. */
static void fill(void)
{
	int first = open("/dev/null", O_RDONLY), last = first;
	for (int i = 0; is_possible && i < MANY; i++)
		last = open("/dev/null", O_RDONLY);
	HOLDS(last == first + MANY + 3); /* 999, 5000 and 5001 were in use */
	HOLDS(close(first + 7) == 0 && close(4444) == 0);
	HOLDS(open("/dev/null", O_RDONLY) == first + 7 && dup(0) == 4444 && dup(0) == last + 1);
	for (int fd = 100; fd < HIGH - 1 && is_possible; fd++)
		close(fd);
	HOLDS(dup(0) == 100 && close(100) == 0);
	FAILS(fcntl(6000, F_GETFD), EBADF);
	HOLDS(fcntl(HIGH - 1, F_GETFD) == 0);
}

/* The last number that Linux knows. */
static void last(void)
{
	struct rlimit found;
	getrlimit(RLIMIT_NOFILE, &found);
	is_possible = found.rlim_max == HARD;
	HOLDS(set(HARD, HARD) == 0);
	HOLDS(dup2(0, HARD - 1) == HARD - 1);
	FAILS(dup2(0, HARD), EBADF);
	FAILS(fcntl(0, F_DUPFD, HARD - 1), EMFILE);
	HOLDS(close(HARD - 1) == 0);
}

int main(void)
{
	int ends[2];
	struct utsname name;
	uname(&name);
	is_guest = strstr(name.release, "eremite") != NULL;
	for (int fd = 3; fd < 1024; fd++)
		close(fd); /* what the shell has left */
	limits();
	high(ends);
	ready(ends);
	fill();
	last();
	return 0;
}
