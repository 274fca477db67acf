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

/* A disassembly from some place to the instruction that contains an offset. */
struct walk {
	uint64_t at;
	struct instruction instruction, before;
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

/* Whether disassembly from `start` comes to the offset without meeting odd instructions. */
static bool walk(const uint8_t *bytes, uint64_t count, uint64_t address, uint64_t start, uint64_t offset, unsigned set,
                 struct walk *walk)
{
	*walk = (struct walk){.at = start};
	for (;;) {
		uint64_t at = walk->at;
		unsigned length = disassemble(bytes + at, count - at, address + at, &walk->instruction);
		if (!length || is_zeros(bytes, count, at, set))
			return false;
		if (at + length > offset && is_sought(&walk->instruction, set))
			return true;
		if (walk->instruction.flags & INSTRUCTION_ODD)
			return false;
		if (at + length > offset)
			return true;
		walk->at += length;
		walk->before = walk->instruction;
	}
}

void vote_ask(const uint8_t *bytes, uint64_t count, uint64_t address, uint64_t from, uint64_t offset, unsigned set,
              struct vote *vote)
{
	uint64_t first = offset - from > VOTE_FAR ? offset - VOTE_FAR : from;
	if (set & OPCODE_RAW)
		first = behind_zeros(bytes, address, first, offset);
	uint64_t last = offset - first > VOTE_NEAR ? offset - VOTE_NEAR : first;
	*vote = (struct vote){.asked = (unsigned)(last - first + 1)};
	for (uint64_t start = first; start <= last; start++) {
		struct walk way;
		if (!walk(bytes, count, address, start, offset, set, &way))
			continue;
		if (!is_of_set(&way.instruction, set)) {
			vote->no++;
			continue;
		}
		if (!vote->yes++) {
			vote->instruction = way.instruction;
			vote->offset = way.at;
			vote->goes_on =
				goes_well(bytes, count, address, way.at + way.instruction.length, set, INSTRUCTION_END);
		}
		if (way.before.flags & INSTRUCTION_SETS_EAX && way.at == vote->offset) {
			vote->number_bytes = way.before.length;
			vote->numbers++;
		}
	}
}
