/* SPDX-License-Identifier: MIT */
#include "run/run_stall.h"

#include "abi/layout.h"
#include "abi/stats.h"
#include "base/error.h"
#include "guest/guest_virtual.h"
#include "run/place.h"
#include "scan/disassembler.h"

#define CALL_RT_SIGRETURN 15
#define CALL_SCHED_YIELD 24
#define INSTRUCTION_BYTES 15

void run_stall_sight(const struct run *run, const struct sched_shared *shared, uint64_t ticks,
                     struct progress_sight *sight)
{
	struct run_stats stats;
	*sight = (struct progress_sight){
		.decisions = schedule_window_decisions(shared),
		.asked_at = shared->policy_ticks,
		.doorbells = run->doorbells,
		.ticks = ticks,
		.thread = shared->current,
	};
	if (!run->config->linux_program || guest_memory_read(&run->memory, gpa(LAYOUT_STATS), &stats, sizeof(stats)))
		return;
	for (unsigned i = 0; i < STATS_CALLS; i++)
		sight->calls += stats.calls[i];
	sight->yields = stats.calls[CALL_SCHED_YIELD];
	sight->returns = stats.calls[CALL_RT_SIGRETURN];
	sight->calls -= sight->yields + sight->returns;
}

/* Whether the verdict is reported. If no other thread of a Linux program could run before the running one acts, and no
 * time is awaited, then the program computes, or would hang on Linux, too. PROGRESS_NO_POINT is not reported during a
 * replay, where no other thread may run in between. */
static bool is_told(const struct run *run, enum progress_verdict verdict, const struct sched_shared *shared,
                    const struct linux_others *others)
{
	switch (verdict) {
	case PROGRESS_GOES_ON:
		return false;
	case PROGRESS_HANDLES:
		return true;
	case PROGRESS_NO_POINT:
		if (run->config->sched.boot.policy == SCHED_replay)
			return false;
		break;
	case PROGRESS_NONE:
	case PROGRESS_WAITS:
		break;
	}
	return others ? others->ready || others->timed || others->has_timer : shared->youngest > 1;
}

/* Adds what one instruction of a loop is for --preempt. */
static unsigned contents_at(const struct guest_memory *seen, uint64_t address)
{
	uint8_t code[INSTRUCTION_BYTES];
	struct instruction instruction;
	struct memory_operand operand;
	const uint64_t left = guest_virtual_read_some(seen, address, code, sizeof(code));
	if (!disassemble(code, left, address, &instruction))
		return 0;
	if (instruction.kind == CODE_ATOMIC)
		return STALL_ATOMIC;
	if (!(instruction.flags & INSTRUCTION_MEMORY))
		return 0;
	disassembler_operand(code, left, &operand);
	return operand.is_store ? STALL_STORE : operand.is_load ? STALL_LOAD : 0;
}

/* Looks at the instructions that the monitor stepped last, if it has since the guest's last point: they are part of the
 * loop, or all of it. Returns the enum stall_contents; 0: unknown. */
static unsigned loop_contents(const struct run *run, const struct linux_view *view)
{
	const struct spin *spin = &run->spin;
	const struct guest_memory seen = linux_view_memory(view, &run->memory);
	static uint64_t addresses[SPIN_STEPS_MAX]; /* one run at a time, and not on the stack */
	static bool made[SPIN_STEPS_MAX];
	struct error error;
	unsigned contents = 0;
	for (unsigned i = 0; i < spin->seen; i++)
		addresses[i] = spin->states[i].general[ENGINE_RIP];
	if (spin->began_ns < run->progress.point_ns || disassembler_load(&error) ||
	    linux_view_made(view, &run->memory, &run->image, addresses, spin->seen, made))
		return 0;
	for (unsigned i = 0; i < spin->seen; i++)
		contents |= made[i] ? STALL_MADE : STALL_FILE | contents_at(&seen, addresses[i]);
	const bool lacks_points = contents == STALL_FILE || contents == (STALL_FILE | STALL_MADE);
	return lacks_points && spin->saw_part ? 0 : contents;
}

void run_stall_look(struct run *run, const struct progress_sight *sight, const struct sched_shared *shared)
{
	const struct run_config *config = run->config;
	struct run_stall stall = {0};
	struct linux_view view;
	struct linux_others others;
	if (!config->observer.stalled || run->stall_told)
		return;
	stall.verdict = progress_look(&run->progress, sight, watch_now_ns());
	const bool has_view = stall.verdict != PROGRESS_GOES_ON && linux_view_read(&view, &run->memory);
	if (has_view && !linux_view_others(&view, &run->memory, &run->image, &others))
		return;
	/* A guest that is being stepped may be in its kernel, which does not show where its program is. */
	if (has_view && run->spin.phase != SPIN_OFF)
		return;
	stall.others = has_view ? &others : NULL;
	if (!is_told(run, stall.verdict, shared, stall.others))
		return;
	run->stall_told = true;
	if (!schedule_window_ends_by_stop(&run->schedule) && !config->linux_program)
		watch_look_in(&run->watch, WATCH_NEVER);
	if (has_view && (stall.verdict == PROGRESS_NONE || stall.verdict == PROGRESS_NO_POINT))
		stall.contents = loop_contents(run, &view);
	if (!place_take(run->ops, run->engine, &run->memory, &stall.place))
		config->observer.stalled(config->observer.context, &stall, &run->memory, &run->image);
}
