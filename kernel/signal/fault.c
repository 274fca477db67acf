/* SPDX-License-Identifier: MIT */
/* Faults as signals: the frame that a handler runs on, and the return from it (rt_sigreturn(2)).
 *
 * Runs on the trap stack. The program's stack is written through uaccess, because it may be what is broken. */
#include <stdbool.h>
#include <stddef.h>

#include "abi/doorbell.h"
#include "kernel/arch/trap.h"
#include "kernel/arch/uaccess.h"
#include "kernel/end.h"
#include "kernel/lib/string.h"
#include "kernel/arch/direct_map.h"
#include "kernel/signal/invoke.h"
#include "kernel/signal/signal.h"

#define RED_ZONE 128

extern const char __kernel_text_start[], __kernel_text_end[]; /* image.ld */
extern const char kcall_probe[];                              /* kernel/sys/kcall.c */

/** On the program's stack while the handler of a fault runs. */
struct fault_frame {
	uint64_t return_address; /* signal_restore; popped by the handler's ret */
	struct linux_ucontext context;
	struct linux_siginfo info;
	uint64_t padding;
	uint8_t vector[512]; /* FXSAVE area */
};

_Static_assert(offsetof(struct fault_frame, vector) % 16 == 0, "FXSAVE area is aligned when the frame is");

static void save_registers(uint64_t *gregs, const struct trap_frame *frame)
{
	gregs[LINUX_REG_R8] = frame->r8;
	gregs[LINUX_REG_R9] = frame->r9;
	gregs[LINUX_REG_R10] = frame->r10;
	gregs[LINUX_REG_R11] = frame->r11;
	gregs[LINUX_REG_R12] = frame->r12;
	gregs[LINUX_REG_R13] = frame->r13;
	gregs[LINUX_REG_R14] = frame->r14;
	gregs[LINUX_REG_R15] = frame->r15;
	gregs[LINUX_REG_RDI] = frame->rdi;
	gregs[LINUX_REG_RSI] = frame->rsi;
	gregs[LINUX_REG_RBP] = frame->rbp;
	gregs[LINUX_REG_RBX] = frame->rbx;
	gregs[LINUX_REG_RDX] = frame->rdx;
	gregs[LINUX_REG_RAX] = frame->rax;
	gregs[LINUX_REG_RCX] = frame->rcx;
	gregs[LINUX_REG_RSP] = frame->rsp;
	gregs[LINUX_REG_RIP] = frame->rip;
	gregs[LINUX_REG_EFL] = frame->rflags;
	gregs[LINUX_REG_CSGSFS] = frame->cs | frame->ss << 48;
	gregs[LINUX_REG_ERR] = frame->error_code;
	gregs[LINUX_REG_TRAPNO] = frame->vector;
	gregs[LINUX_REG_OLDMASK] = thread_current->signals.blocked;
	gregs[LINUX_REG_CR2] = frame->address;
}

static void load_registers(struct trap_frame *frame, const uint64_t *gregs)
{
	frame->r8 = gregs[LINUX_REG_R8];
	frame->r9 = gregs[LINUX_REG_R9];
	frame->r10 = gregs[LINUX_REG_R10];
	frame->r11 = gregs[LINUX_REG_R11];
	frame->r12 = gregs[LINUX_REG_R12];
	frame->r13 = gregs[LINUX_REG_R13];
	frame->r14 = gregs[LINUX_REG_R14];
	frame->r15 = gregs[LINUX_REG_R15];
	frame->rdi = gregs[LINUX_REG_RDI];
	frame->rsi = gregs[LINUX_REG_RSI];
	frame->rbp = gregs[LINUX_REG_RBP];
	frame->rbx = gregs[LINUX_REG_RBX];
	frame->rdx = gregs[LINUX_REG_RDX];
	frame->rax = gregs[LINUX_REG_RAX];
	frame->rcx = gregs[LINUX_REG_RCX];
	frame->rsp = gregs[LINUX_REG_RSP];
	frame->rip = gregs[LINUX_REG_RIP];
	/* What a program may change: arithmetic, direction, trap and alignment flags (SDM 1, figure 3-8). */
	frame->rflags = (gregs[LINUX_REG_EFL] & 0x50dd5UL) | 0x202;
}

/* Builds the frame on the program's stack and points the trap frame at the handler. 0 or -EFAULT. */
static int enter_handler(struct trap_frame *frame, const struct linux_sigaction *action, int sig, int code,
                         uint64_t address)
{
	static struct fault_frame built;
	static uint8_t vector[512] __attribute__((aligned(16)));
	uint64_t sp = frame->rsp - RED_ZONE;
	if ((action->flags & LINUX_SA_ONSTACK) && thread_current->signals.stack.ss_size &&
	    !signal_on_stack(&thread_current->signals.stack, frame->rsp))
		sp = (uint64_t)thread_current->signals.stack.ss_sp + thread_current->signals.stack.ss_size;
	sp = ((sp - sizeof(built)) & ~15UL) - 8; /* as after a call: handlers find rsp + 8 aligned */
	memset(&built, 0, sizeof(built));
	built.return_address = (uint64_t)signal_restore;
	built.info.si_signo = sig;
	built.info.si_code = code;
	built.info.si_addr = (void *)address;
	built.context.uc_stack = thread_current->signals.stack;
	built.context.uc_sigmask = thread_current->signals.blocked;
	built.context.fpregs = (void *)(sp + offsetof(struct fault_frame, vector));
	save_registers(built.context.gregs, frame);
	signal_save_vector(vector);
	memcpy(built.vector, vector, sizeof(vector));
	int result = copy_to_user((void *)sp, &built, sizeof(built));
	if (result)
		return result;
	frame->rsp = sp;
	frame->rip = (uint64_t)action->handler;
	frame->rdi = (uint64_t)sig;
	frame->rsi = sp + offsetof(struct fault_frame, info);
	frame->rdx = sp + offsetof(struct fault_frame, context);
	frame->rax = 0;
	frame->rflags = 0x202;
	return 0;
}

/* The kernel was in the midst of something: a program must not go on from its handler. */
static bool is_inside_kernel(const struct trap_frame *frame)
{
	uint64_t at = frame->rip;
	return at >= (uint64_t)__kernel_text_start && at < (uint64_t)__kernel_text_end && at != (uint64_t)kcall_probe;
}

void signal_fault(struct trap_frame *frame, int sig, int code, uint64_t address, const char *what)
{
	struct linux_sigaction *action = &signal_state.actions[sig];
	bool handled =
		(uint64_t)action->handler > LINUX_SIG_IGN && !(thread_current->signals.blocked & signal_bit(sig));
	if (!handled || is_inside_kernel(frame) || enter_handler(frame, action, sig, code, address))
		end_at_fault(frame, sig, what);
	thread_current->signals.blocked |= action->mask;
	if (!(action->flags & LINUX_SA_NODEFER))
		thread_current->signals.blocked |= signal_bit(sig);
	if (action->flags & LINUX_SA_RESETHAND)
		action->handler = (void (*)(int))LINUX_SIG_DFL;
}

/** From signal_restore: the handler has returned, and `after` is what follows its return address. */
_Noreturn void signal_return(const uint64_t *after);

_Noreturn void signal_return(const uint64_t *after)
{
	const struct fault_frame *built = (const struct fault_frame *)(after - 1);
	static struct trap_frame frame;
	static uint8_t vector[512] __attribute__((aligned(16)));
	memset(&frame, 0, sizeof(frame));
	load_registers(&frame, built->context.gregs);
	frame.cs = 0x33;
	frame.ss = 0x2b;
	thread_current->signals.blocked = built->context.uc_sigmask;
	memcpy(vector, built->vector, sizeof(vector));
	signal_load_vector(vector);
	trap_resume(&frame);
}
