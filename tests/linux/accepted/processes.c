/* SPDX-License-Identifier: MIT */
/* prctl(2) and clone(2), each in a process of its own. */
#include "tests/linux/accepted/accepted.h"

#include <linux/sched.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

struct shared {
	long result, error;
	long again; /* what the matching question answers afterwards */
};

static struct shared *shared;

static void show_status(int status)
{
	if (WIFEXITED(status))
		printf(" exit %d", WEXITSTATUS(status));
	else
		printf(" signal %d", WTERMSIG(status));
}

static void try_prctl(int option, long argument)
{
	uint64_t *zeros = memory_fixed();
	bool is_pointer = argument == 99;
	int status = 0;
	memset(shared, 0, sizeof(*shared));
	fflush(stdout);
	int child = fork();
	if (!child) {
		shared->result = -7;
		shared->result = prctl(option, is_pointer ? (long)zeros : argument, 0L, 0L, 0L);
		shared->error = errno;
		shared->again = (long)zeros[0];
		_exit(0);
	}
	waitpid(child, &status, 0);
	errno = (int)shared->error;
	printf("prctl %d,%s%ld\t%s", option, is_pointer ? "memory" : "", is_pointer ? 0 : argument,
	       result_of(shared->result));
	if (is_pointer)
		printf(" 0x%lx", shared->again);
	show_status(status);
	printf("\n");
}

static int private;

static int run_clone(void *unused)
{
	(void)unused;
	private = 1;
	chdir("/");
	umask(077);
	close(40);
	signal(SIGUSR1, SIG_IGN);
	syscall(SYS_exit, 3);
	return 0;
}

/* Whether the child had the caller's memory, directory, descriptors and handlers. */
static void clone_alone(unsigned long flags)
{
	static char stack[65536] __attribute__((aligned(16)));
	static int parent_tid, child_tid, tls[64];
	char directory[4096];
	int status = 0;
	struct sigaction action;
	private = 0;
	dup2(1, 40);
	errno = 0;
	long child =
		clone(run_clone, stack + sizeof(stack), (int)(flags | SIGCHLD), NULL, &parent_tid, tls, &child_tid);
	if (child < 0) {
		printf("%s\n", result_of(child));
		fflush(stdout);
		return;
	}
	int waited = waitpid((int)child, &status, __WALL);
	sigaction(SIGUSR1, NULL, &action);
	printf("%s", waited == child ? "waited" : result_of(waited));
	printf(" status 0x%x memory %d directory %d files %d handlers %d ids %d %d\n", status, private,
	       !strcmp(getcwd(directory, sizeof(directory)), "/"), fcntl(40, F_GETFD) < 0, action.sa_handler == SIG_IGN,
	       parent_tid != 0, child_tid != 0);
	fflush(stdout);
}

static void try_clone(unsigned long flags)
{
	int status = 0;
	printf("clone 0x%lx\t", flags);
	fflush(stdout);
	int child = fork();
	if (!child) {
		alarm(5);
		clone_alone(flags);
		_exit(0);
	}
	waitpid(child, &status, 0);
	if (status)
		printf("died 0x%x\n", status);
}

static void try_clone3(unsigned bit)
{
	struct clone_args arguments = {.flags = 1UL << bit, .exit_signal = SIGCHLD};
	int status = 0;
	printf("clone3 0x%lx\t", 1UL << bit);
	fflush(stdout);
	int child = fork();
	if (!child) {
		if (bit == 14) { /* CLONE_VFORK is fine; memory is shared by CLONE_VM alone */
			_exit(0);
		}
		long made = syscall(SYS_clone3, &arguments, sizeof(arguments));
		if (!made)
			_exit(4);
		printf("%s", made < 0 ? result_of(made) : "made");
		if (made > 0 && waitpid((int)made, &status, __WALL) == made)
			show_status(status);
		printf("\n");
		fflush(stdout);
		_exit(0);
	}
	waitpid(child, &status, 0);
	if (status || bit == 14)
		printf("status 0x%x\n", status);
}

void part_processes(void)
{
	static const long arguments[] = {0, 1, 2, -1, 99};
	static const unsigned long with[] = {0, CLONE_VM, CLONE_VM | CLONE_FILES | CLONE_FS,
	                                     CLONE_VM | CLONE_SIGHAND | CLONE_FILES | CLONE_FS};
	static const int more[] = {0x53564d41, 0x59616d61, 0x41555856};
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int option = 0; option < 85; option++)
		for (unsigned i = 0; i < COUNT(arguments); i++)
			try_prctl(option, arguments[i]);
	for (unsigned k = 0; k < COUNT(more); k++)
		for (unsigned i = 0; i < COUNT(arguments); i++)
			try_prctl(more[k], arguments[i]);
	for (unsigned bit = 8; bit < 32; bit++) {
		if (1UL << bit == CLONE_SETTLS || 1UL << bit == CLONE_THREAD) /* a thread is not waited for */
			continue;
		for (unsigned i = 0; i < COUNT(with); i++)
			if (!(with[i] >> bit & 1))
				try_clone(1UL << bit | with[i]);
	}
	for (unsigned bit = 8; bit < 40; bit++)
		if (1UL << bit != CLONE_SETTLS && 1UL << bit != CLONE_VM)
			try_clone3(bit);
}
