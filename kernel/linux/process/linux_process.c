/* SPDX-License-Identifier: MIT */
/* struct process has what a process of a native image has, too, and struct linux_process the rest. process_current
 * leads to the running process, and space_current to its memory: both change when a thread of another process runs. */
#include "kernel/linux/process/linux_process.h"

#include "abi/errno.h"
#include "abi/linux_signal.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/entry/linux_point.h"
#include "kernel/linux/entry/rseq.h"
#include "kernel/linux/event/pidfd.h"
#include "kernel/linux/event/signalfd.h"
#include "kernel/linux/event/sysv.h"
#include "kernel/linux/memory/memory_layout.h"
#include "kernel/linux/process/linux_thread.h"
#include "kernel/linux/process/process_files.h"
#include "kernel/linux/process/ptrace.h"
#include "kernel/linux/signal/linux_terminal.h"
#include "kernel/linux/signal/stop.h"
#include "kernel/linux/strace/strace.h"
#include "kernel/linux/time/cpu_timer.h"
#include "kernel/linux/time/usage.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/limits.h"
#include "kernel/sys/sys.h"
#include "kernel/sys/thread_exit.h"
#include "kernel/time/posix_timer.h"
#include "kernel/time/timer.h"
#include "kernel/time/vclock.h"

#define PROCESSES_LIMIT 4096 /* RLIMIT_NPROC: stored and read back, without effect, as for root on Linux */

static struct linux_process *first;
static struct process *installed; /* the process that ran last; NULL: it has ended */

struct linux_rlimit *process_limits(int pid)
{
	struct linux_process *process = pid > 0 ? process_of_thread((uint32_t)pid) : NULL;
	return process ? process->base->limits : NULL;
}

bool process_may(int capability)
{
	return credentials_may(&process_self()->credentials, capability);
}

bool process_may_raise_limit(int resource, uint64_t hard)
{
	(void)resource, (void)hard;
	return credentials_may(&process_self()->credentials, CAP_SYS_RESOURCE);
}

void process_begin(void)
{
	linux_space_init();
	first = kzalloc(sizeof(*first));
	assert(first != NULL);
	first->space = linux_space_create();
	assert(first->space != NULL);
	first->group = first->session = PROCESS_ID;
	credentials_begin(&first->credentials);
	thread_current->personality = LINUX_ADDR_NO_RANDOMIZE;
	first->dumpable = true;
	first->base = &process_first;
	/* Run-time systems use this limit to compute where the main stack ends, and to tell a stack overflow from other
	 * faults. */
	process_first.limits[LINUX_RLIMIT_STACK] = (struct linux_rlimit){LINUX_STACK_BYTES, UINT64_MAX};
	process_first.limits[LINUX_RLIMIT_NPROC] = (struct linux_rlimit){PROCESSES_LIMIT, PROCESSES_LIMIT};
	process_first.more = first;
	installed = &process_first;
	linux_space_use(first->space);
}

/* Makes a process the running one. */
static void install(struct process *process)
{
	process_current = process;
	if (process == installed)
		return;
	installed = process;
	if (process->more->space)
		linux_space_use(process->more->space);
	cpu_timer_switched();
}

void process_resume(void)
{
	install(thread_current->process);
	rseq_resumed();
}

/* --- birth --- */

int process_fork(bool share, bool share_files, struct linux_process **out)
{
	struct linux_process *self = process_self(), *child = kzalloc(sizeof(*child));
	*out = child;
	if (!child)
		return -ENOMEM;
	child->own.files = share_files ? process_files_share() : process_files_copy();
	child->space = share ? self->space : linux_space_copy();
	if (!child->own.files || !child->space) {
		process_discard(child);
		return -ENOMEM;
	}
	if (share)
		child->space->refs++;
	child->program = program_get(self->program);
	child->parent = self;
	child->group = self->group;
	child->session = self->session;
	child->terminal = self->terminal;
	credentials_copy(&child->credentials, &self->credentials);
	memcpy(child->name, thread_current->name, sizeof(child->name));
	child->dumpable = self->dumpable;
	child->oom_score_adj = self->oom_score_adj;
	child->coredump_filter = self->coredump_filter;
	child->login_user = self->login_user;
	child->login_session = self->login_session;
	child->membarriers = self->membarriers;
	child->no_new_privileges = self->no_new_privileges;
	child->base = &child->own;
	memcpy(child->own.limits, process_current->limits, sizeof(child->own.limits));
	memcpy(child->own.signals.actions, process_current->signals.actions, sizeof(child->own.signals.actions));
	child->own.more = child;
	return 0;
}

void process_clear_handlers(struct process *process)
{
	for (int sig = 1; sig <= LINUX_NSIG; sig++)
		if ((uint64_t)process->signals.actions[sig].handler > LINUX_SIG_IGN)
			process->signals.actions[sig] = (struct linux_sigaction){0};
}

void process_discard(struct linux_process *child)
{
	if (child->own.files)
		process_files_put(child->own.files);
	if (child->space)
		linux_space_put(child->space);
	program_put(child->program);
	credentials_drop(&child->credentials);
	kfree(child);
}

void process_add(struct linux_process *child, uint32_t id)
{
	struct process *last = &process_first;
	struct linux_process **link = &child->parent->child;
	child->base->id = id;
	entropy_fork(&child->base->entropy, &child->parent->base->entropy);
	child->start_ns = vclock_now();
	while (last->next)
		last = last->next;
	last->next = child->base;
	while (*link)
		link = &(*link)->sibling;
	*link = child;
	cpu_timer_limit(child);
}

struct linux_process *process_find(uint32_t id)
{
	for (struct process *process = &process_first; process; process = process->next)
		if (process->id == id)
			return process->more;
	return NULL;
}

bool process_exists(uint32_t id)
{
	return process_find(id);
}

struct linux_process *process_of_thread(uint32_t tid)
{
	const struct thread *thread = thread_find(tid);
	return thread ? thread->process->more : process_find(tid);
}

void process_name_thread(struct thread *thread, const char name[THREAD_NAME_BYTES])
{
	memcpy(thread->name, name, THREAD_NAME_BYTES);
	if (thread->tid == process_current->id)
		memcpy(process_self()->name, name, THREAD_NAME_BYTES);
	strace_note(STRACE_NAMED, (uint64_t)thread, thread->name);
}

/* --- death --- */

void process_borrow(struct linux_process *process, struct lender *lender)
{
	process->lender = lender;
}

void process_give_back(struct linux_process *process)
{
	struct lender *lender = process->lender;
	process->lender = NULL;
	if (!lender)
		return;
	lender->has_back = true;
	if (lender->thread->state == THREAD_WAITING)
		sched_wake(lender->thread, 0);
}

/* The threads end when they are about to return to the program; their waits are interrupted. */
static void end_others(void)
{
	for (struct thread *thread = NULL; (thread = process_thread_after(thread));) {
		if (thread == thread_current)
			continue;
		thread->signals.queue.pending |= signal_bit(LINUX_SIGKILL);
		if (thread->state == THREAD_WAITING)
			sched_wake(thread, -EINTR);
	}
}

void process_stop_others(void)
{
	static const struct wait_reason reason = {"the end of its process's other threads", SCHED_CAUSE_join};
	process_self()->stopping = true;
	end_others();
	while (process_current->threads > 1)
		sched_wait(&process_self()->waiting, SCHED_FOREVER, &reason);
	process_self()->stopping = false;
}

/* Sends a child the signal that it requested for its parent's end (PR_SET_PDEATHSIG). */
static void tell_of_death(struct linux_process *child, const struct linux_process *parent)
{
	const struct signal_origin origin = {.code = LINUX_SI_USER, .pid = (int)parent->base->id};
	if (!child->death_signal || child->ended)
		return;
	struct process *current = process_enter(child->base);
	signal_queue(NULL, child->death_signal, &origin);
	process_enter(current);
}

void process_reap(struct linux_process *child)
{
	struct linux_process **link = &child->parent->child;
	while (*link != child)
		link = &(*link)->sibling;
	*link = child->sibling;
	struct process *before = &process_first;
	while (before->next != child->base)
		before = before->next;
	before->next = child->base->next;
	if (installed == child->base)
		installed = NULL;
	pidfd_forget(child);
	/* As Linux's wake_up_pollfree: who waits at the process's signals looks once more. */
	signalfd_notice(child->base);
	credentials_drop(&child->credentials);
	kfree(child);
}

/* Informs the parent: by the child's exit signal, and by waking it. A parent that ignores the signal leaves no
 * zombies. */
static void tell_parent_of_end(struct linux_process *self)
{
	struct linux_process *parent = self->parent;
	struct process *current = process_enter(parent->base);
	const struct linux_sigaction *action = &process_current->signals.actions[LINUX_SIGCHLD];
	bool exited = !(self->status & 0x7f);
	const struct signal_origin origin = {
		.code = exited ? LINUX_CLD_EXITED : LINUX_CLD_KILLED,
		.pid = (int)self->base->id,
		.value = (uint64_t)(exited ? self->status >> 8 : self->status & 0x7f),
	};
	bool deaf = (uint64_t)action->handler == LINUX_SIG_IGN || (action->flags & LINUX_SA_NOCLDWAIT);
	bool unwanted = self->orphan || (self->exit_signal == LINUX_SIGCHLD && deaf);
	if (self->exit_signal)
		signal_queue(NULL, self->exit_signal, &origin);
	process_enter(current);
	while (parent->waiting.first)
		sched_wake(parent->waiting.first, 0);
	pidfd_tell(self);
	if (unwanted)
		process_reap(self);
}

/* The new parent of a process's children: the nearest ancestor that is a subreaper, else the first process. The search
 * stops at an ancestor that is itself an orphan: its ancestors stand for init(1) on Linux. */
static struct linux_process *reaper_of(struct linux_process *self)
{
	while (!self->orphan && self->parent) {
		self = self->parent;
		if (self->subreaper)
			return self;
	}
	return NULL;
}

/* Gives the children of an ending process to a subreaper, as if it had created them. Without a subreaper they become
 * orphans: their parent is the first process, which cannot wait for them and gets no signal when they end. They are
 * reaped at once when they end, as init(1) does on Linux. */
static void give_children_away(struct linux_process *self)
{
	struct linux_process *reaper = reaper_of(self), *parent = reaper ? reaper : first;
	struct linux_process **link = &parent->child;
	while (*link)
		link = &(*link)->sibling;
	*link = self->child;
	self->child = NULL;
	for (struct linux_process *child = *link, *next; child; child = next) {
		next = child->sibling;
		child->parent = parent;
		child->orphan = !reaper;
		child->exit_signal = reaper ? LINUX_SIGCHLD : 0;
		tell_of_death(child, self);
		stop_tie_ends(child, self);
		if (child->ended && reaper)
			tell_parent_of_end(child);
		else if (child->ended)
			process_reap(child);
	}
}

/* Drops the signals for the process and for its last thread. */
static void forget_signals(void)
{
	signal_thread_ends(thread_current);
	for (int sig = 1; sig <= LINUX_NSIG; sig++)
		signal_discard(sig);
}

/* Frees the process's resources. Its last thread stays on its kernel stack until another thread runs. */
static void release(struct linux_process *self)
{
	struct linux_space *space = self->space;
	usage_space_ends(self);
	sysv_sem_undo();
	posix_timer_forget();
	for (int kind = 0; kind < TIMER_KINDS; kind++)
		timer_set((enum timer_kind)kind, 0, 0);
	cpu_timer_forget(self);
	process_files_put(self->base->files);
	self->base->files = first->base->files; /* until the thread leaves: what is freed may ask for them */
	program_put(self->program);
	self->program = NULL;
	process_give_back(self);
	self->space = NULL;
	installed = NULL;
	linux_space_put(space);
}

/* The run ends with the first process. */
static _Noreturn void end_run(int status)
{
	if (status & 0x7f)
		signal_die(status & 0x7f);
	end_exit(status >> 8);
}

/* Ends the thread. Its stack remains in use until another thread runs. */
static _Noreturn void leave(void)
{
	linux_thread_stack_give(thread_current->kernel_stack);
	thread_exit();
}

_Noreturn void process_thread_exit(int status)
{
	struct linux_process *self = process_self();
	strace_note(STRACE_END, (uint64_t)(self->ending ? self->status : status), NULL);
	thread_exit_locks();
	if (process_current->threads > 1) {
		if (process_current->threads == 2 && self->waiting.first)
			sched_wake(self->waiting.first, 0); /* the waiting thread will be the last one of the process */
		usage_thread_ends(self);
		leave();
	}
	if (!self->ending)
		self->status = status;
	if (self == first)
		end_run(self->status);
	linux_terminal_process_ends(self);
	forget_signals();
	ptrace_tracer_ends(self);
	release(self);
	give_children_away(self);
	usage_thread_ends(self);
	self->ended = true;
	inode_time_step();
	self->nice = thread_current->nice;
	thread_current->clear_tid = NULL; /* its memory is gone */
	stop_tie_ends(self, self->orphan ? NULL : self->parent);
	process_current->files = NULL;
	thread_current->process = &process_first;
	process_first.threads++;
	process_current = &process_first;
	tell_parent_of_end(self);
	leave();
}

_Noreturn void process_exit(int status)
{
	struct linux_process *self = process_self();
	if (!self->ending) {
		self->ending = true;
		self->status = status;
		if (self == first) /* other processes do not decide how the run ends */
			end_run(status);
		end_others();
	}
	process_thread_exit(status);
}

long sys_exit(int status)
{
	linux_point_end();
	process_thread_exit((status & 0xff) << 8);
}

long sys_exit_group(int status)
{
	process_exit((status & 0xff) << 8);
}
