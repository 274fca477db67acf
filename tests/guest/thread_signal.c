/* SPDX-License-Identifier: MIT */
/* Signals to threads: masks of their own, pthread_kill, pthread_sigqueue, signals for the process, sigwait. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "say.h"

static int ready[2];
static _Thread_local int handled;
static volatile sig_atomic_t handled_by_any;
static pthread_t handler_thread;

static void handler(int sig)
{
	(void)sig;
	handled++;
	handler_thread = pthread_self();
	handled_by_any++;
}

static void tell_ready(void)
{
	if (write(ready[1], "x", 1) != 1)
		abort();
}

static void await_ready(void)
{
	char byte;
	while (read(ready[0], &byte, 1) != 1)
		;
}

static sigset_t set_of(int one, int two)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, one);
	if (two)
		sigaddset(&set, two);
	return set;
}

static void *wait_for_handler(void *unused)
{
	sigset_t usr1 = set_of(SIGUSR1, 0), old;
	(void)unused;
	pthread_sigmask(SIG_BLOCK, &usr1, &old);
	sigdelset(&old, SIGUSR1);
	tell_ready();
	while (!handled)
		sigsuspend(&old);
	return (void *)(intptr_t)handled;
}

static void to_one_thread(void)
{
	pthread_t threads[5];
	void *result;
	puts("pthread_kill");
	for (int i = 0; i < 5; i++) {
		pthread_create(&threads[i], NULL, wait_for_handler, NULL);
		await_ready();
	}
	for (int i = 4; i >= 0; i--) {
		SAY_ERROR(pthread_kill(threads[i], 0));
		int error = pthread_kill(threads[i], SIGUSR1);
		pthread_join(threads[i], &result);
		printf("thread %d: error %d, handled %d\n", i, error, (int)(intptr_t)result);
	}
	SAY_ERROR(pthread_kill(pthread_self(), SIGUSR1));
	SAY_TRUE(handled == 1 && pthread_equal(handler_thread, pthread_self()));
	SAY_ERROR(pthread_kill(pthread_self(), 65));
	SAY_ERROR(pthread_kill(pthread_self(), -1));
	handled = 0;
}

static void *say_mask(void *unused)
{
	sigset_t mask;
	(void)unused;
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	int inherited = sigismember(&mask, SIGUSR2);
	sigaddset(&mask, SIGTERM);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return (void *)(intptr_t)inherited;
}

static void masks(void)
{
	pthread_t thread;
	sigset_t usr2 = set_of(SIGUSR2, 0), mask;
	void *result;
	puts("masks");
	SAY_ERROR(pthread_sigmask(SIG_BLOCK, &usr2, NULL));
	pthread_create(&thread, NULL, say_mask, NULL);
	pthread_join(thread, &result);
	SAY_TRUE((intptr_t)result == 1);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	SAY_TRUE(!sigismember(&mask, SIGTERM));
	SAY_ERROR(pthread_sigmask(77, &usr2, NULL));
	SAY_ERROR(pthread_sigmask(SIG_UNBLOCK, &usr2, NULL));
	sigfillset(&mask);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	SAY_TRUE(sigismember(&mask, SIGRTMIN) == 1 && sigismember(&mask, 33) == 0 && sigismember(&mask, SIGKILL) == 0);
	sigemptyset(&mask);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

static void *take_values(void *unused)
{
	sigset_t set = set_of(SIGRTMIN, SIGRTMIN + 1);
	siginfo_t info;
	intptr_t sum = 0;
	(void)unused;
	tell_ready();
	for (int i = 0; i < 3; i++) {
		int sig = sigwaitinfo(&set, &info);
		sum = 100 * sum + 10 * (sig - SIGRTMIN) + info.si_value.sival_int;
		if (info.si_code != SI_QUEUE || info.si_pid != getpid())
			sum = -1;
	}
	return (void *)sum;
}

static void queued(void)
{
	pthread_t thread;
	sigset_t set = set_of(SIGRTMIN, SIGRTMIN + 1), pending;
	void *result;
	puts("pthread_sigqueue");
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	SAY_ERROR(pthread_sigqueue(pthread_self(), SIGRTMIN, (union sigval){.sival_int = 9}));
	pthread_create(&thread, NULL, take_values, NULL);
	await_ready();
	SAY_ERROR(pthread_sigqueue(thread, SIGRTMIN, (union sigval){.sival_int = 1}));
	SAY_ERROR(pthread_sigqueue(thread, SIGRTMIN, (union sigval){.sival_int = 2}));
	SAY_ERROR(pthread_sigqueue(thread, SIGRTMIN, (union sigval){.sival_int = 3}));
	pthread_join(thread, &result);
	printf("values %ld\n", (long)(intptr_t)result);
	sigpending(&pending);
	SAY_TRUE(sigismember(&pending, SIGRTMIN) == 1);
	siginfo_t info;
	SAY_TRUE(sigwaitinfo(&set, &info) == SIGRTMIN && info.si_value.sival_int == 9);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void *take_all(void *unused)
{
	sigset_t set = set_of(SIGUSR1, SIGUSR2);
	intptr_t taken = 0;
	int sig = 0;
	(void)unused;
	tell_ready();
	do {
		sigwait(&set, &sig);
		taken++;
	} while (sig != SIGUSR2);
	return (void *)taken;
}

static void of_the_process(void)
{
	pthread_t thread;
	sigset_t set = set_of(SIGUSR1, SIGUSR2);
	void *result;
	puts("signals for the process");
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&thread, NULL, take_all, NULL);
	await_ready();
	SAY(kill(getpid(), SIGUSR1));
	SAY(kill(getpid(), SIGUSR2));
	pthread_join(thread, &result);
	SAY_TRUE((intptr_t)result >= 1 && (intptr_t)result <= 2);

	/* Only this thread may take it. */
	handled_by_any = 0;
	pthread_create(&thread, NULL, wait_for_handler, NULL);
	await_ready();
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, &result);
	pthread_kill(pthread_self(), SIGUSR1);
	SAY_TRUE(handled_by_any == 2);
}

static void *raise_here(void *unused)
{
	(void)unused;
	raise(SIGUSR1);
	return (void *)(intptr_t)(handled == 1 && pthread_equal(handler_thread, pthread_self()));
}

static void *end_at_once(void *unused)
{
	return unused;
}

static void others(void)
{
	pthread_t thread;
	void *result;
	struct sigaction action;
	sigset_t set;
	puts("raise, and threads that have ended");
	pthread_create(&thread, NULL, raise_here, NULL);
	pthread_join(thread, &result);
	SAY_TRUE(result != NULL);
	pthread_create(&thread, NULL, end_at_once, NULL);
	for (int i = 0; i < 1000; i++)
		sched_yield();
	SAY_ERROR(pthread_kill(thread, 0));
	pthread_join(thread, NULL);
	SAY(sigaction(33, NULL, &action));
	sigemptyset(&set);
	SAY(sigaddset(&set, 32));
}

int main(void)
{
	struct sigaction action = {.sa_handler = handler};
	if (pipe(ready) < 0)
		return 1;
	sigaction(SIGUSR1, &action, NULL);
	to_one_thread();
	masks();
	queued();
	of_the_process();
	others();
	return 0;
}
