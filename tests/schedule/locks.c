/* SPDX-License-Identifier: MIT */
/* Two mutexes, taken in one order by a thread and in the other order by the other: locks HOW. With "order" they come to
 * a deadlock in some schedules alone, with "always" in all; "self" takes a mutex twice, "many" leaves ten thousand
 * threads waiting for a condition, and "kinds" a thread for each kind of object. "owner" waits for a lock of the
 * kernel's, and "once" for an initialisation of which it is part. */
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MANY 10000

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t both_have_one;
static int meet;

static void take(pthread_mutex_t *one, pthread_mutex_t *other)
{
	pthread_mutex_lock(one);
	if (meet)
		pthread_barrier_wait(&both_have_one);
	pthread_mutex_lock(other);
	pthread_mutex_unlock(other);
	pthread_mutex_unlock(one);
}

static void *in_order(void *argument)
{
	take(&first, &second);
	return argument;
}

static void *against_it(void *argument)
{
	take(&second, &first);
	return argument;
}

static void *wait_for_ever(void *argument)
{
	pthread_mutex_lock(&first);
	for (;;)
		pthread_cond_wait(&never, &first);
	return argument;
}

static pthread_rwlock_t written = PTHREAD_RWLOCK_INITIALIZER, read_once = PTHREAD_RWLOCK_INITIALIZER;
static pthread_rwlock_t read_twice = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static sem_t semaphore;

static void *to_read(void *argument)
{
	pthread_rwlock_rdlock(&read_twice);
	pthread_rwlock_rdlock(&written);
	return argument;
}

static void *to_write(void *argument)
{
	pthread_rwlock_wrlock(&read_once);
	return argument;
}

static void *to_write_read_twice(void *argument)
{
	pthread_rwlock_wrlock(&read_twice);
	return argument;
}

static void *to_spin(void *argument)
{
	pthread_spin_lock(&spin);
	return argument;
}

static void *to_meet(void *argument)
{
	pthread_barrier_wait(&both_have_one);
	return argument;
}

static void *to_have_a_post(void *argument)
{
	sem_wait(&semaphore);
	return argument;
}

static pthread_t start(void *(*function)(void *), const char *name)
{
	pthread_attr_t attributes;
	pthread_t thread;
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 65536);
	if (pthread_create(&thread, &attributes, function, NULL)) {
		puts("no thread");
		exit(1);
	}
	pthread_attr_destroy(&attributes);
	if (name)
		pthread_setname_np(thread, name);
	return thread;
}

/* What this thread holds, the others wait for; it lets go of one lock that another reads, too. */
static void wait_for_all_kinds(void)
{
	pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
	pthread_barrier_init(&both_have_one, NULL, 2);
	sem_init(&semaphore, 0, 0);
	pthread_spin_lock(&spin);
	pthread_rwlock_wrlock(&written);
	pthread_rwlock_rdlock(&read_once);
	pthread_rwlock_rdlock(&read_twice);
	start(to_read, NULL);
	sched_yield();
	pthread_rwlock_unlock(&read_twice);
	start(to_write, NULL);
	start(to_write_read_twice, NULL);
	start(to_spin, NULL);
	start(to_meet, NULL);
	pthread_join(start(to_have_a_post, NULL), NULL);
}

static unsigned owned;

static void *to_own(void *argument)
{
	syscall(SYS_futex, &owned, FUTEX_LOCK_PI, 0, NULL, NULL, 0);
	return argument;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void again(void)
{
	pthread_once(&once, again);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	if (!strcmp(how, "self")) {
		pthread_mutex_lock(&first);
		pthread_mutex_lock(&first);
	}
	if (!strcmp(how, "owner")) {
		to_own(NULL);
		pthread_join(start(to_own, NULL), NULL);
	}
	if (!strcmp(how, "once"))
		again();
	if (!strcmp(how, "many")) {
		for (int i = 0; i < MANY; i++)
			start(wait_for_ever, NULL);
		pthread_join(start(wait_for_ever, "last"), NULL);
	}
	if (!strcmp(how, "kinds"))
		wait_for_all_kinds();
	meet = !strcmp(how, "always");
	pthread_barrier_init(&both_have_one, NULL, 2);
	pthread_t one = start(in_order, "ordered"), other = start(against_it, "opposed");
	pthread_join(one, NULL);
	pthread_join(other, NULL);
	puts("both have had both");
	return 0;
}
