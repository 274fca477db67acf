/* SPDX-License-Identifier: MIT */
/* Jumps back are searched for by their bytes, and what they lead over is disassembled in a line. Values are followed
 * backwards within a basic block; one that comes from elsewhere in the loop counts as another one each time round. */
#include "code_waits.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/code.h"
#include "die.h"
#include "disassembler.h"

#define LOOP_BYTES 1024 /* of a loop, at the most */
#define LOOP_STEPS 256
#define FOLLOWED_MAX 16 /* instructions that a value comes from, one from the other */
#define NOT_THERE SIZE_MAX

/* So many instructions may be disassembled in all, of which programs need less than a tenth: a file can be made of
 * nothing but jumps. */
#define WORK_MIN (1UL << 20)
#define WORK_FACTOR 4

#define STACK_POINTER 4
#define FRAME_POINTER 5

/* Registers that a call leaves as they were: rbx, rsp, rbp, r12 to r15 (System V ABI, 3.2.1). */
#define KEPT_BY_CALLS (USES_BIT(3) | USES_BIT(STACK_POINTER) | USES_BIT(FRAME_POINTER) | 0xf000UL)

/* Those that a call answers in: rax, rdx, and two vector registers. What somebody reads of the others behind a call has
 * come through it: compilers know their own functions. */
#define OF_ANSWERS (USES_BIT(0) | USES_BIT(2) | USES_BIT(USES_VECTOR) | USES_BIT(USES_VECTOR + 1))

struct step {
	uint64_t address;
	struct instruction instruction;
	struct instruction_uses uses;
	bool is_joined; /* a jump of the loop leads here */
};

struct loop {
	const struct code_area *area;
	uint64_t start, end; /* addresses; the jump back is the last step */
	struct step steps[LOOP_STEPS];
	size_t count;
	uint64_t written; /* registers that any step writes */
	uint64_t work;    /* left, for this and all that follow */
	bool has_call;
	bool has_alias; /* it may store where it looks: one goes by a pointer, and the other does not */
};

/* --- reading a loop --- */

static bool is_jump(const struct instruction *in)
{
	return in->flags & INSTRUCTION_TARGET && !(in->flags & (INSTRUCTION_REFERENCE | INSTRUCTION_LEAVES));
}

static bool leads_outside(const struct loop *loop, const struct instruction *in)
{
	return in->target < loop->start || in->target >= loop->end;
}

/* Whether a loop may have such an instruction. Those that yield make it one that nothing need be done about. */
static bool is_allowed(const struct loop *loop, const struct step *s)
{
	const struct instruction *in = &s->instruction;
	if (s->address + in->length == loop->end)
		return is_jump(in) && in->target == loop->start;
	if (in->kind == CODE_PAUSE || in->kind == CODE_SYSCALL || in->flags & (INSTRUCTION_INDIRECT | INSTRUCTION_ODD))
		return false;
	return !(in->flags & INSTRUCTION_END) || is_jump(in);
}

/* The length of the instruction at an address; 0: there is none, or too much was disassembled. */
static unsigned read_step(struct loop *loop, uint64_t address, struct instruction *in)
{
	uint64_t offset = address - loop->area->address;
	if (!loop->work)
		return 0;
	loop->work--;
	return disassemble(loop->area->bytes + offset, loop->area->count - offset, address, in);
}

/* The instructions of [loop->start, loop->end), which must come to its end. False: it is no loop of the kind. */
static bool read_steps(struct loop *loop)
{
	loop->count = 0;
	for (uint64_t at = loop->start; at < loop->end;) {
		struct step *s = &loop->steps[loop->count++];
		if (loop->count == LOOP_STEPS)
			return false;
		*s = (struct step){.address = at};
		unsigned length = read_step(loop, at, &s->instruction);
		if (!length || at + length > loop->end || !is_allowed(loop, s))
			return false;
		at += length;
	}
	return true;
}

static size_t find_step(const struct loop *loop, uint64_t address)
{
	for (size_t i = 0; i < loop->count; i++)
		if (loop->steps[i].address == address)
			return i;
	return NOT_THERE;
}

static bool read_uses(struct loop *loop)
{
	loop->written = 0;
	loop->has_call = loop->has_alias = false;
	for (size_t i = 0; i < loop->count; i++) {
		struct step *s = &loop->steps[i];
		uint64_t offset = s->address - loop->area->address;
		if (!disassembler_uses(loop->area->bytes + offset, loop->area->count - offset, s->address, &s->uses))
			return false;
		if (s->uses.is_call)
			s->uses.writes |= ~KEPT_BY_CALLS;
		else if (s->instruction.flags & INSTRUCTION_LEAVES)
			return false;
		loop->has_call |= s->uses.is_call;
		loop->written |= s->uses.writes;
		size_t to = is_jump(&s->instruction) ? find_step(loop, s->instruction.target) : NOT_THERE;
		if (to != NOT_THERE)
			loop->steps[to].is_joined = true;
	}
	return true;
}

/* --- values --- */

static bool is_overlapping(const struct instruction_uses *a, const struct instruction_uses *b)
{
	return a->displacement < b->displacement + b->bytes && b->displacement < a->displacement + a->bytes;
}

static bool is_of_stack(const struct instruction_uses *uses)
{
	return uses->is_stack || uses->base == STACK_POINTER || uses->base == FRAME_POINTER;
}

/* Whether one step may write where another reads. Places of the stack, variables and what pointers lead to are apart,
 * and so are different fields behind one pointer. */
static bool may_store_to(const struct instruction_uses *store, const struct instruction_uses *load)
{
	if (!store->writes_memory || store->is_stack)
		return false;
	if (store->is_unknown || load->is_unknown || is_of_stack(store) != is_of_stack(load))
		return store->is_unknown || load->is_unknown;
	if ((store->base == CODE_RIP) != (load->base == CODE_RIP))
		return false;
	return store->base != load->base || store->index != CODE_NO_REGISTER || load->index != CODE_NO_REGISTER ||
	       is_overlapping(store, load);
}

static bool is_by_pointer(const struct instruction_uses *uses)
{
	return uses->base != CODE_RIP && !is_of_stack(uses);
}

static bool is_stored_to(struct loop *loop, const struct instruction_uses *load)
{
	for (size_t i = 0; i < loop->count; i++) {
		const struct instruction_uses *store = &loop->steps[i].uses;
		if (may_store_to(store, load))
			return true;
		loop->has_alias |=
			store->writes_memory && !store->is_stack && is_by_pointer(store) != is_by_pointer(load);
	}
	return false;
}

/* The step that gives a register its value before step `i`, in the same basic block, or NOT_THERE. */
static size_t find_origin(const struct loop *loop, size_t i, uint64_t bit)
{
	while (i && !loop->steps[i].is_joined)
		if (loop->steps[--i].uses.writes & bit)
			return i;
	return NOT_THERE;
}

/* The step before `i`, in the same basic block, that stores just what step `i` loads, or NOT_THERE: code that was not
 * optimised keeps in memory what it has in hand. */
static size_t find_store(const struct loop *loop, size_t i)
{
	const struct instruction_uses *load = &loop->steps[i].uses;
	while (i && !loop->steps[i].is_joined) {
		const struct instruction_uses *store = &loop->steps[--i].uses;
		if (!may_store_to(store, load))
			continue;
		bool is_whole = store->base == load->base && store->index == load->index && !store->reads_memory &&
		                store->displacement == load->displacement && store->bytes == load->bytes;
		return is_whole ? i : NOT_THERE;
	}
	return NOT_THERE;
}

static bool is_same_each_time(struct loop *loop, size_t i, uint64_t registers, unsigned depth, size_t *load);

/* Whether what a step makes of registers and memory is the same each time round. */
static bool makes_same(struct loop *loop, size_t i, unsigned depth, size_t *load)
{
	const struct instruction_uses *uses = &loop->steps[i].uses;
	if (uses->is_call || !is_same_each_time(loop, i, uses->reads | uses->addresses, depth + 1, load))
		return false;
	if (!uses->reads_memory)
		return true;
	size_t store = is_of_stack(uses) ? find_store(loop, i) : NOT_THERE;
	if (store != NOT_THERE)
		return is_same_each_time(loop, store, loop->steps[store].uses.reads, depth + 1, load);
	*load = i;
	/* Who calls functions tells them of its variables on the stack. */
	return !uses->is_stack && !(loop->has_call && is_of_stack(uses)) && !is_stored_to(loop, uses);
}

/* Whether registers have the same values before step `i` each time round, unless memory was changed by others. *load
 * becomes the step that reads it. */
static bool is_same_each_time(struct loop *loop, size_t i, uint64_t registers, unsigned depth, size_t *load)
{
	if (depth == FOLLOWED_MAX)
		return false;
	for (; registers; registers &= registers - 1) {
		uint64_t bit = registers & -registers;
		if (!(loop->written & bit))
			continue;
		size_t origin = find_origin(loop, i, bit);
		if (origin == NOT_THERE || !makes_same(loop, origin, depth, load))
			return false;
	}
	return true;
}

/* The conditional jump that decides whether the loop is left by step `i`: itself, or the one before that leads over it,
 * as code has it that was not optimised. NOT_THERE: another way leads there. */
static size_t find_condition(const struct loop *loop, size_t i)
{
	if (!(loop->steps[i].instruction.flags & INSTRUCTION_END))
		return i;
	if (!i || loop->steps[i].is_joined)
		return NOT_THERE;
	const struct instruction *before = &loop->steps[i - 1].instruction;
	return is_jump(before) && !(before->flags & INSTRUCTION_END) ? i - 1 : NOT_THERE;
}

/* Whether a loop can only be left because of what others do; *load is a step that would find it. */
static bool waits(struct loop *loop, size_t *load)
{
	bool has_exit = false;
	*load = NOT_THERE;
	for (size_t i = 0; i < loop->count; i++) {
		const struct instruction *in = &loop->steps[i].instruction;
		bool is_last = i + 1 == loop->count;
		if (!is_jump(in) || !(leads_outside(loop, in) || (is_last && !(in->flags & INSTRUCTION_END))))
			continue;
		has_exit = true;
		size_t condition = find_condition(loop, i);
		if (condition == NOT_THERE || !makes_same(loop, condition, 0, load))
			return false;
	}
	return has_exit ? *load != NOT_THERE : !loop->has_call;
}

/* Whether a step makes something of what it made the last time round. */
static bool carries_on(struct loop *loop, size_t i)
{
	const struct instruction_uses *uses = &loop->steps[i].uses;
	const uint64_t values = ~(USES_BIT(STACK_POINTER) | USES_BIT(USES_FLAGS));
	size_t load;
	if (uses->is_call || uses->is_stack || uses->is_exchange)
		return false;
	if (uses->writes_memory)
		return uses->reads_memory || !is_same_each_time(loop, i, uses->reads, 0, &load);
	for (uint64_t left = uses->reads & uses->writes & values; left; left &= left - 1) {
		uint64_t bit = left & -left;
		size_t origin = find_origin(loop, i, bit);
		while (origin != NOT_THERE && loop->steps[origin].uses.is_call && !(bit & OF_ANSWERS))
			origin = find_origin(loop, origin, bit);
		if (origin == NOT_THERE)
			return true;
	}
	return false;
}

static bool changes_something(struct loop *loop)
{
	for (size_t i = 0; i < loop->count; i++)
		if (carries_on(loop, i))
			return true;
	return false;
}

/* The step that is to be the point, in a loop without end: one that may become a jump. */
static size_t any_step(const struct loop *loop)
{
	for (size_t i = 0; i < loop->count; i++)
		if (loop->steps[i].instruction.flags & INSTRUCTION_MEMORY)
			return i;
	return 0;
}

/* The step of a loop that is to be a decision point, or NOT_THERE. */
static size_t point_of(struct loop *loop)
{
	size_t load;
	if (!read_steps(loop) || !read_uses(loop) || !waits(loop, &load) || !changes_something(loop))
		return NOT_THERE;
	size_t step = load == NOT_THERE ? any_step(loop) : load;
	const struct instruction *in = &loop->steps[step].instruction;
	bool is_movable = in->flags & (INSTRUCTION_MOVABLE | INSTRUCTION_MEMORY) && !is_jump(in);
	return is_movable && in->length >= 2 && !in->kind ? step : NOT_THERE;
}

/* --- searching --- */

#define COMPARE_MAX 11 /* bytes of a comparison without REX, at the most */

/* How many bytes a ModRM with what belongs to it has. */
static unsigned modrm_bytes(const uint8_t *at)
{
	unsigned mod = at[0] >> 6, rm = at[0] & 7, sib = mod != 3 && rm == 4;
	unsigned far = mod == 2 || (mod == 0 && (rm == 5 || (sib && (at[1] & 7) == 5)));
	return 1 + sib + (mod == 1) + 4 * far;
}

/* Whether so many bytes are a comparison: cmp, test, and, or, comis or ucomis. */
static bool is_compare(const uint8_t *at, unsigned bytes)
{
	unsigned reg = at[1] >> 3 & 7;
	switch (at[0]) {
	case 0x3c: /* with %al or %eax */
	case 0xa8:
		return bytes == 2;
	case 0x3d:
	case 0xa9:
		return bytes == 5;
	case 0x80: /* with a constant */
	case 0x83:
		return (reg == 7 || reg == 4) && 1 + modrm_bytes(at + 1) + 1 == bytes;
	case 0x81:
		return (reg == 7 || reg == 4) && 1 + modrm_bytes(at + 1) + 4 == bytes;
	case 0xf6:
		return reg < 2 && 1 + modrm_bytes(at + 1) + 1 == bytes;
	case 0xf7:
		return reg < 2 && 1 + modrm_bytes(at + 1) + 4 == bytes;
	case 0x0f:
		return bytes > 2 && (at[1] & 0xfe) == 0x2e && 2 + modrm_bytes(at + 2) == bytes;
	default:
		return ((at[0] & 0xfe) == 0x84 || (at[0] & 0xfc) == 0x38 || (at[0] & 0xfc) == 0x20 ||
		        (at[0] & 0xfc) == 0x08) &&
		       1 + modrm_bytes(at + 1) == bytes;
	}
}

/* Whether a comparison seems to stand before a jump, as compilers place it; before another jump, if it is one of
 * floating point. Most bytes that look like a jump back are none, and all else takes longer. */
static bool follows_compare(const uint8_t *jump, uint64_t before)
{
	const unsigned other = before > 6 && jump[-6] == 0x0f && jump[-5] == 0x8a ? 6
	                       : before > 2 && jump[-2] == 0x7a                   ? 2
	                                                                          : 0;
	if (other)
		return follows_compare(jump - other, before - other);
	for (unsigned bytes = 2; bytes <= COMPARE_MAX && bytes <= before; bytes++)
		if (is_compare(jump - bytes, bytes))
			return true;
	return false;
}

/* Where a jump back at an offset of the area leads, if bytes there are one, and its length. */
static bool is_jump_back(const uint8_t *at, uint64_t left, int64_t *distance, unsigned *length)
{
	int32_t far;
	if (left < 2)
		return false;
	if ((at[0] & 0xf0) == 0x70 || at[0] == 0xeb) {
		*distance = (int8_t)at[1];
		*length = 2;
		return *distance < -2;
	}
	bool is_conditional = at[0] == 0x0f && (at[1] & 0xf0) == 0x80;
	*length = is_conditional ? 6 : 5;
	if (left < *length || (!is_conditional && at[0] != 0xe9))
		return false;
	memcpy(&far, at + *length - sizeof(far), sizeof(far));
	*distance = far;
	return far < 0 && far > -LOOP_BYTES;
}

static int append(struct code_waits *waits, const struct loop *loop, size_t step)
{
	if (waits->count == waits->room) {
		size_t room = waits->room ? 2 * waits->room : 16;
		struct code_wait *more = realloc(waits->at, room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		waits->at = more;
		waits->room = room;
	}
	waits->at[waits->count++] = (struct code_wait){loop->steps[step].address, !loop->has_call && !loop->has_alias};
	return 0;
}

/* Whether the jump back, and not only bytes that look like one, is among the instructions of the function, whose first
 * one is at `start`. */
static bool is_in_step(struct loop *loop, uint64_t start)
{
	const uint64_t jump = loop->steps[loop->count - 1].address;
	bool has_start = false;
	while (start < jump) {
		struct instruction in;
		unsigned length = read_step(loop, start, &in);
		has_start |= start == loop->start;
		if (!length)
			return false;
		start += length;
	}
	return start == jump && has_start;
}

/* Looks at all jumps back in [start, end), which is a function's code. */
static int search(struct loop *loop, uint64_t start, uint64_t end, struct code_waits *waits)
{
	const struct code_area *area = loop->area;
	for (uint64_t at = start; at < end && loop->work; at++) {
		int64_t distance;
		unsigned length;
		const uint8_t *jump = area->bytes + (at - area->address);
		if (!is_jump_back(jump, end - at, &distance, &length))
			continue;
		bool is_conditional = jump[0] != 0xeb && jump[0] != 0xe9;
		if (is_conditional && !follows_compare(jump, at - start))
			continue;
		loop->start = at + length + (uint64_t)distance;
		loop->end = at + length;
		size_t step = loop->start >= start && loop->start < at ? point_of(loop) : NOT_THERE;
		if (step != NOT_THERE && is_in_step(loop, start) && append(waits, loop, step))
			return -ENOMEM;
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct code_wait *x = a, *y = b;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* Several jumps back may be of one loop. */
static void sort(struct code_waits *waits)
{
	size_t kept = 0;
	if (waits->count)
		qsort(waits->at, waits->count, sizeof(*waits->at), compare);
	for (size_t i = 0; i < waits->count; i++)
		if (!kept || waits->at[i].address != waits->at[kept - 1].address)
			waits->at[kept++] = waits->at[i];
	waits->count = kept;
}

int code_waits_find(struct code_map *map, struct code_waits *waits, char error[256])
{
	const struct code_ranges *functions;
	*waits = (struct code_waits){0};
	int result = disassembler_load(error);
	if (result)
		return result;
	struct loop *loop = malloc(sizeof(*loop));
	result = loop ? code_map_functions(map, &functions) : -ENOMEM;
	if (loop)
		loop->work = WORK_MIN;
	for (unsigned i = 0; i < map->area_count && !result; i++)
		loop->work += WORK_FACTOR * map->areas[i].count;
	for (unsigned i = 0; i < map->area_count && !result; i++) {
		const struct code_area *area = loop->area = &map->areas[i];
		uint64_t done = area->address; /* tables may have a place in several functions */
		for (size_t j = 0; j < functions->count && !result; j++) {
			const struct code_range *range = &functions->at[j];
			uint64_t from = range->address - area->address;
			if (range->address < done || from >= area->count)
				continue;
			uint64_t bytes = range->bytes < area->count - from ? range->bytes : area->count - from;
			done = range->address + bytes;
			result = search(loop, range->address, done, waits);
		}
	}
	free(loop);
	sort(waits);
	if (!result)
		return 0;
	free(waits->at);
	*waits = (struct code_waits){0};
	return refuse(error, ENOMEM, "out of memory");
}
