/* SPDX-License-Identifier: MIT */
/* Semaphores without names: values, deadlines, signals, cancellation. */
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#include "sync.h"

static sem_t sem, begun;
static pthread_t main_thread;
static volatile sig_atomic_t handled;

static int value_of(sem_t *which)
{
	int value = -1;
	MUST(sem_getvalue(which, &value) == 0);
	return value;
}

static void check_deadlines(clockid_t clock)
{
	struct timespec soon = after_ms(clock, 5), past = after_ms(clock, -5000), late = after_ms(clock, 1000000),
			wrong = {0, 1000000000}, before = {-1, 0};
	SAY(sem_clockwait(&sem, clock, &soon));
	SAY_TRUE(has_passed(clock, soon));
	SAY(sem_clockwait(&sem, clock, &past));
	SAY(sem_clockwait(&sem, clock, &before));
	SAY(sem_clockwait(&sem, clock, &wrong));
	SAY(sem_post(&sem));
	SAY(sem_clockwait(&sem, clock, &past));
	SAY(sem_post(&sem));
	SAY(sem_clockwait(&sem, clock, &late));
	SAY_TRUE(has_passed(clock, late));
}

static void on_signal(int sig)
{
	(void)sig;
	handled++;
	sem_post(&begun); /* async-signal-safe, as POSIX has it */
}

/* Sends the signal until the one who waits has seen it in its wait. */
static void *interrupt(void *unused)
{
	struct timespec soon;
	do {
		pthread_kill(main_thread, SIGUSR1);
		soon = after_ms(CLOCK_REALTIME, 3);
	} while (sem_timedwait(&sem, &soon));
	return unused;
}

static void check_interrupt(int timed)
{
	struct sigaction action = {.sa_handler = on_signal};
	struct timespec late = after_ms(CLOCK_REALTIME, 1000000);
	sem_t never;
	pthread_t thread;
	sem_init(&never, 0, 0);
	MUST(sigaction(SIGUSR1, &action, NULL) == 0);
	main_thread = pthread_self();
	start(&thread, interrupt, NULL);
	if (timed)
		SAY(sem_timedwait(&never, &late));
	else
		SAY(sem_wait(&never));
	sem_post(&sem);
	pthread_join(thread, NULL);
	SAY_TRUE(handled > 0);
	while (sem_trywait(&begun) == 0)
		handled--;
	printf("%d posts are missing\n", (int)handled);
	sem_destroy(&never);
}

static void *wait_for_ever(void *which)
{
	sem_post(&begun);
	for (;;)
		sem_wait(which);
	return NULL;
}

static void check_cancel(void)
{
	sem_t never;
	pthread_t thread;
	void *result;
	sem_init(&never, 0, 0);
	start(&thread, wait_for_ever, &never);
	while (sem_wait(&begun))
		;
	SAY_ERROR(pthread_cancel(thread));
	pthread_join(thread, &result);
	SAY_TRUE(result == PTHREAD_CANCELED);
	SAY(sem_destroy(&never));
}

int main(void)
{
	struct timespec soon = after_ms(CLOCK_REALTIME, 5), late = after_ms(CLOCK_REALTIME, 1000000);
	struct timespec wrong = {0, -1};
	SAY(sem_init(&sem, 0, (unsigned)SEM_VALUE_MAX + 1));
	SAY(sem_init(&sem, 0, SEM_VALUE_MAX));
	SAY(sem_post(&sem));
	SAY_TRUE(value_of(&sem) == SEM_VALUE_MAX);
	SAY(sem_wait(&sem));
	SAY(sem_post(&sem));
	SAY(sem_destroy(&sem));
	SAY(sem_init(&sem, 1, 2));
	SAY(sem_init(&begun, 0, 0));
	SAY(value_of(&sem));
	SAY(sem_trywait(&sem));
	SAY(sem_wait(&sem));
	SAY(sem_trywait(&sem));
	SAY(value_of(&sem));
	SAY(sem_timedwait(&sem, &soon));
	SAY_TRUE(has_passed(CLOCK_REALTIME, soon));
	SAY(sem_timedwait(&sem, &wrong));
	SAY(sem_post(&sem));
	SAY(sem_timedwait(&sem, &late));
	SAY(sem_post(&sem));
	SAY(sem_timedwait(&sem, &wrong));
	SAY(sem_trywait(&sem));
	check_deadlines(CLOCK_REALTIME);
	check_deadlines(CLOCK_MONOTONIC);
	SAY(sem_clockwait(&sem, CLOCK_PROCESS_CPUTIME_ID, &late));
	check_interrupt(0);
	check_interrupt(1);
	check_cancel();
	SAY(sem_destroy(&sem));
	return 0;
}
