/* SPDX-License-Identifier: MIT */
/* Single operations of a Linux program: the same file runs natively and unmodified in a guest. The cost of one is the
 * difference between runs of two counts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static void patched_loop(unsigned long count, char **command)
{
	(void)command;
	for (unsigned long i = 0; i < count; i++)
		if (getpid() <= 0)
			fail("getpid");
}

/* Code that a program makes as it runs is not rewritten, for nothing is known of its functions: its calls trap. */
static void trapped_loop(unsigned long count, char **command)
{
	static const unsigned char code[] = {0xb8, SYS_getpid, 0, 0, 0, 0x0f, 0x05, 0xc3};
	(void)command;
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		fail("mmap");
	memcpy(page, code, sizeof(code));
	if (mprotect(page, 4096, PROT_READ | PROT_EXEC))
		fail("mprotect");
	for (unsigned long i = 0; i < count; i++)
		if (((int (*)(void))page)() <= 0)
			fail("getpid");
}

static void spawn_loop(unsigned long count, char **command)
{
	for (unsigned long i = 0; i < count; i++) {
		int status;
		pid_t pid = fork();
		if (pid == 0) {
			execv(command[0], command);
			_exit(127);
		}
		if (pid < 0 || waitpid(pid, &status, 0) != pid)
			fail("fork");
		if (status) {
			fprintf(stderr, "%s: status 0x%x\n", command[0], (unsigned)status);
			exit(1);
		}
	}
}

static void fork_loop(unsigned long count, char **command)
{
	(void)command;
	for (unsigned long i = 0; i < count; i++) {
		pid_t pid = fork();
		if (pid == 0)
			_exit(0);
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			fail("fork");
	}
}

/* A byte to another process, and back. */
static void pipe_loop(unsigned long count, char **command)
{
	int there[2], back[2];
	char byte = 0;
	(void)command;
	if (pipe(there) || pipe(back))
		fail("pipe");
	pid_t pid = fork();
	if (pid == 0) {
		close(there[1]);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	if (pid < 0)
		fail("fork");
	for (unsigned long i = 0; i < count; i++)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			fail("pipe");
	close(there[1]);
	if (waitpid(pid, NULL, 0) != pid)
		fail("waitpid");
}

/* Reads of standard input that are at its end: a guest asks the monitor each time. */
static void input_loop(unsigned long count, char **command)
{
	char byte;
	(void)command;
	for (unsigned long i = 0; i < count; i++)
		if (read(0, &byte, 1))
			fail("read");
}

static const struct {
	const char *name;
	void (*loop)(unsigned long count, char **command);
} loops[] = {
	{"patched", patched_loop}, {"trapped", trapped_loop}, {"fork", fork_loop},
	{"pipe", pipe_loop},       {"input", input_loop},     {"spawn", spawn_loop},
};

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	for (unsigned i = 0; i < sizeof(loops) / sizeof(loops[0]); i++) {
		if (strcmp(argv[1], loops[i].name))
			continue;
		loops[i].loop(strtoul(argv[2], NULL, 0), argv + 3);
		return 0;
	}
	return 2;
}
