/* SPDX-License-Identifier: MIT */
/* Signals of native images. When a kernel call returns, the handler is called as a function; at a fault, the exception
 * returns into it. */
#include "abi/linux_signal.h"
#include "kernel/arch/trap.h"
#include "kernel/lib/string.h"
#include "kernel/native/native.h"
#include "kernel/signal/invoke.h"
#include "kernel/signal/signal.h"
#include "kernel/signal/signal_frame.h"
#include "kernel/sys/kcall.h"
#include "kernel/time/vclock.h"

uint64_t native_deliver_caller_stack(void)
{
	return (uint64_t)__builtin_frame_address(0);
}

/** Called by call_handler_return: the handler has returned, and `after` is the word after its return address. */
_Noreturn void native_deliver_return(const uint64_t *after);

_Noreturn void native_deliver_return(const uint64_t *after)
{
	const struct signal_frame *built = (const struct signal_frame *)(after - 1);
	static struct trap_frame frame;
	thread_current->signals.blocked = built->context.uc_sigmask;
	frame.rflags = built->context.gregs[LINUX_REG_EFL];
	signal_frame_pop(&frame, built);
	if (frame.rip == built->owed_at) /* else the loop is left */
		vclock_owe(built->owed);
	trap_resume(&frame);
}

static void deliver_one(int sig)
{
	struct thread_signals *own = &thread_current->signals;
	struct linux_sigaction action = process_current->signals.actions[sig];
	if ((uint64_t)action.handler == LINUX_SIG_DFL)
		signal_die(sig);
	struct linux_siginfo info;
	struct linux_ucontext context;
	signal_take(sig, &info);
	memset(&context, 0, sizeof(context)); /* no registers: they are those of a kernel call or a check of ticks */
	context.uc_stack = own->stack;
	context.uc_sigmask = own->restore_mask ? own->saved_mask : own->blocked;
	own->restore_mask = false;
	own->blocked |= action.mask;
	if (!(action.flags & LINUX_SA_NODEFER))
		own->blocked |= signal_bit(sig);
	if (action.flags & LINUX_SA_RESETHAND)
		process_current->signals.actions[sig].handler = (void (*)(int))LINUX_SIG_DFL;
	native_deliver(); /* as on Linux, other pending signals interrupt this handler before its first instruction */
	uint64_t stack_top = 0;
	if ((action.flags & LINUX_SA_ONSTACK) && own->stack.ss_size &&
	    !signal_on_stack(&own->stack, (uint64_t)__builtin_frame_address(0)))
		stack_top = (uint64_t)own->stack.ss_sp + own->stack.ss_size;
	call_handler(action.handler, sig, &info, &context, stack_top);
	own->blocked = context.uc_sigmask;
}

void native_deliver(void)
{
	struct thread_signals *own = &thread_current->signals;
	int sig = signal_next();
	/* As on Linux, the first signal decides whether the call restarts; later or nested ones do not. */
	bool restarts = !sig || (process_current->signals.actions[sig].flags & LINUX_SA_RESTART);
	for (; sig; sig = signal_next())
		deliver_one(sig);
	own->restarts = restarts;
	if (own->restore_mask) {
		own->restore_mask = false;
		own->blocked = own->saved_mask;
	}
}

bool kcall_restarts(void)
{
	return thread_current->signals.restarts;
}
