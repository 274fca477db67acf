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
#include "kernel/time/posix_timer.h"

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
	bool process = code == LINUX_SI_USER || code == LINUX_SI_TKILL;
	const struct signal_origin origin = {.code = code, .pid = process ? PROCESS_ID : 0};
	signal_queue(sig, &origin);
}

int signal_queue(int sig, const struct signal_origin *origin)
{
	assert(sig >= 1);
	assert(sig <= LINUX_NSIG);
	if (signal_is_ignored(sig) && !(signal_state.blocked & signal_bit(sig)))
		return 0;
	bool pending = signal_state.pending & signal_bit(sig), timer = origin->code == LINUX_SI_TIMER;
	if (pending && sig < LINUX_SIGRTMIN && !timer)
		return 1;
	/* What the queue has no room for stays pending without its origin, unless its sender can be told. */
	if (queue_add(sig, origin, timer) && sig >= LINUX_SIGRTMIN && origin->code < 0)
		return -EAGAIN;
	signal_state.pending |= signal_bit(sig);
	return 1;
}

void signal_take(int sig, struct linux_siginfo *info)
{
	struct signal_origin origin;
	if (!queue_take(sig, &origin))
		origin = (struct signal_origin){.code = LINUX_SI_USER};
	if (queue_is_empty(sig))
		signal_state.pending &= ~signal_bit(sig);
	memset(info, 0, sizeof(*info));
	info->si_signo = sig;
	info->si_code = origin.code;
	info->si_pid = origin.pid;
	info->si_uid = origin.uid;
	info->si_value = origin.value;
	if (origin.code == LINUX_SI_TIMER) /* its overrun is where others have the user (sigaction(2)) */
		info->si_uid = (uint32_t)posix_timer_taken(origin.pid);
}

void signal_discard(int sig)
{
	struct signal_origin origin;
	while (queue_take(sig, &origin))
		if (origin.code == LINUX_SI_TIMER)
			posix_timer_taken(origin.pid);
	signal_state.pending &= ~signal_bit(sig);
}

void signal_remove_timer(int sig, int timer)
{
	if (queue_remove_timer(sig, timer) && queue_is_empty(sig))
		signal_state.pending &= ~signal_bit(sig);
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
		signal_discard(sig);
	}
}

bool signal_is_deliverable(void)
{
	return next_signal() != 0;
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
	if ((uint64_t)action.handler == LINUX_SIG_DFL)
		die_of(sig);
	struct linux_siginfo info;
	struct linux_ucontext context;
	signal_take(sig, &info);
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
