/* SPDX-License-Identifier: MIT */
/* Loops that wait for a variable and do nothing else: no `pause`, no call, no atomic instruction that is counted. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 3
#define ROUNDS 16

#define AS_WRITTEN __attribute__((noinline, optimize("O0")))
#define COMPILED __attribute__((noinline, optimize("O2")))

static atomic_int turn, arrived, lock;
static volatile int flag;
static int guarded;
static double sums[THREADS];

COMPILED static void await(int wanted)
{
	while (atomic_load_explicit(&turn, memory_order_relaxed) % THREADS != wanted)
		;
}

AS_WRITTEN static int current_turn(int *where)
{
	int now = atomic_load(&turn);
	*where = now; /* on the caller's stack, the same each time round */
	return now;
}

static int (*volatile by_pointer)(int *) = current_turn; /* as functions of libraries are called */

AS_WRITTEN static void await_by_calls(int wanted)
{
	int seen = 0;
	while (current_turn(&seen) % THREADS != wanted || by_pointer(&seen) % THREADS != wanted)
		;
}

COMPILED static void take_lock(void)
{
	while (atomic_exchange(&lock, 1)) /* stores what is there already */
		;
}

static void *take_turns(void *argument)
{
	int self = (int)(long)argument;
	double sum = 1.0 / (self + 3);
	atomic_fetch_add(&arrived, 1);
	while (atomic_load(&arrived) != THREADS)
		;
	for (int round = 0; round < ROUNDS; round++) {
		if (round % 2)
			await(self);
		else
			await_by_calls(self);
		sum = sum * 1.5 + round; /* in a register that is not the loop's */
		atomic_fetch_add(&turn, 1);
	}
	for (int round = 0; round < ROUNDS; round++) {
		take_lock();
		int before = guarded;
		if (round % 8 == 0)
			usleep(1); /* the others find it taken */
		guarded = before + 1;
		atomic_store(&lock, 0);
	}
	sums[self] = sum;
	return NULL;
}

static void threads(void)
{
	pthread_t all[THREADS];
	for (long i = 0; i < THREADS; i++)
		pthread_create(&all[i], NULL, take_turns, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(all[i], NULL);
	for (int i = 0; i < THREADS; i++)
		printf("%.17g\n", sums[i]);
	printf("%d turns, %d times locked\n", atomic_load(&turn), guarded);
}

static void on_signal(int sig)
{
	flag = sig;
}

static void await_signals(void)
{
	const struct itimerval soon = {.it_value = {.tv_usec = 20000}};
	signal(SIGALRM, on_signal);
	setitimer(ITIMER_REAL, &soon, NULL);
	while (!flag)
		;
	printf("signal %d\n", flag);
	flag = 0;
	signal(SIGUSR1, on_signal);
	pid_t parent = getpid(), child = fork();
	if (!child) {
		usleep(20000);
		kill(parent, SIGUSR1);
		_exit(0);
	}
	while (!flag)
		;
	printf("signal %d\n", flag);
	assert(waitpid(child, NULL, 0) == child);
}

static void *sleep_then_set(void *argument)
{
	usleep(30000);
	flag = 1;
	return argument;
}

static void await_sleeper(void)
{
	pthread_t sleeper;
	flag = 0;
	pthread_create(&sleeper, NULL, sleep_then_set, NULL);
	while (!flag)
		;
	puts("woken");
	pthread_join(sleeper, NULL);
}

static void processes(void)
{
	volatile int *words = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	assert(words != MAP_FAILED);
	pid_t child = fork();
	if (!child) {
		while (!words[0])
			;
		words[1] = words[0] + 1;
		_exit(3);
	}
	words[0] = 41;
	while (!words[1])
		;
	assert(waitpid(child, &status, 0) == child);
	printf("%d, status %d\n", words[1], WEXITSTATUS(status));
}

int main(void)
{
	threads();
	await_signals();
	await_sleeper();
	processes();
	return 0;
}
