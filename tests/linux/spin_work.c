/* SPDX-License-Identifier: MIT */
/* Loops that only a timer on the clock of processor time ends: of setitimer(2), of timer_create(2), and RLIMIT_CPU. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t count;
static sigjmp_buf out;

static void on_signal(int sig)
{
	(void)sig;
	count++;
}

static void on_signal_leave(int sig)
{
	siglongjmp(out, sig);
}

static void set_timer(int kind, long us, long interval_us)
{
	const struct itimerval value = {{0, interval_us}, {0, us}};
	setitimer(kind, &value, NULL);
}

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static void end_in(const char *what, void (*set)(void))
{
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (!child) {
		set();
		for (;;) {
		}
	}
	waitpid(child, &status, 0);
	printf("%s: signal %d\n", what, WIFSIGNALED(status) ? WTERMSIG(status) : -1);
}

static void set_profile(void)
{
	signal(SIGPROF, SIG_DFL);
	set_timer(ITIMER_PROF, 10000, 0);
}

static void set_limit(void)
{
	const struct rlimit limit = {1, 2};
	signal(SIGXCPU, SIG_DFL);
	setrlimit(RLIMIT_CPU, &limit);
}

int main(void)
{
	signal(SIGPROF, on_signal);
	set_timer(ITIMER_PROF, 10000, 10000);
	while (count < 3) {
	}
	set_timer(ITIMER_PROF, 0, 0);
	printf("ITIMER_PROF ends the loop\n");

	signal(SIGVTALRM, on_signal_leave);
	if (!sigsetjmp(out, 1)) {
		set_timer(ITIMER_VIRTUAL, 10000, 0);
		for (;;) {
		}
	}
	printf("ITIMER_VIRTUAL ends the loop\n");

	timer_t timer;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};
	const struct itimerspec value = {.it_value = {0, 10000000}};
	timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer);
	timer_settime(timer, 0, &value, NULL);
	for (count = 0; !count;) {
	}
	printf("timer_create ends the loop\n");

	end_in("ITIMER_PROF", set_profile);
	end_in("RLIMIT_CPU", set_limit);

	pthread_t thread;
	pthread_create(&thread, NULL, wait_for_ever, NULL);
	count = 0;
	set_timer(ITIMER_PROF, 10000, 0);
	while (!count) {
	}
	printf("another thread waits\n");
	return 0;
}
