/* SPDX-License-Identifier: MIT */
/* Calls about signals: sigaction(2), sigprocmask(2), kill(2), sigsuspend(2), sigaltstack(2) and related calls. */
#include <stdbool.h>

#include "kernel/signal/signal.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/personality.h"
#include "kernel/sched/process.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/invoke.h"
#include "kernel/sys/sys.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"

#define UNBLOCKABLE (1UL << (LINUX_SIGKILL - 1) | 1UL << (LINUX_SIGSTOP - 1))
#define SET_BYTES 8

long sys_rt_sigaction(int sig, const struct linux_sigaction *act, struct linux_sigaction *old, unsigned long set_bytes)
{
	struct linux_sigaction wanted;
	if (sig < 1 || sig > LINUX_NSIG || set_bytes != SET_BYTES)
		return -EINVAL;
	if (act && (sig == LINUX_SIGKILL || sig == LINUX_SIGSTOP))
		return -EINVAL;
	if (act && copy_from_user(&wanted, act, sizeof(wanted)))
		return -EFAULT;
	if (old && copy_to_user(old, &process_current->signals.actions[sig], sizeof(*old)))
		return -EFAULT;
	if (act) {
		wanted.mask &= ~UNBLOCKABLE;
		wanted.flags &= LINUX_SA_KNOWN;
		process_current->signals.actions[sig] = wanted;
		if (signal_is_ignored(sig))
			signal_discard(sig); /* POSIX, sigaction */
	}
	return 0;
}

long sys_rt_sigprocmask(int how, const unsigned long *set, unsigned long *old, unsigned long set_bytes)
{
	uint64_t was = thread_current->signals.blocked, wanted;
	if (set_bytes != SET_BYTES)
		return -EINVAL;
	if (set) {
		if (copy_from_user(&wanted, set, sizeof(wanted)))
			return -EFAULT;
		if (how == LINUX_SIG_BLOCK)
			wanted |= was;
		else if (how == LINUX_SIG_UNBLOCK)
			wanted = was & ~wanted;
		else if (how != LINUX_SIG_SETMASK)
			return -EINVAL;
		signal_set_blocked(wanted & ~UNBLOCKABLE);
	}
	return old ? copy_to_user(old, &was, sizeof(was)) : 0;
}

long sys_rt_sigpending(unsigned long *set, unsigned long set_bytes)
{
	uint64_t pending = signal_pending() & thread_current->signals.blocked;
	if (set_bytes > SET_BYTES)
		return -EINVAL;
	return copy_to_user(set, &pending, set_bytes);
}

long sys_pause(void)
{
	return sched_wait_until(SCHED_FOREVER, SCHED_CAUSE_signal, "a signal (pause)");
}

long sys_rt_sigsuspend(const unsigned long *set, unsigned long set_bytes)
{
	uint64_t mask;
	if (set_bytes != SET_BYTES)
		return -EINVAL;
	if (copy_from_user(&mask, set, sizeof(mask)))
		return -EFAULT;
	thread_current->signals.saved_mask = thread_current->signals.blocked;
	thread_current->signals.restore_mask = true;
	thread_current->signals.blocked = mask & ~UNBLOCKABLE;
	return sched_wait_until(SCHED_FOREVER, SCHED_CAUSE_signal, "a signal (sigsuspend)");
}

/* Takes the first pending signal of the set; 0 when none is. */
static int take_pending(uint64_t set, struct linux_siginfo *info)
{
	int sig = signal_first(set);
	if (sig)
		signal_take(sig, info);
	return sig;
}

long sys_rt_sigtimedwait(const unsigned long *set, struct linux_siginfo *info, const struct linux_timespec *timeout,
                         unsigned long set_bytes)
{
	uint64_t wanted, deadline = SCHED_FOREVER;
	struct linux_timespec ts;
	struct linux_siginfo taken;
	if (set_bytes != SET_BYTES)
		return -EINVAL;
	if (copy_from_user(&wanted, set, sizeof(wanted)))
		return -EFAULT;
	if (timeout) {
		if (copy_from_user(&ts, timeout, sizeof(ts)))
			return -EFAULT;
		int64_t ns = timespec_to_ns(&ts);
		if (ns < 0)
			return -EINVAL;
		deadline = vclock_now() + (uint64_t)ns;
	}
	int sig = take_pending(wanted, &taken);
	if (!sig) {
		struct thread_signals *signals = &thread_current->signals;
		signals->awaited = wanted;
		int result = sched_wait_until(deadline, SCHED_CAUSE_signal, "a signal (sigtimedwait)");
		signals->awaited = 0;
		sig = take_pending(wanted, &taken);
		signal_set_blocked(
			signals->blocked); /* other signals assigned to it meanwhile pass to other threads again */
		if (!sig)
			return result ? -EINTR : -EAGAIN;
	}
	if (info && copy_to_user(info, &taken, sizeof(taken)))
		return -EFAULT;
	return sig;
}

long sys_sigaltstack(const struct linux_stack *stack, struct linux_stack *old)
{
	struct linux_stack wanted = {0}, was = thread_current->signals.stack;
	int disarms = was.ss_flags & LINUX_SS_AUTODISARM;
	bool active = !disarms && signal_on_stack(&was, personality.signal_caller_stack());
	was.ss_flags = (active ? LINUX_SS_ONSTACK : was.ss_size ? 0 : LINUX_SS_DISABLE) | disarms;
	if (stack) {
		if (copy_from_user(&wanted, stack, sizeof(wanted)))
			return -EFAULT;
		if (active)
			return -EPERM;
		int mode = wanted.ss_flags & ~LINUX_SS_AUTODISARM;
		if (mode && mode != LINUX_SS_ONSTACK && mode != LINUX_SS_DISABLE)
			return -EINVAL;
		if (mode == LINUX_SS_DISABLE)
			wanted = (struct linux_stack){.ss_flags = LINUX_SS_DISABLE};
		else if (wanted.ss_size < LINUX_MINSIGSTKSZ)
			return -ENOMEM;
	}
	if (old && copy_to_user(old, &was, sizeof(was)))
		return -EFAULT;
	if (stack)
		thread_current->signals.stack = wanted;
	return 0;
}
