/* SPDX-License-Identifier: MIT */
/* Delivery at the return of a system call: a frame on the program's stack for each handler, the last of which runs
 * first. An interrupted call is restarted after its handler if the handler has SA_RESTART. */
#include "kernel/linux/signal/deliver.h"

#include <stdbool.h>

#include "abi/errno.h"
#include "abi/restart.h"
#include "kernel/arch/uaccess.h"
#include "kernel/end.h"
#include "kernel/linux/debug/debug.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/patch/stub.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/linux/process/ptrace.h"
#include "kernel/linux/signal/stop.h"
#include "kernel/linux/signal/xsave_frame.h"
#include "kernel/linux/strace/strace.h"
#include "kernel/net/socket.h"
#include "kernel/signal/invoke.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/sys.h"

uint64_t deliver_return_address(const struct linux_sigaction *action)
{
	return (uint64_t)action->restorer;
}

uint64_t deliver_fault_place(uint64_t address)
{
	return stub_original(address);
}

uint64_t deliver_caller_stack(void)
{
	return linux_frame(thread_current)->rsp;
}

static bool is_call(const struct trap_frame *frame)
{
	return frame->vector == LINUX_BY_TRAP || frame->vector == LINUX_BY_JUMP;
}

static void restart(struct trap_frame *frame)
{
	frame->rip -= frame->vector == LINUX_BY_TRAP ? LINUX_TRAP_BYTES : LINUX_JUMP_BYTES;
	frame->rax = frame->error_code;
}

/* A signal ends the process; or it is this thread's turn to end. */
static _Noreturn void die(int sig)
{
	const struct linux_process *self = process_self();
	if (self->stopping || self->ending)
		process_thread_exit(0);
	strace_note(STRACE_SIGNAL, (uint64_t)sig, NULL);
	if (!self->parent)
		signal_die(sig);
	process_exit(sig);
}

_Noreturn void deliver_die_at(const struct trap_frame *frame, int sig, const char *what)
{
	/* If the current process is not that of the running thread, the kernel caused the fault: it has jumped out of
	 * its text. */
	bool is_kernels = process_current != thread_current->process;
	strace_note(STRACE_SIGNAL, (uint64_t)sig, NULL);
	if (is_kernels || !process_self()->parent)
		end_at_fault(frame, sig, what);
	process_exit(sig);
}

/* Calls whose wait was interrupted by a stop without a handler: most continue to wait (signal(7), "Interruption of
 * system calls and library functions by stop signals"). */
static bool goes_on_after_stop(const struct trap_frame *frame)
{
	switch (frame->error_code) {
	case 128: /* rt_sigtimedwait */
	case 232: /* epoll_wait */
	case 281: /* epoll_pwait */
	case 441: /* epoll_pwait2 */
		return false;
	default:
		return is_call(frame) && frame->rax == (uint64_t)-EINTR;
	}
}

/* A debugger that holds the signal back takes it from those that are pending. */
static bool is_held_back(int sig)
{
	const struct linux_process *self = process_self();
	struct linux_siginfo info;
	if (self->stopping || self->ending)
		return false;
	debug_note(DEBUG_AT_SIGNAL, (uint64_t)sig, NULL);
	if (!debug_drops_signal())
		return false;
	signal_take(sig, &info);
	return true;
}

static void deliver_signal(struct trap_frame *frame, int sig)
{
	struct thread_signals *own = &thread_current->signals;
	struct linux_sigaction action = process_current->signals.actions[sig];
	struct linux_siginfo info;
	if ((uint64_t)action.handler == LINUX_SIG_DFL) {
		if (is_held_back(sig))
			return;
		die(sig);
	}
	signal_take(sig, &info);
	strace_note(STRACE_SIGNAL, (uint64_t)sig, &info);
	debug_note(DEBUG_AT_SIGNAL, (uint64_t)sig, &info);
	if (debug_drops_signal())
		return;
	if (is_call(frame) && frame->rax == (uint64_t)-EINTR && (action.flags & LINUX_SA_RESTART) &&
	    syscall_may_restart((long)frame->error_code, (const void *)frame->r10) &&
	    !socket_call_has_timeout(frame->error_code, (int)frame->rdi))
		restart(frame);
	frame->rip = stub_original(frame->rip); /* handlers see the address, and unwinders know only the program */
	uint64_t mask = own->restore_mask ? own->saved_mask : own->blocked;
	own->restore_mask = false;
	if (xsave_frame_push(frame, &action, &info, mask, deliver_return_address(&action)))
		deliver_die_at(frame, LINUX_SIGSEGV, "the program's stack has no room for the handler of a signal");
	linux_frame_changed(frame);
	if (own->stack.ss_flags & LINUX_SS_AUTODISARM)
		own->stack = (struct linux_stack){.ss_flags = LINUX_SS_DISABLE};
	own->blocked |= action.mask;
	if (!(action.flags & LINUX_SA_NODEFER))
		own->blocked |= signal_bit(sig);
	if (action.flags & LINUX_SA_RESETHAND)
		process_current->signals.actions[sig].handler = (void (*)(int))LINUX_SIG_DFL;
}

void linux_deliver(struct trap_frame *frame)
{
	struct thread_signals *own = &thread_current->signals;
	struct linux_siginfo info;
	bool stopped = false;
	int sig;
	while ((sig = signal_next())) {
		uint64_t handler = (uint64_t)process_current->signals.actions[sig].handler;
		if (handler != LINUX_SIG_DFL || !stop_is_default(sig)) {
			deliver_signal(frame, sig);
			continue;
		}
		signal_take(sig, &info);
		if (sig == LINUX_SIGSTOP && ptrace_stops()) {
			ptrace_stop();
			stopped = true;
		} else {
			stopped |= stop_process(sig);
		}
	}
	if (stopped && goes_on_after_stop(frame)) {
		restart(frame);
		linux_frame_changed(frame);
	}
	if (own->restore_mask) {
		own->restore_mask = false;
		own->blocked = own->saved_mask;
	}
}

/* Restores the alternate stack from the frame, where the handler may have changed it: like sigaltstack(2), with errors
 * ignored. */
static void restore_stack(const struct linux_stack *wanted)
{
	struct linux_stack *own = &thread_current->signals.stack;
	int mode = wanted->ss_flags & ~LINUX_SS_AUTODISARM;
	if (!(own->ss_flags & LINUX_SS_AUTODISARM) && signal_on_stack(own, deliver_caller_stack()))
		return;
	if (mode == LINUX_SS_DISABLE)
		*own = (struct linux_stack){.ss_flags = LINUX_SS_DISABLE};
	else if ((!mode || mode == LINUX_SS_ONSTACK) && wanted->ss_size >= LINUX_MINSIGSTKSZ)
		*own = *wanted;
}

long sys_rt_sigreturn(void)
{
	struct trap_frame *frame = linux_frame(thread_current);
	static struct signal_frame built;
	uint64_t at = frame->rsp - sizeof(built.return_address); /* which the handler's ret has popped */
	if (copy_from_user(&built, (const void *)at, sizeof(built)) || xsave_frame_pop(frame, &built))
		deliver_die_at(frame, LINUX_SIGSEGV, "the program returned from a handler, and its frame is not there");
	frame->rip = stub_going_on(frame->rip);
	restore_stack(&built.context.uc_stack);
	thread_current->signals.blocked = built.context.uc_sigmask;
	linux_frame_changed(frame); /* the whole frame is restored */
	return (long)frame->rax;
}
