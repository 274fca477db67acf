/* SPDX-License-Identifier: MIT */
/* Scheduling policies with all their parameters, in a structure whose size depends on the version
 * (sched_setattr(2)). */
#include <stdbool.h>
#include <stddef.h>

#include "abi/errno.h"
#include "abi/layout.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/sys/scheduling.h"
#include "kernel/sys/sys.h"

#define ATTR_BYTES_MIN 48 /* SCHED_ATTR_SIZE_VER0 */

#define FLAG_KEEP_POLICY 8UL
#define FLAG_KEEP_PARAMS 0x10UL
#define FLAG_UTIL_CLAMP 0x60UL
#define FLAGS_KNOWN 0x7fUL

#define NICE_MIN (-20)
#define NICE_MAX 19

static struct thread *find_attr_thread(int tid)
{
	return tid ? thread_find((uint32_t)tid) : thread_current;
}

static bool is_real_time(uint32_t policy)
{
	return policy == LINUX_SCHED_FIFO || policy == LINUX_SCHED_RR;
}

/* Whether fields unknown to this kernel are not zero. Returns a negative errno when they cannot be read. */
static int has_unknown_fields(const struct linux_sched_attr *user, uint32_t bytes)
{
	for (size_t at = sizeof(*user); at < bytes; at++) {
		uint8_t byte;
		if (copy_from_user(&byte, (const uint8_t *)user + at, 1))
			return -EFAULT;
		if (byte)
			return true;
	}
	return false;
}

/* Stores how many bytes are known. */
static long wrong_size(struct linux_sched_attr *user)
{
	static const uint32_t known = sizeof(*user);
	return copy_to_user(&user->size, &known, sizeof(known)) ? -EFAULT : -E2BIG;
}

static long read_attr(struct linux_sched_attr *user, struct linux_sched_attr *attr)
{
	uint32_t bytes;
	if (copy_from_user(&bytes, &user->size, sizeof(bytes)))
		return -EFAULT;
	if (!bytes)
		bytes = ATTR_BYTES_MIN;
	if (bytes < ATTR_BYTES_MIN || bytes > PAGE_SIZE)
		return wrong_size(user);
	int more = has_unknown_fields(user, bytes);
	if (more)
		return more < 0 ? more : wrong_size(user);
	*attr = (struct linux_sched_attr){0};
	if (copy_from_user(attr, user, bytes < sizeof(*attr) ? bytes : sizeof(*attr)))
		return -EFAULT;
	return attr->flags & FLAG_UTIL_CLAMP && bytes < sizeof(*attr) ? -EINVAL : 0;
}

static long set_attr(struct thread *thread, const struct linux_sched_attr *attr)
{
	bool keeps = attr->flags & FLAG_KEEP_PARAMS;
	uint32_t policy = attr->flags & FLAG_KEEP_POLICY ? (uint32_t)thread->policy : attr->policy;
	uint32_t priority = !keeps                                   ? attr->priority
	                    : is_real_time((uint32_t)thread->policy) ? (uint32_t)thread->priority
	                                                             : 0;
	if (attr->flags & ~FLAGS_KNOWN || priority > INT32_MAX)
		return -EINVAL;
	if (attr->flags & FLAG_UTIL_CLAMP)
		return -EOPNOTSUPP;
	const int old_policy = thread->policy, old_priority = thread->priority;
	long result = scheduling_set(thread, (int)policy, (int)priority);
	if (!result && keeps) { /* SCHED_FLAG_KEEP_PARAMS: as on Linux, the policy is checked and then kept, too */
		thread->policy = old_policy;
		thread->priority = old_priority;
	}
	if (!result && !keeps && (policy == LINUX_SCHED_OTHER || policy == LINUX_SCHED_BATCH))
		thread->nice = attr->nice < NICE_MIN ? NICE_MIN : attr->nice > NICE_MAX ? NICE_MAX : attr->nice;
	return result;
}

long sys_sched_setattr(int tid, struct linux_sched_attr *user, unsigned int flags)
{
	struct linux_sched_attr attr;
	if (!user || tid < 0 || flags)
		return -EINVAL;
	long error = read_attr(user, &attr);
	if (error)
		return error;
	if ((int32_t)attr.policy < 0)
		return -EINVAL;
	struct thread *thread = find_attr_thread(tid);
	return thread ? set_attr(thread, &attr) : -ESRCH;
}

long sys_sched_getattr(int tid, struct linux_sched_attr *user, unsigned int bytes, unsigned int flags)
{
	if (!user || tid < 0 || bytes < ATTR_BYTES_MIN || bytes > PAGE_SIZE || flags)
		return -EINVAL;
	const struct thread *thread = find_attr_thread(tid);
	if (!thread)
		return -ESRCH;
	struct linux_sched_attr attr = {.policy = (uint32_t)thread->policy};
	attr.size = bytes < sizeof(attr) ? bytes : (uint32_t)sizeof(attr);
	if (is_real_time(attr.policy))
		attr.priority = (uint32_t)thread->priority;
	else
		attr.nice = thread->nice;
	return copy_to_user(user, &attr, attr.size);
}
