/* SPDX-License-Identifier: MIT */
/* natively: nice 0 */
/* What a child that has ended still answers to, and which error is told where there are two. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 999999
#define NO_SIGNAL 65

static void say(const char *what, long result)
{
	printf("%s: %s\n", what, result < 0 ? strerrorname_np(errno) : "good");
}

static void send_to(const char *whom, pid_t pid)
{
	union sigval value = {0};
	puts(whom);
	say("kill", kill(pid, SIGTERM));
	say("kill by no signal", kill(pid, NO_SIGNAL));
	say("tgkill", syscall(SYS_tgkill, pid, pid, SIGTERM));
	say("tgkill by no signal", syscall(SYS_tgkill, pid, pid, NO_SIGNAL));
	say("tkill by no signal", syscall(SYS_tkill, pid, NO_SIGNAL));
	say("sigqueue by no signal", sigqueue(pid, NO_SIGNAL, value));
}

static void ask_priority(int which, id_t who)
{
	errno = 0;
	int priority = getpriority(which, who);
	printf("priority: %d, %s\n", priority, errno ? strerrorname_np(errno) : "good");
}

/* Of one that has ended nothing but its end is to be heard, so that there is nobody to wait for. */
static void wait_for_ended(pid_t pid)
{
	siginfo_t info;
	memset(&info, 0, sizeof(info));
	say("its stop", waitid(P_PID, (id_t)pid, &info, WSTOPPED));
	say("its going on", waitid(P_ALL, 0, &info, WCONTINUED));
	say("both, at once", waitid(P_PID, (id_t)pid, &info, WSTOPPED | WCONTINUED | WNOHANG));
	say("its end", waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT));
	printf("code %d, status %d\n", info.si_code, info.si_status);
}

static void ended_child(void)
{
	siginfo_t info;
	pid_t pid = fork();
	if (!pid) {
		say("nice", nice(7));
		fflush(stdout);
		setpgid(0, 0);
		_exit(5);
	}
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	wait_for_ended(pid);
	send_to("to a child that has ended", pid);
	say("group, by no signal", kill(-pid, NO_SIGNAL));
	ask_priority(PRIO_PROCESS, (id_t)pid);
	ask_priority(PRIO_PGRP, (id_t)pid);
	say("another priority", setpriority(PRIO_PROCESS, (id_t)pid, 9));
	ask_priority(PRIO_PROCESS, (id_t)pid);
	say("to wait", waitpid(pid, NULL, 0));
	ask_priority(PRIO_PROCESS, (id_t)pid);
}

static void set_times(void)
{
	const struct timespec wrong[2] = {{1, 1}, {1, 1000000001}};
	say("no time, no file", utimensat(AT_FDCWD, "nothing", wrong, 0));
	say("no time, no descriptor", futimens(99, wrong));
	say("no time, no flag", utimensat(AT_FDCWD, "nothing", wrong, 0x8000));
	say("no time", utimensat(AT_FDCWD, ".", wrong, 0));
}

int main(void)
{
	ended_child();
	send_to("to nobody", NOBODY);
	say("group, by no signal", kill(-NOBODY, NO_SIGNAL));
	set_times();
	return 0;
}
