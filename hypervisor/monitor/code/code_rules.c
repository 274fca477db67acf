/* SPDX-License-Identifier: MIT */
#include "code/code_rules.h"

#include "abi/tables.h"

#define JUMP_BYTES 5
#define SYSCALL_BYTES 2
/* Limit of the bytes before the site that a stub replaces. It bounds the size of a stub. */
#define BEFORE_MAX 32

struct choice {
	struct code_function *function;
	const struct code_surroundings *around;
	size_t step;
	uint8_t reason; /* why no rule has applied yet */
	bool relocates; /* one instruction may move whose memory operand is relative to its address */
};

/* Returns a step that can move into the stub, or NULL. The steps between it and the site can. */
static const struct code_step *movable(const struct choice *c, size_t step)
{
	if (step >= c->function->count || !code_function_goes_on(c->function, step < c->step ? step : step - 1))
		return NULL;
	const struct code_step *s = &c->function->steps[step];
	bool is_movable = s->instruction.flags & INSTRUCTION_MOVABLE || (c->relocates && s->instruction.relative_at);
	if (!is_movable || s->is_reached != c->function->steps[c->step].is_reached ||
	    (disassembler_set_of(s->instruction.kind) & c->around->set) || s->address < c->around->floor)
		return NULL;
	return s;
}

/* Whether no branch leads between `from` and `to`. Returns 1, 0 with the reason set, or a negative errno. */
static int is_straight(struct choice *c, uint64_t from, uint64_t to)
{
	if (code_function_is_entered(c->function, from, to)) {
		c->reason = CODE_REASON_ENTERED;
		return 0;
	}
	if (c->around->is_unknown) {
		if (c->reason != CODE_REASON_ENTERED)
			c->reason = CODE_REASON_INDIRECT;
		return 0;
	}
	int entered = c->around->is_entered(c->around->context, from, to);
	if (entered > 0)
		c->reason = CODE_REASON_ENTERED;
	return entered < 0 ? entered : !entered;
}

/* Describes the instruction among [from, end) that must be changed when it moves. Returns false if there are several.
 */
static bool describe_relative(const struct choice *c, uint64_t from, uint64_t end, struct code_patch *patch)
{
	for (size_t step = 0; step < c->function->count; step++) {
		const struct code_step *s = &c->function->steps[step];
		if (s->address < from || s->address >= end || step == c->step || !s->instruction.relative_at)
			continue;
		if (patch->operand[1])
			return false;
		patch->operand[0] = (uint8_t)(s->address - from + s->instruction.relative_at);
		patch->operand[1] = (uint8_t)(s->instruction.length - s->instruction.relative_at);
	}
	return true;
}

/* Returns whether the rule applies. */
static int take(const struct choice *c, struct code_patch *patch, uint64_t before, uint64_t after,
                enum code_reason reason)
{
	const uint64_t site = c->function->steps[c->step].address;
	if (c->relocates && !describe_relative(c, site - before, site + patch->length + after, patch)) {
		patch->operand[0] = patch->operand[1] = 0;
		return 0;
	}
	patch->reason = (uint8_t)reason;
	patch->offset -= before;
	patch->before = (uint8_t)before;
	patch->after = (uint8_t)after;
	return 1;
}

/* Rules A and A2: the jump replaces the one instruction before. */
static int try_one_before(struct choice *c, struct code_patch *patch)
{
	const struct code_step *before = c->step ? movable(c, c->step - 1) : NULL;
	if (!before || before->instruction.length < JUMP_BYTES)
		return 0;
	if (code_function_is_entered(c->function, before->address, before->address + before->instruction.length)) {
		c->reason = CODE_REASON_ENTERED;
		return 0;
	}
	bool is_number = before->instruction.flags & INSTRUCTION_SETS_EAX;
	return take(c, patch, before->instruction.length, 0, is_number ? CODE_REASON_A : CODE_REASON_A2);
}

/* Rule B, and the end of rule C: the jump replaces [from, site), the site, and instructions after it until it fits. */
static int try_behind(struct choice *c, uint64_t from, struct code_patch *patch)
{
	uint64_t site = c->function->steps[c->step].address, length = patch->length, end = site + length;
	for (size_t step = c->step + 1; end - from < JUMP_BYTES; step++) {
		const struct code_step *next = movable(c, step);
		if (!next)
			return 0;
		end += next->instruction.length;
	}
	int result = is_straight(c, from, end);
	if (result > 0)
		result = take(c, patch, site - from, end - site - length, from == site ? CODE_REASON_B : CODE_REASON_C);
	return result;
}

/* Rule C: the jump replaces instructions before the syscall, as few as possible, and the syscall too if they have no
 * room for it. */
static int try_before(struct choice *c, struct code_patch *patch)
{
	uint64_t site = c->function->steps[c->step].address;
	for (size_t step = c->step; step--;) {
		const struct code_step *first = movable(c, step);
		if (!first || site - first->address > BEFORE_MAX)
			return 0;
		uint64_t before = site - first->address;
		if (before + SYSCALL_BYTES < JUMP_BYTES)
			continue;
		int result = is_straight(c, first->address, before < JUMP_BYTES ? site + SYSCALL_BYTES : site);
		if (result > 0)
			result = take(c, patch, before, 0, CODE_REASON_C);
		if (result)
			return result;
	}
	return 0;
}

/* The rest of rule C: the jump replaces instructions on both sides, because neither side has room alone. */
static int try_around(struct choice *c, struct code_patch *patch)
{
	uint64_t site = c->function->steps[c->step].address;
	for (size_t step = c->step; step--;) {
		const struct code_step *first = movable(c, step);
		if (!first || site - first->address + SYSCALL_BYTES >= JUMP_BYTES)
			return 0;
		int result = try_behind(c, first->address, patch);
		if (result)
			return result;
	}
	return 0;
}

static int try_all(struct choice *c, struct code_patch *patch)
{
	int result = try_one_before(c, patch);
	if (!result)
		result = try_behind(c, c->function->steps[c->step].address, patch);
	if (!result)
		result = try_before(c, patch);
	return result ? result : try_around(c, patch);
}

int code_rules_choose(struct code_function *function, size_t step, const struct code_surroundings *around,
                      struct code_patch *patch)
{
	struct choice choice = {.function = function, .around = around, .step = step, .reason = CODE_REASON_NO_ROOM};
	int result = try_all(&choice, patch);
	choice.relocates = true;
	if (!result)
		result = try_all(&choice, patch);
	if (!result) {
		patch->kind = CODE_SYSCALL_TRAP;
		patch->reason = choice.reason;
	}
	return result < 0 ? result : 0;
}

/* The jump replaces the instruction: alone, with those after it, or also with those before it. Sets the reason if that
 * is possible. Returns 0 or a negative errno. */
static int try_with_itself(struct choice *c, struct code_patch *patch)
{
	uint64_t site = c->function->steps[c->step].address;
	int result = 0;
	if (patch->length < JUMP_BYTES)
		result = try_behind(c, site, patch);
	else if (code_function_is_entered(c->function, site, site + patch->length))
		c->reason = CODE_REASON_ENTERED;
	else
		take(c, patch, 0, 0, CODE_REASON_ALONE);
	for (size_t first = c->step; patch->length < JUMP_BYTES && !result && first--;) {
		const struct code_step *s = movable(c, first);
		if (!s || site - s->address > BEFORE_MAX)
			break;
		result = try_behind(c, s->address, patch);
	}
	return result < 0 ? result : 0;
}

int code_rules_choose_point(struct code_function *function, size_t step, const struct code_surroundings *around,
                            struct code_patch *patch)
{
	struct choice choice = {.function = function, .around = around, .step = step, .reason = CODE_REASON_NO_ROOM};
	int result = try_with_itself(&choice, patch);
	if (!patch->reason) {
		patch->operand[0] |= CODE_TRAPS;
		patch->reason = choice.reason;
	}
	return result;
}

/* The length of an instruction of code_jump_of without prefixes. */
static unsigned plain_bytes(uint8_t kind)
{
	return kind == TRAP_CPUID || kind == TRAP_RDTSC ? 2 : 3;
}

int code_rules_choose_emulated(struct code_function *function, size_t step, const struct code_surroundings *around,
                               struct code_patch *patch)
{
	struct choice choice = {.function = function, .around = around, .step = step, .reason = CODE_REASON_NO_ROOM};
	if (patch->length != plain_bytes(patch->kind))
		return 0;
	for (unsigned tries = 0; tries < 2; tries++, choice.relocates = true) {
		struct code_patch jump = *patch;
		int result = try_with_itself(&choice, &jump);
		if (result)
			return result;
		/* The program may change or remap one page. The replaced bytes in the next page must not be part of the
		 * jump then. */
		uint64_t from = function->steps[step].address - jump.before;
		uint64_t last = from + jump.before + jump.length + jump.after - 1;
		if (!jump.reason || from / PAGE_SIZE != last / PAGE_SIZE)
			continue;
		jump.kind = code_jump_of(patch->kind);
		*patch = jump;
		break;
	}
	return 0;
}

const char *code_rules_text(uint8_t reason)
{
	static const char *const texts[] = {
		[CODE_REASON_NONE] = "",
		[CODE_REASON_A] = "in place of the number's mov",
		[CODE_REASON_A2] = "in place of the instruction before",
		[CODE_REASON_B] = "with the instructions behind it",
		[CODE_REASON_C] = "with the instructions before it",
		[CODE_REASON_ALONE] = "alone",
		[CODE_REASON_NO_ROOM] = "no room: the instructions around it cannot be moved",
		[CODE_REASON_ENTERED] = "another jump leads into the bytes that a jump would need",
		[CODE_REASON_INDIRECT] = "an indirect jump in the function could lead there",
		[CODE_REASON_OUTSIDE] = "in no known function",
		[CODE_REASON_SIGRETURN] = "rt_sigreturn, which unwinders know by its bytes",
	};
	return reason < sizeof(texts) / sizeof(texts[0]) ? texts[reason] : "";
}
