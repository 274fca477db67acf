/* SPDX-License-Identifier: MIT */
/* natively: nice 0 */
/* sched_setattr(2) and sched_getattr(2), of sizes of all versions; what needs no privilege. */
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define KEEP_POLICY 8
#define KEEP_PARAMS 16
#define UTIL_CLAMP_MIN 32

/* struct sched_attr, version 0: linux/sched/types.h does not go with sched.h. */
struct attr {
	unsigned int size, sched_policy;
	unsigned long sched_flags;
	int sched_nice;
	unsigned int sched_priority;
	unsigned long runtime, deadline, period;
};

static union {
	struct attr attr;
	unsigned char bytes[4096];
} user;

static int set(pid_t tid, unsigned int flags)
{
	return (int)syscall(SYS_sched_setattr, tid, &user, flags);
}

static int get(pid_t tid, unsigned int bytes, unsigned int flags)
{
	memset(&user, 0xff, sizeof(user));
	return (int)syscall(SYS_sched_getattr, tid, &user, bytes, flags);
}

static void show(void)
{
	SAY(get(0, sizeof(user), 0));
	printf("%u: policy %u flags %lu nice %d priority %u\n", user.attr.size, user.attr.sched_policy,
	       user.attr.sched_flags, user.attr.sched_nice, user.attr.sched_priority);
}

static int wanted(unsigned int policy, int nice, unsigned int priority, unsigned long flags, unsigned int size)
{
	memset(&user, 0, sizeof(user));
	user.attr = (struct attr){.size = size,
	                          .sched_policy = policy,
	                          .sched_nice = nice,
	                          .sched_priority = priority,
	                          .sched_flags = flags};
	return set(0, 0);
}

int main(void)
{
	show();
	SAY(get(0, 48, 0));
	SAY(user.attr.size);
	SAY(user.bytes[48]);
	SAY(get(0, 47, 0));
	SAY(get(0, 4097, 0));
	SAY(get(0, 48, 1));
	SAY(get(-1, 48, 0));
	SAY(get(999999, 48, 0));
	SAY(syscall(SYS_sched_getattr, 0, NULL, 48, 0));
	SAY(syscall(SYS_sched_getattr, 0, 8, 48, 0));
	SAY(wanted(SCHED_OTHER, 5, 0, 0, 0));
	show();
	SAY(getpriority(PRIO_PROCESS, 0));
	SAY(wanted(SCHED_BATCH, 6, 0, 0, 48));
	show();
	SAY(sched_getscheduler(0));
	SAY(wanted(SCHED_BATCH, 7, 0, 0, 56));
	SAY(wanted(SCHED_BATCH, 8, 0, 0, 4096));
	SAY(wanted(SCHED_BATCH, 8, 0, 0, 47));
	SAY(user.attr.size >= 56);
	SAY(wanted(SCHED_BATCH, 8, 0, 0, 4097));
	user.attr.size = 1000;
	user.bytes[999] = 1;
	SAY(set(0, 0));
	SAY(user.attr.size >= 56);
	SAY(set(0, 1));
	SAY(set(-1, 0));
	SAY(syscall(SYS_sched_setattr, 0, NULL, 0));
	SAY(syscall(SYS_sched_setattr, 0, 8, 0));
	SAY(wanted(SCHED_BATCH, 8, 1, 0, 48));
	SAY(wanted(SCHED_FIFO, 0, 0, 0, 48));
	SAY(wanted(SCHED_FIFO, 0, 100, 0, 48));
	SAY(wanted(4, 0, 0, 0, 48));
	SAY(wanted(-1, 0, 0, 0, 48));
	SAY(wanted(SCHED_BATCH, 8, 0, 128, 48));
	SAY(wanted(SCHED_BATCH, 8, 0, UTIL_CLAMP_MIN, 48));
	SAY(wanted(77, 9, 0, KEEP_POLICY, 48));
	show();
	SAY(wanted(SCHED_OTHER, 0, 0, KEEP_PARAMS, 48));
	show();
	SAY(wanted(SCHED_OTHER, 100, 0, 0, 48));
	show();
	SAY(wanted(SCHED_IDLE, 3, 0, 0, 48));
	show();
	return 0;
}
