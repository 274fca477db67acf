/* SPDX-License-Identifier: MIT */
/* Signals over the kernel's. signal and raise replace newlib's, which only simulate them. */
#include "abi/linux.h" /* before <signal.h> makes si_pid and its like macros */

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libc-port/src/kernel.h"
#include "libc-port/src/thread/thread.h"

#define SET_BYTES sizeof(sigset_t)

/* Signals reserved for libc do not exist for programs. */
static int is_reserved(int sig)
{
	return sig >= 1 && sig < NSIG && (THREAD_SIGNALS >> (sig - 1) & 1);
}

KERNEL_FUNCTION(int, kill, (pid_t pid, int sig), (pid, sig))

int killpg(pid_t group, int sig)
{
	return group < 0 ? kernel_refuse(EINVAL) : kill(-group, sig);
}

int raise(int sig)
{
	return (int)kernel_result(kcall_tkill((int)kcall_gettid(), sig));
}

int _raise_r(struct _reent *, int sig)
{
	return raise(sig);
}

int sigqueue(pid_t pid, int sig, union sigval value)
{
	siginfo_t info = {.si_signo = sig, .si_code = SI_QUEUE};
	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value = value;
	return (int)kernel_result(kcall_rt_sigqueueinfo(pid, sig, (const struct linux_siginfo *)&info));
}

int sigaction(int sig, const struct sigaction *restrict act, struct sigaction *restrict old)
{
	struct linux_sigaction wanted, was;
	if (is_reserved(sig))
		return kernel_refuse(EINVAL);
	if (act) {
		wanted.handler = act->sa_handler;
		wanted.flags = (unsigned int)act->sa_flags;
		wanted.restorer = NULL;
		wanted.mask = act->sa_mask;
	}
	if (kernel_result(kcall_rt_sigaction(sig, act ? &wanted : NULL, old ? &was : NULL, SET_BYTES)) < 0)
		return -1;
	if (old) {
		memset(old, 0, sizeof(*old));
		old->sa_handler = was.handler;
		old->sa_flags = (int)was.flags;
		old->sa_mask = was.mask;
	}
	return 0;
}

static unsigned long interrupting; /* signals that siginterrupt(3) keeps from restarting calls */

/* BSD semantics, as on Linux: the handler stays installed, and calls are restarted. */
_sig_func_ptr signal(int sig, _sig_func_ptr handler)
{
	struct sigaction act = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
	if (sig >= 1 && sig < NSIG && (interrupting >> (sig - 1) & 1))
		act.sa_flags = 0;
	return sigaction(sig, &act, &old) < 0 ? SIG_ERR : old.sa_handler;
}

_sig_func_ptr _signal_r(struct _reent *, int sig, _sig_func_ptr handler)
{
	return signal(sig, handler);
}

int siginterrupt(int sig, int flag)
{
	struct sigaction act;
	if (sigaction(sig, NULL, &act) < 0)
		return -1;
	if (flag) {
		interrupting |= 1UL << (sig - 1);
		act.sa_flags &= ~SA_RESTART;
	} else {
		interrupting &= ~(1UL << (sig - 1));
		act.sa_flags |= SA_RESTART;
	}
	return sigaction(sig, &act, NULL);
}

/* Reports the error number itself. */
int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	sigset_t wanted = set ? *set & ~THREAD_SIGNALS : 0;
	return (int)-kcall_rt_sigprocmask(how, set ? &wanted : NULL, old, SET_BYTES);
}

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	int error = pthread_sigmask(how, set, old);
	return error ? kernel_refuse(error) : 0;
}

/* A thread that has ended but was not joined still exists, and ignores signals. */
int pthread_kill(pthread_t id, int sig)
{
	const struct pthread *thread = (const struct pthread *)id;
	if (is_reserved(sig))
		return EINVAL;
	uint32_t tid = thread->tid;
	if (!tid)
		return sig < 0 || sig >= NSIG ? EINVAL : 0;
	long result = kcall_tgkill((int)thread_main.tid_kept, (int)tid, sig);
	return result == -ESRCH ? 0 : (int)-result;
}

int pthread_sigqueue(pthread_t id, int sig, const union sigval value)
{
	const struct pthread *thread = (const struct pthread *)id;
	siginfo_t info = {.si_signo = sig, .si_code = SI_QUEUE};
	info.si_pid = getpid();
	info.si_uid = getuid();
	info.si_value = value;
	if (is_reserved(sig))
		return EINVAL;
	uint32_t tid = thread->tid;
	return tid ? (int)-kcall_rt_tgsigqueueinfo(getpid(), (int)tid, sig, (const struct linux_siginfo *)&info)
	           : ESRCH;
}

int sigpending(sigset_t *set)
{
	return (int)kernel_result(kcall_rt_sigpending(set, SET_BYTES));
}

int sigsuspend(const sigset_t *mask)
{
	sigset_t wanted = *mask & ~THREAD_SIGNALS;
	return (int)kernel_result(THREAD_CANCELLABLE(kcall_rt_sigsuspend(&wanted, SET_BYTES)));
}

int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict timeout)
{
	int sig = (int)kernel_result(THREAD_CANCELLABLE(kcall_rt_sigtimedwait(
		set, (struct linux_siginfo *)info, (const struct linux_timespec *)timeout, SET_BYTES)));
	if (sig > 0 && info && info->si_code == SI_TKILL)
		info->si_code = SI_USER; /* as in glibc: raise counts as kill */
	return sig;
}

int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
	return sigtimedwait(set, info, NULL);
}

/* Reports the error number itself, and never EINTR. */
int sigwait(const sigset_t *restrict set, int *restrict sig)
{
	long result;
	do
		result = THREAD_CANCELLABLE(kcall_rt_sigtimedwait(set, NULL, NULL, SET_BYTES));
	while (result == -EINTR);
	if (result < 0)
		return (int)-result;
	*sig = (int)result;
	return 0;
}

KERNEL_FUNCTION(int, sigaltstack, (const stack_t *restrict stack, stack_t *restrict old),
                ((const struct linux_stack *)stack, (struct linux_stack *)old))
KERNEL_FUNCTION_BY(THREAD_CANCELLABLE, int, pause, (void), ())

static int may_name(int sig)
{
	return sig >= 1 && sig < NSIG && !is_reserved(sig);
}

int sigemptyset(sigset_t *set)
{
	*set = 0;
	return 0;
}

int sigfillset(sigset_t *set)
{
	*set = ~THREAD_SIGNALS;
	return 0;
}

int sigaddset(sigset_t *set, int sig)
{
	if (!may_name(sig))
		return kernel_refuse(EINVAL);
	*set |= 1UL << (sig - 1);
	return 0;
}

int sigdelset(sigset_t *set, int sig)
{
	if (!may_name(sig))
		return kernel_refuse(EINVAL);
	*set &= ~(1UL << (sig - 1));
	return 0;
}

int sigismember(const sigset_t *set, int sig)
{
	if (sig < 1 || sig >= NSIG)
		return kernel_refuse(EINVAL);
	return *set >> (sig - 1) & 1;
}

/* The System V form, as in POSIX: waits with one signal unblocked. */
int sigpause(int sig)
{
	sigset_t mask;
	if (sigprocmask(SIG_SETMASK, NULL, &mask) < 0 || sigdelset(&mask, sig) < 0)
		return -1;
	return sigsuspend(&mask);
}

int sigisemptyset(const sigset_t *set)
{
	return *set == 0;
}

int sigandset(sigset_t *to, const sigset_t *a, const sigset_t *b)
{
	*to = *a & *b;
	return 0;
}

int sigorset(sigset_t *to, const sigset_t *a, const sigset_t *b)
{
	*to = *a | *b;
	return 0;
}

static int change_mask(int how, int sig)
{
	sigset_t set = 0;
	return sigaddset(&set, sig) < 0 ? -1 : sigprocmask(how, &set, NULL);
}

int sighold(int sig)
{
	return change_mask(SIG_BLOCK, sig);
}

int sigrelse(int sig)
{
	return change_mask(SIG_UNBLOCK, sig);
}

int sigignore(int sig)
{
	struct sigaction act = {.sa_handler = SIG_IGN};
	return sigaction(sig, &act, NULL);
}

/* System V: sets a handler, or blocks with SIG_HOLD. Returns the old handler, or SIG_HOLD if the signal was blocked. */
_sig_func_ptr sigset(int sig, _sig_func_ptr action)
{
	struct sigaction act = {.sa_handler = action}, old;
	sigset_t mask;
	if (sigprocmask(SIG_SETMASK, NULL, &mask) < 0 || sigaction(sig, NULL, &old) < 0)
		return SIG_ERR;
	if (action == SIG_HOLD) {
		if (sighold(sig) < 0)
			return SIG_ERR;
	} else if (sigaction(sig, &act, NULL) < 0 || sigrelse(sig) < 0) {
		return SIG_ERR;
	}
	return sigismember(&mask, sig) > 0 ? SIG_HOLD : old.sa_handler;
}

KERNEL_FUNCTION(int, tgkill, (pid_t process, pid_t thread, int sig), (process, thread, sig))
