/* SPDX-License-Identifier: MIT */
/* Calls about threads: their start and end, and what they tell the kernel about themselves. */
#include "kernel/sched/thread.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/end.h"
#include "kernel/sched/futex.h"
#include "kernel/sched/futex_pi.h"
#include "kernel/sched/process.h"
#include "kernel/sched/robust.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/sys.h"

#define STACK_ALIGNMENT 16UL
#define USER_END 0x800000000000UL

long sys_thread_create(const struct thread_start *user_start)
{
	struct thread_start start;
	if (copy_from_user(&start, user_start, sizeof(start)))
		return -EFAULT;
	if (start.stack_top % STACK_ALIGNMENT || start.fs_base >= USER_END)
		return -EINVAL;
	/* The context goes to the top of its stack. */
	if (clear_user((void *)(start.stack_top - SCHED_START_BYTES), SCHED_START_BYTES))
		return -EFAULT;
	struct thread *thread = thread_allocate();
	if (!thread)
		return -EAGAIN;
	if (start.tid && copy_to_user(start.tid, &thread->tid, sizeof(thread->tid))) {
		thread_end(thread);
		thread_free(thread);
		return -EFAULT;
	}
	thread->fs_base = start.fs_base;
	thread->clear_tid = start.tid;
	thread->note = start.note;
	thread->signals.blocked = thread_current->signals.blocked;
	thread->policy = thread_current->policy;
	thread->affinity = thread_current->affinity;
	thread->priority = thread_current->priority;
	sched_start(thread, start.stack_top, start.entry, start.argument);
	return thread->tid;
}

long sys_thread_note(const struct thread_note *note)
{
	thread_current->note = note;
	return 0;
}

long sys_gettid(void)
{
	return thread_current->tid;
}

long sys_set_tid_address(unsigned int *tid)
{
	thread_current->clear_tid = tid;
	return thread_current->tid;
}

long sys_set_robust_list(void *head, unsigned long bytes)
{
	if (bytes != ROBUST_HEAD_BYTES)
		return -EINVAL;
	thread_current->robust_list = (uint64_t)head;
	return 0;
}

long sys_get_robust_list(int tid, void **head, unsigned long *bytes)
{
	const unsigned long size = ROBUST_HEAD_BYTES;
	struct thread *thread = tid ? thread_find((uint32_t)tid) : thread_current;
	if (!thread)
		return -ESRCH;
	if (copy_to_user(bytes, &size, sizeof(size)))
		return -EFAULT;
	return copy_to_user(head, &thread->robust_list, sizeof(thread->robust_list));
}

long sys_sched_yield(void)
{
	sched_yield();
	return 0;
}
