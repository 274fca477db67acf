/* SPDX-License-Identifier: MIT */
/* pthread_create(3): makes a stack, a descriptor, and a kernel thread that runs there. */
#include "kernel/sys/point.h"
#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/pthread_attr.h"
#include "libc-port/src/thread/thread.h"

/* The first code of a thread, on its own stack. */
static void start_thread(void *argument)
{
	struct pthread *self = argument;
	self->tid_kept = self->tid;
	if (self->start_mask_given)
		kcall_rt_sigprocmask(SIG_SETMASK, &self->start_mask, NULL, sizeof(self->start_mask));
	if (self->policy_given)
		kcall_sched_setscheduler(0, self->policy, &self->param.sched_priority);
	thread_exit(self->entry(self->argument));
}

static void inherit(struct pthread *thread, const pthread_attr_t *attributes)
{
	const struct pthread *self = thread_self();
	thread->policy_given = attributes->__inherit == PTHREAD_EXPLICIT_SCHED;
	thread->policy = thread->policy_given ? attributes->__policy : self->policy;
	thread->param = thread->policy_given ? attributes->__param : self->param;
	__builtin_memcpy(thread->note.name, self->note.name, sizeof(thread->note.name));
	thread->detach = attributes->__detach_state == PTHREAD_CREATE_DETACHED ? THREAD_DETACHED : THREAD_JOINABLE;
	thread->start_mask_given = attributes->__given & ATTR_SIGMASK;
	thread->start_mask = attributes->__sigmask & ~THREAD_SIGNALS;
}

/* If the attributes have a signal mask, the new thread sets it; until then all signals are blocked. */
static long begin_thread(const struct thread_start *how, bool mask_given)
{
	sigset_t all = ~0UL, old;
	if (!mask_given)
		return kcall_thread_create(how);
	kcall_rt_sigprocmask(SIG_SETMASK, &all, &old, sizeof(all));
	long tid = kcall_thread_create(how);
	kcall_rt_sigprocmask(SIG_SETMASK, &old, NULL, sizeof(old));
	return tid;
}

int thread_create(pthread_t *made, const pthread_attr_t *attributes, void *(*entry)(void *), void *argument,
                  bool uncounted)
{
	if ((attributes->__given & ATTR_AFFINITY) && !(attributes->__affinity[0] & 1))
		return EINVAL; /* there is one processor */
	thread_tell_of_main();
	struct pthread *thread;
	int error = thread_stack_take(attributes, &thread);
	if (error)
		return error;
	inherit(thread, attributes);
	thread->entry = entry;
	thread->argument = argument;
	thread->uncounted = uncounted;
	struct tls_header *pointer = thread_pointer(thread);
	const struct thread_start how = {
		.entry = start_thread,
		.argument = thread,
		.stack_top = ((uint64_t)pointer - tls_bytes()) & ~15UL,
		.fs_base = (uint64_t)pointer,
		.tid = &thread->tid,
		.note = &thread->note,
	};
	/* Set before the call, because the thread may run before the call returns. */
	thread_count += !uncounted;
	*made = (pthread_t)thread;
	long tid;
	do
		tid = begin_thread(&how, thread->start_mask_given);
	while (tid == -EAGAIN && thread_stack_release()); /* free stacks, because the kernel may lack memory */
	if (tid < 0) {
		thread_count -= !uncounted;
		thread->tid = 0;
		thread_stack_give(thread);
		return (int)-tid;
	}
	return 0;
}

int pthread_create(pthread_t *restrict id, const pthread_attr_t *restrict attributes, void *(*entry)(void *),
                   void *restrict argument)
{
	kernel_point(SCHED_OP_pthread_create, NULL);
	return thread_create(id, attributes ? attributes : &thread_default_attributes, entry, argument, false);
}
