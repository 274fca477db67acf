/* SPDX-License-Identifier: MIT */
/* Attributes of new threads: pthread_attr_init(3) and related functions. pthread_attr_t contains all values. */
#include "libc-port/src/thread/pthread_attr.h"

#include <sched.h>
#include <string.h>
#include <sys/resource.h>

#include "abi/layout.h"
#include "libc-port/src/thread/thread.h"

/* Mapped memory is allocated at once, so the default cannot be the 8 MiB of Linux. */
#define DEFAULT_STACK_BYTES 0x40000UL

pthread_attr_t thread_default_attributes = {
	.__stack_size = DEFAULT_STACK_BYTES,
	.__guard_size = PAGE_SIZE,
};

int pthread_attr_init(pthread_attr_t *attr)
{
	*attr = thread_default_attributes;
	return 0;
}

int pthread_attr_destroy(pthread_attr_t *)
{
	return 0;
}

int pthread_getattr_default_np(pthread_attr_t *attr)
{
	return pthread_attr_init(attr);
}

int pthread_setattr_default_np(const pthread_attr_t *attr)
{
	if (attr->__stack_address)
		return EINVAL;
	size_t stack = attr->__stack_size ? attr->__stack_size : thread_default_attributes.__stack_size;
	thread_default_attributes = *attr;
	thread_default_attributes.__stack_size = stack;
	return 0;
}

ATTR_SET(pthread_attr_setdetachstate, pthread_attr_t, __detach_state, PTHREAD_CREATE_JOINABLE, PTHREAD_CREATE_DETACHED)
ATTR_GET(pthread_attr_getdetachstate, pthread_attr_t, int, __detach_state)

int pthread_attr_setstacksize(pthread_attr_t *attr, size_t bytes)
{
	if (bytes < PTHREAD_STACK_MIN)
		return EINVAL;
	attr->__stack_size = bytes;
	return 0;
}

ATTR_GET(pthread_attr_getstacksize, pthread_attr_t, size_t, __stack_size)

int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t bytes)
{
	if (bytes < PTHREAD_STACK_MIN)
		return EINVAL;
	attr->__stack_address = (unsigned long)stack;
	attr->__stack_size = bytes;
	return 0;
}

int pthread_attr_getstack(const pthread_attr_t *attr, void **stack, size_t *bytes)
{
	*stack = (void *)attr->__stack_address;
	*bytes = attr->__stack_size;
	return 0;
}

/* The old form: the address is the end of the stack's memory, where the stack begins. */
int pthread_attr_setstackaddr(pthread_attr_t *attr, void *end)
{
	attr->__stack_address = (unsigned long)end - attr->__stack_size;
	return 0;
}

int pthread_attr_getstackaddr(const pthread_attr_t *attr, void **end)
{
	*end = attr->__stack_address ? (void *)(attr->__stack_address + attr->__stack_size) : NULL;
	return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attr, size_t bytes)
{
	attr->__guard_size = bytes;
	return 0;
}

ATTR_GET(pthread_attr_getguardsize, pthread_attr_t, size_t, __guard_size)
ATTR_SET(pthread_attr_setinheritsched, pthread_attr_t, __inherit, PTHREAD_INHERIT_SCHED, PTHREAD_EXPLICIT_SCHED)
ATTR_GET(pthread_attr_getinheritsched, pthread_attr_t, int, __inherit)

/* As on Linux: every thread competes with all of the system. */
int pthread_attr_setscope(pthread_attr_t *, int scope)
{
	if (scope == PTHREAD_SCOPE_PROCESS)
		return ENOTSUP;
	return scope == PTHREAD_SCOPE_SYSTEM ? 0 : EINVAL;
}

int pthread_attr_getscope(const pthread_attr_t *, int *scope)
{
	*scope = PTHREAD_SCOPE_SYSTEM;
	return 0;
}

int pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy)
{
	if (policy != SCHED_OTHER && policy != SCHED_FIFO && policy != SCHED_RR)
		return EINVAL;
	attr->__policy = policy;
	return 0;
}

ATTR_GET(pthread_attr_getschedpolicy, pthread_attr_t, int, __policy)

int pthread_attr_setschedparam(pthread_attr_t *attr, const struct sched_param *param)
{
	int least = sched_get_priority_min(attr->__policy), most = sched_get_priority_max(attr->__policy);
	if (param->sched_priority < least || param->sched_priority > most)
		return EINVAL;
	attr->__param = *param;
	return 0;
}

ATTR_GET(pthread_attr_getschedparam, pthread_attr_t, struct sched_param, __param)

_Static_assert(sizeof(((pthread_attr_t *)0)->__affinity) == sizeof(cpu_set_t), "__affinity");

int pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t bytes, const cpu_set_t *set)
{
	attr->__given &= ~ATTR_AFFINITY;
	if (!set || !bytes)
		return 0;
	attr->__given |= ATTR_AFFINITY;
	memset(attr->__affinity, 0, sizeof(attr->__affinity));
	memcpy(attr->__affinity, set, bytes < sizeof(attr->__affinity) ? bytes : sizeof(attr->__affinity));
	return 0;
}

int pthread_attr_getaffinity_np(const pthread_attr_t *attr, size_t bytes, cpu_set_t *set)
{
	bool given = attr->__given & ATTR_AFFINITY;
	size_t known = bytes < sizeof(attr->__affinity) ? bytes : sizeof(attr->__affinity);
	for (size_t i = known; given && i < sizeof(attr->__affinity); i++)
		if (((const char *)attr->__affinity)[i])
			return EINVAL;
	memset(set, given ? 0 : -1, bytes);
	if (given)
		memcpy(set, attr->__affinity, known);
	return 0;
}

int pthread_attr_setsigmask_np(pthread_attr_t *attr, const sigset_t *mask)
{
	attr->__given &= ~ATTR_SIGMASK;
	if (!mask)
		return 0;
	attr->__given |= ATTR_SIGMASK;
	attr->__sigmask = *mask & ~THREAD_SIGNALS;
	return 0;
}

int pthread_attr_getsigmask_np(const pthread_attr_t *attr, sigset_t *mask)
{
	if (!(attr->__given & ATTR_SIGMASK)) {
		*mask = 0;
		return PTHREAD_ATTR_NO_SIGMASK_NP;
	}
	*mask = attr->__sigmask;
	return 0;
}

int pthread_getattr_np(pthread_t id, pthread_attr_t *attr)
{
	const struct pthread *thread = (const struct pthread *)id;
	*attr = (pthread_attr_t){
		.__stack_address = (unsigned long)thread->stack + thread->room_bytes - thread->stack_bytes,
		.__stack_size = thread->stack_bytes,
		.__guard_size = thread->guard_bytes,
		.__detach_state = thread->detach == THREAD_DETACHED ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE,
	};
	pthread_getschedparam(id, &attr->__policy, &attr->__param);
	if (thread == &thread_main) {
		struct rlimit limit;
		getrlimit(RLIMIT_STACK, &limit);
		attr->__stack_size = limit.rlim_cur;
		attr->__stack_address = LAYOUT_STACK_TOP - limit.rlim_cur;
	}
	return 0;
}
