/* SPDX-License-Identifier: MIT */
/* The end of a thread: cleanup handlers, destructors, and the kernel's exit. */
#include <stdlib.h>

#include "kernel/sys/point.h"
#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

/* For thread_local objects of C++; called in the reverse order (the Itanium C++ ABI, __cxa_thread_atexit). */
int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *image);

int __cxa_thread_atexit_impl(void (*function)(void *), void *argument, void *)
{
	struct pthread *self = thread_self();
	struct thread_destructor *destructor = malloc(sizeof(*destructor));
	if (!destructor)
		return -1;
	*destructor = (struct thread_destructor){self->destructors, function, argument};
	self->destructors = destructor;
	return 0;
}

static void run_key_destructors(struct pthread *self)
{
	struct thread_destructor *destructor;
	while ((destructor = self->destructors)) {
		self->destructors = destructor->next;
		destructor->function(destructor->argument);
		free(destructor);
	}
}

static void run_cleanup(struct pthread *self)
{
	struct _pthread_cleanup_context *context;
	while ((context = self->cleanup)) {
		self->cleanup = context->_previous;
		context->_routine(context->_arg);
	}
}

/* Frees what newlib has allocated for the thread. */
static void end_reent(struct pthread *self)
{
	if (self->reent != _GLOBAL_REENT)
		_reclaim_reent(self->reent);
}

_Noreturn void thread_exit(void *result)
{
	struct pthread *self = thread_self();
	kernel_point(SCHED_OP_pthread_exit, self);
	self->exiting = true;
	self->result = result;
	run_cleanup(self);
	run_key_destructors(self);
	thread_values_end(self);
	if (!self->uncounted && --thread_count == 0)
		exit(0);
	end_reent(self);
	/* From here on the thread does nothing that another thread could notice, until the kernel clears its tid. */
	self->ended = true;
	if (self->detach == THREAD_DETACHED)
		thread_stack_give(self);
	kcall_exit(0);
	__builtin_unreachable();
}

void pthread_exit(void *result)
{
	thread_exit(result);
}
