/* SPDX-License-Identifier: MIT */
/* Waiting for signals: sigsuspend, sigtimedwait, sigwaitinfo, sigwait, pause and alarm, and how they interrupt. */
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

static volatile int seen;

static void handler(int sig)
{
	seen = sig;
	printf("handler of %d\n", sig);
}

static void restart(int sig)
{
	(void)sig;
	seen++;
}

static void set_timer(int which, long first_us, long interval_us)
{
	struct itimerval timer = {.it_interval = {0, interval_us}, .it_value = {0, first_us}};
	setitimer(which, &timer, NULL);
}

static void wait_for_signals(void)
{
	sigset_t set, empty;
	siginfo_t info;
	struct timespec short_time = {0, 1000000}, none = {0, 0};
	sigemptyset(&empty);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	puts("sigsuspend");
	SAY(sigsuspend(&empty));
	SAY_TRUE(sigprocmask(SIG_SETMASK, NULL, &set) == 0 && sigismember(&set, SIGUSR1));

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	SAY(sigtimedwait(&set, &info, &none));
	SAY(sigtimedwait(&set, &info, &short_time));
	raise(SIGUSR1);
	SAY(sigtimedwait(&set, &info, &short_time));
	SAY_TRUE(info.si_signo == SIGUSR1 && info.si_code <= 0); /* glibc shows SI_TKILL as SI_USER here */
	SAY_TRUE(info.si_pid == getpid());
	kill(getpid(), SIGUSR1);
	SAY(sigwaitinfo(&set, &info));
	SAY_TRUE(info.si_signo == SIGUSR1 && info.si_code == SI_USER && info.si_pid == getpid());
	raise(SIGUSR1);
	int sig = 0;
	SAY(sigwait(&set, &sig));
	SAY_TRUE(sig == SIGUSR1);
	puts("another signal interrupts:");
	set_timer(ITIMER_REAL, 2000, 0);
	SAY(sigwaitinfo(&set, &info));
	short_time.tv_nsec = -1;
	SAY(sigtimedwait(&set, &info, &short_time));
}

static void pause_and_sleep(void)
{
	struct timespec left;
	puts("pause and sleep");
	set_timer(ITIMER_REAL, 2000, 0);
	SAY(pause());
	set_timer(ITIMER_REAL, 2000, 0);
	struct timespec second = {1, 0};
	SAY(nanosleep(&second, &left));
	SAY_TRUE(left.tv_sec == 0 && left.tv_nsec > 500000000);
	set_timer(ITIMER_REAL, 2000, 0);
	SAY(sleep(3)); /* whole seconds that are left */
	SAY(alarm(100));
	SAY(alarm(0));
	SAY(alarm(0));
	SAY(ualarm(2000, 0));
	SAY(pause());
}

static void spin_in_kernel_calls(void)
{
	puts("a busy loop of kernel calls");
	seen = 0;
	set_timer(ITIMER_REAL, 3000, 0);
	while (!seen)
		getppid();
	seen = 0;
	set_timer(ITIMER_VIRTUAL, 3000, 0);
	while (!seen)
		getppid();
	seen = 0;
	set_timer(ITIMER_PROF, 3000, 0);
	while (!seen)
		getppid();
}

static void repeat(void)
{
	const struct sigaction action = {.sa_handler = restart};
	puts("an interval");
	sigaction(SIGALRM, &action, NULL);
	seen = 0;
	set_timer(ITIMER_REAL, 1000, 1000);
	while (seen < 5)
		pause();
	struct itimerval timer;
	getitimer(ITIMER_REAL, &timer);
	SAY_TRUE(timer.it_interval.tv_usec == 1000 && timer.it_value.tv_usec <= 1000);
	set_timer(ITIMER_REAL, 0, 0);
	getitimer(ITIMER_REAL, &timer);
	SAY_TRUE(timer.it_interval.tv_usec == 0 && timer.it_value.tv_usec == 0);
	timer.it_value.tv_usec = 1000000;
	SAY(setitimer(ITIMER_REAL, &timer, NULL));
}

int main(void)
{
	const struct sigaction action = {.sa_handler = handler};
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGVTALRM, &action, NULL);
	sigaction(SIGPROF, &action, NULL);
	wait_for_signals();
	pause_and_sleep();
	spin_in_kernel_calls();
	repeat();
	return 0;
}
