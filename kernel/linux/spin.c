/* SPDX-License-Identifier: MIT */
/* A thread that comes to a state again in which it was before, registers and memory, does so for ever, unless somebody
 * else changes memory. So it makes no difference how often it went round before the monitor looked. */
#include "kernel/linux/spin.h"

#include "abi/doorbell.h"
#include "abi/layout.h"
#include "abi/tables.h"
#include "kernel/arch/direct_map.h"
#include "kernel/dev/doorbell.h"
#include "kernel/lib/chain.h"
#include "kernel/linux/deliver.h"
#include "kernel/linux/entry.h"
#include "kernel/linux/rseq.h"
#include "kernel/sched/account.h"
#include "kernel/sched/decide.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/timeouts.h"
#include "kernel/signal/signal.h"
#include "kernel/time/vclock.h"

#define RFLAGS_TF 0x100UL

/* For so long it makes way: the first time, and then each time twice as long, as long as it finds nothing else to do.
 */
#define WAIT_MIN_NS 1000UL
#define WAIT_MAX_NS 10000000UL

/* It goes on on its kernel stack, where it can be replaced, with the program's registers at the top. */
static void make_way(struct trap_frame *frame)
{
	struct trap_frame *own = linux_frame(thread_current);
	*own = *frame;
	frame->rip = (uint64_t)linux_spin_entry;
	frame->rsp = (uint64_t)own;
	frame->rflags = TABLES_RFLAGS;
}

bool spin_trap(struct trap_frame *frame)
{
	volatile struct doorbell *doorbell = phys_to_virt(LAYOUT_DOORBELL);
	if (!doorbell->stepping)
		return false;
	if (frame->vector == TRAP_DEBUG) {
		int64_t answer = doorbell_ring(DOORBELL_STEP, (uint64_t)frame, 0);
		if (answer == STEP_ON)
			return true;
		frame->rflags &= ~RFLAGS_TF;
		if (answer == STEP_SPINS)
			make_way(frame);
		return true;
	}
	doorbell->stepping = 0;
	frame->rflags &= ~RFLAGS_TF;
	return false;
}

/* Whether it has done nothing since it made way last, as far as that can be told: it stands there with the registers
 * that it had, which are likely to tell of what it reads, and has passed no decision point. */
static bool is_again(struct thread *self, const struct trap_frame *frame)
{
	const uint64_t *words = (const uint64_t *)frame;
	uint64_t chain[2] = {0};
	for (unsigned i = 0; i < sizeof(*frame) / sizeof(*words); i++)
		chain_add(chain, words[i], i);
	bool again = self->spin.decision == sched_decision() && self->spin.state == chain[0];
	self->spin.state = chain[0];
	return again;
}

/* Until when it makes way. If there is nobody else who could run, and none whom time wakes, then for a timer. */
static uint64_t deadline(struct thread *self, bool again)
{
	bool is_alone = !sched_ready_count() && timeouts_next_ns() == SCHED_FOREVER;
	self->spin.wait_ns = !again                             ? WAIT_MIN_NS
	                     : self->spin.wait_ns < WAIT_MAX_NS ? 2 * self->spin.wait_ns
	                                                        : WAIT_MAX_NS;
	return is_alone ? SCHED_FOREVER : vclock_now() + self->spin.wait_ns;
}

void linux_spin(struct trap_frame *frame)
{
	struct thread *self = thread_current;
	const uint64_t switches = self->switches;
	frame->vector = 0;
	account_calling = SCHED_OP_load;
	sched_wait_until(deadline(self, is_again(self, frame)), SCHED_CAUSE_lock,
	                 "memory to change, which it reads in a loop");
	account_calling = SCHED_OP_NONE;
	self->spin.decision = sched_decision();
	if (self->switches != switches)
		rseq_interrupted(frame);
	if (signal_pending())
		linux_deliver(frame);
}
