/* SPDX-License-Identifier: MIT */
/* The scheduler's mechanism. Functions that run on the policies' stack are marked; they write only to the boot area and
 * the schedule area. */
#include "kernel/sched/sched.h"

#include "abi/doorbell.h"
#include "abi/errno.h"
#include "abi/events.h"
#include "abi/stats.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/chain.h"
#include "kernel/personality.h"
#include "kernel/sched/accesses.h"
#include "kernel/sched/account.h"
#include "kernel/sched/arm.h"
#include "kernel/sched/ask.h"
#include "kernel/sched/begin.h"
#include "kernel/sched/context.h"
#include "kernel/sched/deadlock.h"
#include "kernel/sched/decide.h"
#include "kernel/sched/event.h"
#include "kernel/sched/notes.h"
#include "kernel/sched/reads_from.h"
#include "kernel/sched/thread_segments.h"
#include "kernel/sched/timeouts.h"
#include "kernel/signal/signal.h"
#include "kernel/time/timer.h"
#include "kernel/time/vclock.h"

static const struct sched_policy *const policies[SCHED_POLICIES] = {
#define POLICY(name, text) &policy_##name,
	SCHED_POLICY_LIST(POLICY)
#undef POLICY
};

static struct thread_queue ready;

bool (*sched_outside)(uint64_t until_ns);

static const struct sched_policy *policy(void)
{
	return policies[sched_boot()->policy];
}

unsigned sched_ready_count(void)
{
	return ready.count;
}

struct thread *sched_ready_at(unsigned index)
{
	assert(index < ready.count);
	struct thread *thread = ready.first;
	while (index--)
		thread = thread->next;
	return thread;
}

_Noreturn void policy_replay_failed(uint64_t record, const char *why)
{
	end_misfit(record, why);
}

_Noreturn void policy_replay_stopped(void)
{
	account_close();
	end_replayed();
}

static uint64_t saturated_ticks(uint64_t ns)
{
	return ns < UINT64_MAX / TICKS_PER_NS ? ns * TICKS_PER_NS : UINT64_MAX;
}

/* On the policies' stack. */
static void arm_clock(void)
{
	uint64_t due = saturated_ticks(timer_soonest_ns()), timeout = saturated_ticks(timeouts_next_ns());
	if (timeout < due)
		due = timeout;
	if (sched_shared()->policy_ticks < due)
		due = sched_shared()->policy_ticks;
	if (sched_shared()->sample_ticks && sched_shared()->sample_ticks < due)
		due = sched_shared()->sample_ticks;
	vclock_arm(due);
}

static uint64_t clock_changed(const void *unused)
{
	(void)unused;
	arm_clock();
	return 0;
}

/* Recomputes the clock's next due time after a timer or timeout has changed. */
static void rearm_clock(void)
{
	context_on_policy_stack(clock_changed, NULL);
}

static uint64_t start_policy(const void *unused)
{
	(void)unused;
	sched_decide_init(policy(), sched_boot(), thread_current);
	arm_clock();
	return 0;
}

static uint64_t tell_end(const void *how)
{
	sched_decide_end(policy(), thread_current, how);
	account_close();
	return 0;
}

/* Closes the accounts and the schedule; `how` completes "but the run ...". */
static void close_schedule(const char *how)
{
	context_on_policy_stack(tell_end, how);
	vclock_close();
}

/* The end of a run (end.h). */
static uint32_t end(enum end_reason reason)
{
	if (reason == END_EXIT || reason == END_SIGNAL || reason == END_DEADLOCK)
		close_schedule(reason == END_EXIT     ? "exits"
		               : reason == END_SIGNAL ? "ends by a signal"
		                                      : "cannot go on");
	else if (reason != END_PANIC && reason != END_REFUSED)
		vclock_close();
	return thread_current->number;
}

/* Sets the pointers through which lower layers call the scheduler. */
static void serve_below(void)
{
	end_hooks.close = end;
	timer_changed = rearm_clock;
	signal_scheduler = (struct signal_scheduler){sched_choose, sched_wake_is_in_time, sched_wake};
}

void sched_init(const struct boot_sched *boot, const struct sched_from *from)
{
	serve_below();
	begin_init(boot, from);
	thread_init();
	if (boot->policy >= SCHED_POLICIES)
		end_with_report(END_REFUSED, 0, "the scheduling policy is unknown");
	context_on_policy_stack(start_policy, NULL);
}

void sched_begin(const struct boot_sched *boot)
{
	sched_shared()->boot = *boot;
	sched_decide_begin(policy(), sched_boot(), thread_current);
	accesses_begin();
	arm_clock();
}

/* On the policies' stack: decides which thread runs next. */
static struct thread *decide(const struct sched_question *question)
{
	struct thread *chosen = sched_decide(policy(), question);
	arm_clock();
	return chosen;
}

/* When, by vclock_now, the next timer or timeout comes; UINT64_MAX: never. */
static uint64_t next_due_ns(void)
{
	uint64_t timer = timer_next_ns(), timeout = timeouts_next_ns();
	return timeout < timer ? timeout : timer;
}

/* On the policies' stack: whether time jumps to the next timer or timeout although a thread can run. It does not when
 * it may have to follow wall time, nor to the end of the time for which a spinning thread gives way, which the program
 * did not choose. */
static bool jumps(const struct sched_question *question)
{
	const struct thread *first = timeouts_first();
	if (!policy()->jumps || sched_outside || (first && first->spin.waits))
		return false;
	uint64_t next = next_due_ns(), now = vclock_now();
	return next > now && next <= vclock_end() && sched_decide_jumps(policy(), question, next - now);
}

/* An answer to a question: time jumps. Other values: the thread that runs next. */
#define ANSWER_JUMPS 1

static uint64_t decide_asked(const void *question)
{
	return jumps(question) ? ANSWER_JUMPS : (uint64_t)decide(question);
}

static void log_switch(uint32_t tid)
{
	struct run_stats *stats = phys_to_virt(LAYOUT_STATS);
	stats->events++;
	chain_add(stats->chain, EVENT_SWITCH, (uint64_t)tid << 32 ^ sched_shared()->decision);
	event_log(EVENT_SWITCH, tid);
}

/* Continues a thread of the ready queue. Returns when this one is continued. */
static void switch_to(struct thread *next)
{
	struct thread *previous = thread_current;
	thread_queue_remove(&ready, next);
	log_switch(next->number);
	account_switch(next);
	thread_segments_switch(previous, next);
	previous->call = account_calling;
	personality.context_switch(&previous->stack_pointer, next->stack_pointer);
	account_calling = previous->call;
}

/* Time jumps to the next timer or timeout, although a thread can run. `running`: the jump is not counted as time that
 * the running thread ran. */
static void jump(bool running)
{
	uint64_t before = vclock_now();
	vclock_jump(next_due_ns());
	uint64_t skipped = vclock_now() - before;
	sched_shared()->lag_ns += skipped;
	if (running)
		thread_current->since_ns += skipped;
	sched_expire();
}

/* Asks the policy on its stack until time no longer jumps. */
static struct thread *ask_policy(const struct sched_question *question)
{
	uint64_t answer;
	while ((answer = context_on_policy_stack(decide_asked, question)) == ANSWER_JUMPS)
		jump(question->goes_on);
	return (struct thread *)answer;
}

/* The running thread stays ready, and another one runs. */
static void yield_to(struct thread *next)
{
	account_ready(thread_current);
	thread_queue_add(&ready, thread_current);
	switch_to(next);
}

/* No thread is ready: time jumps to the next timer or timeout. */
static void idle(void)
{
	while (!ready.count) {
		uint64_t next = next_due_ns();
		sched_shared()->lag_ns = 0;
		if (sched_outside && sched_outside(next))
			continue;
		if (next > vclock_end()) /* no timer or timeout will ever come */
			deadlock();
		vclock_jump(next);
		sched_expire();
	}
}

/* The running thread cannot continue; `kind` says why. Returns the next thread. */
static struct thread *next_ready(enum sched_kind kind)
{
	idle();
	const struct sched_question question = {.kind = kind,
	                                        .current = thread_current,
	                                        .op = kind == SCHED_KIND_block ? account_calling : SCHED_OP_NONE};
	return ask_policy(&question);
}

uint64_t sched_point_asked(uint64_t what, const void *object, uint64_t place)
{
	const uint64_t op = what & ~SCHED_LOOK_LOADED;
	if (__builtin_expect(begin_is_due(op), 0) && begin_before_point())
		return 0;
	if (op < SCHED_OP_FIRST)
		notes_call(op);
	if (accesses_are_counted())
		accesses_note(op, object);
	if (reads_from_is_noted())
		reads_from_note(op, object, place);
	if (arm_point_is_early()) {
		reads_from_go_on(thread_current);
		return 0;
	}
	const struct sched_question question = {.kind = SCHED_KIND_preempt,
	                                        .current = thread_current,
	                                        .goes_on = true,
	                                        .op = (uint16_t)op,
	                                        .has_loaded = what & SCHED_LOOK_LOADED,
	                                        .object = object};
	uint64_t answer = decide_asked(&question);
	return answer == (uint64_t)thread_current ? 0 : answer;
}

static uint64_t woken_asked(const void *unused)
{
	(void)unused;
	const struct sched_question question = {
		.kind = SCHED_KIND_woken, .current = thread_current, .goes_on = true, .op = SCHED_OP_NONE};
	return (uint64_t)decide(&question);
}

void sched_call_act(uint64_t what)
{
	if (what == ANSWER_JUMPS) {
		jump(true);
		what = context_on_policy_stack(woken_asked, NULL);
	}
	if (what != (uint64_t)thread_current)
		yield_to((struct thread *)what);
}

void sched_point_act(uint64_t what)
{
	sched_call_act(what);
	personality.signal_deliver();
}

static bool is_expired(void)
{
	uint64_t now = vclock_now();
	return timer_soonest_ns() <= now || timeouts_next_ns() <= now;
}

/* Answers of sched_ticks_asked: the work to do when the countdown has run out. */
#define TICKS_NOTHING 0
#define TICKS_EXPIRED 1 /* other values: the thread that takes over */

uint64_t sched_ticks_asked(void)
{
	if (is_expired())
		return TICKS_EXPIRED;
	if (vclock_ticks() < sched_shared()->policy_ticks) {
		arm_clock();
		return TICKS_NOTHING;
	}
	const struct sched_question question = {
		.kind = sched_decide_tick_kind(), .current = thread_current, .goes_on = true, .op = SCHED_OP_NONE};
	struct thread *chosen = decide(&question);
	return chosen == thread_current ? TICKS_NOTHING : (uint64_t)chosen;
}

static uint64_t ticks_asked(const void *unused)
{
	(void)unused;
	return sched_ticks_asked();
}

void sched_ticks_act(uint64_t what)
{
	while (what == TICKS_EXPIRED) {
		sched_expire();
		what = context_on_policy_stack(ticks_asked, NULL);
	}
	if (what != TICKS_NOTHING)
		yield_to((struct thread *)what);
	personality.signal_deliver();
}

void sched_expire(void)
{
	timer_expire();
	for (;;) {
		struct thread *first = timeouts_first();
		if (!first || first->deadline_ns > vclock_now())
			return;
		sched_wake(first, -ETIMEDOUT);
	}
}

static uint64_t tell_woken(const void *thread)
{
	sched_decide_woken(policy(), thread);
	arm_clock();
	return 0;
}

void sched_wake(struct thread *thread, int result)
{
	assert(thread->state == THREAD_WAITING);
	if (thread->queue)
		thread_queue_remove(thread->queue, thread);
	thread->queue = NULL;
	timeouts_remove(thread);
	thread->wake_result = result;
	thread->state = THREAD_READY;
	account_ready(thread);
	thread_queue_add(&ready, thread);
	context_on_policy_stack(tell_woken,
	                        thread); /* also for policies without woken(), because the call itself leaves traces */
}

static uint64_t choose_option(const void *choice)
{
	unsigned option = sched_decide_choice(policy(), thread_current, choice);
	arm_clock();
	return option;
}

const void *sched_choose(const struct sched_choice *choice)
{
	const void *first = choice->next(choice, NULL);
	if (!first || !choice->next(choice, first))
		return first;
	const void *option = policy_choice_at(choice, (unsigned)context_on_policy_stack(choose_option, choice));
	assert(option);
	return option;
}

bool sched_wake_is_in_time(struct thread *thread)
{
	if (thread->deadline_ns > vclock_now())
		return true;
	const struct sched_choice choice = {.kind = SCHED_KIND_timeout};
	if (context_on_policy_stack(choose_option, &choice) == 0)
		return true;
	sched_wake(thread, -ETIMEDOUT);
	return false;
}

int sched_wait(struct thread_queue *queue, uint64_t deadline_ns, const struct wait_reason *reason)
{
	struct thread *self = thread_current;
	if (signal_is_deliverable()) {
		self->signals.restarts = true;
		return -EINTR;
	}
	if (vclock_now() >= deadline_ns)
		return -ETIMEDOUT;
	self->state = THREAD_WAITING;
	self->reason = *reason;
	self->deadline_ns = deadline_ns;
	account_wait(self);
	self->queue = queue;
	if (queue)
		thread_queue_add(queue, self);
	if (deadline_ns != SCHED_FOREVER) {
		timeouts_add(self);
		if (timeouts_first() == self)
			rearm_clock();
	}
	struct thread *next = next_ready(SCHED_KIND_block);
	if (next == self) { /* the thread was woken before another one ran */
		thread_queue_remove(&ready, self);
		account_run(self);
	} else {
		switch_to(next);
	}
	return self->wake_result;
}

int sched_wait_until(uint64_t deadline_ns, enum sched_cause cause, const char *what)
{
	const struct wait_reason reason = {what, cause};
	int result = sched_wait(NULL, deadline_ns, &reason);
	return result == -ETIMEDOUT ? 0 : result;
}

void sched_yield(void)
{
	if (!ready.count)
		return;
	const struct sched_question question = {
		.kind = SCHED_KIND_yield, .current = thread_current, .goes_on = true, .op = account_calling};
	struct thread *next = ask_policy(&question);
	if (next != thread_current)
		yield_to(next);
}

static uint64_t tell_created(const void *thread)
{
	account_created(thread);
	sched_decide_created(policy(), thread);
	arm_clock();
	return 0;
}

void sched_start(struct thread *thread, uint64_t top, void (*entry)(void *), void *argument)
{
	struct context *context = (struct context *)(top - sizeof(*context)); /* context_begin calls with rsp at top */
	*context = (struct context){.rflags = 0x202, .rbx = (uint64_t)entry, .r12 = (uint64_t)argument};
	context->rip = (uint64_t)context_begin;
	context_float(&context->environment);
	thread->stack_pointer = (uint64_t)context;
	thread->state = THREAD_READY;
	account_start(thread);
	thread_queue_add(&ready, thread);
	context_on_policy_stack(tell_created, thread);
}

static uint64_t tell_ended(const void *thread)
{
	sched_decide_ended(policy(), thread);
	return 0;
}

static uint64_t close_account(const void *thread)
{
	account_end(thread);
	return 0;
}

_Noreturn void sched_exit(void)
{
	struct thread *self = thread_current;
	account_wait(self);
	thread_end(self); /* events until another thread runs are no longer for this thread */
	context_on_policy_stack(tell_ended, self);
	struct thread *next = next_ready(SCHED_KIND_exit);
	thread_queue_remove(&ready, next);
	log_switch(next->number);
	account_switch(next);
	context_on_policy_stack(close_account, self);
	thread_segments_switch(self, next);
	thread_free(self);
	context_load(next->stack_pointer);
}
