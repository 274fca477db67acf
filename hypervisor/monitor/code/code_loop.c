/* SPDX-License-Identifier: MIT */
#include "code/code_loop.h"

#include <string.h>

#include "abi/code.h"

#define FOLLOWED_MAX 16 /* limit of the chain of instructions that a value comes from */
#define PATIENCE 1000   /* limit of values followed in one loop */
#define NOT_THERE CODE_STEPS_NONE

#define JUMP_BYTES 5
#define GIVE_UP_STEPS 6

/* Registers that calls preserve: rbx, rsp, rbp, r12 to r15 (System V ABI, 3.2.1). */
#define KEPT_BY_CALLS (USES_BIT(3) | USES_BIT(USES_RSP) | USES_BIT(USES_RBP) | 0xf000UL)

/* Registers of return values: rax, rdx, and two vector registers. */
#define OF_ANSWERS (USES_BIT(0) | USES_BIT(2) | USES_BIT(USES_VECTOR) | USES_BIT(USES_VECTOR + 1))

#define OF_GENERAL 0xffffUL
#define OF_GENERAL_COUNT 16
#define OF_VECTORS (0xffffffffUL << USES_VECTOR)

/* --- reading a loop --- */

/* Whether a loop with this instruction may need a point. A loop that yields needs none. */
static bool is_allowed(const struct instruction *in)
{
	return in->kind != CODE_PAUSE && in->kind != CODE_SYSCALL &&
	       !(in->flags & (INSTRUCTION_INDIRECT | INSTRUCTION_ODD));
}

/* What a step uses, decoded when it is first asked for: most loops are rejected by a few steps. A step that cannot be
 * decoded uses nothing; read_uses then rejects the loop. */
static const struct instruction_uses *uses_of(struct code_loop *loop, size_t i)
{
	struct code_used *s = &loop->steps.at[i];
	if (s->has_uses)
		return &s->uses;
	if (!code_steps_use(s, loop->area)) {
		loop->is_wrong = true;
	} else if (s->uses.is_call) {
		s->uses.writes = ~KEPT_BY_CALLS;
		s->uses.addresses = 0; /* the stack pointer is unchanged after the return */
	}
	s->has_uses = true;
	return &s->uses;
}

/* Whether the loop keeps nothing in registers from one iteration to the next, as code without optimisation. */
static bool is_as_written(const struct code_steps *steps)
{
	uint64_t known = USES_BIT(USES_RSP) | USES_BIT(USES_RBP);
	for (size_t i = 0; i < steps->count; i++) {
		const struct instruction_uses *uses = &steps->at[i].uses;
		if ((uses->reads | uses->addresses) & OF_GENERAL & ~known)
			return false;
		known |= uses->writes;
	}
	return true;
}

/* Reads the instructions of the loop. Returns false if it cannot be a loop that waits. */
static bool read_loop(struct code_loop *loop)
{
	struct code_steps *steps = &loop->steps;
	loop->patience = PATIENCE;
	loop->has_call = loop->has_alias = loop->is_strict = loop->is_wrong = loop->is_all_read = false;
	if (!code_steps_read(steps, &loop->reader.recent, loop->area, loop->start, loop->end, &loop->reader.work) ||
	    !code_steps_keep_loop(steps))
		return false;
	for (size_t i = 0; i < steps->count; i++)
		if (!is_allowed(&steps->at[i].instruction))
			return false;
	code_steps_join(steps);
	return true;
}

/* Reads what all steps use. Returns false if the loop cannot be one that waits. */
static bool read_uses(struct code_loop *loop)
{
	if (loop->is_all_read)
		return !loop->is_wrong;
	loop->is_all_read = true;
	loop->written = 0;
	for (size_t i = 0; i < loop->steps.count; i++) {
		const struct instruction_uses *uses = uses_of(loop, i);
		loop->is_wrong |= loop->steps.at[i].instruction.flags & INSTRUCTION_LEAVES && !uses->is_call;
		loop->has_call |= uses->is_call;
		loop->written |= uses->writes;
	}
	loop->is_as_written = is_as_written(&loop->steps);
	return !loop->is_wrong;
}

/* Whether step `i`, a call, calls a function that changes nothing. Then sets what the step reads to the function's
 * arguments. */
static bool only_reads(struct code_loop *loop, size_t i)
{
	struct code_used *s = &loop->steps.at[i];
	if (!read_uses(loop))
		return false;
	if (!s->is_looked_up)
		s->only_reads = s->instruction.flags & INSTRUCTION_TARGET &&
		                code_reader_is(&loop->reader, s->instruction.target, &s->uses.reads);
	s->is_looked_up = true;
	return s->only_reads;
}

static bool has_writing_call(struct code_loop *loop)
{
	for (size_t i = 0; i < loop->steps.count && loop->has_call; i++)
		if (loop->steps.at[i].uses.is_call && !only_reads(loop, i))
			return true;
	return false;
}

/* --- values --- */

static bool is_overlapping(const struct instruction_uses *a, const struct instruction_uses *b)
{
	return a->displacement < b->displacement + b->bytes && b->displacement < a->displacement + a->bytes;
}

/* Whether one step may write where another reads. The stack, variables and memory behind pointers count as separate,
 * and so do different fields behind one pointer. */
static bool may_store_to(const struct instruction_uses *store, const struct instruction_uses *load)
{
	if (!store->writes_memory || store->is_stack)
		return false;
	if (store->is_unknown || load->is_unknown || code_steps_is_of_stack(store) != code_steps_is_of_stack(load))
		return store->is_unknown || load->is_unknown;
	if ((store->base == CODE_RIP) != (load->base == CODE_RIP))
		return false;
	return store->base != load->base || store->index != CODE_NO_REGISTER || load->index != CODE_NO_REGISTER ||
	       is_overlapping(store, load);
}

static bool is_by_pointer(const struct instruction_uses *uses)
{
	return uses->base != CODE_RIP && !code_steps_is_of_stack(uses);
}

/* Objects of different sizes have different types, so compilers assume that they do not overlap. */
static bool is_of_other_type(const struct instruction_uses *store, const struct instruction_uses *load)
{
	return store->bytes != load->bytes && store->bytes <= 8 && load->bytes <= 8;
}

/* Whether a store that may be to where another step loads is likely to be. Code without optimisation uses the same few
 * registers for all pointers, so the register says nothing there. A counter behind one pointer is hardly ever read by
 * another pointer. */
static bool is_likely(const struct code_loop *loop, const struct instruction_uses *store,
                      const struct instruction_uses *load)
{
	if (!is_by_pointer(store) || !is_by_pointer(load))
		return true;
	bool is_one =
		store->base == load->base && store->base < OF_GENERAL_COUNT && !(loop->written & USES_BIT(store->base));
	bool is_other = is_of_other_type(store, load) || (store->reads_memory && store->base != load->base);
	return is_one || (!loop->is_as_written && !is_other);
}

/* Returns the step in the same basic block that sets a register before step `i`, or NOT_THERE. If code reads
 * a register after a call, and the call does not return a value in it, the call has preserved the register. */
static size_t find_origin(struct code_loop *loop, size_t i, uint64_t bit)
{
	while (i && !loop->steps.at[i].is_joined) {
		const struct instruction_uses *uses = uses_of(loop, --i);
		if (uses->writes & bit && !(uses->is_call && !(bit & OF_ANSWERS)))
			return i;
	}
	return NOT_THERE;
}

/* Whether one step stores exactly the bytes that another loads. */
static bool is_whole(const struct instruction_uses *store, const struct instruction_uses *load)
{
	return store->base == load->base && store->index == load->index && !store->reads_memory &&
	       store->displacement == load->displacement && store->bytes == load->bytes;
}

/* Returns the step before `i` in the same basic block that stores exactly what step `i` loads, or NOT_THERE. Code
 * without optimisation keeps its values in memory. */
static size_t find_store(const struct code_loop *loop, size_t i)
{
	const struct instruction_uses *load = &loop->steps.at[i].uses;
	while (i && !loop->steps.at[i].is_joined) {
		const struct instruction_uses *store = &loop->steps.at[--i].uses;
		if (!may_store_to(store, load))
			continue;
		return is_whole(store, load) ? i : NOT_THERE;
	}
	return NOT_THERE;
}

static bool is_same_each_time(struct code_loop *loop, size_t i, uint64_t registers, unsigned depth, size_t *load);

/* Whether a step stores a whole variable on the stack, with the same value in each iteration. */
static bool keeps_variable(struct code_loop *loop, size_t store, size_t load, unsigned depth)
{
	const struct instruction_uses *uses = &loop->steps.at[store].uses;
	size_t of_store;
	return loop->is_as_written && code_steps_is_of_stack(uses) && is_whole(uses, &loop->steps.at[load].uses) &&
	       is_same_each_time(loop, store, uses->reads, depth + 1, &of_store);
}

/* Whether the loop stores a new value where step `i` loads. If the step itself stores the same value in each iteration,
 * the value is there already. */
static bool is_stored_to(struct code_loop *loop, size_t i, unsigned depth)
{
	const struct instruction_uses *load = &loop->steps.at[i].uses;
	for (size_t j = 0; j < loop->steps.count; j++) {
		const struct instruction_uses *store = &loop->steps.at[j].uses;
		bool may_store = may_store_to(store, load) && !(i == j && load->is_repeatable);
		if (may_store && (loop->is_strict || is_likely(loop, store, load)) &&
		    !keeps_variable(loop, j, i, depth))
			return true;
		bool is_apart = is_by_pointer(store) == is_by_pointer(load);
		loop->has_alias |= i != j && store->writes_memory && !store->is_stack && (may_store || !is_apart) &&
		                   (loop->is_as_written || !is_of_other_type(store, load));
	}
	return false;
}

/* Whether a step has the same result in each iteration. */
static bool makes_same(struct code_loop *loop, size_t i, unsigned depth, size_t *load)
{
	const struct instruction_uses *uses = uses_of(loop, i);
	if (uses->is_call ? !only_reads(loop, i) : uses->is_stack && uses->reads_memory)
		return false;
	if (uses->reads & USES_BIT(USES_RSP) &&
	    uses->writes == USES_BIT(USES_FLAGS)) /* a check for room on the stack */
		return false;
	if (!is_same_each_time(loop, i, uses->reads | uses->addresses, depth + 1, load))
		return false;
	if (uses->is_call)
		*load = i;
	if (uses->is_call || !uses->reads_memory)
		return true;
	if (!read_uses(loop))
		return false;
	size_t store = code_steps_is_of_stack(uses) ? find_store(loop, i) : NOT_THERE;
	if (store != NOT_THERE)
		return is_same_each_time(loop, store, loop->steps.at[store].uses.reads, depth + 1, load);
	if (uses->is_unknown) /* a thread-local variable, most often the stack guard */
		return false;
	*load = i;
	/* A called function may know the address of a variable on the stack. Without optimisation all variables are on
	 * the stack, so this says nothing. */
	bool is_told = !loop->is_as_written && code_steps_is_of_stack(uses) && has_writing_call(loop);
	return !is_told && !is_stored_to(loop, i, depth);
}

/* Whether one of the registers that step `i` reads counts: the step before it that sets it adds to its value of the
 * last iteration. This test is fast and rejects most loops. */
static bool counts(struct code_loop *loop, size_t i, uint64_t registers)
{
	for (; registers; registers &= registers - 1) {
		uint64_t bit = registers & -registers;
		size_t origin = find_origin(loop, i, bit);
		if (origin == NOT_THERE || uses_of(loop, origin)->is_call)
			continue;
		const uint64_t read = uses_of(loop, origin)->reads | uses_of(loop, origin)->addresses;
		if (read & bit && find_origin(loop, origin, bit) == NOT_THERE)
			return true;
	}
	return false;
}

/* Whether a step of the loop writes a register. */
static bool is_written(struct code_loop *loop, uint64_t bit)
{
	for (size_t i = loop->steps.count; i--;)
		if (uses_of(loop, i)->writes & bit)
			return true;
	return false;
}

/* Whether registers have the same values before step `i` in each iteration, unless others change memory. Sets *load to
 * the step that reads that memory. */
static bool is_same_each_time(struct code_loop *loop, size_t i, uint64_t registers, unsigned depth, size_t *load)
{
	if (depth == FOLLOWED_MAX || !loop->patience)
		return false;
	loop->patience--;
	if (counts(loop, i, registers))
		return false;
	for (; registers; registers &= registers - 1) {
		uint64_t bit = registers & -registers;
		size_t origin = find_origin(loop, i, bit);
		if (origin == NOT_THERE && !is_written(loop, bit))
			continue;
		if (origin == NOT_THERE || !makes_same(loop, origin, depth, load))
			return false;
	}
	return true;
}

/* Whether the bytes are what compilers place where execution never comes: int3 or ud2, also after jumps to the next
 * instruction. */
static bool is_never_run(const uint8_t *at, uint64_t left)
{
	static const uint8_t over_nothing[] = {0xeb, 0}, ud2[] = {0x0f, 0x0b}, int3 = 0xcc;
	while (left >= sizeof(over_nothing) && !memcmp(at, over_nothing, sizeof(over_nothing))) {
		at += sizeof(over_nothing);
		left -= sizeof(over_nothing);
	}
	return left >= sizeof(ud2) && (at[0] == int3 || !memcmp(at, ud2, sizeof(ud2)));
}

/* Whether the code at an address only calls a function that does not return, as after a failed assertion. */
static bool gives_up(struct code_loop *loop, uint64_t address)
{
	const struct code_area *area = loop->area;
	for (unsigned i = 0; i < GIVE_UP_STEPS && loop->reader.work; i++) {
		struct instruction in;
		uint64_t at = address - area->address;
		unsigned length = at < area->count ? disassemble(area->bytes + at, area->count - at, address, &in) : 0;
		loop->reader.work--;
		if (!length || in.flags & INSTRUCTION_END || code_steps_is_jump(&in))
			return false;
		address += length;
		at += length;
		if (in.flags & INSTRUCTION_LEAVES)
			return is_never_run(area->bytes + at, area->count - at);
	}
	return false;
}

/* Whether a step, a conditional jump, may leave the loop. */
static bool is_exit(struct code_loop *loop, size_t i)
{
	const struct code_used *s = &loop->steps.at[i];
	return (s->leaves_behind && !gives_up(loop, s->address + s->instruction.length)) ||
	       (s->leaves_by_jump && !gives_up(loop, s->instruction.target));
}

/* Whether the loop ends only if others change memory. Sets *load to a step that reads that memory. */
static bool waits(struct code_loop *loop, size_t *load)
{
	bool has_exit = false;
	*load = NOT_THERE;
	for (size_t i = 0; i < loop->steps.count; i++) {
		if (!is_exit(loop, i))
			continue;
		has_exit = true;
		if (!makes_same(loop, i, 0, load))
			return false;
	}
	return read_uses(loop) && (has_exit ? *load != NOT_THERE : !loop->has_call);
}

/* Whether step `i` reads a register that a later step set in the last iteration, to a value that changes in each
 * iteration. */
static bool is_carried(struct code_loop *loop, size_t i, uint64_t bit)
{
	const struct code_used *at = loop->steps.at;
	size_t load, last = loop->steps.count;
	for (; i; i--)
		if (at[i].is_joined || at[i - 1].uses.writes & bit)
			return false;
	while (last-- && !(at[last].uses.writes & bit))
		if (at[last].is_joined)
			return false;
	return last != NOT_THERE && !makes_same(loop, last, 0, &load);
}

/* Whether a step computes from the values of the last iteration, or is an instruction that disassembler_effect rejects.
 */
static bool carries_on(struct code_loop *loop, size_t i)
{
	const struct instruction_uses *uses = &loop->steps.at[i].uses;
	const uint64_t values = ~(USES_BIT(USES_RSP) | USES_BIT(USES_FLAGS));
	size_t load;
	if ((uses->reads | uses->writes) & OF_VECTORS && !uses->is_call)
		return true;
	if (uses->is_call)
		return !only_reads(loop, i);
	if (uses->is_stack || (uses->is_repeatable && !uses->writes_memory))
		return false;
	if (uses->writes_memory)
		return (uses->reads_memory && !uses->is_repeatable) ||
		       !is_same_each_time(loop, i, uses->reads, 0, &load);
	for (uint64_t left = uses->reads & loop->written & values; left; left &= left - 1) {
		uint64_t bit = left & -left;
		if (is_carried(loop, i, bit) || (uses->writes & bit && find_origin(loop, i, bit) == NOT_THERE))
			return true;
	}
	return false;
}

static bool changes_something(struct code_loop *loop)
{
	loop->is_strict = true;
	for (size_t i = 0; i < loop->steps.count; i++)
		if (carries_on(loop, i))
			return true;
	return false;
}

/* Whether a step can become a jump or a trap. */
static bool may_be_point(const struct instruction *in)
{
	return in->flags & (INSTRUCTION_MOVABLE | INSTRUCTION_MEMORY) && !(in->flags & INSTRUCTION_TARGET) &&
	       in->length >= 2 && (!in->kind || in->kind == CODE_ATOMIC);
}

/* Whether a step can be moved with a point beside it. */
static bool is_neighbour(const struct instruction *in)
{
	return in->flags & INSTRUCTION_MOVABLE && !in->kind;
}

/* Returns how many bytes a jump may replace if step `i` is the point: the step's own, and those of movable steps beside
 * it. */
static unsigned room(const struct code_loop *loop, size_t i)
{
	const struct code_used *at = loop->steps.at;
	unsigned bytes = at[i].instruction.length;
	if (!may_be_point(&at[i].instruction))
		return 0;
	for (size_t k = i; k && !at[k].is_joined && is_neighbour(&at[k - 1].instruction); k--)
		bytes += at[k - 1].instruction.length;
	for (size_t k = i + 1; k < loop->steps.count && !at[k].is_joined && is_neighbour(&at[k].instruction); k++)
		bytes += at[k].instruction.length;
	return bytes;
}

/* Whether step `i` ends a basic block. */
static bool ends_block(const struct code_loop *loop, size_t i)
{
	return i + 1 == loop->steps.count || loop->steps.at[i + 1].is_joined ||
	       code_steps_is_jump(&loop->steps.at[i].instruction);
}

/* Returns the step with the most room for a jump in the block around step `i`, or NOT_THERE if none can be a point. */
static size_t find_room(const struct code_loop *loop, size_t i)
{
	size_t best = NOT_THERE;
	while (i && !ends_block(loop, i - 1))
		i--;
	for (;; i++) {
		if (room(loop, i) && (best == NOT_THERE || room(loop, i) > room(loop, best)))
			best = i;
		if (ends_block(loop, i))
			return best;
	}
}

/* Chooses the point: the step that reads the awaited memory. If it has no room for a jump, a step of its block or of
 * the last block, which each iteration passes. */
static size_t place(const struct code_loop *loop, size_t look)
{
	const size_t last = find_room(loop, loop->steps.count - 1);
	if (look == NOT_THERE)
		return last;
	if (room(loop, look) >= JUMP_BYTES)
		return look;
	size_t beside = find_room(loop, look);
	if (last != NOT_THERE && (beside == NOT_THERE || room(loop, beside) < JUMP_BYTES))
		return room(loop, last) >= JUMP_BYTES ? last : beside == NOT_THERE ? last : beside;
	return beside;
}

size_t code_loop_point(struct code_loop *loop, bool *is_sure)
{
	size_t look;
	if (!read_loop(loop) || !waits(loop, &look))
		return NOT_THERE;
	*is_sure = !loop->has_call && !loop->has_alias;
	return changes_something(loop) ? place(loop, look) : NOT_THERE;
}
