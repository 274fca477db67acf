/* SPDX-License-Identifier: MIT */
/* Sending signals to processes and threads (kill(2), tgkill(2), sigqueue(3)). All have the same user. */
#include "kernel/linux/signal/kill.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/linux/event/pidfd.h"
#include "kernel/vfs/anon.h"
#include "kernel/linux/proc/proc.h"
#include "kernel/linux/signal/stop.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/sys.h"

/* Checked only when a receiver exists, as on Linux: otherwise the error is ESRCH. */
static bool is_signal_number(int sig)
{
	return sig >= 0 && sig <= LINUX_NSIG;
}

/* Sends to a process, or to one of its threads. Returns 0 or -EAGAIN. */
static int send_to_target(struct process *process, struct thread *thread, int sig, const struct signal_origin *origin)
{
	if (!sig || process->more->ended)
		return 0;
	stop_signal_sent(process->more, sig);
	struct process *current = process_enter(process);
	int result = signal_queue(thread, sig, origin);
	process_enter(current);
	return result < 0 ? result : 0;
}

/* Whether kill(2) with this number means a process. */
static bool does_pid_mean(const struct process *process, int pid)
{
	if (pid > 0)
		return process->more == process_of_thread((uint32_t)pid);
	if (pid == -1)
		return process != process_current && process->id != PROCESS_ID;
	return process->more->group == (pid ? (uint32_t)-pid : process_self()->group);
}

long sys_kill(int pid, int sig)
{
	const struct signal_origin origin = {.code = LINUX_SI_USER, .pid = (int)process_current->id};
	bool any = false;
	if (pid == INT32_MIN)
		return -ESRCH;
	for (struct process *process = &process_first; process; process = process->next) {
		if (!does_pid_mean(process, pid))
			continue;
		if (!is_signal_number(sig))
			return -EINVAL;
		any = true;
		send_to_target(process, NULL, sig, &origin);
	}
	return any ? 0 : -ESRCH;
}

/* Sends to a thread by its number, and by its process's number if that is given. A first thread that has ended exists
 * until its process is waited for, and ignores signals. */
static long send_to_thread(int tgid, int tid, int sig, const struct signal_origin *origin)
{
	struct thread *thread = thread_find((uint32_t)tid);
	if (thread && (!tgid || thread->process->id == (uint32_t)tgid))
		return is_signal_number(sig) ? send_to_target(thread->process, thread, sig, origin) : -EINVAL;
	if (!process_find((uint32_t)tid) || (tgid && tgid != tid))
		return -ESRCH;
	return is_signal_number(sig) ? 0 : -EINVAL;
}

long sys_tgkill(int tgid, int tid, int sig)
{
	const struct signal_origin origin = {.code = LINUX_SI_TKILL, .pid = (int)process_current->id};
	if (tid <= 0 || tgid <= 0)
		return -EINVAL;
	return send_to_thread(tgid, tid, sig, &origin);
}

long sys_tkill(int tid, int sig)
{
	const struct signal_origin origin = {.code = LINUX_SI_TKILL, .pid = (int)process_current->id};
	return tid <= 0 ? -EINVAL : send_to_thread(0, tid, sig, &origin);
}

/* Copies the sender's siginfo and its signal number. Returns 0 or -EFAULT. */
static int copy_origin(const struct linux_siginfo *info, struct signal_origin *origin, int *sig)
{
	struct linux_siginfo given;
	if (copy_from_user(&given, info, sizeof(given)))
		return -EFAULT;
	*origin = (struct signal_origin){given.si_code, given.si_pid, given.si_uid, given.si_value};
	*sig = given.si_signo;
	return 0;
}

/* Whether the receiver may get this code: those of the kernel may be sent only to oneself. */
static bool may_say(const struct signal_origin *origin, int receiver)
{
	bool is_kernels = origin->code >= 0 || origin->code == LINUX_SI_TKILL;
	return !is_kernels || receiver == (int)process_current->id;
}

/* copy_origin for calls that check the permission first. Returns 0 or a negative errno. */
static int read_origin(const struct linux_siginfo *info, struct signal_origin *origin, int receiver)
{
	int sig, error = copy_origin(info, origin, &sig);
	if (error)
		return error;
	return may_say(origin, receiver) ? 0 : -EPERM;
}

long sys_rt_sigqueueinfo(int pid, int sig, const struct linux_siginfo *info)
{
	struct signal_origin origin;
	struct linux_process *process = pid > 0 ? process_of_thread((uint32_t)pid) : NULL;
	int error = read_origin(info, &origin, pid);
	if (error)
		return error;
	if (!process)
		return -ESRCH;
	return is_signal_number(sig) ? send_to_target(process->base, NULL, sig, &origin) : -EINVAL;
}

long sys_rt_tgsigqueueinfo(int tgid, int tid, int sig, const struct linux_siginfo *info)
{
	struct signal_origin origin;
	if (tid <= 0 || tgid <= 0)
		return -EINVAL;
	int error = read_origin(info, &origin, tgid);
	return error ? error : send_to_thread(tgid, tid, sig, &origin);
}

long sys_pidfd_send_signal(int fd, int sig, const struct linux_siginfo *info, unsigned int flags)
{
	struct signal_origin origin = {.code = LINUX_SI_USER, .pid = (int)process_current->id};
	struct linux_process *process;
	bool nonblocking;
	if (flags)
		return -EINVAL;
	const struct file *file = anon_get(fd);
	int said = sig, error = 0;
	if (!file || !proc_is_process(file->inode, &process)) /* the way used before pidfd_open(2) */
		error = pidfd_find(fd, &process, &nonblocking);
	if (!error && info)
		error = copy_origin(info, &origin, &said);
	if (error)
		return error;
	if (said != sig)
		return -EINVAL;
	if (process && info && !may_say(&origin, (int)process->base->id))
		return -EPERM;
	if (!process)
		return -ESRCH;
	return is_signal_number(sig) ? send_to_target(process->base, NULL, sig, &origin) : -EINVAL;
}

/* Whether a process is a target. */
static bool is_target(const struct kill_target *target, const struct process *process)
{
	return target->type == KILL_GROUP ? process->more->group == target->id : process->id == target->id;
}

bool kill_knows(uint32_t id)
{
	const struct kill_target group = {KILL_GROUP, id};
	return process_of_thread(id) || kill_exists(&group);
}

bool kill_exists(const struct kill_target *target)
{
	if (target->type == KILL_THREAD)
		return thread_find(target->id);
	for (const struct process *process = &process_first; process; process = process->next)
		if (is_target(target, process))
			return true;
	return false;
}

int kill_send(const struct kill_target *target, int sig, const struct signal_origin *origin)
{
	struct thread *thread = target->type == KILL_THREAD ? thread_find(target->id) : NULL;
	int result = thread ? send_to_target(thread->process, thread, sig, origin) : 0;
	if (target->type == KILL_THREAD || !target->id)
		return result;
	if (target->type == KILL_PROCESS) {
		const struct linux_process *process = process_of_thread(target->id);
		return process ? send_to_target(process->base, NULL, sig, origin) : 0;
	}
	for (struct process *process = &process_first; process; process = process->next)
		if (is_target(target, process) && send_to_target(process, NULL, sig, origin))
			result = -EAGAIN;
	return result;
}
