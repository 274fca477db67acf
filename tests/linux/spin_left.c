/* SPDX-License-Identifier: MIT */
/* A thread leaves a loop that counts it in and out, and then works for a while: whether the monitor looks meanwhile,
 * and finds no loop, makes no difference. The times are around those after which it does. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static int stop, inside;

static void on_signal(int sig)
{
	(void)sig;
	stop = 1;
}

static void *await_signal(void *rounds)
{
	int seen;
	do {
		__atomic_fetch_add(&inside, 1, __ATOMIC_SEQ_CST);
		seen = 0;
		__asm__ volatile("lock xaddl %0, %1" : "+r"(seen), "+m"(stop)::"memory");
		__atomic_fetch_sub(&inside, 1, __ATOMIC_SEQ_CST);
	} while (!seen);
	for (volatile long i = 0, n = (long)rounds; i < n; i++)
		;
	return rounds;
}

static void leave_after(long rounds)
{
	pthread_t thread;
	signal(SIGUSR1, on_signal);
	pthread_create(&thread, NULL, await_signal, (void *)rounds);
	usleep(5000);
	pthread_kill(thread, SIGUSR1);
	usleep(100000);
	_exit(3); /* while the thread is there: the digest sees what is known of it */
}

int main(void)
{
	for (long rounds = 100000; rounds <= 10000000; rounds *= 10) {
		int status;
		pid_t child = fork();
		if (!child)
			leave_after(rounds);
		waitpid(child, &status, 0);
		printf("%ld rounds: status %d\n", rounds, WEXITSTATUS(status));
		fflush(stdout);
	}
	leave_after(1000000);
}
