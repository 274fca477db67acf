/* SPDX-License-Identifier: MIT */
/* Signal dispositions and delivery at the return of a kernel call: a handler is an ordinary function call. */
#include "kernel/signal/signal.h"

#include "abi/doorbell.h"
#include "abi/errno.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/sched/process.h"
#include "kernel/signal/invoke.h"

struct signal_state signal_state;

static bool ignored_by_default(int sig)
{
	return sig == LINUX_SIGCHLD || sig == LINUX_SIGCONT || sig == LINUX_SIGURG || sig == LINUX_SIGWINCH;
}

static bool stops_by_default(int sig)
{
	return sig == LINUX_SIGSTOP || sig == LINUX_SIGTSTP || sig == LINUX_SIGTTIN || sig == LINUX_SIGTTOU;
}

bool signal_is_ignored(int sig)
{
	uint64_t handler = (uint64_t)signal_state.actions[sig].handler;
	return handler == LINUX_SIG_IGN || (handler == LINUX_SIG_DFL && ignored_by_default(sig));
}

void signal_send(int sig, int code)
{
	assert(sig >= 1);
	assert(sig <= LINUX_NSIG);
	if (signal_is_ignored(sig) && !(signal_state.blocked & signal_bit(sig)))
		return;
	signal_state.pending |= signal_bit(sig);
	signal_state.codes[sig] = code;
}

/* The lowest signal to deliver, or 0. */
static int next_signal(void)
{
	for (;;) {
		uint64_t ready = signal_state.pending & ~signal_state.blocked;
		if (!ready)
			return 0;
		int sig = __builtin_ctzl(ready) + 1;
		if (!signal_is_ignored(sig))
			return sig;
		signal_state.pending &= ~signal_bit(sig);
	}
}

bool signal_is_deliverable(void)
{
	return next_signal() != 0;
}

void signal_info(int sig, struct linux_siginfo *info)
{
	memset(info, 0, sizeof(*info));
	info->si_signo = sig;
	info->si_code = signal_state.codes[sig];
	if (info->si_code == LINUX_SI_USER || info->si_code == LINUX_SI_TKILL)
		info->si_pid = PROCESS_ID;
}

static _Noreturn void die_of(int sig)
{
	char message[80];
	if (stops_by_default(sig))
		format(message, sizeof(message), "SIGCONT, as it has stopped itself with signal %d", sig);
	else
		format(message, sizeof(message), "the program sent itself signal %d and has no handler for it", sig);
	end_with_report(stops_by_default(sig) ? END_DEADLOCK : END_SIGNAL, sig, message);
}

static void deliver_one(int sig)
{
	struct linux_sigaction action = signal_state.actions[sig];
	signal_state.pending &= ~signal_bit(sig);
	if ((uint64_t)action.handler == LINUX_SIG_DFL)
		die_of(sig);
	struct linux_siginfo info;
	struct linux_ucontext context;
	signal_info(sig, &info);
	memset(&context, 0, sizeof(context));
	context.uc_stack = signal_state.stack;
	context.uc_sigmask = signal_state.restore_mask ? signal_state.saved_mask : signal_state.blocked;
	signal_state.restore_mask = false;
	signal_state.blocked |= action.mask;
	if (!(action.flags & LINUX_SA_NODEFER))
		signal_state.blocked |= signal_bit(sig);
	if (action.flags & LINUX_SA_RESETHAND)
		signal_state.actions[sig].handler = (void (*)(int))LINUX_SIG_DFL;
	signal_deliver(); /* as on Linux, what else is pending interrupts this handler before its first instruction */
	uint64_t stack_top = 0;
	if ((action.flags & LINUX_SA_ONSTACK) && signal_state.stack.ss_size &&
	    !signal_on_stack(&signal_state.stack, (uint64_t)__builtin_frame_address(0)))
		stack_top = (uint64_t)signal_state.stack.ss_sp + signal_state.stack.ss_size;
	signal_invoke(action.handler, sig, &info, &context, stack_top);
	signal_state.blocked = context.uc_sigmask;
}

void signal_deliver(void)
{
	int sig;
	while ((sig = next_signal()))
		deliver_one(sig);
	if (signal_state.restore_mask) {
		signal_state.restore_mask = false;
		signal_state.blocked = signal_state.saved_mask;
	}
}
