/* SPDX-License-Identifier: MIT */
/* futex(2) with owners: locks that the kernel hands on, and those that their owner's end leaves behind. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long futex(void *word, int op, unsigned value, const void *timeout, void *word2, unsigned value3)
{
	long result = syscall(SYS_futex, word, op, value, timeout, word2, value3);
	return result < 0 ? -errno : result;
}

static uint32_t self(void)
{
	return (uint32_t)syscall(SYS_gettid);
}

/* A word with the owner by name instead of number. */
static const char *text(uint32_t word, uint32_t owner)
{
	static char line[64];
	snprintf(line, sizeof(line), "%s%s%s",
	         !(word & FUTEX_TID_MASK)           ? "nobody"
	         : (word & FUTEX_TID_MASK) == owner ? "owner"
	                                            : "another",
	         word & FUTEX_WAITERS ? " waiters" : "", word & FUTEX_OWNER_DIED ? " died" : "");
	return line;
}

static uint32_t lock, started, gate;

static void alone(void)
{
	uint32_t word = 0;
	printf("lock: %ld", futex(&word, FUTEX_LOCK_PI, 0, NULL, NULL, 0));
	printf(" %s\n", text(word, self()));
	printf("again: %ld\n", futex(&word, FUTEX_LOCK_PI, 0, NULL, NULL, 0));
	printf("try again: %ld\n", futex(&word, FUTEX_TRYLOCK_PI, 0, NULL, NULL, 0));
	printf("unlock: %ld", futex(&word, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0));
	printf(" %s\n", text(word, self()));
	printf("unlock again: %ld\n", futex(&word, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0));
	word = 0x3ffffff0;
	printf("owner that does not exist: %ld\n", futex(&word, FUTEX_LOCK_PI, 0, NULL, NULL, 0));
	word = FUTEX_OWNER_DIED;
	printf("owner has died: %ld", futex(&word, FUTEX_LOCK_PI, 0, NULL, NULL, 0));
	printf(" %s\n", text(word, self()));
	printf("not aligned: %ld\n", futex((char *)&word + 2, FUTEX_LOCK_PI, 0, NULL, NULL, 0));
	printf("by the clock: %ld\n", futex(&word, FUTEX_UNLOCK_PI | FUTEX_CLOCK_REALTIME, 0, NULL, NULL, 0));
}

static uint32_t value_of(const uint32_t *word)
{
	return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

/* Waits until a word says that somebody waits. */
static void await_waiters(const uint32_t *word)
{
	while (!(value_of(word) & FUTEX_WAITERS))
		usleep(100);
}

static void *contend(void *results)
{
	long *result = results;
	const struct timespec past = {1, 0};
	result[0] = futex(&lock, FUTEX_TRYLOCK_PI, 0, NULL, NULL, 0);
	result[1] = futex(&lock, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
	result[2] = futex(&lock, FUTEX_LOCK_PI, 0, &past, NULL, 0);
	result[3] = futex(&lock, FUTEX_LOCK_PI2, 0, &past, NULL, 0);
	__atomic_store_n(&started, 1, __ATOMIC_SEQ_CST);
	result[4] = futex(&lock, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
	result[5] = (value_of(&lock) & FUTEX_TID_MASK) == self();
	result[6] = futex(&lock, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
	return NULL;
}

static void handed_on(void)
{
	long results[7];
	pthread_t thread;
	lock = 0;
	started = 0;
	futex(&lock, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
	pthread_create(&thread, NULL, contend, results);
	while (!value_of(&started))
		usleep(100);
	await_waiters(&lock);
	usleep(2000); /* Linux: the bit may be an older one's */
	long unlocked = futex(&lock, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
	pthread_join(thread, NULL);
	printf("handed on: %ld,", unlocked);
	for (int i = 0; i < 7; i++)
		printf(" %ld", results[i]);
	printf(", then %s\n", text(lock, 0));
}

static void *wait_to_be_moved(void *result)
{
	__atomic_fetch_add(&started, 1, __ATOMIC_SEQ_CST);
	*(long *)result = futex(&gate, FUTEX_WAIT_REQUEUE_PI, 0, NULL, &lock, 0);
	if (*(long *)result == 0)
		futex(&lock, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
	return NULL;
}

static void moved(void)
{
	long results[3], moved = 0;
	pthread_t threads[3];
	lock = gate = started = 0;
	printf("wait at another value: %ld\n", futex(&gate, FUTEX_WAIT_REQUEUE_PI, 1, NULL, &lock, 0));
	printf("move at another value: %ld\n", futex(&gate, FUTEX_CMP_REQUEUE_PI, 1, (void *)5, &lock, 1));
	printf("wake two at once: %ld\n", futex(&gate, FUTEX_CMP_REQUEUE_PI, 2, (void *)5, &lock, 0));
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, wait_to_be_moved, &results[i]);
	while (moved < 3) {
		long now = futex(&gate, FUTEX_CMP_REQUEUE_PI, 1, (void *)5, &lock, 0);
		if (now < 0) {
			printf("moving: %ld\n", now);
			return;
		}
		moved += now;
		usleep(100);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	printf("moved: %ld, %ld %ld %ld, then %s\n", moved, results[0], results[1], results[2], text(lock, 0));
}

/* What wakes or moves others does not touch one that is to be moved to a lock. */
static void not_woken(void)
{
	uint32_t other = 0;
	long result, gone;
	pthread_t thread;
	lock = gate = started = 0;
	futex(&lock, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
	pthread_create(&thread, NULL, wait_to_be_moved, &result);
	while (!(gone = futex(&gate, FUTEX_WAKE, 1, NULL, NULL, 0)))
		usleep(100);
	printf("wake: %ld\n", gone);
	printf("wake by bits: %ld\n", futex(&gate, FUTEX_WAKE_BITSET, 1, NULL, NULL, 1));
	printf("wake and change: %ld\n", futex(&gate, FUTEX_WAKE_OP, 1, NULL, &other, 0));
	printf("change and wake: %ld\n", futex(&other, FUTEX_WAKE_OP, 1, (void *)1, &gate, 0));
	printf("move: %ld\n", futex(&gate, FUTEX_REQUEUE, 0, (void *)1, &other, 0));
	printf("move to another lock: %ld\n", futex(&gate, FUTEX_CMP_REQUEUE_PI, 1, (void *)1, &other, 0));
	printf("lock: %ld, unlock: %ld\n", futex(&gate, FUTEX_TRYLOCK_PI, 0, NULL, NULL, 0),
	       futex(&gate, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0));
	gate = 0;
	printf("move to its lock: %ld, %s\n", futex(&gate, FUTEX_CMP_REQUEUE_PI, 1, (void *)1, &lock, 0),
	       text(lock, self()));
	printf("wake one that waits for the lock: %ld\n", futex(&lock, FUTEX_WAKE, 1, NULL, NULL, 0));
	printf("unlock: %ld\n", futex(&lock, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0));
	pthread_join(thread, NULL);
	printf("moved: %ld, then %s\n", result, text(lock, 0));
}

static uint32_t chain[4];

/* Holds one lock and waits for the one before. */
static void *hold(void *word)
{
	uint32_t *own = word;
	long locked = futex(own, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
	locked += futex(own - 1, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
	locked += futex(own - 1, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
	locked += futex(own, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
	return (void *)locked;
}

/* Each holds a lock and waits for the one before; who holds the first does not get the last. */
static void circle(void)
{
	pthread_t threads[4];
	void *results[4];
	futex(&chain[0], FUTEX_LOCK_PI, 0, NULL, NULL, 0);
	for (int i = 1; i < 4; i++) {
		pthread_create(&threads[i], NULL, hold, &chain[i]);
		await_waiters(&chain[i - 1]);
		usleep(2000); /* Linux: it begins to wait a little later */
	}
	printf("circle: %ld,", futex(&chain[3], FUTEX_LOCK_PI, 0, NULL, NULL, 0));
	printf(" try: %ld,", futex(&chain[3], FUTEX_TRYLOCK_PI, 0, NULL, NULL, 0));
	printf(" unlock: %ld,", futex(&chain[0], FUTEX_UNLOCK_PI, 0, NULL, NULL, 0));
	for (int i = 1; i < 4; i++)
		pthread_join(threads[i], &results[i]);
	printf(" others: %ld %ld %ld\n", (long)results[1], (long)results[2], (long)results[3]);
}

static void *lock_and_look(void *word)
{
	uint32_t *own = word;
	futex(own, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
	printf("handed on: %s\n", text(*own, self()));
	futex(own, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
	return NULL;
}

/* FUTEX_WAITERS, with waiters and without. */
static void bits(void)
{
	static uint32_t word;
	pthread_t thread;
	word = FUTEX_WAITERS;
	printf("waiters alone: %ld,", futex(&word, FUTEX_LOCK_PI, 0, NULL, NULL, 0));
	printf(" %s\n", text(word, self()));
	pthread_create(&thread, NULL, lock_and_look, &word);
	await_waiters(&word);
	usleep(2000);
	futex(&word, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
	pthread_join(thread, NULL);
	printf("at the end: %s\n", text(word, 0));
}

static void not_there(void)
{
	uint32_t word = 0;
	struct timespec none = {0, 0};
	printf("wake: %ld", futex(NULL, FUTEX_WAKE, 1, NULL, NULL, 0));
	printf(" %ld\n", futex(NULL, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0));
	printf("move: %ld", futex(&word, FUTEX_REQUEUE, 1, (void *)1, (void *)8, 0));
	printf(" %ld\n", futex(&word, FUTEX_REQUEUE_PRIVATE, 1, (void *)1, (void *)8, 0));
	printf("wait by the clock: %ld\n", futex(&word, FUTEX_WAIT | FUTEX_CLOCK_REALTIME, 0, &none, NULL, 0));
}

/** A lock in a thread's robust list. */
struct robust {
	struct robust_list link;
	uint32_t word;
};

static struct robust held, pending, free_one, pi_held;

static void *die_with_locks(void *unused)
{
	static struct robust_list_head head;
	uint32_t tid = self();
	(void)unused;
	head.list.next = &held.link;
	held.link.next = &free_one.link;
	free_one.link.next = (struct robust_list *)((uintptr_t)&pi_held.link | 1);
	pi_held.link.next = &head.list;
	head.futex_offset = offsetof(struct robust, word) - offsetof(struct robust, link);
	head.list_op_pending = &pending.link;
	held.word = tid | FUTEX_WAITERS;
	pi_held.word = tid;
	pending.word = tid;
	free_one.word = 0;
	syscall(SYS_set_robust_list, &head, sizeof(head));
	syscall(SYS_exit, 0); /* without libc, which would take its own list back */
	return NULL;
}

static void *wait_for_dead(void *result)
{
	uint32_t word;
	__atomic_store_n(&started, 1, __ATOMIC_SEQ_CST);
	while (!((word = value_of(&held.word)) & FUTEX_OWNER_DIED))
		*(long *)result = futex(&held.word, FUTEX_WAIT, word, NULL, NULL, 0);
	return NULL;
}

static void left_behind(void)
{
	struct robust_list_head *head;
	size_t bytes;
	pthread_t waiter, dying;
	long result = 0;
	printf("set: %ld\n", syscall(SYS_set_robust_list, NULL, 5) < 0 ? -errno : 0L);
	printf("get: %ld", syscall(SYS_get_robust_list, 0, &head, &bytes));
	printf(" %zu\n", bytes);
	printf("get nobody's: %ld\n", syscall(SYS_get_robust_list, 0x3ffffff0, &head, &bytes) < 0 ? -errno : 0L);
	memset(&held, 0, sizeof(held));
	started = 0;
	pthread_create(&waiter, NULL, wait_for_dead, &result);
	while (!value_of(&started))
		usleep(100);
	pthread_create(&dying, NULL, die_with_locks, NULL);
	while (!(value_of(&held.word) & FUTEX_OWNER_DIED)) {
		futex(&held.word, FUTEX_WAKE, 1, NULL, NULL, 0); /* it may wait at the word's first value */
		usleep(100);
	}
	pthread_join(dying, NULL);
	futex(&held.word, FUTEX_WAKE, 1, NULL, NULL, 0);
	pthread_join(waiter, NULL);
	printf("held: %s\n", text(held.word, 0));
	printf("held with pi: %s\n", text(pi_held.word, 0));
	printf("about to be held: %s\n", text(pending.word, 0));
	printf("not held: %s\n", text(free_one.word, 0));
}

int main(void)
{
	alone();
	handed_on();
	moved();
	not_woken();
	circle();
	bits();
	not_there();
	left_behind();
	return 0;
}
