/* SPDX-License-Identifier: MIT */
#include "code/code_reader.h"

#include "abi/code.h"
#include "code/code_steps.h"

#define STEPS_MAX 64 /* limit of a function's instructions */

/* Registers of arguments: rdi, rsi, rdx, rcx, r8, r9 (System V ABI, 3.2.3). */
#define OF_ARGUMENTS (USES_BIT(7) | USES_BIT(6) | USES_BIT(2) | USES_BIT(1) | USES_BIT(8) | USES_BIT(9))

static bool is_reader(struct code_reader *reader, uint64_t address, unsigned depth, uint64_t *arguments);

/* Whether more than a quarter of a function's instructions use the stack, as in code without optimisation. */
static bool is_as_written(const struct code_steps *steps)
{
	size_t of_stack = 0;
	for (size_t i = 0; i < steps->count; i++) {
		const struct instruction_uses *uses = &steps->at[i].uses;
		of_stack +=
			(uses->reads_memory || uses->writes_memory) && !uses->is_stack && code_steps_is_of_stack(uses);
	}
	return 4 * of_stack > steps->count;
}

/* Finds what a function's instructions use. Returns false if one cannot be decoded. */
static bool use_all(struct code_steps *steps, const struct code_area *area)
{
	code_steps_join(steps);
	for (size_t i = 0; i < steps->count; i++)
		if (!code_steps_use(&steps->at[i], area))
			return false;
	return true;
}

static bool stores(const struct instruction_uses *uses)
{
	return uses->writes_memory && (uses->is_unknown || !code_steps_is_of_stack(uses));
}

/* Whether a function that only reads may have this step. Sets *arguments to the argument registers of a function that
 * the step calls. */
static bool is_allowed(struct code_reader *reader, const struct code_range *range, const struct code_used *s,
                       bool as_written, unsigned depth, uint64_t *arguments)
{
	const struct instruction *in = &s->instruction;
	*arguments = 0;
	if (in->kind == CODE_PAUSE || in->kind == CODE_SYSCALL || in->flags & INSTRUCTION_ODD)
		return false;
	bool leads_outside = code_steps_is_jump(in) && in->target - range->address >= range->bytes;
	if (s->uses.is_call || leads_outside)
		return (in->flags & INSTRUCTION_TARGET && is_reader(reader, in->target, depth + 1, arguments)) ||
		       (as_written && !leads_outside);
	return !stores(&s->uses) && (as_written || !(in->flags & INSTRUCTION_INDIRECT));
}

static bool is_reader(struct code_reader *reader, uint64_t address, unsigned depth, uint64_t *arguments)
{
	const struct code_area *area = code_map_area(reader->map, address);
	struct code_range range;
	enum code_source source;
	uint64_t gap, of_called, written = 0;
	struct code_steps *steps = &reader->steps[depth % CODE_READER_DEPTH];
	*arguments = 0;
	if (depth == CODE_READER_DEPTH || !area ||
	    code_map_find(reader->map, area, address, &range, &source, &gap) != 1 || range.address != address ||
	    range.bytes > area->count - (address - area->address) ||
	    !code_steps_read(steps, &reader->recent, area, address, address + range.bytes, &reader->work) ||
	    steps->count > STEPS_MAX || !use_all(steps, area))
		return false;
	bool as_written = is_as_written(steps);
	for (size_t i = 0; i < steps->count; i++) {
		const struct instruction_uses *uses = &steps->at[i].uses;
		if (!is_allowed(reader, &range, &steps->at[i], as_written, depth, &of_called))
			return false;
		*arguments |= (uses->reads | uses->addresses | of_called) & ~written & OF_ARGUMENTS;
		written |= uses->writes;
	}
	return true;
}

bool code_reader_is(struct code_reader *reader, uint64_t address, uint64_t *arguments)
{
	return is_reader(reader, address, 0, arguments);
}
