/* SPDX-License-Identifier: MIT */
/* For prices.test: what blocks of memory cost in virtual time, by kind and length, and what locks cost.
 *
 * prices blocks: lines KIND BYTES PICOSECONDS. prices locks: lines KIND PICOSECONDS. prices alarm, prices threads: how
 * often a loop that does nothing but copy blocks goes round before it is interrupted. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

enum { ROUNDS = 64 };

static long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

/* What the compiler cannot look into. */
#define OPAQUE __attribute__((noipa))
OPAQUE static void use(void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}

static long per_round(void (*work)(void))
{
	long start = now();
	for (int i = 0; i < ROUNDS; i++)
		work();
	return (now() - start) * 1000 / ROUNDS;
}

/* clang-format off */
#define KINDS(X, n) \
	X(copy, n) X(move, n) X(fill, n) X(zero, n) X(assign, n) X(clear, n) X(initialise, n) X(text, n) \
	X(argument, n) X(result, n) X(variable, n) X(variable_fill, n) X(length, n)
/* clang-format on */

#define FUNCTIONS(n) \
	static struct block_##n { \
		char bytes[n]; \
	} from_##n, to_##n; \
	OPAQUE static void copy_##n(void) \
	{ \
		memcpy(&to_##n, &from_##n, n); \
	} \
	OPAQUE static void move_##n(void) \
	{ \
		memmove(&to_##n, &from_##n, n); \
	} \
	OPAQUE static void fill_##n(void) \
	{ \
		memset(&to_##n, 'x', n); \
		to_##n.bytes[n - 1] = 0; \
	} \
	OPAQUE static void zero_##n(void) \
	{ \
		memset(&from_##n, 0, n); \
	} \
	OPAQUE static void assign_##n(void) \
	{ \
		from_##n = to_##n; \
	} \
	OPAQUE static void clear_##n(void) \
	{ \
		from_##n = (struct block_##n){0}; \
	} \
	OPAQUE static void initialise_##n(void) \
	{ \
		char local[n] = {(char)now_of_no_interest}; \
		use(local); \
	} \
	OPAQUE static void text_##n(void) \
	{ \
		char local[n] = "a text"; \
		use(local); \
	} \
	OPAQUE static void take_##n(struct block_##n block) \
	{ \
		use(&block); \
	} \
	OPAQUE static void argument_##n(void) \
	{ \
		take_##n(from_##n); \
	} \
	OPAQUE static struct block_##n give_##n(void) \
	{ \
		return to_##n; \
	} \
	OPAQUE static void result_##n(void) \
	{ \
		from_##n = give_##n(); \
	} \
	OPAQUE static void variable_##n(void) \
	{ \
		memcpy(&from_##n, &to_##n, bytes_##n); \
	} \
	OPAQUE static void variable_fill_##n(void) \
	{ \
		memset(&to_##n, 'x', bytes_##n - 1); \
	} \
	OPAQUE static void length_##n(void) \
	{ \
		now_of_no_interest = (long)strlen(to_##n.bytes); \
	}

static volatile long now_of_no_interest;
static volatile size_t bytes_64 = 64, bytes_256 = 256, bytes_300 = 300, bytes_1000 = 1000, bytes_8192 = 8192,
		       bytes_100000 = 100000;
/* clang-format off */
FUNCTIONS(64)
FUNCTIONS(256)
FUNCTIONS(300)
FUNCTIONS(1000)
FUNCTIONS(8192)
FUNCTIONS(100000)
/* clang-format on */

static void blocks(void)
{
#define SHOW(kind, n) printf("%s %d %ld\n", #kind, n, per_round(kind##_##n));
	KINDS(SHOW, 64)
	KINDS(SHOW, 256)
	KINDS(SHOW, 300)
	KINDS(SHOW, 1000)
	KINDS(SHOW, 8192)
	KINDS(SHOW, 100000)
}

static long word;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t sem;

#define LOCKS(X) \
	X(nothing, (void)0) \
	X(atomic_load, now_of_no_interest = __atomic_load_n(&word, __ATOMIC_SEQ_CST)) \
	X(release_store, __atomic_store_n(&word, 1, __ATOMIC_RELEASE)) \
	X(sync_release, __sync_lock_release(&word)) \
	X(add, __atomic_fetch_add(&word, 1, __ATOMIC_RELAXED)) \
	X(exchange, now_of_no_interest = __atomic_exchange_n(&word, 1, __ATOMIC_ACQUIRE)) \
	X(compare, __sync_bool_compare_and_swap(&word, 1, 2)) \
	X(bit, now_of_no_interest = (__atomic_fetch_or(&word, 4, __ATOMIC_RELAXED) & 4) != 0) \
	X(zero_test, now_of_no_interest = __atomic_sub_fetch(&word, 1, __ATOMIC_RELAXED) == 0) \
	X(ordered_store, __atomic_store_n(&word, 1, __ATOMIC_SEQ_CST)) \
	X(fence, __atomic_thread_fence(__ATOMIC_SEQ_CST)) \
	X(mutex, (pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex))) \
	X(rwlock, (pthread_rwlock_rdlock(&rwlock), pthread_rwlock_unlock(&rwlock))) \
	X(spin, (pthread_spin_lock(&spin), pthread_spin_unlock(&spin))) \
	X(semaphore, (sem_post(&sem), sem_wait(&sem)))

#define LOCK_FUNCTION(kind, expression) \
	OPAQUE static void lock_##kind(void) \
	{ \
		expression; \
	}
LOCKS(LOCK_FUNCTION)

static void locks(void)
{
	pthread_spin_init(&spin, 0);
	sem_init(&sem, 0, 0);
#define SHOW_LOCK(kind, expression) printf("%s %ld\n", #kind, per_round(lock_##kind));
	LOCKS(SHOW_LOCK)
}

static volatile sig_atomic_t stop;

static void ring(int signal)
{
	(void)signal;
	stop = 1;
}

static void *set_stop(void *unused)
{
	stop = 1;
	return unused;
}

static long copy_until_stopped(void)
{
	long rounds = 0;
	for (; !stop; rounds++) {
		memcpy(&to_8192, &from_8192, 8192);
		use(&to_8192);
	}
	return rounds;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	(void)argc;
	switch (argv[1][0]) {
	case 'b':
		blocks();
		break;
	case 'l':
		locks();
		break;
	case 'a':
		signal(SIGALRM, ring);
		setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 10000}}, NULL);
		printf("rounds %ld\n", copy_until_stopped());
		break;
	case 't':
		pthread_create(&thread, NULL, set_stop, NULL);
		printf("rounds %ld\n", copy_until_stopped());
		pthread_join(thread, NULL);
		break;
	}
	return 0;
}
