/* SPDX-License-Identifier: MIT */
/* A thread that returns to an earlier state, of registers and memory, repeats it for ever unless another thread changes
 * memory. So the number of iterations before the monitor noticed does not matter. */
#include "kernel/linux/entry/spin.h"

#include "abi/doorbell.h"
#include "abi/errno.h"
#include "abi/layout.h"
#include "abi/sched_op.h"
#include "abi/tables.h"
#include "kernel/arch/direct_map.h"
#include "kernel/dev/console.h"
#include "kernel/dev/doorbell.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/entry/rseq.h"
#include "kernel/linux/signal/deliver.h"
#include "kernel/sched/account.h"
#include "kernel/sched/ask.h"
#include "kernel/sched/decide.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/timeouts.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/kcall.h"
#include "kernel/time/timer.h"
#include "kernel/time/vclock.h"
#include "kernel/trap/emulate.h"
#include "kernel/vfs/keyboard.h"

#define RFLAGS_TF 0x100UL

/* How long a spinning thread gives way: at first WAIT_MIN_NS, then twice as long each time, while it finds nothing else
 * to do. */
#define WAIT_MIN_NS 1000UL
#define WAIT_MAX_NS 10000000UL

/* After so many equal reads of the time stamp a loop that does nothing else is a wait. A further read takes
 * STAMP_MIN_NS, which grows with the time that the loop has lasted, so that it ends late by STAMP_SHARE at most. */
#define STAMPS_MAX 100
#define STAMP_MIN_NS 1000UL
#define STAMP_MAX_NS 10000UL
#define STAMP_SHARE 64U

/* Kept in the vector of the frame on the thread's kernel stack, where each kernel call of the thread replaces it. */
#define STAMP_MARK 0x7073UL

/* The streak stays the same while threads only look again in vain. */
static struct {
	uint64_t number;
	uint64_t decision; /* when it began */
} streak;

/* The reason why a thread is on its kernel stack. Stored in the frame's vector. */
enum way {
	WAY_SPINS,
	WAY_STAYS, /* as WAY_SPINS, and the loop has made no progress since the thread last continued in it */
	WAY_TYPED, /* a key that makes a signal was typed */
	WAY_STAMP, /* it reads the time stamp in a loop */
};

/* The thread continues on its kernel stack, where it can be replaced, with the program's registers at the top. */
static void leave_to_others(struct trap_frame *frame, enum way why)
{
	struct trap_frame *own = linux_frame(thread_current);
	*own = *frame;
	own->vector = why;
	frame->rip = (uint64_t)entry_spin;
	frame->rsp = (uint64_t)own;
	frame->rflags = TABLES_RFLAGS;
}

bool spin_trap(struct trap_frame *frame)
{
	volatile struct doorbell *doorbell = phys_to_virt(LAYOUT_DOORBELL);
	if (!doorbell->stepping)
		return false;
	if (frame->vector != TRAP_DEBUG) {
		doorbell->stepping = 0;
		frame->rflags &= ~RFLAGS_TF;
		return false;
	}
	if (console_has_interrupt()) {
		doorbell->stepping = 0;
		frame->rflags &= ~RFLAGS_TF;
		leave_to_others(frame, WAY_TYPED);
		return true;
	}
	int64_t answer = doorbell_ring(DOORBELL_STEP, (uint64_t)frame, 0);
	int64_t what = answer & (STEP_CHANGES - 1);
	if (what == STEP_ON)
		return true;
	frame->rflags &= ~RFLAGS_TF;
	if (what == STEP_SPINS)
		thread_current->spin.length = (uint64_t)answer >> STEP_LENGTH_SHIFT;
	if (what == STEP_SPINS || what == STEP_STAYS) {
		/* Set only here: whether the monitor searched in vain depends on the moment at which it looked. */
		thread_current->spin.changes = answer & STEP_CHANGES;
		leave_to_others(frame, what == STEP_STAYS ? WAY_STAYS : WAY_SPINS);
	}
	return true;
}

/* Hashes what a loop that only reads the time stamp keeps: its place, its stack, and the registers that functions
 * preserve. The others may hold the time. The products do not wait for each other. */
static inline uint64_t stamp_hash(const struct trap_frame *frame)
{
	return frame->rip * 0x9e3779b97f4a7c15 + frame->rsp * 0xbf58476d1ce4e5b9 + frame->rbp * 0x94d049bb133111eb +
	       frame->rbx * 0xc2b2ae3d27d4eb4f + frame->r12 * 0x165667b19e3779f9 + frame->r13 * 0x85ebca77c2b2ae63 +
	       frame->r14 * 0x27d4eb2f165667c5 + frame->r15 * 0xff51afd7ed558ccd;
}

/* Counts a read of the time stamp. Returns whether the thread waits. */
static inline bool stamp_waits(const struct trap_frame *frame)
{
	struct trap_frame *own = linux_frame(thread_current);
	const uint64_t hash = stamp_hash(frame);
	const bool is_equal = own->vector == STAMP_MARK && thread_current->spin.stamp == hash;
	own->vector = STAMP_MARK;
	thread_current->spin.stamp = hash;
	if (!is_equal) {
		thread_current->spin.stamps = 0;
		thread_current->spin.stamps_since_ns = vclock_ticks_inline() / TICKS_PER_NS;
	}
	if (thread_current->spin.stamps < STAMPS_MAX)
		thread_current->spin.stamps++;
	return thread_current->spin.stamps == STAMPS_MAX;
}

void spin_stamp(struct trap_frame *frame, unsigned length, bool is_rdtscp)
{
	const bool waits = stamp_waits(frame);
	frame->rip += length - 1UL;
	if (is_rdtscp)
		frame->rcx = 0; /* IA32_TSC_AUX: processor 0 */
	if (waits)
		leave_to_others(frame, WAY_STAMP);
	else
		emulate_rdtsc(frame);
}

/* How long a read of the time stamp by a waiting thread takes: at most until the next event, while it is alone. */
static uint64_t stamp_ns(void)
{
	const uint64_t now = vclock_now(), timeout = timeouts_next_ns(), timer = timer_next_ns();
	const uint64_t next = timeout < timer ? timeout : timer;
	uint64_t ns = (now - thread_current->spin.stamps_since_ns) / STAMP_SHARE;
	if (ns < STAMP_MIN_NS || sched_ready_count())
		return STAMP_MIN_NS;
	ns = ns < STAMP_MAX_NS ? ns : STAMP_MAX_NS;
	return next > now && next - now < ns ? next - now : ns;
}

/* Another thread may run before a read of the time stamp. This counts as a call of sched_yield(2). */
static void stamp_give_way(struct trap_frame *frame)
{
	const uint64_t switches = thread_current->switches;
	vclock_advance(stamp_ns());
	kcall_sched_yield();
	emulate_rdtsc(frame);
	frame->vector = STAMP_MARK;
	if (thread_current->switches != switches)
		rseq_interrupted(frame);
	if (signal_pending()) {
		frame->vector = 0;
		linux_deliver(frame);
	}
}

bool spin_stamp_read(struct trap_frame *frame, bool is_rdtscp)
{
	const uint64_t switches = thread_current->switches;
	if (is_rdtscp)
		frame->rcx = 0; /* IA32_TSC_AUX: processor 0 */
	if (stamp_waits(frame)) {
		stamp_give_way(frame);
		return true;
	}
	emulate_rdtsc(frame);
	if (__builtin_expect(vclock_is_due(), 0)) {
		sched_ticks_take();
		if (thread_current->switches != switches)
			rseq_interrupted(frame);
	}
	if (__builtin_expect(signal_pending() != 0, 0)) {
		frame->vector = 0;
		linux_deliver(frame);
		return true;
	}
	return thread_current->switches != switches;
}

/* Whether nothing else can happen: all other threads wait for ever, or have found nothing new since the last change. A
 * thread that changes memory in its loop is not hopeless: other threads may see different values depending on where it
 * is stopped. */
static bool is_hopeless(const struct thread *self)
{
	if (self->spin.changes || timer_next_ns() <= vclock_end())
		return false;
	for (const struct thread *t = thread_first(); t; t = t->after) {
		bool waits = t->state == THREAD_WAITING && t->deadline_ns == SCHED_FOREVER;
		bool in_vain = t->spin.waits && !t->spin.changes && t->spin.streak == streak.number &&
		               (t->state == THREAD_WAITING || t->wake_result == -ETIMEDOUT);
		if (t != self && !waits && !in_vain)
			return false;
	}
	return true;
}

/* The deadline for which the thread gives way. Without any other event it is infinite, which is a deadlock. If no other
 * thread can run or has a timeout, the thread waits for a timer. */
static uint64_t deadline(struct thread *self, bool stays)
{
	bool is_alone = !sched_ready_count() && timeouts_next_ns() == SCHED_FOREVER;
	uint64_t longer = 2 * self->spin.wait_ns;
	if (!stays || streak.decision != sched_decide_number()) {
		streak.number++;
		streak.decision = sched_decide_number();
	}
	self->spin.streak = streak.number;
	if (!stays || longer < WAIT_MIN_NS) /* it is 0 after a wait for a timer (work_on) */
		longer = WAIT_MIN_NS;
	self->spin.wait_ns = longer < WAIT_MAX_NS ? longer : WAIT_MAX_NS;
	return is_alone || (stays && is_hopeless(self)) ? SCHED_FOREVER : vclock_now() + self->spin.wait_ns;
}

/* If no other thread can run, and a timer counts the processor time of this process: the loop uses it up to the next
 * event. Returns whether it did. With the network outside, time follows the wall clock instead. */
static bool work_on(void)
{
	uint64_t next = timer_working_ns(), others = timer_next_ns(), timeout = timeouts_next_ns(), now = vclock_now();
	if (next == UINT64_MAX || sched_ready_count() || sched_outside)
		return false;
	next = next < others ? next : others;
	next = next < timeout ? next : timeout;
	if (next > vclock_end())
		return false;
	if (next > now)
		vclock_advance(next - now);
	sched_expire();
	return true;
}

/* Lets the monitor check whether the thread makes another iteration. */
static void step_once_more(struct trap_frame *frame)
{
	if (doorbell_ring(DOORBELL_STEP, (uint64_t)frame, thread_current->spin.length) == STEP_ON)
		frame->rflags |= RFLAGS_TF;
}

void linux_spin(struct trap_frame *frame)
{
	struct thread *self = thread_current;
	const uint64_t switches = self->switches;
	const enum way why = (enum way)frame->vector;
	frame->vector = 0;
	if (why == WAY_STAMP) {
		stamp_give_way(frame);
		return;
	}
	if (why == WAY_TYPED) {
		keyboard_take_interrupt();
		if (signal_pending())
			linux_deliver(frame);
		return;
	}
	uint64_t until = work_on() ? vclock_now() : deadline(self, why == WAY_STAYS);
	account_calling = SCHED_OP_load;
	self->spin.waits = true;
	sched_wait_until(until, SCHED_CAUSE_lock, "memory to change, which it reads in a loop");
	self->spin.waits = false;
	account_calling = SCHED_OP_NONE;
	if (self->switches != switches)
		rseq_interrupted(frame);
	if (signal_pending())
		linux_deliver(frame);
	else
		step_once_more(frame);
}
