/* SPDX-License-Identifier: MIT */
/* Cancellation (pthreads(7)): pthread_cancel(3), cancellability, and cleanup handlers.
 *
 * Cancelling sets a flag, which cancellation points check (thread_testcancel). A thread that waits in a cancellation
 * point, or may be cancelled anywhere, also gets a signal. A kernel call checks pending signals before it waits, so the
 * flag is not missed. */
#include "abi/linux.h"
#include "kernel/sys/point.h"
#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

static bool is_asynchronous(const struct pthread *thread)
{
	return thread->cancel_state == PTHREAD_CANCEL_ENABLE && thread->cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS;
}

/* Cancels the calling thread here if it may be cancelled anywhere. */
static void act_if_asynchronous(void)
{
	if (is_asynchronous(thread_self()))
		thread_testcancel();
}

/* The delivery makes a kernel call fail with EINTR; then the thread checks for cancellation. */
static void handler(int)
{
	act_if_asynchronous();
}

static void install_handler(void)
{
	static bool installed;
	const struct linux_sigaction action = {.handler = handler, .flags = SA_RESTART};
	if (installed)
		return;
	installed = true;
	kcall_rt_sigaction(THREAD_SIGNAL_CANCEL, &action, NULL, sizeof(sigset_t));
}

int pthread_cancel(pthread_t id)
{
	struct pthread *thread = (struct pthread *)id;
	install_handler();
	kernel_point(SCHED_OP_pthread_cancel, thread);
	if (!thread->tid || thread->exiting)
		return 0;
	thread->cancel_asked = true;
	if (thread == thread_self())
		act_if_asynchronous();
	else if (is_asynchronous(thread) || (thread->cancel_waits && thread->cancel_state == PTHREAD_CANCEL_ENABLE))
		kcall_tgkill((int)thread_main.tid_kept, (int)thread->tid, THREAD_SIGNAL_CANCEL);
	return 0;
}

void pthread_testcancel(void)
{
	thread_testcancel();
}

int pthread_setcancelstate(int state, int *old)
{
	struct pthread *self = thread_self();
	if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
		return EINVAL;
	if (old)
		*old = self->cancel_state;
	self->cancel_state = (uint8_t)state;
	act_if_asynchronous();
	return 0;
}

int pthread_setcanceltype(int type, int *old)
{
	struct pthread *self = thread_self();
	if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
		return EINVAL;
	if (old)
		*old = self->cancel_type;
	self->cancel_type = (uint8_t)type;
	act_if_asynchronous();
	return 0;
}

void _pthread_cleanup_push(struct _pthread_cleanup_context *context, void (*routine)(void *), void *argument)
{
	struct pthread *self = thread_self();
	context->_routine = routine;
	context->_arg = argument;
	context->_previous = self->cleanup;
	self->cleanup = context;
}

void _pthread_cleanup_pop(struct _pthread_cleanup_context *context, int execute)
{
	thread_self()->cleanup = context->_previous;
	if (execute)
		context->_routine(context->_arg);
}

void _pthread_cleanup_push_defer(struct _pthread_cleanup_context *context, void (*routine)(void *), void *argument)
{
	_pthread_cleanup_push(context, routine, argument);
	pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &context->_canceltype);
}

void _pthread_cleanup_pop_restore(struct _pthread_cleanup_context *context, int execute)
{
	pthread_setcanceltype(context->_canceltype, NULL);
	_pthread_cleanup_pop(context, execute);
}
