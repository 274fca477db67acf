/* SPDX-License-Identifier: MIT */
/* membarrier(2): which commands there are, and that private ones want to be registered. What later
 * kernels have is left out. */
#include <assert.h>
#include <errno.h>
#include <linux/membarrier.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(const char *what, int command, unsigned flags)
{
	errno = 0;
	long result = syscall(SYS_membarrier, command, flags, 0);
	printf("%s: %ld %d\n", what, command ? result : result & 511, errno);
}

int main(int argc, char **argv)
{
	tell("query", MEMBARRIER_CMD_QUERY, 0);
	tell("query, flags", MEMBARRIER_CMD_QUERY, 1);
	tell("global", MEMBARRIER_CMD_GLOBAL, 0);
	tell("private before", MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0);
	tell("core before", MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0);
	if (argc > 1)
		return 0;
	tell("register", MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0);
	tell("private", MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0);
	tell("core, not registered", MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0);
	tell("register core", MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0);
	tell("core", MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0);
	tell("sequences before", MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, 0);
	tell("register sequences", MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ, 0);
	tell("sequences", MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, 0);
	tell("sequences, of a processor", MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ, MEMBARRIER_CMD_FLAG_CPU);
	tell("register global", MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED, 0);
	tell("global expedited", MEMBARRIER_CMD_GLOBAL_EXPEDITED, 0);
	tell("two", 3, 0);
	tell("none", 1 << 20, 0);
	tell("negative", -1, 0);
	fflush(stdout);
	int status;
	pid_t child = fork();
	assert(child >= 0);
	if (!child) {
		tell("private in a child", MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0);
		fflush(stdout);
		execl("/proc/self/exe", argv[0], "again", NULL);
		_exit(1);
	}
	assert(waitpid(child, &status, 0) == child);
	return 0;
}
