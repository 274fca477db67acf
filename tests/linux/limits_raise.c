/* SPDX-License-Identifier: MIT */
/* natively: 4096 descriptors */
/* natively: root */
/* Limits of processes and descriptors: settable, and what no capability raises. Natively root may lack
 * CAP_SYS_RESOURCE; what only that allows is asked for where it is given. */
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/capability.h>

#include "tests/guest/say.h"

#define MANY 1500

static struct rlimit limit(int resource)
{
	struct rlimit found;
	getrlimit(resource, &found);
	return found;
}

static int set(int resource, rlim_t soft, rlim_t hard)
{
	return setrlimit(resource, &(struct rlimit){soft, hard});
}

static int may_raise(void)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[2];
	syscall(SYS_capget, &header, data);
	return data[0].effective >> CAP_SYS_RESOURCE & 1;
}

static void processes(void)
{
	SAY_TRUE(limit(RLIMIT_NPROC).rlim_cur >= 1024);
	SAY(set(RLIMIT_NPROC, 1000, 1024));
	SAY_TRUE(limit(RLIMIT_NPROC).rlim_cur == 1000 && limit(RLIMIT_NPROC).rlim_max == 1024);
	SAY(sysconf(_SC_CHILD_MAX));
	SAY(set(RLIMIT_NPROC, 1025, 1024));
	SAY_TRUE(set(RLIMIT_NPROC, 1024, 2048) == (may_raise() ? 0 : -1));
	if (!fork())
		_exit(limit(RLIMIT_NPROC).rlim_cur >= 1000 ? 3 : 4);
	int status;
	wait(&status);
	printf("child: %d\n", WEXITSTATUS(status));
}

/* Beyond what a fd_set has room for. */
static void descriptors(void)
{
	long numbers[64] = {0};
	int ends[2];
	SAY_TRUE(limit(RLIMIT_NOFILE).rlim_max >= 4096);
	SAY(set(RLIMIT_NOFILE, 4096, 4096));
	SAY(dup2(1, 4095));
	SAY(dup2(1, 4096));
	SAY(close(4095));
	pipe(ends);
	SAY(dup2(ends[0], MANY));
	write(ends[1], "x", 1);
	numbers[MANY / 64] = 1L << MANY % 64;
	SAY(syscall(SYS_select, 4096, numbers, NULL, NULL, NULL));
	SAY_TRUE(numbers[MANY / 64] == 1L << MANY % 64);
	if (!fork()) {
		char byte;
		_exit((int)read(MANY, &byte, 1));
	}
	int status;
	wait(&status);
	printf("child: %d\n", WEXITSTATUS(status));
	char path[64];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", MANY);
	SAY(access(path, F_OK));
	SAY(set(RLIMIT_NOFILE, 1 << 31, 1 << 31));
}

/* Who is another user may not. */
static void other_user(void)
{
	if (!fork()) {
		SAY(setresuid(1000, 1000, 1000));
		SAY(set(RLIMIT_NOFILE, 64, 64));
		SAY(set(RLIMIT_NOFILE, 64, 65));
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
}

int main(void)
{
	setvbuf(stdout, NULL, _IONBF, 0);
	processes();
	descriptors();
	other_user();
	return 0;
}
