/* SPDX-License-Identifier: MIT */
/* A thread stops when it is about to return to the program; a SIGSTOP of its own brings the other threads of its
 * process there. A thread that waits in the kernel stays there until its event comes, or a signal ends its wait. */
#include "kernel/linux/signal/stop.h"

#include "abi/linux_signal.h"
#include "kernel/linux/files/devices.h"
#include "kernel/sched/sched.h"
#include "kernel/signal/signal.h"

static const int stop_signals[] = {LINUX_SIGSTOP, LINUX_SIGTSTP, LINUX_SIGTTIN, LINUX_SIGTTOU};
#define STOP_SIGNALS (sizeof(stop_signals) / sizeof(stop_signals[0]))

bool stop_is_default(int sig)
{
	for (unsigned i = 0; i < STOP_SIGNALS; i++)
		if (stop_signals[i] == sig)
			return true;
	return false;
}

/* The first process counts as having such a parent, like a program started by a shell. With --tty it does not, because
 * nobody could continue it. */
bool stop_is_orphaned(uint32_t group)
{
	for (struct process *process = &process_first; process; process = process->next) {
		const struct linux_process *member = process->more, *parent = member->parent;
		if (member->group != group || member->ended)
			continue;
		if ((!parent && !devices_have_terminal()) ||
		    (parent && !member->orphan && parent->group != group && parent->session == member->session))
			return false;
	}
	return true;
}

static bool has_stopped(uint32_t group)
{
	for (struct process *process = &process_first; process; process = process->next)
		if (process->more->group == group && process->more->stopped && !process->more->ended)
			return true;
	return false;
}

/* Lets a stopped group end that has lost the processes that could continue it. */
static void let_group_end(uint32_t group)
{
	static const struct signal_origin origin = {.code = LINUX_SI_KERNEL};
	static const int signals[] = {LINUX_SIGHUP, LINUX_SIGCONT};
	for (unsigned i = 0; i < 2; i++) {
		for (struct process *process = &process_first; process; process = process->next) {
			if (process->more->group != group || process->more->ended)
				continue;
			stop_signal_sent(process->more, signals[i]);
			struct process *current = process_enter(process);
			signal_queue(NULL, signals[i], &origin);
			process_enter(current);
		}
	}
}

void stop_tie_ends(const struct linux_process *child, const struct linux_process *parent)
{
	if (parent && parent->group != child->group && parent->session == child->session && has_stopped(child->group) &&
	    stop_is_orphaned(child->group))
		let_group_end(child->group);
}

/* Informs the parent: by SIGCHLD, unless the parent does not want it for stops, and by waking it. */
static void tell_parent_of_stop(struct linux_process *self, int code, int sig)
{
	struct linux_process *parent = self->parent;
	const struct signal_origin origin = {.code = code, .pid = (int)self->base->id, .value = (uint64_t)sig};
	if (!parent || self->orphan)
		return;
	struct process *current = process_enter(parent->base);
	if (!(process_current->signals.actions[LINUX_SIGCHLD].flags & LINUX_SA_NOCLDSTOP))
		signal_queue(NULL, LINUX_SIGCHLD, &origin);
	process_enter(current);
	while (parent->waiting.first)
		sched_wake(parent->waiting.first, 0);
}

static void begin_stop(struct linux_process *self, int sig)
{
	self->stopped = sig;
	self->tells_stop = true;
	self->tells_continue = false;
	for (struct thread *thread = NULL; (thread = process_thread_after(thread));)
		if (thread != thread_current)
			thread->signals.queue.pending |= signal_bit(LINUX_SIGSTOP);
	tell_parent_of_stop(self, LINUX_CLD_STOPPED, sig);
}

bool stop_process(int sig)
{
	static const struct wait_reason reason = {"SIGCONT, as its process is stopped", SCHED_CAUSE_signal};
	struct linux_process *self = process_self();
	uint64_t blocked = thread_current->signals.blocked;
	if (!self->stopped && sig != LINUX_SIGSTOP && stop_is_orphaned(self->group))
		return false;
	if (!self->stopped)
		begin_stop(self, sig);
	thread_current->signals.blocked = UINT64_MAX; /* signals stay pending; SIGKILL continues the process */
	while (self->stopped && !self->ending && !self->stopping)
		sched_wait(&self->halted, SCHED_FOREVER, &reason);
	thread_current->signals.blocked = blocked;
	return true;
}

static void go_on(struct linux_process *process)
{
	process->stopped = 0;
	while (process->halted.first)
		sched_wake(process->halted.first, 0);
}

void stop_signal_sent(struct linux_process *process, int sig)
{
	struct process *current = process_enter(process->base);
	if (stop_is_default(sig))
		signal_discard(LINUX_SIGCONT);
	if (sig == LINUX_SIGCONT)
		for (unsigned i = 0; i < STOP_SIGNALS; i++)
			signal_discard(stop_signals[i]);
	process_enter(current);
	if (sig == LINUX_SIGCONT && process->stopped) {
		process->tells_stop = false;
		process->tells_continue = true;
		go_on(process);
		tell_parent_of_stop(process, LINUX_CLD_CONTINUED, LINUX_SIGCONT);
	} else if (sig == LINUX_SIGKILL) {
		go_on(process);
	}
}
