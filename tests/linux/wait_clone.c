/* SPDX-License-Identifier: MIT */
/* Children that tell of their end by another signal than SIGCHLD, or by none, are waited for with __WCLONE or __WALL
 * alone, until they execute a program; and what waitid, setpgid and sigqueue refuse. */
#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int usr1, chld;

static void on_signal(int sig)
{
	if (sig == SIGUSR1)
		usr1++;
	else
		chld++;
}

static pid_t start(int exit_signal, const char *program)
{
	pid_t pid = (pid_t)syscall(SYS_clone, exit_signal, NULL, NULL, NULL, NULL);
	if (pid)
		return pid;
	if (program)
		execl(program, program, "child", NULL);
	_exit(3);
}

static void try(const char *what, pid_t pid, int options)
{
	int status = -1;
	pid_t found = waitpid(pid, &status, options);
	if (found < 0)
		printf("  %s: %s\n", what, strerrorname_np(errno));
	else
		printf("  %s: %s, status 0x%x\n", what, found ? "found" : "not yet", status);
}

static void wait_for(int exit_signal, const char *program)
{
	printf("signal %d%s\n", exit_signal, program ? ", executes a program" : "");
	fflush(stdout);
	pid_t pid = start(exit_signal, program);
	siginfo_t info;
	assert(!waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT | __WALL)); /* it has ended, or is a program */
	try("without", pid, WNOHANG);
	try("any", -1, WNOHANG);
	try("__WCLONE", pid, __WCLONE | WNOHANG);
	try("__WALL", pid, __WALL);
	try("again", pid, __WALL);
	printf("  SIGUSR1 %d, SIGCHLD %d\n", usr1, chld);
	usr1 = chld = 0;
}

static void say(const char *what, long result)
{
	printf("%s: %s\n", what, result < 0 ? strerrorname_np(errno) : "good");
}

/* Arguments of clone3 that are longer than what is known. */
static void long_arguments(void)
{
	static uint64_t arguments[1024];
	arguments[4] = SIGCHLD;
	arguments[30] = 1;
	say("something that is not known", syscall(SYS_clone3, arguments, 31 * sizeof(*arguments)));
	say("too much", syscall(SYS_clone3, arguments, 4104));
	say("too little", syscall(SYS_clone3, arguments, 63));
	say("beyond memory", syscall(SYS_clone3, (void *)8, 200));
	fflush(stdout);
	long pid = syscall(SYS_clone3, arguments, 30 * sizeof(*arguments)); /* the rest is zeros */
	if (!pid)
		_exit(0);
	say("zeros", pid);
	say("its end", waitpid((pid_t)pid, NULL, 0));
}

int main(int argc, char **argv)
{
	siginfo_t info = {.si_signo = SIGUSR1, .si_code = SI_TKILL};
	if (argc > 1)
		return 4;
	(void)argv;
	signal(SIGUSR1, on_signal);
	signal(SIGCHLD, on_signal);
	wait_for(SIGCHLD, NULL);
	wait_for(SIGUSR1, NULL);
	wait_for(0, NULL);
	wait_for(SIGCHLD, "/proc/self/exe");
	wait_for(SIGUSR1, "/proc/self/exe");
	wait_for(0, "/proc/self/exe");
	long_arguments();
	say("waitid of process 0", waitid(P_PID, 0, &info, WEXITED));
	say("setpgid of -1", setpgid(-1, 0));
	say("setpgid to -1", setpgid(0, -1));
	info = (siginfo_t){.si_signo = SIGUSR1, .si_code = SI_TKILL};
	say("SI_TKILL to oneself", syscall(SYS_rt_sigqueueinfo, getpid(), SIGUSR1, &info));
	info.si_code = SI_USER;
	say("SI_USER to oneself", syscall(SYS_rt_sigqueueinfo, getpid(), SIGUSR1, &info));
	pid_t pid = fork();
	if (!pid) {
		pause();
		_exit(0);
	}
	say("SI_USER to another", syscall(SYS_rt_sigqueueinfo, pid, SIGUSR2, &info));
	info.si_code = SI_QUEUE;
	say("SI_QUEUE to another", syscall(SYS_rt_sigqueueinfo, pid, SIGUSR2, &info));
	int status;
	waitpid(pid, &status, 0);
	printf("%x, SIGUSR1 %d\n", status, usr1);
	return 0;
}
