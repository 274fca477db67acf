/* SPDX-License-Identifier: MIT */
#include "code/code_steps.h"

#include <string.h>

/* Disassembles the instruction at an offset of an area, or takes it from the recent ones. Its length is 0 if there is
 * none. */
static const struct instruction *read_one(struct code_recent *recent, const struct code_area *area, uint64_t offset)
{
	const uint8_t *bytes = area->bytes + offset;
	const uint64_t address = area->address + offset;
	__typeof__(recent->at[0]) *slot = &recent->at[address % CODE_RECENT_SLOTS];
	struct instruction *in = &slot->instruction;
	if (slot->bytes == bytes && slot->address == address)
		return in;
	slot->bytes = bytes;
	slot->address = address;
	if (!disassemble(bytes, area->count - offset, address, in))
		in->length = 0;
	return in;
}

bool code_steps_read(struct code_steps *steps, struct code_recent *recent, const struct code_area *area, uint64_t start,
                     uint64_t end, uint64_t *work)
{
	steps->count = 0;
	steps->start = start;
	steps->bytes = end - start;
	if (steps->bytes > CODE_STEPS_BYTES)
		return false;
	memset(steps->step_of, 0, steps->bytes * sizeof(steps->step_of[0]));
	for (uint64_t at = start; at < end;) {
		if (steps->count == CODE_STEPS_MAX || !*work)
			return false;
		--*work;
		struct code_used *s = &steps->at[steps->count++];
		steps->step_of[at - start] = (uint16_t)steps->count;
		s->address = at;
		s->instruction = *read_one(recent, area, at - area->address);
		s->is_joined = s->leaves_behind = s->leaves_by_jump = s->has_uses = s->is_looked_up = s->only_reads =
			false;
		if (!s->instruction.length || s->instruction.length > end - at)
			return false;
		at += s->instruction.length;
	}
	return true;
}

bool code_steps_is_jump(const struct instruction *in)
{
	return in->flags & INSTRUCTION_TARGET && !(in->flags & (INSTRUCTION_REFERENCE | INSTRUCTION_LEAVES));
}

/* Returns the index of the step at an address, or CODE_STEPS_NONE. */
static size_t step_at_address(const struct code_steps *steps, uint64_t address)
{
	const uint64_t at = address - steps->start;
	return at < steps->bytes && steps->step_of[at] ? steps->step_of[at] - 1UL : CODE_STEPS_NONE;
}

/* The steps that may follow a step. CODE_STEPS_NONE: no step follows in this way, or the list lacks it. */
struct ways {
	size_t behind, by_jump;
};

static struct ways ways_from(const struct code_steps *steps, size_t i)
{
	const struct instruction *in = &steps->at[i].instruction;
	struct ways ways = {CODE_STEPS_NONE, CODE_STEPS_NONE};
	if (!(in->flags & INSTRUCTION_END) && i + 1 < steps->count)
		ways.behind = i + 1;
	if (code_steps_is_jump(in))
		ways.by_jump = step_at_address(steps, in->target);
	return ways;
}

/* Marks the steps that can be reached from the first one. A pass follows all ways forwards, so another one is needed
 * only for ways back. */
static void mark_forwards(const struct code_steps *steps, const struct ways *ways, bool *is_marked)
{
	bool is_new = is_marked[0] = true;
	while (is_new) {
		is_new = false;
		for (size_t i = 0; i < steps->count; i++) {
			const size_t to[] = {ways[i].behind, ways[i].by_jump};
			for (unsigned k = 0; k < 2 && is_marked[i]; k++) {
				if (to[k] == CODE_STEPS_NONE || is_marked[to[k]])
					continue;
				is_marked[to[k]] = true;
				is_new |= to[k] < i;
			}
		}
	}
}

/* Marks the steps from which the last one can be reached. A pass follows all ways forwards. */
static void mark_backwards(const struct code_steps *steps, const struct ways *ways, bool *is_marked)
{
	bool is_new = is_marked[steps->count - 1] = true, has_way_back = false;
	while (is_new) {
		is_new = false;
		for (size_t i = steps->count; i--;) {
			has_way_back |= ways[i].by_jump < i && i + 1 < steps->count;
			bool leads_there = (ways[i].behind != CODE_STEPS_NONE && is_marked[ways[i].behind]) ||
			                   (ways[i].by_jump != CODE_STEPS_NONE && is_marked[ways[i].by_jump]);
			is_new |= leads_there && !is_marked[i];
			is_marked[i] |= leads_there;
		}
		is_new &= has_way_back;
	}
}

bool code_steps_keep_loop(struct code_steps *steps)
{
	struct ways ways[CODE_STEPS_MAX];
	bool after[CODE_STEPS_MAX] = {false}, before[CODE_STEPS_MAX] = {false};
	size_t kept = 0;
	if (!steps->count)
		return false;
	for (size_t i = 0; i < steps->count; i++)
		ways[i] = ways_from(steps, i);
	mark_forwards(steps, ways, after);
	mark_backwards(steps, ways, before);
	if (!after[steps->count - 1] || ways[steps->count - 1].by_jump)
		return false;
	for (size_t i = 0; i < steps->count; i++) {
		struct code_used *s = &steps->at[kept];
		uint16_t *step_of = &steps->step_of[steps->at[i].address - steps->start];
		*step_of = 0;
		if (!after[i] || !before[i])
			continue;
		s->address = steps->at[i].address;
		s->instruction = steps->at[i].instruction;
		bool is_jump = code_steps_is_jump(&s->instruction), is_end = s->instruction.flags & INSTRUCTION_END;
		s->leaves_behind = !is_end && (ways[i].behind == CODE_STEPS_NONE || !before[ways[i].behind]);
		s->leaves_by_jump = is_jump && (ways[i].by_jump == CODE_STEPS_NONE || !before[ways[i].by_jump]);
		*step_of = (uint16_t)++kept;
	}
	steps->count = kept;
	return true;
}

/* Whether a step jumps only over steps that were left out, so the next step does not begin a basic block. */
static bool is_idle(const struct code_used *s, size_t i, size_t to)
{
	return (s->instruction.flags & INSTRUCTION_END || s->leaves_behind) && to == i + 1;
}

void code_steps_join(struct code_steps *steps)
{
	for (size_t i = 0; i < steps->count; i++) {
		const struct code_used *s = &steps->at[i];
		size_t to = code_steps_is_jump(&s->instruction) ? step_at_address(steps, s->instruction.target)
		                                                : CODE_STEPS_NONE;
		if (to != CODE_STEPS_NONE && !is_idle(s, i, to))
			steps->at[to].is_joined = true;
	}
}

bool code_steps_use(struct code_used *step, const struct code_area *area)
{
	const uint64_t offset = step->address - area->address;
	step->has_uses = disassembler_uses(area->bytes + offset, area->count - offset, step->address, &step->uses);
	return step->has_uses;
}

bool code_steps_is_of_stack(const struct instruction_uses *uses)
{
	return uses->is_stack || uses->base == USES_RSP || uses->base == USES_RBP;
}
