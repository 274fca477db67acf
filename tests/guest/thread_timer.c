/* SPDX-License-Identifier: MIT */
/* Timers whose signals are for a thread that ends first, and one for the process that comes while a thread ends and
 * only one other is left. */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

#define TIMES 1500 /* more than signals can be queued */

/* The kernel's calls, in which a thread is named: C libraries differ in how. */
#define KERNEL_TIMER_CREATE 222
#define KERNEL_TIMER_SETTIME 223
#define KERNEL_TIMER_DELETE 226

struct kernel_sigevent {
	uint64_t value;
	int signo, notify, tid, unused[11];
};

static int timer_number;
static int is_armed;
static volatile sig_atomic_t alarms;
static pthread_t main_thread;

static void handler(int sig)
{
	alarms += sig == SIGALRM;
}

/* Ends before its timer expires, or soon after, on a machine that is slow. */
static void *leave_timer(void *unused)
{
	struct kernel_sigevent event = {.signo = SIGUSR1, .notify = 4 /* SIGEV_THREAD_ID */};
	const struct itimerspec soon = {{0, 0}, {0, 100000}};
	event.tid = (int)syscall(SYS_gettid);
	if (syscall(KERNEL_TIMER_CREATE, CLOCK_MONOTONIC, &event, &timer_number) ||
	    syscall(KERNEL_TIMER_SETTIME, timer_number, 0, &soon, NULL))
		abort();
	__atomic_store_n(&is_armed, 1, __ATOMIC_RELEASE);
	return unused;
}

static void outlived(void)
{
	const struct timespec later = {0, 200000};
	pthread_attr_t attr;
	pthread_t thread;
	int made = 0, deleted = 0;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < TIMES; i++) {
		is_armed = 0;
		made += pthread_create(&thread, &attr, leave_timer, NULL) == 0;
		while (!__atomic_load_n(&is_armed, __ATOMIC_ACQUIRE))
			nanosleep(&later, NULL);
		nanosleep(&later, NULL);
		deleted += syscall(KERNEL_TIMER_DELETE, timer_number) == 0;
	}
	printf("%d threads made, %d timers deleted\n", made, deleted);
	pthread_attr_destroy(&attr);
}

static void *wait_for_alarm(void *mask)
{
	while (!alarms)
		sigsuspend(mask);
	pthread_join(main_thread, NULL);
	printf("handled by the one that was left: %d\n", (int)alarms);
	exit(0);
}

static void the_one_left(void)
{
	static sigset_t alarm_only, old;
	const struct itimerval soon = {{0, 0}, {0, 10000}};
	pthread_t thread;
	main_thread = pthread_self();
	sigemptyset(&alarm_only);
	sigaddset(&alarm_only, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarm_only, &old);
	signal(SIGALRM, handler);
	pthread_create(&thread, NULL, wait_for_alarm, &old);
	setitimer(ITIMER_REAL, &soon, NULL);
	usleep(1000);
	pthread_exit(NULL);
}

int main(void)
{
	signal(SIGUSR1, handler);
	outlived();
	the_one_left();
}
