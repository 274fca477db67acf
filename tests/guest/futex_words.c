/* SPDX-License-Identifier: MIT */
/* futex(2) without priority inheritance: what each operation returns, does to the words, and whom it wakes. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long futex(void *word, int op, unsigned value, const void *timeout, void *word2, unsigned value3)
{
	long result = syscall(SYS_futex, word, op, value, timeout, word2, value3);
	return result < 0 ? -errno : result;
}

/* As the fourth argument of operations that take a number there. */
static const void *number(unsigned long n)
{
	return (const void *)n;
}

static void say(const char *what, long result)
{
	printf("%s: %ld\n", what, result);
}

static void errors(void)
{
	static uint32_t word = 5, other;
	const struct timespec negative = {-1, 0}, odd = {0, 1000000000}, soon = {0, 1000000};
	say("other value", futex(&word, FUTEX_WAIT, 4, NULL, NULL, 0));
	say("not aligned", futex((char *)&word + 1, FUTEX_WAIT, 5, NULL, NULL, 0));
	say("no memory", futex((void *)64, FUTEX_WAIT, 5, NULL, NULL, 0));
	say("negative timeout", futex(&word, FUTEX_WAIT, 5, &negative, NULL, 0));
	say("too many nanoseconds", futex(&word, FUTEX_WAIT, 5, &odd, NULL, 0));
	say("timeout that cannot be read", futex(&word, FUTEX_WAIT, 5, (void *)64, NULL, 0));
	say("timeout", futex(&word, FUTEX_WAIT, 5, &soon, NULL, 0));
	say("no bits to wait for", futex(&word, FUTEX_WAIT_BITSET, 5, NULL, NULL, 0));
	say("no bits to wake", futex(&word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 0));
	say("moment in the past", futex(&word, FUTEX_WAIT_BITSET, 5, &soon, NULL, ~0U));
	say("date in the past", futex(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 5, &soon, NULL, ~0U));
	say("nobody to wake", futex(&word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, NULL, NULL, 0));
	say("wake by the clock", futex(&word, FUTEX_WAKE | FUTEX_CLOCK_REALTIME, 1, NULL, NULL, 0));
	say("unknown", futex(&word, 99, 1, NULL, NULL, 0));
	say("nobody to move", futex(&word, FUTEX_REQUEUE, 1, number(1), &other, 0));
	say("move at another value", futex(&word, FUTEX_CMP_REQUEUE, 1, number(1), &other, 4));
	say("move a negative number", futex(&word, FUTEX_CMP_REQUEUE, 1, number(-1UL), &other, 5));
	say("move to no place", futex(&word, FUTEX_CMP_REQUEUE, 1, number(1), (char *)&other + 1, 5));
}

static void wake_ops(void)
{
	static uint32_t word, other;
	static const struct {
		int operation, argument, comparison, against;
	} cases[] = {
		{FUTEX_OP_SET, 7, FUTEX_OP_CMP_EQ, 3},
		{FUTEX_OP_ADD, 5, FUTEX_OP_CMP_NE, 3},
		{FUTEX_OP_OR, 12, FUTEX_OP_CMP_LT, 4},
		{FUTEX_OP_ANDN, 1, FUTEX_OP_CMP_LE, 3},
		{FUTEX_OP_XOR, 6, FUTEX_OP_CMP_GT, 2},
		{FUTEX_OP_ADD, -5, FUTEX_OP_CMP_GE, 9},
		{FUTEX_OP_OR | FUTEX_OP_OPARG_SHIFT, 9, FUTEX_OP_CMP_EQ, -1},
		{5, 1, FUTEX_OP_CMP_EQ, 0},
		{FUTEX_OP_SET, 4, 6, 0},
	};
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned told = (unsigned)cases[i].operation << 28 | (unsigned)cases[i].comparison << 24 |
		                ((unsigned)cases[i].argument & 0xfff) << 12 | ((unsigned)cases[i].against & 0xfff);
		other = 3;
		long result = futex(&word, FUTEX_WAKE_OP, 1, number(1), &other, told);
		printf("wake_op %u: %ld, word %u\n", i, result, other);
	}
}

/** Threads that wait, and how they came back. */
struct waiters {
	uint32_t word, back;
	unsigned bits;
	long results[8];
};

static struct waiters waiters;

static void *wait_once(void *slot)
{
	long *result = slot;
	*result = futex(&waiters.word, FUTEX_WAIT_BITSET, 0, NULL, NULL, waiters.bits);
	__atomic_fetch_add(&waiters.back, 1, __ATOMIC_SEQ_CST);
	return NULL;
}

static void start(pthread_t threads[8], unsigned bits)
{
	waiters = (struct waiters){.bits = bits};
	for (int i = 0; i < 8; i++)
		pthread_create(&threads[i], NULL, wait_once, &waiters.results[i]);
}

static void finish(const char *what, pthread_t threads[8], long woken)
{
	long wrong = 0;
	for (int i = 0; i < 8; i++) {
		pthread_join(threads[i], NULL);
		wrong += waiters.results[i] != 0;
	}
	printf("%s: %ld woken, %ld came back otherwise\n", what, woken, wrong);
}

/* Repeats an operation until it has reached all eight, as they come to wait. */
static long until_all(int op, unsigned value, unsigned long value2, void *word2, unsigned value3)
{
	long all = 0;
	while (all < 8) {
		long result = futex(&waiters.word, op, value, number(value2), word2, value3);
		if (result < 0)
			return result;
		all += result;
		usleep(100);
	}
	return all;
}

static void wakes(void)
{
	static uint32_t other, third;
	pthread_t threads[8];
	start(threads, ~0U);
	finish("one by one", threads, until_all(FUTEX_WAKE, 1, 0, NULL, 0));
	start(threads, ~0U);
	finish("three at a time", threads, until_all(FUTEX_WAKE, 3, 0, NULL, 0));
	start(threads, ~0U);
	finish("all", threads, until_all(FUTEX_WAKE, 1000, 0, NULL, 0));
	start(threads, 6);
	say("other bits", futex(&waiters.word, FUTEX_WAKE_BITSET, 8, NULL, NULL, 9));
	finish("a bit in common", threads, until_all(FUTEX_WAKE_BITSET, 8, 0, NULL, 4));
	start(threads, ~0U);
	long moved = until_all(FUTEX_CMP_REQUEUE, 0, 8, &other, 0);
	say("moved", moved);
	say("left", futex(&waiters.word, FUTEX_WAKE, 8, NULL, NULL, 0));
	finish("where they were moved to", threads, futex(&other, FUTEX_WAKE, 8, NULL, NULL, 0));
	start(threads, ~0U);
	until_all(FUTEX_CMP_REQUEUE, 0, 8, &other, 0);
	say("three woken and two moved", futex(&other, FUTEX_REQUEUE, 3, number(2), &third, 0));
	say("one woken and one moved, whatever the word", futex(&third, FUTEX_REQUEUE, 1, number(8), &other, 5));
	say("left", futex(&third, FUTEX_WAKE, 8, NULL, NULL, 0));
	finish("where they were moved to", threads, futex(&other, FUTEX_WAKE, 8, NULL, NULL, 0));
	start(threads, ~0U);
	finish("by wake_op", threads,
	       until_all(FUTEX_WAKE_OP, 2, 0, &other, FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 5)));
}

static void *wait_there(void *word)
{
	return (void *)futex(word, FUTEX_WAIT, 0, NULL, NULL, 0);
}

/* A word of a file is one word, by whichever mapping; in a private mapping it is the mapping's own. */
static void mapped_twice(void)
{
	char name[] = "/tmp/futex-words-XXXXXX";
	int fd = mkstemp(name);
	unlink(name);
	ftruncate(fd, 8192);
	uint32_t *first = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 4096);
	uint32_t *second = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	uint32_t *private = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	uint32_t *same = second + 1024;
	pthread_t thread;
	void *result;
	pthread_create(&thread, NULL, wait_there, first);
	while (futex(same, FUTEX_CMP_REQUEUE, 0, number(1), first + 1, 0) != 1)
		usleep(100);
	say("woken by way of a private mapping", futex(private + 1025, FUTEX_WAKE, 1, NULL, NULL, 0));
	say("by way of another page", futex(second + 1, FUTEX_WAKE, 1, NULL, NULL, 0));
	say("by way of another mapping", futex(same + 1, FUTEX_WAKE, 1, NULL, NULL, 0));
	pthread_join(thread, &result);
	say("who waited", (long)result);
	close(fd);
}

int main(void)
{
	errors();
	wake_ops();
	wakes();
	mapped_twice();
	return 0;
}
