/* SPDX-License-Identifier: MIT */
/* Read-write locks: what each call says of a lock that is free, read, or written; attributes; deadlines. */
#include <pthread.h>

#include "sync.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *try_read(void *unlock)
{
	int error = pthread_rwlock_tryrdlock(&lock);
	if (!error && unlock)
		pthread_rwlock_unlock(&lock);
	return (void *)(long)error;
}

static void *try_write(void *unlock)
{
	int error = pthread_rwlock_trywrlock(&lock);
	if (!error && unlock)
		pthread_rwlock_unlock(&lock);
	return (void *)(long)error;
}

static void show_others(const char *when)
{
	printf("%s\n", when);
	SAY_ERROR((int)(long)in_thread(try_read, &lock));
	SAY_ERROR((int)(long)in_thread(try_write, &lock));
}

static void *timed_write(void *clock)
{
	struct timespec soon = after_ms(*(clockid_t *)clock, 5), past = after_ms(*(clockid_t *)clock, -5000);
	SAY_ERROR(pthread_rwlock_clockwrlock(&lock, *(clockid_t *)clock, &soon));
	SAY_TRUE(has_passed(*(clockid_t *)clock, soon));
	SAY_ERROR(pthread_rwlock_clockwrlock(&lock, *(clockid_t *)clock, &past));
	if (*(clockid_t *)clock == CLOCK_REALTIME)
		SAY_ERROR(pthread_rwlock_timedwrlock(&lock, &soon));
	return NULL;
}

static void *timed_read(void *clock)
{
	struct timespec soon = after_ms(*(clockid_t *)clock, 5), past = after_ms(*(clockid_t *)clock, -5000);
	SAY_ERROR(pthread_rwlock_clockrdlock(&lock, *(clockid_t *)clock, &soon));
	SAY_TRUE(has_passed(*(clockid_t *)clock, soon));
	SAY_ERROR(pthread_rwlock_clockrdlock(&lock, *(clockid_t *)clock, &past));
	if (*(clockid_t *)clock == CLOCK_REALTIME)
		SAY_ERROR(pthread_rwlock_timedrdlock(&lock, &soon));
	return NULL;
}

static void check_states(void)
{
	show_others("free");
	SAY_ERROR(pthread_rwlock_rdlock(&lock));
	SAY_ERROR(pthread_rwlock_rdlock(&lock));
	show_others("read twice");
	SAY_ERROR(pthread_rwlock_trywrlock(&lock));
	SAY_ERROR(pthread_rwlock_unlock(&lock));
	show_others("read once");
	SAY_ERROR(pthread_rwlock_unlock(&lock));
	SAY_ERROR(pthread_rwlock_wrlock(&lock));
	show_others("written");
	SAY_ERROR(pthread_rwlock_rdlock(&lock));
	SAY_ERROR(pthread_rwlock_wrlock(&lock));
	SAY_ERROR(pthread_rwlock_tryrdlock(&lock));
	SAY_ERROR(pthread_rwlock_trywrlock(&lock));
	SAY_ERROR(pthread_rwlock_unlock(&lock));
	show_others("free");
}

static void check_deadlines(clockid_t clock)
{
	struct timespec soon = after_ms(clock, 1000), wrong = {0, 1000000000};
	SAY_ERROR(pthread_rwlock_wrlock(&lock));
	in_thread(timed_write, &clock);
	in_thread(timed_read, &clock);
	SAY_ERROR(pthread_rwlock_clockrdlock(&lock, clock, &soon));
	SAY_ERROR(pthread_rwlock_clockwrlock(&lock, clock, &soon));
	SAY_ERROR(pthread_rwlock_unlock(&lock));
	SAY_ERROR(pthread_rwlock_clockrdlock(&lock, clock, &soon));
	in_thread(timed_write, &clock);
	SAY_ERROR(pthread_rwlock_unlock(&lock));
	SAY_ERROR(pthread_rwlock_clockwrlock(&lock, clock, &soon));
	SAY_ERROR(pthread_rwlock_unlock(&lock));
	SAY_ERROR(pthread_rwlock_clockrdlock(&lock, clock, &wrong));
	SAY_ERROR(pthread_rwlock_clockwrlock(&lock, clock, &wrong));
}

static void check_attributes(void)
{
	pthread_rwlockattr_t attributes;
	int shared, kind;
	SAY_ERROR(pthread_rwlockattr_init(&attributes));
	SAY_ERROR(pthread_rwlockattr_getpshared(&attributes, &shared));
	SAY_ERROR(pthread_rwlockattr_getkind_np(&attributes, &kind));
	printf("shared %d, kind %d\n", shared, kind);
	SAY_ERROR(pthread_rwlockattr_setpshared(&attributes, 2));
	SAY_ERROR(pthread_rwlockattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED));
	SAY_ERROR(pthread_rwlockattr_setkind_np(&attributes, -1));
	SAY_ERROR(pthread_rwlockattr_setkind_np(&attributes, 3));
	SAY_ERROR(pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NP));
	SAY_ERROR(pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP));
	SAY_ERROR(pthread_rwlockattr_getpshared(&attributes, &shared));
	SAY_ERROR(pthread_rwlockattr_getkind_np(&attributes, &kind));
	printf("shared %d, kind %d\n", shared, kind);
	SAY_ERROR(pthread_rwlock_init(&lock, &attributes));
	SAY_ERROR(pthread_rwlockattr_destroy(&attributes));
}

int main(void)
{
	struct timespec soon = after_ms(CLOCK_REALTIME, 1000), wrong = {0, -1};
	check_states();
	check_deadlines(CLOCK_REALTIME);
	check_deadlines(CLOCK_MONOTONIC);
	SAY_ERROR(pthread_rwlock_timedrdlock(&lock, &soon));
	SAY_ERROR(pthread_rwlock_unlock(&lock));
	SAY_ERROR(pthread_rwlock_timedwrlock(&lock, &soon));
	SAY_ERROR(pthread_rwlock_unlock(&lock));
	SAY_ERROR(pthread_rwlock_timedrdlock(&lock, &wrong));
	SAY_ERROR(pthread_rwlock_timedwrlock(&lock, &wrong));
	SAY_ERROR(pthread_rwlock_clockrdlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &soon));
	SAY_ERROR(pthread_rwlock_clockwrlock(&lock, 77, &soon));
	SAY_ERROR(pthread_rwlock_destroy(&lock));
	check_attributes();
	check_states();
	SAY_ERROR(pthread_rwlock_destroy(&lock));
	return 0;
}
