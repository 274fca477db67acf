/* SPDX-License-Identifier: MIT */
/* Attributes of mutexes. All can be combined. Process-shared has no effect, because there is one process. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>

#include "libc-port/src/thread/pthread_attr.h"

int pthread_mutexattr_init(pthread_mutexattr_t *attributes)
{
	*attributes = (pthread_mutexattr_t){0};
	return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *)
{
	return 0;
}

ATTR_GET(pthread_mutexattr_gettype, pthread_mutexattr_t, int, __type)
ATTR_SET(pthread_mutexattr_settype, pthread_mutexattr_t, __type, 0, PTHREAD_MUTEX_ADAPTIVE_NP)
ATTR_GET(pthread_mutexattr_getpshared, pthread_mutexattr_t, int, __shared)
ATTR_SET(pthread_mutexattr_setpshared, pthread_mutexattr_t, __shared, 0, PTHREAD_PROCESS_SHARED)
ATTR_GET(pthread_mutexattr_getprotocol, pthread_mutexattr_t, int, __protocol)
ATTR_SET(pthread_mutexattr_setprotocol, pthread_mutexattr_t, __protocol, 0, PTHREAD_PRIO_PROTECT)
ATTR_GET(pthread_mutexattr_getrobust, pthread_mutexattr_t, int, __robust)
ATTR_SET(pthread_mutexattr_setrobust, pthread_mutexattr_t, __robust, 0, PTHREAD_MUTEX_ROBUST)
ATTR_GET(pthread_mutexattr_getrobust_np, pthread_mutexattr_t, int, __robust)
ATTR_SET(pthread_mutexattr_setrobust_np, pthread_mutexattr_t, __robust, 0, PTHREAD_MUTEX_ROBUST)

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
