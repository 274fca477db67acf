/* SPDX-License-Identifier: MIT */
/* Faults as signals. Runs on the trap stack. */
#include <stdbool.h>

#include "kernel/arch/trap.h"
#include "kernel/end.h"
#include "kernel/lib/string.h"
#include "kernel/personality.h"
#include "kernel/signal/signal.h"
#include "kernel/signal/signal_frame.h"

extern const char __kernel_text_start[], __kernel_text_end[]; /* image.ld */

const char *signal_stack_probe;
struct signal_fatal signal_fatal;

/* Makes the frame continue in the handler. Returns 0 or -EFAULT. */
static int enter_handler(struct trap_frame *frame, const struct linux_sigaction *action, int sig, int code,
                         uint64_t address)
{
	struct linux_siginfo info;
	memset(&info, 0, sizeof(info));
	info.si_signo = sig;
	info.si_code = code;
	info.si_addr = (void *)address;
	return personality.signal_frame_push(frame, action, &info, thread_current->signals.blocked,
	                                     personality.signal_return_address(action));
}

/* The kernel was in the middle of an operation: a program must not continue from its handler. */
static bool is_inside_kernel(const struct trap_frame *frame)
{
	uint64_t at = frame->rip;
	return at >= (uint64_t)__kernel_text_start && at < (uint64_t)__kernel_text_end &&
	       at != (uint64_t)signal_stack_probe;
}

void signal_fault(struct trap_frame *frame, int sig, int code, uint64_t address, const char *what)
{
	struct linux_sigaction *action = &process_current->signals.actions[sig];
	bool handled =
		(uint64_t)action->handler > LINUX_SIG_IGN && !(thread_current->signals.blocked & signal_bit(sig));
	if (is_inside_kernel(frame))
		end_at_fault(frame, sig, what);
	signal_fatal = handled ? (struct signal_fatal){0} : (struct signal_fatal){sig, code, address};
	if (!handled)
		personality.signal_die_at(frame, sig, what);
	if (enter_handler(frame, action, sig, code, address)) /* as Linux's force_sigsegv() */
		personality.signal_die_at(frame, LINUX_SIGSEGV, what);
	thread_current->signals.blocked |= action->mask;
	if (!(action->flags & LINUX_SA_NODEFER))
		thread_current->signals.blocked |= signal_bit(sig);
	if (action->flags & LINUX_SA_RESETHAND)
		action->handler = (void (*)(int))LINUX_SIG_DFL;
}
