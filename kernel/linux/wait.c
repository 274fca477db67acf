/* SPDX-License-Identifier: MIT */
/* Waiting for children: wait4(2), waitid(2). Of several that have ended the oldest is told of first. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "abi/linux_signal.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/pidfd.h"
#include "kernel/linux/usage.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"

#define WNOHANG 1
#define WUNTRACED 2
#define WEXITED 4
#define WCONTINUED 8
#define WNOWAIT 0x01000000
#define WNOTHREAD 0x20000000
#define WALL 0x40000000
#define WCLONE 0x80000000U

#define P_ALL 0
#define P_PID 1
#define P_PGID 2
#define P_PIDFD 3

/** Which children are meant. */
struct selection {
	int kind;        /**< P_* */
	uint32_t number; /**< of the process, or the group */
};

static bool is_meant(const struct linux_process *child, const struct selection *wanted)
{
	if (child->orphan)
		return false;
	return wanted->kind == P_ALL || (wanted->kind == P_PID && child->base->id == wanted->number) ||
	       (wanted->kind == P_PGID && child->group == wanted->number);
}

/* A child that has ended, *found; waits for one. 0: none has, and it is not waited for; 1; or a negative errno. */
static int find_ended(const struct selection *wanted, bool wait, struct linux_process **found)
{
	static const struct wait_reason reason = {"a child process to end (wait)", SCHED_CAUSE_join};
	for (;;) {
		bool any = false;
		for (struct linux_process *child = process_self()->child; child; child = child->sibling) {
			if (!is_meant(child, wanted))
				continue;
			any = true;
			*found = child;
			if (child->ended)
				return 1;
		}
		if (!any)
			return -ECHILD;
		if (!wait)
			return 0;
		int result = sched_wait(&process_self()->waiting, SCHED_FOREVER, &reason);
		if (result < 0)
			return result;
	}
}

static struct selection by_pid(int pid)
{
	if (pid == -1)
		return (struct selection){P_ALL, 0};
	if (pid > 0)
		return (struct selection){P_PID, (uint32_t)pid};
	return (struct selection){P_PGID, pid ? (uint32_t)-pid : process_self()->group};
}

long sys_wait4(int pid, int *status, int options, struct linux_rusage *usage)
{
	struct linux_process *child = NULL;
	struct linux_rusage used;
	if ((unsigned)options & ~(WNOHANG | WUNTRACED | WCONTINUED | WNOTHREAD | WALL | WCLONE))
		return -EINVAL;
	if (pid == INT32_MIN)
		return -ESRCH;
	const struct selection wanted = by_pid(pid);
	int result = find_ended(&wanted, !(options & WNOHANG), &child);
	if (result <= 0)
		return result;
	uint32_t id = child->base->id;
	if (status && copy_to_user(status, &child->status, sizeof(child->status)))
		return -EFAULT;
	usage_of_child(child, &used);
	if (usage && copy_to_user(usage, &used, sizeof(used)))
		return -EFAULT;
	usage_waited(child);
	process_reap(child);
	return id;
}

static int by_pidfd(int fd, struct selection *wanted, bool *nonblocking)
{
	struct linux_process *process;
	int error = pidfd_find(fd, &process, nonblocking);
	if (error)
		return error;
	if (!process)
		return -ECHILD;
	*wanted = (struct selection){P_PID, process->base->id};
	return 0;
}

long sys_waitid(int kind, int id, struct linux_siginfo *info, int options, struct linux_rusage *usage)
{
	struct linux_process *child = NULL;
	struct linux_siginfo told;
	struct linux_rusage used;
	struct selection wanted = {kind, (uint32_t)id};
	bool wait = !(options & WNOHANG), nonblocking = false;
	if (((unsigned)options & ~(WNOHANG | WUNTRACED | WEXITED | WCONTINUED | WNOWAIT | WNOTHREAD | WALL | WCLONE)) ||
	    !(options & (WEXITED | WUNTRACED | WCONTINUED)) || kind < P_ALL || kind > P_PIDFD ||
	    (kind != P_ALL && id < 0))
		return -EINVAL;
	if (kind == P_PGID && !id)
		wanted.number = process_self()->group;
	int result = kind == P_PIDFD ? by_pidfd(id, &wanted, &nonblocking) : 0;
	if (!result)
		result = find_ended(&wanted, wait && !nonblocking, &child);
	if (result < 0)
		return result;
	if (!result && wait)
		return -EAGAIN;
	memset(&told, 0, sizeof(told));
	memset(&used, 0, sizeof(used));
	if (result) {
		usage_of_child(child, &used);
		bool exited = !(child->status & 0x7f);
		told.si_signo = LINUX_SIGCHLD;
		told.si_code = exited ? LINUX_CLD_EXITED : LINUX_CLD_KILLED;
		told.si_pid = (int)child->base->id;
		told.si_value = (uint64_t)(exited ? child->status >> 8 : child->status & 0x7f);
	}
	if ((info && copy_to_user(info, &told, sizeof(told))) || (usage && copy_to_user(usage, &used, sizeof(used))))
		return -EFAULT;
	if (result && !(options & WNOWAIT)) {
		usage_waited(child);
		process_reap(child);
	}
	return 0;
}
