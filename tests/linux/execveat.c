/* SPDX-License-Identifier: MIT */
/* Programs executed by descriptor (execveat(2), fexecve(3)), and what prctl(2) keeps across fork and execve. */
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

static char *const environment[] = {"A=1", NULL};

/* What the executed program sees. */
static int executed(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("  argument %s\n", argv[i]);
	printf("  A=%s, no new privileges %d, dumpable %d\n", environ[0], prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0),
	       prctl(PR_GET_DUMPABLE));
	return 7;
}

/* Executes in a child, and says how that ends. */
static void execute(const char *what, int dirfd, const char *path, int flags)
{
	char *const arguments[] = {"test", "executed", (char *)what, NULL};
	int status = 0;
	printf("%s\n", what);
	fflush(stdout);
	if (!fork()) {
		syscall(SYS_execveat, dirfd, path, arguments, environment, flags);
		printf("  %s\n", errno_name(errno));
		fflush(stdout);
		_exit(1);
	}
	wait(&status);
	printf("  status %d\n", WEXITSTATUS(status));
}

static void by_descriptor(const char *own)
{
	char directory[4096];
	strcpy(directory, own);
	char *name = strrchr(directory, '/');
	*name++ = 0;
	int dir = open(directory, O_PATH | O_DIRECTORY), file = open(own, O_RDONLY), path = open(own, O_PATH);
	execute("path", AT_FDCWD, own, 0);
	execute("path, descriptor not looked at", -1, own, 0);
	execute("directory", dir, name, 0);
	execute("descriptor", file, "", AT_EMPTY_PATH);
	execute("O_PATH descriptor", path, "", AT_EMPTY_PATH);
	execute("no AT_EMPTY_PATH", file, "", 0);
	execute("no descriptor", 99, name, 0);
	execute("no directory", file, name, 0);
	execute("a directory", dir, "", AT_EMPTY_PATH);
	execute("nothing", dir, "nothing there", 0);
	execute("flags", AT_FDCWD, own, 1);
	execute("bad path", AT_FDCWD, (void *)8, 0);
	symlink(own, "link");
	execute("link", AT_FDCWD, "link", 0);
	execute("link, not followed", AT_FDCWD, "link", AT_SYMLINK_NOFOLLOW);
	unlink("link");
}

static void scripts(void)
{
	int made = open("script", O_CREAT | O_WRONLY | O_TRUNC, 0755);
	dprintf(made, "#!/bin/sh\necho \"  $0 $*\"\nexit 3\n");
	close(made);
	int cwd = open(".", O_RDONLY | O_DIRECTORY), script = open("script", O_RDONLY);
	dup2(cwd, 20);
	dup2(script, 21);
	execute("script in a directory", 20, "script", 0);
	execute("script by descriptor", 21, "", AT_EMPTY_PATH);
	unlink("script");
	close(cwd);
	close(script);
	close(20);
	close(21);
}

static void memory(const char *own)
{
	int from = open(own, O_RDONLY), to = memfd_create("program", MFD_CLOEXEC);
	char buffer[65536];
	ssize_t got;
	while ((got = read(from, buffer, sizeof(buffer))) > 0)
		if (write(to, buffer, (size_t)got) != got)
			perror("write");
	execute("memfd", to, "", AT_EMPTY_PATH);
	close(from);
	close(to);
}

static void controls(const char *own)
{
	int sig = -1;
	SAY(prctl(PR_GET_SECUREBITS));
	SAY(prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0));
	SAY(prctl(PR_SET_NO_NEW_PRIVS, 1, 1, 0, 0));
	SAY(prctl(PR_GET_NO_NEW_PRIVS, 1, 0, 0, 0));
	SAY(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	SAY(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
	SAY(prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	SAY(prctl(PR_SET_DUMPABLE, 7));
	SAY(prctl(PR_SET_DUMPABLE, 0));
	SAY(prctl(PR_GET_DUMPABLE));
	execute("after prctl", AT_FDCWD, own, 0);
	SAY(prctl(PR_SET_PDEATHSIG, 65));
	SAY(prctl(PR_SET_PDEATHSIG, SIGUSR1));
	SAY(prctl(PR_GET_PDEATHSIG, &sig));
	printf("%d\n", sig);
	fflush(stdout);
	if (!fork()) {
		SAY(prctl(PR_GET_PDEATHSIG, &sig));
		printf("in a child %d\n", sig);
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
}

/* A child whose parent ends has its signal. */
static void death(void)
{
	int ends[2];
	sigset_t set;
	char byte;
	pipe(ends);
	fflush(stdout);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (!fork()) {
		pid_t middle = getpid();
		if (!fork()) {
			int sig = 0;
			siginfo_t info;
			prctl(PR_SET_PDEATHSIG, SIGUSR1);
			write(ends[1], "", 1);
			sig = sigwaitinfo(&set, &info);
			printf("the parent has ended: signal %d, from it: %d\n", sig, info.si_pid == middle);
			fflush(stdout);
			_exit(0);
		}
		read(ends[0], &byte, 1);
		_exit(0);
	}
	wait(NULL);
	close(ends[1]);
	while (read(ends[0], &byte, 1) > 0) { /* until the grandchild has ended */
	}
}

int main(int argc, char **argv)
{
	static char own[4096];
	if (argc > 1)
		return executed(argc, argv);
	readlink("/proc/self/exe", own, sizeof(own) - 1);
	by_descriptor(own);
	scripts();
	memory(own);
	controls(own);
	death();
	return 0;
}
