/* SPDX-License-Identifier: MIT */
/* Sending signals (kill(2), sigqueue(3)) when there is only one process. */
#include <stdbool.h>

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/sched/process.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/sys.h"

/* Whether a number of kill(2) means this process. */
static bool is_self(int pid)
{
	return pid == PROCESS_ID || pid == 0 || pid == -PROCESS_ID || pid == -1;
}

static bool is_signal(int sig)
{
	return sig >= 0 && sig <= LINUX_NSIG;
}

long sys_kill(int pid, int sig)
{
	if (!is_signal(sig))
		return -EINVAL;
	if (!is_self(pid))
		return -ESRCH;
	if (sig)
		signal_send(sig, LINUX_SI_USER);
	return 0;
}

long sys_tgkill(int tgid, int tid, int sig)
{
	if (tid <= 0 || tgid <= 0 || !is_signal(sig))
		return -EINVAL;
	struct thread *thread = tgid == PROCESS_ID ? thread_find((uint32_t)tid) : NULL;
	const struct signal_origin origin = {.code = LINUX_SI_TKILL, .pid = PROCESS_ID};
	if (!thread)
		return -ESRCH;
	if (sig)
		signal_queue(thread, sig, &origin);
	return 0;
}

long sys_tkill(int tid, int sig)
{
	return sys_tgkill(PROCESS_ID, tid, sig);
}

static long queue(bool addressed, struct thread *thread, int sig, const struct linux_siginfo *info)
{
	struct linux_siginfo given;
	if (copy_from_user(&given, info, sizeof(given)))
		return -EFAULT;
	if (!is_signal(sig))
		return -EINVAL;
	if (!addressed)
		return -ESRCH;
	const struct signal_origin origin = {given.si_code, given.si_pid, given.si_uid, given.si_value};
	if (origin.code == LINUX_SI_TIMER) /* reserved to the kernel: it means an existing timer */
		return -EPERM;
	int result = sig ? signal_queue(thread, sig, &origin) : 0;
	return result < 0 ? result : 0;
}

long sys_rt_sigqueueinfo(int pid, int sig, const struct linux_siginfo *info)
{
	return queue(pid == PROCESS_ID, NULL, sig, info);
}

long sys_rt_tgsigqueueinfo(int tgid, int tid, int sig, const struct linux_siginfo *info)
{
	if (tid <= 0 || tgid <= 0)
		return -EINVAL;
	struct thread *thread = tgid == PROCESS_ID ? thread_find((uint32_t)tid) : NULL;
	return queue(thread != NULL, thread, sig, info);
}
