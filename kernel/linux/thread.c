/* SPDX-License-Identifier: MIT */
/* A thread begins with its creator's registers. Kernel stacks of threads that have ended are used again, last first;
 * one is given back while its thread still runs on it, and only its lowest word is written to then. */
#include "kernel/linux/thread.h"

#include <stdbool.h>

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/entry.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/invoke.h"
#include "kernel/sys/sys.h"

/* A kernel call takes POINT_STACK_BYTES, what is around it a frame and the vector registers, twice. */
#define KERNEL_STACK_BYTES 8192
#define VECTOR_BYTES 512

#define CLONE_VM 0x100UL
#define CLONE_FS 0x200UL
#define CLONE_FILES 0x400UL
#define CLONE_SIGHAND 0x800UL
#define CLONE_THREAD 0x10000UL
#define CLONE_SETTLS 0x80000UL
#define CLONE_PARENT_SETTID 0x100000UL
#define CLONE_CHILD_CLEARTID 0x200000UL
#define CLONE_CHILD_SETTID 0x1000000UL

#define CLONE_OF_THREAD (CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD)

/* Where a stack's frame begins: linux_frame, and the top is 8 more than a multiple of 16, so that it is one. */
uint64_t linux_thread_stack(void)
{
	uint8_t *stack = kmalloc(KERNEL_STACK_BYTES);
	return stack ? (uint64_t)stack + KERNEL_STACK_BYTES - 8 : 0;
}

/* In the order of the memory that it takes, below the frame. */
static void *vector_of(const struct thread *thread)
{
	return (void *)((((uint64_t)linux_frame(thread)) - VECTOR_BYTES) & ~15UL);
}

static void begin(void *thread)
{
	linux_resume(linux_frame(thread), vector_of(thread));
}

static int tell_number(const struct linux_clone_args *args, const struct thread *thread)
{
	if ((args->flags & CLONE_PARENT_SETTID) &&
	    copy_to_user((void *)args->parent_tid, &thread->tid, sizeof(thread->tid)))
		return -EFAULT;
	if ((args->flags & CLONE_CHILD_SETTID) &&
	    copy_to_user((void *)args->child_tid, &thread->tid, sizeof(thread->tid)))
		return -EFAULT;
	return 0;
}

static long clone_thread(const struct linux_clone_args *args)
{
	struct thread *self = thread_current, *thread = thread_allocate();
	if (!thread)
		return -EAGAIN;
	thread->kernel_stack = linux_thread_stack();
	int error = thread->kernel_stack ? tell_number(args, thread) : -EAGAIN;
	if (error) {
		thread_end(thread);
		thread_free(thread);
		return error;
	}
	struct trap_frame *frame = linux_frame(thread);
	*frame = *linux_frame(self);
	frame->rax = 0;
	if (args->stack)
		frame->rsp = args->stack + args->stack_size;
	uint64_t fs_base;
	__asm__ volatile("rdfsbase %0" : "=r"(fs_base));
	thread->fs_base = args->flags & CLONE_SETTLS ? args->tls : fs_base;
	thread->clear_tid = args->flags & CLONE_CHILD_CLEARTID ? (uint32_t *)args->child_tid : NULL;
	thread->signals.blocked = self->signals.blocked;
	thread->signals.stack = (struct linux_stack){.ss_flags = LINUX_SS_DISABLE};
	thread->policy = self->policy;
	thread->priority = self->priority;
	signal_save_vector(vector_of(thread));
	sched_start(thread, (uint64_t)vector_of(thread) & ~15UL, begin, thread);
	return thread->tid;
}

static long clone(const struct linux_clone_args *args)
{
	if ((args->flags & CLONE_OF_THREAD) != CLONE_OF_THREAD)
		return -ENOSYS;
	return clone_thread(args);
}

long sys_clone(unsigned long flags, void *stack, unsigned int *parent_tid, unsigned int *child_tid, unsigned long tls)
{
	const struct linux_clone_args args = {
		.flags = flags & ~0xffUL,
		.exit_signal = flags & 0xff,
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
	if (bytes < 64)
		return -EINVAL;
	if (copy_from_user(&args, user_args, bytes < sizeof(args) ? bytes : sizeof(args)))
		return -EFAULT;
	return clone(&args);
}
