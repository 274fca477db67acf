/* SPDX-License-Identifier: MIT */
#include "scan/vote.h"

#include "scan/instruction_kind.h"
#include "scan/opcode_search.h"

#define VOTE_NEAR 32
#define FUNCTION_ALIGN 16
#define ZEROS_MIN 8 /* no instruction has as many zeros, except a mov of the 8-byte constant 0 */

/* Whether there are zeros in raw memory, which are data. They are also an instruction, `add %al, (%rax)`, but compilers
 * do not generate it, and any disassembly falls into step with it. */
static bool is_zeros(const uint8_t *bytes, uint64_t count, uint64_t at, unsigned set)
{
	return (set & OPCODE_RAW) && count - at >= 2 && !bytes[at] && !bytes[at + 1];
}

/* Whether the next instructions look like a program's, up to one with a flag of `last`. */
static bool goes_well(const uint8_t *bytes, uint64_t count, uint64_t address, uint64_t at, unsigned set, unsigned last)
{
	for (unsigned i = 0; i < VOTE_AHEAD && at < count; i++) {
		struct instruction instruction;
		unsigned length = disassemble(bytes + at, count - at, address + at, &instruction);
		if (!length || instruction.flags & INSTRUCTION_ODD || is_zeros(bytes, count, at, set))
			return false;
		if (instruction.flags & last)
			return true;
		at += length;
	}
	return true;
}

bool vote_goes_on(const uint8_t *bytes, uint64_t count, uint64_t address, uint64_t offset)
{
	return goes_well(bytes, count, address, offset, OPCODE_RAW, INSTRUCTION_END | INSTRUCTION_LEAVES);
}

/* Returns the last place in [from, offset] with the alignment of functions and at least ZEROS_MIN zeros before it, or
 * `from`. */
static uint64_t behind_zeros(const uint8_t *bytes, uint64_t address, uint64_t from, uint64_t offset)
{
	uint64_t start = offset;
	for (unsigned zeros = 0; offset > from; offset--) {
		if (bytes[offset - 1]) {
			start = offset - 1;
			zeros = 0;
		} else if (++zeros == ZEROS_MIN && (address + start) % FUNCTION_ALIGN == 0) {
			return start;
		}
	}
	return from;
}

/* A disassembly from some place to the instruction that contains the offset. */
struct walk {
	bool comes;     /* to the offset, without meeting odd instructions */
	uint8_t end;    /* the place of the instruction there, as a distance to the offset */
	uint8_t before; /* that of the one before it on the way, if more than `end` */
};

/* Whether an odd instruction is wanted all the same. */
static bool is_sought(const struct instruction *in, unsigned set)
{
	return (set & OPCODE_RARE) && instruction_is_rare(in->kind);
}

static bool is_of_set(const struct instruction *in, unsigned set)
{
	return (disassembler_set_of(in->kind) & set) || ((set & OPCODE_VARIES) && in->flags & INSTRUCTION_VARIES);
}

/* All disassemblies from at most VOTE_FAR bytes before an offset. Each place is disassembled once: the rest of a walk
 * is the walk from the next place. */
struct walks {
	const uint8_t *bytes;
	uint64_t count, address, offset;
	unsigned set;
	struct instruction instructions[VOTE_FAR + 1]; /* by the distance to the offset */
	struct walk walks[VOTE_FAR + 1];
};

static struct walk walk_from(struct walks *all, unsigned distance)
{
	const uint64_t at = all->offset - distance;
	struct instruction *instruction = &all->instructions[distance];
	const unsigned length = disassemble(all->bytes + at, all->count - at, all->address + at, instruction);
	const bool is_there = length > distance;
	struct walk walk = {.comes = true, .end = (uint8_t)distance};
	if (!length || is_zeros(all->bytes, all->count, at, all->set))
		return (struct walk){0};
	if (instruction->flags & INSTRUCTION_ODD && !(is_there && is_sought(instruction, all->set)))
		return (struct walk){0};
	if (is_there)
		return walk;
	walk = all->walks[distance - length];
	if (walk.comes && walk.end == distance - length)
		walk.before = (uint8_t)distance;
	return walk;
}

void vote_ask(const uint8_t *bytes, uint64_t count, uint64_t address, uint64_t from, uint64_t offset, unsigned set,
              struct vote *vote)
{
	uint64_t first = offset - from > VOTE_FAR ? offset - VOTE_FAR : from;
	if (set & OPCODE_RAW)
		first = behind_zeros(bytes, address, first, offset);
	uint64_t last = offset - first > VOTE_NEAR ? offset - VOTE_NEAR : first;
	struct walks all = {.bytes = bytes, .count = count, .address = address, .offset = offset, .set = set};
	for (unsigned distance = 0; distance <= offset - first; distance++)
		all.walks[distance] = walk_from(&all, distance);
	*vote = (struct vote){.asked = (unsigned)(last - first + 1)};
	for (uint64_t start = first; start <= last; start++) {
		const struct walk *walk = &all.walks[offset - start];
		if (!walk->comes)
			continue;
		const struct instruction *there = &all.instructions[walk->end];
		if (!is_of_set(there, set)) {
			vote->no++;
			continue;
		}
		if (!vote->yes++) {
			vote->instruction = *there;
			vote->offset = offset - walk->end;
			vote->goes_on =
				goes_well(bytes, count, address, vote->offset + there->length, set, INSTRUCTION_END);
		}
		if (walk->before > walk->end && all.instructions[walk->before].flags & INSTRUCTION_SETS_EAX &&
		    offset - walk->end == vote->offset) {
			vote->number_bytes = all.instructions[walk->before].length;
			vote->numbers++;
		}
	}
}
