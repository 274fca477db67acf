/* SPDX-License-Identifier: MIT */
/* Waiting for children: wait4(2), waitid(2). Of several children with news, the oldest is reported first. */
#include "abi/errno.h"
#include "abi/linux.h"
#include "abi/linux_signal.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/event/pidfd.h"
#include "kernel/linux/process/ptrace.h"
#include "kernel/linux/time/usage.h"
#include "kernel/sched/sched.h"
#include "kernel/sys/sys.h"

#define WNOHANG 1
#define WUNTRACED 2
#define WEXITED 4
#define WCONTINUED 8
#define WNOWAIT 0x01000000
#define WNOTHREAD 0x20000000
#define WALL 0x40000000
#define WCLONE INT32_MIN

#define P_ALL 0
#define P_PID 1
#define P_PGID 2
#define P_PIDFD 3

/** The children that a call waits for. */
struct selection {
	int kind;        /**< P_* */
	uint32_t number; /**< of the process, or the group */
};

static bool is_awaited_child(const struct linux_process *child, const struct selection *wanted, int options)
{
	bool is_clone = child->exit_signal != LINUX_SIGCHLD;
	if (child->orphan || (is_clone != !!(options & WCLONE) && !(options & WALL)))
		return false;
	return wanted->kind == P_ALL || (wanted->kind == P_PID && child->base->id == wanted->number) ||
	       (wanted->kind == P_PGID && child->group == wanted->number);
}

/* Whether a child may have news now or later. The only news of an ended child is its end. */
static bool may_tell(const struct linux_process *child, int options)
{
	return !child->ended || (options & WEXITED);
}

/* Whether a child has news: it has ended, stopped or continued. */
static bool tells(const struct linux_process *child, int options)
{
	return ((options & WEXITED) && child->ended) ||
	       (!child->ended && (((options & WUNTRACED) && child->stopped && child->tells_stop) ||
	                          ((options & WCONTINUED) && child->tells_continue)));
}

/* Finds a child with news (*found), or waits for one. Returns 1; 0 when no child has news and the call does not wait;
 * or a negative errno. */
static int find_child(const struct selection *wanted, int options, bool wait, struct linux_process **found)
{
	static const struct wait_reason reason = {"a child process to end (wait)", SCHED_CAUSE_join};
	int result = 0;
	for (;;) {
		bool any = false;
		for (struct linux_process *child = process_self()->child; child; child = child->sibling) {
			if (!is_awaited_child(child, wanted, options) || !may_tell(child, options))
				continue;
			any = true;
			*found = child;
			if (tells(child, options))
				return 1;
		}
		if (!any)
			return -ECHILD;
		if (!wait ||
		    result < 0) /* checked after the children, so that a child's SIGCHLD does not hide its news */
			return result;
		result = sched_wait(&process_self()->waiting, SCHED_FOREVER, &reason);
	}
}

/* The news of a child: a code of siginfo, and in *status the matching status. */
static int news_of(const struct linux_process *child, int *status)
{
	if (!child->ended) {
		bool stopped = child->stopped && child->tells_stop;
		*status = stopped ? child->stopped : LINUX_SIGCONT;
		return stopped ? LINUX_CLD_STOPPED : LINUX_CLD_CONTINUED;
	}
	bool exited = !(child->status & 0x7f);
	*status = exited ? child->status >> 8 : child->status & 0x7f;
	return exited ? LINUX_CLD_EXITED : LINUX_CLD_KILLED;
}

/* Marks the news as reported. */
static void told(struct linux_process *child, int code)
{
	if (code == LINUX_CLD_STOPPED)
		child->tells_stop = false;
	else if (code == LINUX_CLD_CONTINUED)
		child->tells_continue = false;
	else {
		usage_waited(child);
		process_reap(child);
	}
}

#define STATUS_STOPPED 0x7f
#define STATUS_CONTINUED 0xffff

static struct selection by_pid(int pid)
{
	if (pid == -1)
		return (struct selection){P_ALL, 0};
	if (pid > 0)
		return (struct selection){P_PID, (uint32_t)pid};
	return (struct selection){P_PGID, pid ? (uint32_t)-pid : process_self()->group};
}

/* Reports a stopped traced thread. */
static long tell_stop(uint32_t tid, int *status, struct linux_rusage *usage)
{
	static const struct linux_rusage none;
	const int word = LINUX_SIGSTOP << 8 | STATUS_STOPPED;
	if ((status && copy_to_user(status, &word, sizeof(word))) ||
	    (usage && copy_to_user(usage, &none, sizeof(none))))
		return -EFAULT;
	return tid;
}

long sys_wait4(int pid, int *status, int options, struct linux_rusage *usage)
{
	struct linux_process *child = NULL;
	struct linux_rusage used;
	if (options & ~(WNOHANG | WUNTRACED | WCONTINUED | WNOTHREAD | WALL | WCLONE))
		return -EINVAL;
	if (pid == INT32_MIN)
		return -ESRCH;
	const struct selection wanted = by_pid(pid);
	uint32_t traced = ptrace_take_news(pid);
	if (traced)
		return tell_stop(traced, status, usage);
	int news, result = find_child(&wanted, options | WEXITED, !(options & WNOHANG), &child);
	if (result <= 0)
		return result;
	uint32_t id = child->base->id;
	int code = news_of(child, &news);
	int word = code == LINUX_CLD_STOPPED     ? news << 8 | STATUS_STOPPED
	           : code == LINUX_CLD_CONTINUED ? STATUS_CONTINUED
	                                         : child->status;
	if (status && copy_to_user(status, &word, sizeof(word)))
		return -EFAULT;
	usage_of_child(child, &used);
	if (usage && copy_to_user(usage, &used, sizeof(used)))
		return -EFAULT;
	told(child, code);
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
	struct linux_siginfo siginfo;
	int code = 0, news;
	struct linux_rusage used;
	struct selection wanted = {kind, (uint32_t)id};
	bool wait = !(options & WNOHANG), nonblocking = false;
	if ((options & ~(WNOHANG | WUNTRACED | WEXITED | WCONTINUED | WNOWAIT | WNOTHREAD | WALL | WCLONE)) ||
	    !(options & (WEXITED | WUNTRACED | WCONTINUED)) || kind < P_ALL || kind > P_PIDFD ||
	    (kind != P_ALL && id < 0) || (kind == P_PID && !id))
		return -EINVAL;
	if (kind == P_PGID && !id)
		wanted.number = process_self()->group;
	int result = kind == P_PIDFD ? by_pidfd(id, &wanted, &nonblocking) : 0;
	if (!result)
		result = find_child(&wanted, options, wait && !nonblocking, &child);
	if (result < 0)
		return result;
	if (!result && wait)
		return -EAGAIN;
	memset(&siginfo, 0, sizeof(siginfo));
	memset(&used, 0, sizeof(used));
	if (result) {
		usage_of_child(child, &used);
		code = news_of(child, &news);
		siginfo.si_signo = LINUX_SIGCHLD;
		siginfo.si_code = code;
		siginfo.si_pid = (int)child->base->id;
		siginfo.si_value = (uint64_t)news;
	}
	if ((info && copy_to_user(info, &siginfo, sizeof(siginfo))) ||
	    (usage && copy_to_user(usage, &used, sizeof(used))))
		return -EFAULT;
	if (result && !(options & WNOWAIT))
		told(child, code);
	return 0;
}
