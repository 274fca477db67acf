/* SPDX-License-Identifier: MIT */
/* clone(2) and related calls. A thread starts with its creator's registers. Kernel stacks of ended threads are reused,
 * last first. An ending thread frees its stack while it still runs on it. Freeing writes only the stack's lowest word,
 * and the stack is not reused before another thread runs. */
#include "kernel/linux/process/linux_thread.h"

#include <stdbool.h>

#include "abi/errno.h"
#include "abi/layout.h"
#include "abi/linux.h"
#include "abi/linux_signal.h"
#include "kernel/arch/selectors.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/cpu/cpu.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/event/pidfd.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/linux/signal/deliver.h"
#include "kernel/linux/strace/strace.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/context.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/thread_segments.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/sys.h"

/* A kernel call takes POINT_STACK_BYTES; the code around it takes two frames and two copies of the vector registers. */
#define KERNEL_STACK_BYTES 12288

#define CLONE_SIGNAL 0xffUL
#define CLONE_VM 0x100UL
#define CLONE_FS 0x200UL
#define CLONE_FILES 0x400UL
#define CLONE_SIGHAND 0x800UL
#define CLONE_PIDFD 0x1000UL
#define CLONE_VFORK 0x4000UL
#define CLONE_THREAD 0x10000UL
#define CLONE_SYSVSEM 0x40000UL
#define CLONE_SETTLS 0x80000UL
#define CLONE_PARENT_SETTID 0x100000UL
#define CLONE_CHILD_CLEARTID 0x200000UL
#define CLONE_DETACHED 0x400000UL
#define CLONE_UNTRACED 0x800000UL
#define CLONE_CHILD_SETTID 0x1000000UL
#define CLONE_IO 0x80000000UL
#define CLONE_CLEAR_SIGHAND 0x100000000UL /* of clone3(2) alone */

#define CLONE_ARGS_BYTES_MIN 64

#define CLONE_KNOWN \
	(CLONE_OF_THREAD | CLONE_VFORK | CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | \
	 CLONE_DETACHED | CLONE_UNTRACED | CLONE_CHILD_SETTID | CLONE_PIDFD | CLONE_IO | CLONE_CLEAR_SIGHAND)

#define CLONE_OF_FILES (CLONE_FS | CLONE_FILES) /* both are shared, or neither */

#define CLONE_OF_THREAD (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD)

/* Free stacks, linked through their lowest words. */
struct free_stack {
	struct free_stack *next;
};

static struct free_stack *free_stacks;

/* The top is 8 more than a multiple of 16, so that linux_frame, below it, is aligned. */
uint64_t linux_thread_stack(void)
{
	struct free_stack *stack = free_stacks;
	if (stack)
		free_stacks = stack->next;
	else
		stack = kmalloc(KERNEL_STACK_BYTES);
	return stack ? (uint64_t)stack + KERNEL_STACK_BYTES - 8 : 0;
}

void linux_thread_stack_give(uint64_t top)
{
	struct free_stack *stack = (struct free_stack *)(top + 8 - KERNEL_STACK_BYTES);
	stack->next = free_stacks;
	free_stacks = stack;
}

/* The area of the thread's vector registers, below its frame. */
static void *vector_of(const struct thread *thread)
{
	return (void *)((((uint64_t)linux_frame(thread)) - CPU_AREA_BYTES) & ~15UL);
}

/* A switched thread has its area on its kernel stack, where entry_context_switch left rbx, and wide state, if it has
 * any, right below. */
void linux_thread_vector(const struct thread *thread, uint8_t *area)
{
	if (thread == thread_current) {
		cpu_save_vector(area);
		return;
	}
	const struct context *context = (const struct context *)thread->stack_pointer;
	if (context->rip == (uint64_t)context_begin) {
		memcpy(area, vector_of(thread), CPU_AREA_BYTES);
		return;
	}
	const uint8_t *saved = (const uint8_t *)context->rbx;
	const uint8_t states = saved[CPU_FXSAVE_BYTES];
	memcpy(area, saved, CPU_VECTOR_BYTES);
	memset(area + CPU_VECTOR_BYTES, 0, CPU_AREA_BYTES - CPU_VECTOR_BYTES);
	if (states & CPU_STATE_WIDE)
		memcpy(area + CPU_WIDE_OFFSET, saved - CPU_WIDE_BYTES, CPU_WIDE_BYTES);
}

static void begin_thread(void *thread)
{
	struct trap_frame *frame = linux_frame(thread);
	process_resume();
	if (frame->address) { /* CLONE_CHILD_SETTID, in the child's memory */
		copy_to_user((void *)frame->address, &thread_current->tid, sizeof(thread_current->tid));
		frame->address = 0;
	}
	if (signal_pending())
		linux_deliver(frame);
	entry_resume(frame, vector_of(thread));
}

/* Creates a thread of the current process with the running thread's registers. NULL: clone(2) fails with -EAGAIN. */
static struct thread *make_thread(const struct linux_clone_args *args)
{
	struct thread *self = thread_current, *thread = thread_allocate();
	if (!thread)
		return NULL;
	thread->kernel_stack = linux_thread_stack();
	if (!thread->kernel_stack) {
		thread_end(thread);
		thread_free(thread);
		return NULL;
	}
	struct trap_frame *frame = linux_frame(thread);
	*frame = *linux_frame(self);
	frame->rax = 0;
	frame->rsp = args->stack ? args->stack + args->stack_size : frame->rsp;
	frame->address = args->flags & CLONE_CHILD_SETTID ? args->child_tid : 0;
	frame->vector = 0;
	thread_segments_note();
	thread->selectors =
		args->flags & CLONE_SETTLS ? selectors_without(self->selectors, SELECTORS_FS_AT) : self->selectors;
	thread->fs_base = args->flags & CLONE_SETTLS ? args->tls : self->fs_base;
	thread->gs_base = self->gs_base;
	thread->clear_tid = args->flags & CLONE_CHILD_CLEARTID ? (uint32_t *)args->child_tid : NULL;
	thread->signals.blocked = self->signals.blocked;
	thread->signals.stack = args->flags & CLONE_VM && !(args->flags & CLONE_VFORK)
	                                ? (struct linux_stack){.ss_flags = LINUX_SS_DISABLE}
	                                : self->signals.stack;
	thread->rseq = args->flags & CLONE_VM ? 0 : self->rseq;
	thread->rseq_signature = self->rseq_signature;
	thread->rseq_processor = self->rseq_processor;
	memcpy(thread->name, self->name, sizeof(thread->name));
	strace_note(STRACE_NAMED, (uint64_t)thread, thread->name);
	thread->policy = self->policy;
	thread->affinity = self->affinity;
	thread->priority = self->priority;
	thread->nice = self->nice;
	thread->io_priority = self->io_priority;
	thread->personality = self->personality;
	cpu_save_vector(vector_of(thread));
	return thread;
}

static int store_parent_tid(const struct linux_clone_args *args, const struct thread *thread)
{
	bool wanted = args->flags & CLONE_PARENT_SETTID;
	return wanted ? copy_to_user((void *)args->parent_tid, &thread->tid, sizeof(thread->tid)) : 0;
}

static void start_thread(struct thread *thread)
{
	sched_start(thread, (uint64_t)vector_of(thread) & ~15UL, begin_thread, thread);
}

static long clone_thread(const struct linux_clone_args *args)
{
	struct thread *thread = make_thread(args);
	if (!thread)
		return -EAGAIN;
	uint32_t tid = thread->tid;
	store_parent_tid(args, thread);
	start_thread(thread);
	return tid;
}

/* Waits until a child that shares the memory has its own or has ended (vfork(2)); signals do not interrupt this
 * wait. */
static void wait_for_memory(struct linux_process *child)
{
	static const struct wait_reason reason = {"its child to execute a program or end (vfork)", SCHED_CAUSE_join};
	uint64_t blocked = thread_current->signals.blocked;
	struct lender lender = {.thread = thread_current};
	process_borrow(child, &lender);
	thread_current->signals.blocked = UINT64_MAX;
	while (!lender.has_back)
		sched_wait(NULL, SCHED_FOREVER, &reason);
	thread_current->signals.blocked = blocked;
}

/* CLONE_PIDFD: returns a descriptor of the child, -1 if none is requested, or a negative errno. */
static int give_pidfd(const struct linux_clone_args *args, struct linux_process *child, int *fd)
{
	*fd = -1;
	if (!(args->flags & CLONE_PIDFD))
		return 0;
	*fd = pidfd_make(child, 0);
	if (*fd < 0)
		return *fd;
	return copy_to_user((void *)args->pidfd, fd, sizeof(*fd));
}

/* Makes a child with its descriptor and its thread, which is not started yet. Returns 0 or a negative errno. */
static int make_process(const struct linux_clone_args *args, struct linux_process **out, struct thread **thread)
{
	struct linux_process *child;
	int fd, error = process_fork(args->flags & CLONE_VM, args->flags & CLONE_FILES, &child);
	if (error)
		return error;
	error = give_pidfd(args, child, &fd);
	if (!error) {
		struct process *current = process_enter(child->base);
		*thread = make_thread(args);
		process_enter(current);
		error = *thread ? 0 : -EAGAIN;
	}
	if (error) {
		if (fd >= 0)
			sys_close(fd);
		process_discard(child);
	} else if (args->flags & CLONE_CLEAR_SIGHAND) {
		process_clear_handlers(child->base);
	}
	*out = child;
	return error;
}

static long clone_process(const struct linux_clone_args *args)
{
	struct linux_process *child;
	struct thread *thread;
	int error = make_process(args, &child, &thread);
	if (error)
		return error;
	uint32_t tid = thread->tid;
	child->exit_signal = (int)args->exit_signal;
	process_add(child, tid);
	store_parent_tid(args, thread);
	start_thread(thread);
	if (args->flags & CLONE_VFORK)
		wait_for_memory(child);
	return tid;
}

static long clone(const struct linux_clone_args *args)
{
	if (args->flags & ~CLONE_KNOWN || args->exit_signal > LINUX_NSIG)
		return -EINVAL;
	if (!(args->flags & CLONE_THREAD)) {
		const uint64_t files = args->flags & CLONE_OF_FILES;
		if ((args->flags & CLONE_PIDFD && args->flags & CLONE_DETACHED) || args->flags & CLONE_SIGHAND ||
		    (files && files != CLONE_OF_FILES))
			return -EINVAL;
		return clone_process(args);
	}
	if (args->flags & (CLONE_PIDFD | CLONE_CLEAR_SIGHAND))
		return -EINVAL;
	return (args->flags & CLONE_OF_THREAD) == CLONE_OF_THREAD ? clone_thread(args) : -EINVAL;
}

long sys_clone(unsigned long flags, void *stack, unsigned int *parent_tid, unsigned int *child_tid, unsigned long tls)
{
	if (flags & CLONE_PIDFD && flags & CLONE_PARENT_SETTID)
		return -EINVAL; /* both would be stored at the same place */
	const struct linux_clone_args args = {
		.flags = (uint32_t)flags & ~CLONE_SIGNAL,
		.exit_signal = flags & CLONE_SIGNAL,
		.pidfd = (uint64_t)parent_tid,
		.stack = (uint64_t)stack,
		.parent_tid = (uint64_t)parent_tid,
		.child_tid = (uint64_t)child_tid,
		.tls = tls,
	};
	return clone(&args);
}

long sys_clone3(const struct linux_clone_args *user_args, unsigned long bytes)
{
	struct linux_clone_args args;
	memset(&args, 0, sizeof(args));
	if (bytes > PAGE_SIZE)
		return -E2BIG;
	if (bytes < CLONE_ARGS_BYTES_MIN)
		return -EINVAL;
	for (uint64_t at = sizeof(args); at < bytes; at++) { /* unknown fields must be zero */
		char byte;
		if (copy_from_user(&byte, (const char *)user_args + at, 1))
			return -EFAULT;
		if (byte)
			return -E2BIG;
	}
	if (copy_from_user(&args, user_args, bytes < sizeof(args) ? bytes : sizeof(args)))
		return -EFAULT;
	if (args.flags & CLONE_PIDFD && args.flags & CLONE_PARENT_SETTID && args.pidfd == args.parent_tid)
		return -EINVAL;
	if (args.set_tid_size || args.cgroup || args.flags & (CLONE_DETACHED | CLONE_SIGNAL) ||
	    !args.stack != !args.stack_size || (args.flags & CLONE_THREAD && args.exit_signal))
		return -EINVAL;
	return clone(&args);
}

long sys_fork(void)
{
	const struct linux_clone_args args = {.exit_signal = LINUX_SIGCHLD};
	return clone(&args);
}

long sys_vfork(void)
{
	const struct linux_clone_args args = {.flags = CLONE_VM | CLONE_VFORK, .exit_signal = LINUX_SIGCHLD};
	return clone(&args);
}
