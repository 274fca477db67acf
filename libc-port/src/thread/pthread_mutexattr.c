/* SPDX-License-Identifier: MIT */
/* Attributes of mutexes. All can be combined. Process-shared has no effect, because there is one process. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>

static int set_attribute(int *attribute, int value, int highest)
{
	if (value < 0 || value > highest)
		return EINVAL;
	*attribute = value;
	return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attributes)
{
	*attributes = (pthread_mutexattr_t){0};
	return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *)
{
	return 0;
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *type)
{
	*type = attributes->__type;
	return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type)
{
	return set_attribute(&attributes->__type, type, PTHREAD_MUTEX_ADAPTIVE_NP);
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attributes, int *shared)
{
	*shared = attributes->__shared;
	return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared)
{
	return set_attribute(&attributes->__shared, shared, PTHREAD_PROCESS_SHARED);
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attributes, int *protocol)
{
	*protocol = attributes->__protocol;
	return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol)
{
	return set_attribute(&attributes->__protocol, protocol, PTHREAD_PRIO_PROTECT);
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attributes, int *robust)
{
	*robust = attributes->__robust;
	return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust)
{
	return set_attribute(&attributes->__robust, robust, PTHREAD_MUTEX_ROBUST);
}

int pthread_mutexattr_getrobust_np(const pthread_mutexattr_t *attributes, int *robust)
{
	return pthread_mutexattr_getrobust(attributes, robust);
}

int pthread_mutexattr_setrobust_np(pthread_mutexattr_t *attributes, int robust)
{
	return pthread_mutexattr_setrobust(attributes, robust);
}

int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attributes, int *ceiling)
{
	int lowest = sched_get_priority_min(SCHED_FIFO);
	*ceiling = attributes->__ceiling > lowest ? attributes->__ceiling : lowest;
	return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes, int ceiling)
{
	if (ceiling < sched_get_priority_min(SCHED_FIFO) || ceiling > sched_get_priority_max(SCHED_FIFO))
		return EINVAL;
	attributes->__ceiling = ceiling;
	return 0;
}
