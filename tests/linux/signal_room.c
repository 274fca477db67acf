/* SPDX-License-Identifier: MIT */
/* What one has queued for itself takes no room of others: not what the kernel tells of a child, and no timer. */
#include <assert.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FORGED 3000
#define QUEUED 1500
#define CHILDREN 3
#define TIMERS 100

/* Signals that say that they are a timer's. */
static unsigned forge(void)
{
	siginfo_t info;
	unsigned sent = 0;
	memset(&info, 0, sizeof(info));
	info.si_code = SI_TIMER;
	for (unsigned i = 0; i < FORGED; i++)
		sent += !syscall(SYS_rt_sigqueueinfo, getpid(), SIGRTMIN, &info);
	return sent;
}

static unsigned queue(void)
{
	unsigned sent = 0;
	for (int i = 0; i < QUEUED; i++)
		sent += !sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = i});
	return sent;
}

static void make_timers(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 2};
	unsigned made = 0;
	for (unsigned i = 0; i < TIMERS; i++) {
		timer_t timer;
		made += !timer_create(CLOCK_MONOTONIC, &event, &timer);
	}
	printf("%u timers\n", made);
	fflush(stdout);
}

int main(void)
{
	sigset_t all, child;
	siginfo_t info;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	printf("forged: %d\n", forge() > 0);
	printf("queued: %u\n", queue());
	fflush(stdout);
	pid_t pid = fork();
	if (!pid)
		_exit(3);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	assert(sigwaitinfo(&child, &info) == SIGCHLD);
	printf("a child: %d, %d, %d\n", info.si_pid == pid, info.si_code, info.si_status);
	fflush(stdout);
	waitpid(pid, NULL, 0);
	pid_t pids[CHILDREN];
	for (unsigned i = 0; i < CHILDREN; i++) { /* which live on, with their timers */
		int done[2];
		char byte;
		assert(!pipe(done));
		pids[i] = fork();
		if (!pids[i]) {
			make_timers();
			close(done[1]);
			for (;;)
				pause();
		}
		close(done[1]);
		assert(!read(done[0], &byte, 1));
	}
	for (unsigned i = 0; i < CHILDREN; i++) {
		kill(pids[i], SIGKILL);
		waitpid(pids[i], NULL, 0);
	}
	return 0;
}
