/* SPDX-License-Identifier: MIT */
/* Attributes of mutexes: defaults, what they take, what they refuse; priority ceilings. */
#include <pthread.h>

#include "sync.h"

static void show(const pthread_mutexattr_t *attributes)
{
	int type, shared, protocol, robust;
	SAY_ERROR(pthread_mutexattr_gettype(attributes, &type));
	SAY_ERROR(pthread_mutexattr_getpshared(attributes, &shared));
	SAY_ERROR(pthread_mutexattr_getprotocol(attributes, &protocol));
	SAY_ERROR(pthread_mutexattr_getrobust(attributes, &robust));
	printf("type %d, shared %d, protocol %d, robust %d\n", type, shared, protocol, robust);
}

static void check_ceiling(void)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex, plain = PTHREAD_MUTEX_INITIALIZER;
	int ceiling, old;
	pthread_mutexattr_init(&attributes);
	SAY_ERROR(pthread_mutexattr_getprioceiling(&attributes, &ceiling));
	printf("ceiling %d\n", ceiling);
	SAY_ERROR(pthread_mutexattr_setprioceiling(&attributes, 0));
	SAY_ERROR(pthread_mutexattr_setprioceiling(&attributes, 100));
	SAY_ERROR(pthread_mutexattr_setprioceiling(&attributes, 99));
	SAY_ERROR(pthread_mutexattr_setprioceiling(&attributes, 12));
	SAY_ERROR(pthread_mutexattr_getprioceiling(&attributes, &ceiling));
	printf("ceiling %d\n", ceiling);
	SAY_ERROR(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_PROTECT));
	SAY_ERROR(pthread_mutex_init(&mutex, &attributes));
	SAY_ERROR(pthread_mutex_getprioceiling(&mutex, &ceiling));
	printf("ceiling %d\n", ceiling);
	SAY_ERROR(pthread_mutex_setprioceiling(&mutex, 0, &old));
	SAY_ERROR(pthread_mutex_setprioceiling(&mutex, 100, &old));
	SAY_ERROR(pthread_mutex_getprioceiling(&plain, &ceiling));
	SAY_ERROR(pthread_mutex_setprioceiling(&plain, 5, &old));
	SAY_ERROR(pthread_mutex_destroy(&mutex));
}

/* Priorities have no effect here and none on a thread of SCHED_OTHER there: it is a mutex like others. */
static void check_inherit(int type)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;
	pthread_mutexattr_init(&attributes);
	SAY_ERROR(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT));
	SAY_ERROR(pthread_mutexattr_settype(&attributes, type));
	SAY_ERROR(pthread_mutex_init(&mutex, &attributes));
	SAY_ERROR(pthread_mutex_unlock(&mutex));
	SAY_ERROR(pthread_mutex_lock(&mutex));
	if (type != PTHREAD_MUTEX_NORMAL)
		SAY_ERROR(pthread_mutex_lock(&mutex));
	if (type == PTHREAD_MUTEX_RECURSIVE)
		SAY_ERROR(pthread_mutex_unlock(&mutex));
	SAY_ERROR(pthread_mutex_unlock(&mutex));
	SAY_ERROR(pthread_mutex_trylock(&mutex));
	SAY_ERROR(pthread_mutex_unlock(&mutex));
	SAY_ERROR(pthread_mutex_destroy(&mutex));
}

/* The old names of what robust mutexes have. */
static void check_old_names(void)
{
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	int robust;
	pthread_mutexattr_init(&attributes);
	SAY_ERROR(pthread_mutexattr_setrobust_np(&attributes, PTHREAD_MUTEX_ROBUST_NP));
	SAY_ERROR(pthread_mutexattr_getrobust_np(&attributes, &robust));
	printf("robust %d\n", robust);
	SAY_ERROR(pthread_mutex_consistent_np(&mutex));
}

int main(void)
{
	pthread_mutexattr_t attributes;
	SAY_ERROR(pthread_mutexattr_init(&attributes));
	show(&attributes);
	SAY_ERROR(pthread_mutexattr_settype(&attributes, -1));
	SAY_ERROR(pthread_mutexattr_settype(&attributes, 4));
	SAY_ERROR(pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK));
	SAY_ERROR(pthread_mutexattr_setpshared(&attributes, 2));
	SAY_ERROR(pthread_mutexattr_setpshared(&attributes, -1));
	SAY_ERROR(pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED));
	SAY_ERROR(pthread_mutexattr_setprotocol(&attributes, 3));
	SAY_ERROR(pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT));
	SAY_ERROR(pthread_mutexattr_setrobust(&attributes, 2));
	SAY_ERROR(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST));
	show(&attributes);
	SAY_ERROR(pthread_mutexattr_destroy(&attributes));
	check_old_names();
	check_ceiling();
	check_inherit(PTHREAD_MUTEX_NORMAL);
	check_inherit(PTHREAD_MUTEX_RECURSIVE);
	check_inherit(PTHREAD_MUTEX_ERRORCHECK);
	return 0;
}
