/* SPDX-License-Identifier: MIT */
/* Loops that wait for a variable and count, compute or call meanwhile: no state of theirs comes again. */
/* sleeps order the threads */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define AS_WRITTEN __attribute__((noinline, optimize("O0")))
#define COMPILED __attribute__((noinline, optimize("O2")))

#define WORKERS 3

struct work {
	atomic_int stop;
	long rounds;
	double sum;
};

static struct work shared;
static atomic_int stop, held;
static volatile int plain_stop;
static volatile double moment;
static long rounds;
static volatile long noise;
static sem_t begun;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

COMPILED static void *in_register(void *argument)
{
	long n = 0;
	(void)argument;
	while (!atomic_load_explicit(&stop, memory_order_relaxed))
		n++;
	return (void *)n;
}

AS_WRITTEN static void *on_stack(void *argument)
{
	long n = 0;
	(void)argument;
	while (!plain_stop)
		n++;
	return (void *)n;
}

COMPILED static void *in_variable(void *argument)
{
	(void)argument;
	while (!atomic_load(&stop))
		rounds++;
	return (void *)rounds;
}

AS_WRITTEN static void *in_field_as_written(void *argument)
{
	struct work *work = argument;
	while (!work->stop)
		work->rounds++;
	return (void *)work->rounds;
}

COMPILED static void *in_field(void *argument)
{
	struct work *work = argument;
	while (!atomic_load_explicit(&work->stop, memory_order_relaxed))
		work->sum = work->sum * 0.5 + 1;
	return (void *)(long)(work->sum > 1);
}

COMPILED static unsigned step(unsigned x)
{
	for (int i = 0; i < 10; i++)
		x = x * 1664525 + 1013904223;
	return x;
}

COMPILED static void *by_calls(void *argument)
{
	unsigned x = 1;
	long n = 0;
	(void)argument;
	while (!atomic_load(&stop)) {
		x = step(x);
		n++;
	}
	noise = x;
	return (void *)n;
}

/* Locks that are tried and counted. */
COMPILED static void *by_exchange(void *argument)
{
	long n = 0;
	(void)argument;
	while (atomic_exchange_explicit(&held, 1, memory_order_acquire))
		n++;
	atomic_store(&held, 0);
	return (void *)n;
}

COMPILED static void *by_comparing(void *argument)
{
	long n = 0;
	int none = 0;
	(void)argument;
	while (!atomic_compare_exchange_strong(&held, &none, 1)) {
		none = 0;
		n++;
	}
	atomic_store(&held, 0);
	return (void *)n;
}

COMPILED static void *by_a_bit(void *argument)
{
	long n = 0;
	(void)argument;
	while (atomic_fetch_or(&held, 1) & 1)
		n++;
	atomic_store(&held, 0);
	return (void *)n;
}

AS_WRITTEN static int is_stopped(void)
{
	return plain_stop;
}

AS_WRITTEN static void *by_a_function(void *argument)
{
	struct work *work = argument;
	while (!is_stopped())
		work->rounds++;
	return (void *)work->rounds;
}

/* Who counts is elsewhere than what is looked at, which the types tell. */
COMPILED static void *by_pointers(void *argument)
{
	struct work *volatile *pointers = argument;
	while (!atomic_load_explicit(&pointers[0]->stop, memory_order_relaxed))
		pointers[1]->rounds++;
	return (void *)pointers[1]->rounds;
}

/* An inner loop that ends by itself, and a condition in the midst. */
COMPILED static void *nested(void *argument)
{
	long n = 0;
	(void)argument;
	for (;;) {
		for (int i = 0; i < 7; i++)
			n += i ^ n;
		if (atomic_load_explicit(&stop, memory_order_relaxed) == 1)
			break;
		n |= 1;
	}
	return (void *)n;
}

COMPILED static void *of_doubles(void *argument)
{
	long n = 0;
	(void)argument;
	while (moment == 0.0)
		n++;
	return (void *)n;
}

/* What is carried from one round to the next goes through registers. */
__attribute__((noinline, optimize("Os"))) static void *by_moves(void *argument)
{
	long a = 0, b = 1;
	(void)argument;
	while (!plain_stop) {
		long sum = (long)((unsigned long)a + (unsigned long)b);
		a = b;
		b = sum;
	}
	return (void *)(a | 1);
}

/* No count, but no state that is found to come again, either. */
COMPILED static void *of_doubles_only(void *argument)
{
	(void)argument;
	while (moment == 0.0)
		;
	return (void *)1;
}

COMPILED static void *under_lock(void *argument)
{
	(void)argument;
	while (!atomic_load(&stop)) {
		pthread_mutex_lock(&mutex);
		rounds++;
		pthread_mutex_unlock(&mutex);
	}
	return (void *)rounds;
}

COMPILED static void *without_end(void *argument)
{
	for (;;)
		noise++;
	return argument;
}

/* Has begun before anybody is told to end. */
static void *begin(void *argument)
{
	sem_post(&begun);
	return ((void *(*)(void *))argument)(&shared);
}

static void run(const char *name, void *(*loop)(void *), unsigned count)
{
	pthread_t threads[WORKERS];
	void *counted = NULL;
	shared = (struct work){0};
	stop = plain_stop = 0;
	held = 1;
	moment = 0;
	rounds = 0;
	for (unsigned i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, begin, (void *)loop);
	for (unsigned i = 0; i < count; i++)
		sem_wait(&begun);
	usleep(20000);
	stop = plain_stop = 1;
	shared.stop = 1;
	held = 0;
	moment = 1;
	for (unsigned i = 0; i < count; i++)
		pthread_join(threads[i], &counted);
	printf("%s: %s\n", name, counted ? "counted" : "did not count");
}

static void run_by_pointers(void)
{
	static struct work waited, counted;
	static struct work *pointers[] = {&waited, &counted};
	pthread_t thread;
	void *rounds;
	pthread_create(&thread, NULL, by_pointers, pointers);
	usleep(20000);
	waited.stop = 1;
	pthread_join(thread, &rounds);
	printf("by pointers: %s\n", rounds ? "counted" : "did not count");
}

static void on_alarm(int sig)
{
	(void)sig;
	plain_stop = 1;
}

COMPILED static void until_alarm(void)
{
	unsigned long n = 0;
	plain_stop = 0;
	signal(SIGALRM, on_alarm);
	ualarm(20000, 0);
	while (!plain_stop)
		n++;
	printf("until a signal: %s\n", n ? "counted" : "did not count");
}

COMPILED static void between_processes(void)
{
	struct work *work = mmap(NULL, sizeof(*work), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t child = fork();
	if (!child) {
		while (!work->stop)
			work->rounds++;
		_exit(work->rounds > 0);
	}
	usleep(20000);
	work->stop = 1;
	waitpid(child, &status, 0);
	printf("another process: %s\n", WEXITSTATUS(status) ? "counted" : "did not count");
}

int main(void)
{
	pthread_t thread;
	sem_init(&begun, 0, 0);
	run("in a register", in_register, 1);
	run("in three registers", in_register, WORKERS);
	run("on the stack", on_stack, 1);
	run("in a variable", in_variable, 1);
	run("in a field", in_field, 1);
	run("in a field, as written", in_field_as_written, 1);
	run("by calls", by_calls, 2);
	run("by an exchange", by_exchange, 1);
	run("by comparing", by_comparing, 1);
	run("by a bit", by_a_bit, 1);
	run("by a function", by_a_function, 1);
	run_by_pointers();
	run("nested", nested, 1);
	run("of doubles", of_doubles, 1);
	run("of doubles only", of_doubles_only, 1);
	run("by moves", by_moves, 1);
	run("under a lock", under_lock, WORKERS);
	until_alarm();
	between_processes();
	pthread_create(&thread, NULL, without_end, NULL);
	usleep(1000);
	puts("and one that goes on for ever");
	return 0;
}
