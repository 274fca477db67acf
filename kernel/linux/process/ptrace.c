/* SPDX-License-Identifier: MIT */
/* While the tracer runs, no other thread runs. So the thread to which it attaches is in the kernel, and its registers
 * are known. That thread counts as stopped from then on. When it is scheduled next, its SIGSTOP makes it call
 * ptrace_stop before it returns to the program. */
#include "kernel/linux/process/ptrace.h"

#include "abi/errno.h"
#include "abi/linux.h"
#include "abi/linux_signal.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/process/user_registers.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/sys.h"

#define PTRACE_KILL 8
#define PTRACE_GETREGS 12
#define PTRACE_ATTACH 16
#define PTRACE_DETACH 17
#define PTRACE_GETREGSET 0x4204

#define NT_PRSTATUS 1

/* A traced thread. */
struct trace {
	struct trace *next;
	struct linux_process *tracer; /* NULL: the tracer let go before the thread stopped */
	uint32_t tid;
	bool told;
};

static struct trace *traces;
static struct thread_queue standing;

static struct trace **find_trace(uint32_t tid)
{
	struct trace **link = &traces;
	while (*link && (*link)->tid != tid)
		link = &(*link)->next;
	return link;
}

bool ptrace_stops(void)
{
	return *find_trace(thread_current->tid);
}

static void forget(struct trace **link)
{
	struct trace *trace = *link;
	*link = trace->next;
	kfree(trace);
}

void ptrace_stop(void)
{
	static const struct wait_reason reason = {"PTRACE_DETACH by who traces it", SCHED_CAUSE_signal};
	const struct linux_process *self = process_self();
	uint64_t blocked = thread_current->signals.blocked;
	thread_current->signals.blocked =
		UINT64_MAX; /* signals stay pending; SIGKILL continues the thread so that it can end */
	struct trace **link;
	while (*(link = find_trace(thread_current->tid)) && (*link)->tracer && !self->ending && !self->stopping)
		sched_wait(&standing, SCHED_FOREVER, &reason);
	if (*link && !(*link)->tracer)
		forget(link);
	thread_current->signals.blocked = blocked;
}

uint32_t ptrace_take_news(int pid)
{
	for (struct trace *trace = traces; trace; trace = trace->next) {
		if (trace->tracer != process_self() || trace->told || !thread_find(trace->tid) ||
		    (pid != -1 && trace->tid != (uint32_t)pid))
			continue;
		trace->told = true;
		return trace->tid;
	}
	return 0;
}

/* Removes a trace; its thread continues if it still exists. If it had not stopped yet, the signal may already have
 * interrupted a call, which is restarted only when the signal is taken. */
static void let_go(struct trace **link)
{
	struct thread *thread = thread_find((*link)->tid);
	if (thread && thread->signals.queue.pending & signal_bit(LINUX_SIGSTOP)) {
		(*link)->tracer = NULL;
		return;
	}
	forget(link);
	if (!thread)
		return;
	if (thread->state == THREAD_WAITING && thread->queue == &standing)
		sched_wake(thread, 0);
}

void ptrace_tracer_ends(struct linux_process *tracer)
{
	for (struct trace **link = &traces; *link;) {
		if ((*link)->tracer == tracer)
			let_go(link);
		else
			link = &(*link)->next;
	}
}

static long attach(uint32_t tid)
{
	struct thread *thread = thread_find(tid);
	if (!thread)
		return -ESRCH;
	struct trace **link = find_trace(tid);
	if (thread->process == process_current || (*link && (*link)->tracer))
		return -EPERM;
	if (*link)
		forget(link);
	struct trace *trace = kmalloc(sizeof(*trace));
	if (!trace)
		return -ENOMEM;
	*trace = (struct trace){.next = traces, .tracer = process_self(), .tid = tid};
	traces = trace;
	thread->signals.queue.pending |= signal_bit(LINUX_SIGSTOP);
	return 0;
}

static long get_registers(const struct thread *thread, void *to, uint64_t bytes)
{
	const struct user_registers registers = user_registers_of(thread, linux_frame(thread));
	return copy_to_user(to, &registers, bytes < sizeof(registers) ? bytes : sizeof(registers)) ? -EFAULT : 0;
}

static long get_register_set(const struct thread *thread, uint64_t which, struct linux_iovec *user)
{
	struct linux_iovec vector;
	if (which != NT_PRSTATUS)
		return -EINVAL;
	if (copy_from_user(&vector, user, sizeof(vector)))
		return -EFAULT;
	if (vector.iov_len % sizeof(uint64_t))
		return -EINVAL;
	if (vector.iov_len > sizeof(struct user_registers))
		vector.iov_len = sizeof(struct user_registers);
	long error = get_registers(thread, vector.iov_base, vector.iov_len);
	return error ? error : copy_to_user(user, &vector, sizeof(vector)) ? -EFAULT : 0;
}

static bool is_known_request(long request)
{
	return request == PTRACE_KILL || request == PTRACE_GETREGS || request == PTRACE_ATTACH ||
	       request == PTRACE_DETACH || request == PTRACE_GETREGSET;
}

long sys_ptrace(long request, long tid, unsigned long address, unsigned long data)
{
	if (!is_known_request(request))
		return dispatch_call_unknown(linux_frame(thread_current));
	if (request == PTRACE_ATTACH)
		return attach((uint32_t)tid);
	struct trace **link = find_trace((uint32_t)tid);
	const struct thread *thread = *link ? thread_find((uint32_t)tid) : NULL;
	if (!thread || (*link)->tracer != process_self())
		return -ESRCH;
	switch (request) {
	case PTRACE_DETACH:
		let_go(link);
		return 0;
	case PTRACE_KILL:
		return sys_kill((int)thread->process->id, LINUX_SIGKILL);
	case PTRACE_GETREGS:
		return get_registers(thread, (void *)data, sizeof(struct user_registers));
	default:
		return get_register_set(thread, address, (struct linux_iovec *)data);
	}
}
