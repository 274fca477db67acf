/* SPDX-License-Identifier: MIT */
/* Threads that increment a word of the heap, each ordered by another means of synchronisation: no race. */
#define _GNU_SOURCE 1
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#define THREADS 3
#define ROUNDS 4

static int *words; /* [0]: the counter */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t sem;
static atomic_int turn, flag, futex_word;
static int plain_flag; /* by the compiler's atomic operations */
static int fds[2];

static void by_mutex(int self)
{
	(void)self;
	pthread_mutex_lock(&mutex);
	words[0]++;
	pthread_mutex_unlock(&mutex);
}

static void by_rwlock(int self)
{
	if (self % 2) {
		pthread_rwlock_wrlock(&rwlock);
		words[0]++;
	} else {
		pthread_rwlock_rdlock(&rwlock);
		words[8 + self] += words[0];
	}
	pthread_rwlock_unlock(&rwlock);
}

static void by_semaphore(int self)
{
	(void)self;
	sem_wait(&sem);
	words[0]++;
	sem_post(&sem);
}

static void by_condition(int self)
{
	pthread_mutex_lock(&mutex);
	while (words[1] != self)
		pthread_cond_wait(&cond, &mutex);
	words[0]++;
	words[1] = (self + 1) % THREADS;
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&mutex);
}

static void by_spin_lock(int self)
{
	(void)self;
	pthread_spin_lock(&spin);
	words[0]++;
	pthread_spin_unlock(&spin);
}

static void by_barrier(int self)
{
	for (int i = 0; i < THREADS; i++) {
		if (i == self)
			words[0]++;
		pthread_barrier_wait(&barrier);
	}
}

static void initialise(void)
{
	words[0]++;
}

static void by_once(int self)
{
	pthread_once(&once, initialise);
	words[1 + self] += words[0];
}

/* A plain store releases, and a plain load acquires. */
static void by_turn(int self)
{
	while (atomic_load_explicit(&turn, memory_order_acquire) != self)
		sched_yield();
	words[0]++;
	atomic_store_explicit(&turn, (self + 1) % THREADS, memory_order_release);
}

static void by_fence(int self)
{
	while (atomic_load_explicit(&turn, memory_order_relaxed) != self)
		sched_yield();
	atomic_thread_fence(memory_order_acquire);
	words[0]++;
	atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&turn, (self + 1) % THREADS, memory_order_relaxed);
}

static void by_builtin(int self)
{
	while (__atomic_load_n(&plain_flag, __ATOMIC_ACQUIRE) != self)
		sched_yield();
	words[0]++;
	__atomic_store_n(&plain_flag, (self + 1) % THREADS, __ATOMIC_RELEASE);
}

/* A lock whose unlock is a plain store. */
static void by_own_spin_lock(int self)
{
	(void)self;
	while (atomic_exchange(&flag, 1))
		sched_yield();
	words[0]++;
	atomic_store_explicit(&flag, 0, memory_order_release);
}

/* Mutex 2 of Drepper, "Futexes Are Tricky". */
static void by_own_futex(int self)
{
	int was = 0;
	(void)self;
	if (!atomic_compare_exchange_strong(&futex_word, &was, 1)) {
		if (was != 2)
			was = atomic_exchange(&futex_word, 2);
		while (was) {
			syscall(SYS_futex, &futex_word, FUTEX_WAIT, 2, NULL, NULL, 0);
			was = atomic_exchange(&futex_word, 2);
		}
	}
	words[0]++;
	if (atomic_fetch_sub(&futex_word, 1) != 1) {
		atomic_store_explicit(&futex_word, 0, memory_order_release);
		syscall(SYS_futex, &futex_word, FUTEX_WAKE, 1, NULL, NULL, 0);
	}
}

static void by_pipe(int self)
{
	char byte;
	(void)self;
	if (read(fds[0], &byte, 1) != 1)
		abort();
	words[0]++;
	if (write(fds[1], &byte, 1) != 1)
		abort();
}

static void by_eventfd(int self)
{
	uint64_t one;
	(void)self;
	if (read(fds[0], &one, sizeof(one)) != sizeof(one))
		abort();
	words[0]++;
	if (write(fds[0], &one, sizeof(one)) != sizeof(one))
		abort();
}

/* The first thread publishes; the others read what they find (read-copy-update). */
static int *_Atomic published;
static void by_publishing(int self)
{
	if (!self) {
		int *next = malloc(sizeof(*next));
		*next = 1;
		(*next)++;
		atomic_store_explicit(&published, next, memory_order_release);
		return;
	}
	int *now = atomic_load_explicit(&published, memory_order_consume);
	if (now)
		words[self] += *now;
}

/* Memory goes from thread to thread through the allocator. */
static void by_allocator(int self)
{
	int *memory[8];
	(void)self;
	for (int i = 0; i < 8; i++) {
		memory[i] = malloc(2000);
		memory[i][3]++;
	}
	for (int i = 0; i < 8; i++)
		free(memory[i]);
}

/* What the first of them writes, the others read. */
static void write_once(void)
{
	words[1] += 5;
}

static void by_c11_once(int self)
{
	static once_flag flag = ONCE_FLAG_INIT;
	(void)self;
	call_once(&flag, write_once);
	assert(words[1] == 5);
}

static const struct way {
	const char *name;
	void (*use)(int self);
} ways[] = {{"mutex", by_mutex},
            {"rwlock", by_rwlock},
            {"semaphore", by_semaphore},
            {"condition", by_condition},
            {"spin", by_spin_lock},
            {"barrier", by_barrier},
            {"once", by_once},
            {"c11_once", by_c11_once},
            {"turn", by_turn},
            {"fence", by_fence},
            {"builtin", by_builtin},
            {"own_spin", by_own_spin_lock},
            {"own_futex", by_own_futex},
            {"pipe", by_pipe},
            {"socket", by_pipe},
            {"eventfd", by_eventfd},
            {"publishing", by_publishing},
            {"allocator", by_allocator}};

static const struct way *way;

static void *work(void *argument)
{
	for (int i = 0; i < ROUNDS; i++)
		way->use((int)(long)argument);
	return NULL;
}

/* Each thread is joined before the next one is made. */
static void by_joins(void)
{
	pthread_t thread;
	way = &ways[0];
	for (long i = 0; i < THREADS; i++) {
		words[0]++;
		pthread_create(&thread, NULL, work, (void *)i);
		pthread_join(thread, NULL);
	}
	words[0]++;
}

static void handle(int sig)
{
	(void)sig;
	words[0]++;
	atomic_store(&flag, 1);
}

static void *wait_for_signal(void *unused)
{
	(void)unused;
	while (!atomic_load(&flag))
		sched_yield();
	return NULL;
}

static void by_signal(void)
{
	pthread_t thread;
	signal(SIGUSR1, handle);
	pthread_create(&thread, NULL, wait_for_signal, NULL);
	words[0]++;
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	words[0]++;
}

static void prepare(void)
{
	char byte = 0;
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_barrier_init(&barrier, NULL, THREADS);
	sem_init(&sem, 0, 1);
	if (!strcmp(way->name, "eventfd"))
		fds[0] = eventfd(1, 0);
	else if (!strcmp(way->name, "socket") ? socketpair(AF_UNIX, SOCK_STREAM, 0, fds) : pipe(fds))
		abort();
	if (!strcmp(way->name, "socket") ? write(fds[1], &byte, 1) != 1 : fds[1] && write(fds[1], &byte, 1) != 1)
		abort();
	if (!strcmp(way->name, "socket"))
		fds[1] = dup(fds[1]);
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	words = calloc(64, sizeof(*words));
	if (argc != 2 || !words)
		return 2;
	if (!strcmp(argv[1], "joins"))
		return by_joins(), 0;
	if (!strcmp(argv[1], "signal"))
		return by_signal(), 0;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		if (!strcmp(argv[1], ways[i].name))
			way = &ways[i];
	if (!way)
		return 2;
	prepare();
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	words[0]++;
	return 0;
}
