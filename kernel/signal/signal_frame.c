/* SPDX-License-Identifier: MIT */
/* The frame on which a handler runs (rt_sigreturn(2)), and the return from it. The program's stack is written through
 * uaccess, because the fault may be in that stack. */
#include "kernel/signal/signal_frame.h"

#include "abi/layout.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/signal/invoke.h"
#include "kernel/signal/signal.h"
#include "kernel/time/vclock.h"

#define RED_ZONE 128

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
	gregs[LINUX_REG_CR2] = frame->address;
}

/* Flags in RFLAGS (SDM 1, figure 3-8). Those that the return from a handler restores (sigreturn(2)): arithmetic,
 * direction, trap and alignment. Those that a handler begins with, if the program has set them: ID, alignment, NT. */
#define RFLAGS_RESTORED 0x50dd5UL
#define RFLAGS_KEPT 0x244000UL
#define RFLAGS_ALWAYS 0x202UL

/* `rflags` has those at the return from the handler. */
static void load_registers(struct trap_frame *frame, const uint64_t *gregs, uint64_t rflags)
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
	frame->rflags =
		(gregs[LINUX_REG_EFL] & RFLAGS_RESTORED) | (rflags & RFLAGS_KEPT & ~RFLAGS_RESTORED) | RFLAGS_ALWAYS;
}

int signal_frame_build(struct trap_frame *frame, const struct linux_sigaction *action, const struct linux_siginfo *info,
                       uint64_t mask, uint64_t return_address)
{
	static struct signal_frame built;
	static uint8_t vector[512] __attribute__((aligned(16)));
	const struct linux_stack *stack = &thread_current->signals.stack;
	uint64_t sp = frame->rsp - RED_ZONE;
	if ((action->flags & LINUX_SA_ONSTACK) && stack->ss_size && !signal_on_stack(stack, frame->rsp))
		sp = (uint64_t)stack->ss_sp + stack->ss_size;
	sp = ((sp - sizeof(built)) & ~15UL) - 8; /* as after a call: handlers find rsp + 8 aligned */
	memset(&built, 0, sizeof(built));
	built.return_address = return_address;
	built.info = *info;
	built.context.uc_flags = LINUX_UC_SIGCONTEXT_SS | LINUX_UC_STRICT_RESTORE_SS;
	built.context.uc_stack = *stack;
	built.context.uc_sigmask = mask;
	built.context.fpregs = (void *)(sp + offsetof(struct signal_frame, vector));
	save_registers(built.context.gregs, frame);
	built.context.gregs[LINUX_REG_OLDMASK] = mask;
	built.owed = vclock_pay();
	built.owed_at = frame->rip;
	signal_vector_save(vector);
	memcpy(built.vector, vector, sizeof(vector));
	int result = copy_to_user((void *)sp, &built, sizeof(built));
	if (result)
		return result;
	signal_vector_default_environment();
	frame->rsp = sp;
	frame->rip = (uint64_t)action->handler;
	frame->rdi = (uint64_t)info->si_signo;
	frame->rsi = sp + offsetof(struct signal_frame, info);
	frame->rdx = sp + offsetof(struct signal_frame, context);
	frame->rax = 0;
	frame->rflags = (frame->rflags & RFLAGS_KEPT) | RFLAGS_ALWAYS;
	return 0;
}

void signal_frame_pop(struct trap_frame *frame, const struct signal_frame *built)
{
	static uint8_t vector[512] __attribute__((aligned(16)));
	const uint64_t rflags = frame->rflags;
	memset(frame, 0, sizeof(*frame));
	load_registers(frame, built->context.gregs, rflags);
	frame->cs = SELECTOR_RING3_CODE;
	frame->ss = SELECTOR_RING3_DATA;
	memcpy(vector, built->vector, sizeof(vector));
	signal_vector_load(vector);
}
