/* SPDX-License-Identifier: MIT */
/* Job control: processes that are stopped and go on, and what their parent is told. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/say.h"

static volatile sig_atomic_t children, continued;
static volatile unsigned long *shared;

static void count_child(int sig)
{
	(void)sig;
	children++;
}

static void count_continued(int sig)
{
	(void)sig;
	continued++;
}

static void tell(const char *what, pid_t child, int options)
{
	int status = 0;
	pid_t told = waitpid(child, &status, options);
	printf("%s: ", what);
	if (told == 0)
		printf("nothing\n");
	else if (told != child)
		printf("%s\n", errno_name(errno));
	else if (WIFSTOPPED(status))
		printf("stopped by %d\n", WSTOPSIG(status));
	else if (WIFCONTINUED(status))
		printf("goes on\n");
	else if (WIFSIGNALED(status))
		printf("died of %d\n", WTERMSIG(status));
	else
		printf("exited with %d\n", WEXITSTATUS(status));
}

static char state_of(pid_t pid)
{
	char path[64], state = '?';
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	FILE *from = fopen(path, "r");
	fscanf(from, "%*d (%*[^)]) %c", &state);
	fclose(from);
	return state;
}

static pid_t start(void (*body)(void))
{
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		body();
		fflush(stdout);
		_exit(0);
	}
	return child;
}

static int ends[2], gate[2], ready[2];

/* A child waits until its parent has asked whether it goes on. */
static void pass_gate(void)
{
	char byte;
	read(gate[0], &byte, 1);
}

/* What a child does next is to wait in a call. */
static void say_ready(void)
{
	write(ready[1], "", 1);
}

static void open_gate(void)
{
	write(gate[1], "", 1);
}

static void stops_itself(void)
{
	raise(SIGSTOP);
	pass_gate();
	_exit(3);
}

static void stops_by_terminal(void)
{
	setpgid(0, 0);
	raise(SIGTSTP);
	raise(SIGTTIN);
	raise(SIGTTOU);
	_exit(4);
}

static void is_orphaned(void)
{
	setsid();
	raise(SIGTSTP);
	printf("nobody can let an orphaned group go on: it is not stopped\n");
}

static void reads(void)
{
	char byte = 0;
	say_ready();
	ssize_t got = read(ends[0], &byte, 1);
	pass_gate();
	printf("the read goes on: %zd '%c'\n", got, byte);
}

static void sleeps(void)
{
	const struct timespec time = {0, 20000000};
	say_ready();
	int result = nanosleep(&time, NULL);
	pass_gate();
	printf("nanosleep: %d\n", result);
}

static void polls(void)
{
	struct epoll_event event;
	int epoll = epoll_create1(0);
	say_ready();
	int result = epoll_wait(epoll, &event, 1, -1), error = errno;
	pass_gate();
	printf("epoll_wait: %d %s\n", result, errno_name(error));
}

static void waits(void)
{
	signal(SIGCONT, count_continued);
	say_ready();
	pause();
	pass_gate();
	printf("its handler has run %d times\n", continued);
}

static void blocks(void)
{
	sigset_t set, pending;
	sigemptyset(&set);
	sigaddset(&set, SIGCONT);
	sigaddset(&set, SIGTSTP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGTSTP);
	sigpending(&pending);
	printf("pending: %d %d\n", sigismember(&pending, SIGTSTP), sigismember(&pending, SIGCONT));
	signal(SIGCONT, count_continued);
	raise(SIGCONT);
	sigpending(&pending);
	printf("pending: %d %d\n", sigismember(&pending, SIGTSTP), sigismember(&pending, SIGCONT));
	raise(SIGTSTP);
	sigpending(&pending);
	printf("pending: %d %d\n", sigismember(&pending, SIGTSTP), sigismember(&pending, SIGCONT));
	raise(SIGSTOP);
	sigpending(&pending);
	printf("it goes on though it blocks SIGCONT: %d %d\n", sigismember(&pending, SIGTSTP),
	       sigismember(&pending, SIGCONT));
}

static void *counts(void *unused)
{
	while (!unused) {
		__atomic_fetch_add(shared, 1, __ATOMIC_SEQ_CST);
		sched_yield();
	}
	return NULL;
}

static void counts_by_threads(void)
{
	pthread_t thread;
	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, counts, NULL);
	pause();
}

static void short_sleep(void)
{
	const struct timespec time = {0, 5000000};
	nanosleep(&time, NULL);
}

static void itself(void)
{
	pid_t child = start(stops_itself);
	tell("not asked for", child, WNOHANG);
	tell("stops itself", child, WUNTRACED);
	printf("state %c\n", state_of(child));
	tell("told once", child, WUNTRACED | WNOHANG);
	kill(child, SIGCONT);
	tell("continued", child, WCONTINUED);
	open_gate();
	tell("exits", child, WUNTRACED | WCONTINUED);
	child = start(stops_by_terminal);
	for (int i = 0; i < 3; i++) {
		tell("by a terminal's signal", child, WUNTRACED);
		kill(child, SIGCONT);
	}
	tell("exits", child, 0);
	tell("an orphan", start(is_orphaned), WUNTRACED);
}

/* A child is stopped in a call, and goes on with it. */
static void inside(const char *what, void (*body)(void))
{
	char byte;
	pid_t child = start(body);
	read(ready[0], &byte, 1);
	while (state_of(child) != 'S')
		sched_yield();
	kill(child, SIGSTOP);
	tell(what, child, WUNTRACED);
	write(ends[1], "x", 1);
	short_sleep();
	printf("state %c\n", state_of(child));
	kill(child, SIGCONT);
	tell(what, child, WCONTINUED);
	open_gate();
	tell(what, child, 0);
}

static void ending(void)
{
	pid_t child = start(stops_itself);
	tell("stopped", child, WUNTRACED);
	kill(child, SIGTERM);
	tell("SIGTERM waits", child, WNOHANG);
	kill(child, SIGCONT);
	tell("and comes", child, 0);
	child = start(stops_itself);
	tell("stopped", child, WUNTRACED);
	kill(child, SIGKILL);
	tell("SIGKILL does not wait", child, 0);
}

static void telling(void)
{
	struct sigaction action = {.sa_handler = count_child, .sa_flags = SA_RESTART};
	siginfo_t info;
	sigaction(SIGCHLD, &action, NULL);
	pid_t child = start(stops_itself);
	while (!children)
		sched_yield();
	SAY(waitid(P_PID, child, &info, WSTOPPED | WNOWAIT));
	printf("code %d, status %d\n", info.si_code, info.si_status);
	SAY(waitid(P_PID, child, &info, WSTOPPED));
	memset(&info, 0, sizeof(info));
	SAY(waitid(P_PID, child, &info, WSTOPPED | WEXITED | WNOHANG));
	printf("code %d\n", info.si_code);
	kill(child, SIGCONT);
	SAY(waitid(P_PID, child, &info, WCONTINUED | WNOWAIT));
	printf("code %d, status %d\n", info.si_code, info.si_status);
	open_gate();
	SAY(waitid(P_PID, child, &info, WEXITED));
	printf("code %d, status %d\n", info.si_code, info.si_status);
	action.sa_flags = SA_RESTART | SA_NOCLDSTOP;
	sigaction(SIGCHLD, &action, NULL);
	children = 0;
	child = start(stops_itself);
	waitid(P_PID, child, &info, WSTOPPED);
	printf("SIGCHLD unwanted: %d\n", children);
	kill(child, SIGCONT);
	open_gate();
	tell("exits", child, 0);
	signal(SIGCHLD, SIG_DFL);
}

static void many(void)
{
	pid_t child = start(counts_by_threads);
	while (*shared < 10)
		sched_yield();
	kill(child, SIGSTOP);
	tell("threads", child, WUNTRACED);
	short_sleep(); /* natively others may be about to stop yet */
	unsigned long at = *shared;
	short_sleep();
	printf("they stand still: %d\n", *shared == at);
	kill(child, SIGCONT);
	while (*shared < at + 10)
		sched_yield();
	printf("and go on\n");
	kill(child, SIGKILL);
	tell("threads", child, 0);
}

int main(void)
{
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pipe(ends);
	pipe(gate);
	pipe(ready);
	itself();
	inside("read", reads);
	inside("nanosleep", sleeps);
	inside("epoll_wait", polls);
	inside("pause", waits);
	pid_t child = start(blocks);
	tell("blocked signals", child, WUNTRACED);
	kill(child, SIGCONT);
	tell("blocked signals", child, 0);
	ending();
	telling();
	many();
	return 0;
}
