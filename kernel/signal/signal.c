/* SPDX-License-Identifier: MIT */
/* Signals: dispositions, pending signals and their receivers, and the choice of the next one to deliver. */
#include "kernel/signal/signal.h"

#include "abi/doorbell.h"
#include "abi/errno.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/personality.h"
#include "kernel/sched/process.h"
#include "kernel/sched/policy.h"

struct signal_scheduler signal_scheduler;
int (*signal_timer_taken)(int timer);

static bool ignored_by_default(int sig)
{
	return sig == LINUX_SIGCHLD || sig == LINUX_SIGCONT || sig == LINUX_SIGURG || sig == LINUX_SIGWINCH;
}

static bool stops_by_default(int sig)
{
	return sig == LINUX_SIGSTOP || sig == LINUX_SIGTSTP || sig == LINUX_SIGTTIN || sig == LINUX_SIGTTOU;
}

bool signal_is_ignored(int sig)
{
	uint64_t handler = (uint64_t)process_current->signals.actions[sig].handler;
	return handler == LINUX_SIG_IGN || (handler == LINUX_SIG_DFL && ignored_by_default(sig));
}

void signal_send(int sig, int code)
{
	bool process = code == LINUX_SI_USER || code == LINUX_SI_TKILL;
	const struct signal_origin origin = {.code = code, .pid = process ? (int)process_current->id : 0};
	signal_queue(NULL, sig, &origin);
}

static bool blocks(const struct thread *thread, int sig)
{
	return thread->signals.blocked & signal_bit(sig);
}

static bool takes(const struct thread *thread, int sig)
{
	return !blocks(thread, sig) || (thread->signals.awaited & signal_bit(sig));
}

static bool is_blocked_by_all(int sig)
{
	for (struct thread *thread = NULL; (thread = process_thread_after(thread));)
		if (!blocks(thread, sig))
			return false;
	return true;
}

bool signal_is_dropped(const struct thread *thread, int sig)
{
	return signal_is_ignored(sig) && (thread ? !blocks(thread, sig) : !is_blocked_by_all(sig));
}

bool signal_is_pending(int sig)
{
	return process_current->signals.queue.pending & signal_bit(sig);
}

/* Linux tries the first thread first, then the sending one, then the others. */
static struct thread *in_turn_after(const struct thread *thread)
{
	struct thread *first = thread_find(process_current->id), *self = thread_current;
	if (!thread && first)
		return first;
	if (self != first && self->state != THREAD_ENDED && self->process == process_current &&
	    (!thread || thread == first))
		return self;
	struct thread *next = !thread || thread == first || thread == self ? process_thread_after(NULL)
	                                                                   : process_thread_after(thread);
	while (next && (next == first || next == self))
		next = process_thread_after(next);
	return next;
}

/* The next thread that can take a signal; `choice` is about its number. */
static const void *next_taker(const struct sched_choice *choice, const void *thread)
{
	const int *sig = choice->context;
	struct thread *next = in_turn_after(thread);
	while (next && !takes(next, *sig))
		next = in_turn_after(next);
	return next;
}

static uint32_t taker_number(const void *option)
{
	const struct thread *thread = option;
	return thread->tid;
}

/* The thread that takes a signal of the process; NULL: all threads block it. */
static struct thread *choose_taker(int sig)
{
	const struct sched_choice choice = {
		.kind = SCHED_KIND_signal, .next = next_taker, .number = taker_number, .context = &sig};
	return (struct thread *)signal_scheduler.choose(&choice);
}

/* A thread can take a signal: wakes it. */
static void notify(struct thread *thread, int sig)
{
	if (thread->state != THREAD_WAITING || !takes(thread, sig) || !signal_scheduler.wake_is_in_time(thread))
		return;
	thread->signals.restarts = true;
	signal_scheduler.wake(thread, -EINTR);
}

/* Assigns the process's pending signal to a thread that can take it, if there is one. */
static void assign(int sig)
{
	struct thread *taker = choose_taker(sig);
	if (!taker)
		return;
	if (process_current->threads > 1) { /* otherwise no other thread could take it before */
		queue_move(&process_current->signals.queue, &taker->signals.queue, sig);
		taker->signals.assigned |= signal_bit(sig);
	}
	notify(taker, sig);
}

int signal_queue(struct thread *thread, int sig, const struct signal_origin *origin)
{
	assert(sig >= 1);
	assert(sig <= LINUX_NSIG);
	struct signal_queue *queue = thread ? &thread->signals.queue : &process_current->signals.queue;
	if (signal_is_dropped(thread, sig))
		return 0;
	bool pending = queue->pending & signal_bit(sig), timer = origin->code == LINUX_SI_TIMER;
	if (pending && sig < LINUX_SIGRTMIN && !timer)
		return 1;
	/* If the queue is full, the signal stays pending without its origin, unless the sender can get an error. */
	if (queue_add(queue, sig, origin) && (timer || (sig >= LINUX_SIGRTMIN && origin->code < 0)))
		return -EAGAIN;
	queue->pending |= signal_bit(sig);
	if (thread)
		notify(thread, sig);
	else
		assign(sig);
	if (personality.signal_added)
		personality.signal_added(thread ? thread->process : process_current);
	return 1;
}

/* Signals of the process that the thread no longer takes pass to other threads. */
static void give_back(struct thread *thread, uint64_t signals)
{
	struct thread_signals *own = &thread->signals;
	signals &= own->assigned & own->queue.pending;
	own->assigned &= ~signals;
	for (; signals; signals &= signals - 1) {
		int sig = __builtin_ctzl(signals) + 1;
		queue_move(&own->queue, &process_current->signals.queue, sig);
		assign(sig);
	}
}

void signal_set_blocked(uint64_t blocked)
{
	thread_current->signals.blocked = blocked;
	if (thread_current->signals.assigned & blocked)
		give_back(thread_current, blocked);
}

/* The queue from which the running thread takes a signal: its own first, as Linux does. */
static struct signal_queue *queue_with(int sig)
{
	struct signal_queue *own = &thread_current->signals.queue;
	return own->pending & signal_bit(sig) ? own : &process_current->signals.queue;
}

static void clear_if_empty(struct signal_queue *queue, int sig)
{
	if (!queue_is_empty(queue, sig))
		return;
	queue->pending &= ~signal_bit(sig);
	thread_current->signals.assigned &= ~(queue == &process_current->signals.queue ? 0 : signal_bit(sig));
}

static int timer_taken(int timer)
{
	return signal_timer_taken ? signal_timer_taken(timer) : 0;
}

static void fill_info(struct linux_siginfo *info, int sig, const struct signal_origin *origin)
{
	memset(info, 0, sizeof(*info));
	info->si_signo = sig;
	info->si_code = origin->code;
	info->si_pid = origin->pid;
	info->si_uid = origin->uid;
	info->si_value = origin->value;
}

bool signal_look(int sig, struct linux_siginfo *info)
{
	struct signal_origin origin = {.code = LINUX_SI_USER};
	const struct signal_queue *queue = queue_with(sig);
	if (!(queue->pending & signal_bit(sig)))
		return false;
	queue_look(queue, sig, &origin);
	fill_info(info, sig, &origin);
	if (origin.code == LINUX_SI_TIMER)
		info->si_uid = 0;
	return true;
}

void signal_take(int sig, struct linux_siginfo *info)
{
	struct signal_origin origin;
	struct signal_queue *queue = queue_with(sig);
	if (!queue_take(queue, sig, &origin))
		origin = (struct signal_origin){.code = LINUX_SI_USER};
	clear_if_empty(queue, sig);
	fill_info(info, sig, &origin);
	if (origin.code == LINUX_SI_TIMER) /* its overrun is where other signals have the user (sigaction(2)) */
		info->si_uid = (uint32_t)timer_taken(origin.pid);
}

static void discard(struct signal_queue *queue, int sig)
{
	struct signal_origin origin;
	while (queue_take(queue, sig, &origin))
		if (origin.code == LINUX_SI_TIMER)
			timer_taken(origin.pid);
	queue->pending &= ~signal_bit(sig);
}

void signal_discard(int sig)
{
	discard(&process_current->signals.queue, sig);
	for (struct thread *thread = NULL; (thread = process_thread_after(thread));) {
		discard(&thread->signals.queue, sig);
		thread->signals.assigned &= ~signal_bit(sig);
	}
}

void signal_thread_ends(struct thread *thread)
{
	thread->signals.blocked = UINT64_MAX;
	give_back(thread, UINT64_MAX);
	while (thread->signals.queue.pending)
		discard(&thread->signals.queue, __builtin_ctzl(thread->signals.queue.pending) + 1);
}

static void remove_timer(struct signal_queue *queue, int sig, int timer)
{
	if (queue_remove_timer(queue, sig, timer))
		clear_if_empty(queue, sig);
}

void signal_remove_timer(int sig, int timer)
{
	remove_timer(&process_current->signals.queue, sig, timer);
	for (struct thread *thread = NULL; (thread = process_thread_after(thread));)
		remove_timer(&thread->signals.queue, sig, timer);
}

int signal_first(uint64_t set)
{
	const uint64_t synchronous = signal_bit(LINUX_SIGILL) | signal_bit(LINUX_SIGTRAP) | signal_bit(LINUX_SIGBUS) |
	                             signal_bit(LINUX_SIGFPE) | signal_bit(LINUX_SIGSEGV) | signal_bit(LINUX_SIGSYS);
	const struct thread_signals *own = &thread_current->signals;
	uint64_t ready = own->queue.pending & ~own->assigned & set;
	if (!ready)
		ready = signal_pending() & set;
	return ready ? __builtin_ctzl(ready & synchronous ? ready & synchronous : ready) + 1 : 0;
}

int signal_next(void)
{
	int sig;
	while ((sig = signal_first(~thread_current->signals.blocked)) && signal_is_ignored(sig)) {
		struct signal_queue *queue = queue_with(sig);
		discard(queue, sig);
		clear_if_empty(queue, sig);
	}
	return sig;
}

bool signal_is_deliverable(void)
{
	return signal_next() != 0;
}

/* What causes a signal as a rule, for the report: who sent it is forgotten by then, and may be the program itself. */
static const char *usual_cause(int sig)
{
	switch (sig) {
	case LINUX_SIGABRT:
		return ", which abort() sends";
	case LINUX_SIGPIPE:
		return ", which a write to a pipe or socket that nobody reads sends";
	case LINUX_SIGALRM:
	case LINUX_SIGVTALRM:
	case LINUX_SIGPROF:
		return ", which its timers send";
	case LINUX_SIGXCPU:
		return ", which its limit of processor time sends";
	case LINUX_SIGXFSZ:
		return ", which its limit of the size of files sends";
	default:
		return "";
	}
}

_Noreturn void signal_die(int sig)
{
	char message[120];
	if (stops_by_default(sig))
		format(message, sizeof(message), "SIGCONT, as it has stopped itself with signal %d", sig);
	else
		format(message, sizeof(message), "the program has no handler for signal %d%s", sig, usual_cause(sig));
	end_with_report(stops_by_default(sig) ? END_DEADLOCK : END_SIGNAL, sig, message);
}
