/* SPDX-License-Identifier: MIT */
/* Reads the program headers itself, from a copy: the file may be where a hostile program can change it. */
#include <elf.h>
#include <string.h>

#include "code/service/code_sealed.h"
#include "code/ticks/tick_price.h"
#include "guest/elf_file.h"
#include "scan/disassembler.h"
#include "scan/opcode_search.h"

/* Bytes of a patch, at most, and of the instruction after it, which the disassembler may want to see. */
#define WINDOW (2 * 255 + 2 * CODE_INSTRUCTION_MAX)

/* A loaded part of the file. */
struct part {
	uint64_t from, to;
	uint32_t flags;
};

/* Returns the number of loaded parts; 0: the file is not one that Linux loads. */
static unsigned read_parts(const struct code_sealed_list *list, code_sealed_reader *read, void *context,
                           struct part parts[ELF_SEGMENTS_MAX])
{
	const uint64_t size = list->file.bytes;
	Elf64_Ehdr header;
	unsigned count = 0;
	if (size < sizeof(header) || !read(context, 0, &header, sizeof(header)) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_phentsize != sizeof(Elf64_Phdr))
		return 0;
	for (unsigned i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr segment;
		const uint64_t at = header.e_phoff + i * sizeof(segment);
		if (at < header.e_phoff || at > size || size - at < sizeof(segment) ||
		    !read(context, at, &segment, sizeof(segment)))
			return 0;
		if (segment.p_type != PT_LOAD || segment.p_offset >= size)
			continue;
		if (count == ELF_SEGMENTS_MAX)
			return 0;
		const uint64_t left = size - segment.p_offset;
		parts[count++] = (struct part){segment.p_offset,
		                               segment.p_offset + (segment.p_filesz < left ? segment.p_filesz : left),
		                               segment.p_flags};
	}
	return count;
}

/* The part with `flags` that has all of [from, to), or NULL. */
static const struct part *part_of(const struct part *parts, unsigned count, uint32_t flags, uint64_t from, uint64_t to)
{
	for (unsigned i = 0; i < count; i++)
		if ((parts[i].flags & flags) == flags && parts[i].from <= from && to <= parts[i].to)
			return &parts[i];
	return NULL;
}

/* Whether the memory operand of an instruction is the one that a decision point names. */
static bool is_operand(const uint8_t *at, uint64_t left, const struct code_patch *patch)
{
	struct memory_operand operand;
	disassembler_operand(at, left, &operand);
	return operand.packed[0] == (patch->operand[0] & ~CODE_TRAPS) && operand.packed[1] == patch->operand[1] &&
	       operand.packed[2] == (patch->operand[2] & ~CODE_UNSURE) &&
	       (patch->kind != CODE_STORE || operand.is_store) && (patch->kind != CODE_UPDATE || operand.is_update) &&
	       (patch->kind != CODE_LOAD || operand.is_load);
}

/* Whether an instruction is the one that a patch is for. */
static bool is_instruction(const uint8_t *at, uint64_t left, const struct instruction *in,
                           const struct code_patch *patch)
{
	const uint8_t trap = code_trap_of(patch->kind);
	switch (patch->kind) {
	case CODE_SYSCALL:
	case CODE_SYSCALL_TRAP:
		return in->kind == CODE_SYSCALL;
	case CODE_ATOMIC:
		if (in->kind != CODE_ATOMIC)
			return false;
		/* fall through */
	case CODE_STORE:
	case CODE_UPDATE:
	case CODE_LOAD:
	case CODE_WAIT:
		return (patch->operand[0] & CODE_TRAPS || in->flags & INSTRUCTION_MOVABLE || in->relative_at) &&
		       is_operand(at, left, patch);
	default:
		return in->kind == (trap ? trap : patch->kind);
	}
}

/* Whether `bytes` bytes from `from` on are whole instructions that may be moved, or the one that is relative to its
 * address. */
static bool are_movable(const uint8_t *at, unsigned from, unsigned bytes, uint64_t left, const struct code_patch *patch)
{
	const bool is_point = disassembler_set_of(patch->kind) & OPCODE_POINTS;
	struct instruction in;
	for (unsigned i = from; i < from + bytes; i += in.length) {
		if (!disassemble(at + i, left - i, i, &in) || in.length > from + bytes - i ||
		    disassembler_set_of(in.kind) & (OPCODE_TRAPS | OPCODE_SYSCALL | OPCODE_PAUSE))
			return false;
		const bool is_relative = !is_point && patch->operand[1] && in.relative_at &&
		                         patch->operand[0] == i + in.relative_at &&
		                         patch->operand[1] == in.length - in.relative_at;
		if (patch->kind == CODE_TICK_LOOP && patch->operand[1] &&
		    patch->operand[0] + patch->operand[1] == i + in.length && instruction_is_jump(&in))
			continue;
		if (!(in.flags & INSTRUCTION_MOVABLE) && !is_relative)
			return false;
	}
	return true;
}

/* Whether the bytes of a place that counts time are the instructions that it says: all of them are moved. */
static bool is_tick(const uint8_t *at, uint64_t left, const struct code_patch *patch)
{
	struct instruction in;
	const unsigned site = patch->before;
	return are_movable(at, 0, site, left, patch) &&
	       are_movable(at, site, patch->length + patch->after, left, patch) &&
	       disassemble(at + site, left - site, site, &in) && in.length == patch->length &&
	       (patch->kind != CODE_TICK_COUNT || tick_repeated_bytes(at + site, in.length));
}

/* Whether the bytes of a part of a loop that is copied are the instruction that it says. */
static bool is_loop_part(const uint8_t *at, uint64_t left, const struct code_patch *patch)
{
	struct instruction in;
	if (!disassemble(at, left, 0, &in) || in.length != patch->length)
		return false;
	if (patch->operand[2] & CODE_LOOP_JUMP)
		return instruction_is_jump(&in);
	return in.relative_at == patch->operand[0];
}

/* Whether the bytes of a patch are what it says; `left`: as many are there. */
static bool is_patch(const uint8_t *at, uint64_t left, const struct code_patch *patch)
{
	const unsigned site = patch->before;
	struct instruction in;
	if (code_is_tick(patch->kind))
		return is_tick(at, left, patch);
	if (patch->kind == CODE_LOOP || patch->kind == CODE_LOOP_PART)
		return is_loop_part(at, left, patch);
	return are_movable(at, 0, site, left, patch) && disassemble(at + site, left - site, site, &in) &&
	       in.length == patch->length && is_instruction(at + site, left - site, &in, patch) &&
	       are_movable(at, site + in.length, patch->after, left, patch);
}

bool code_sealed_check(const struct code_sealed_list *list, code_sealed_reader *read, void *context)
{
	struct part parts[ELF_SEGMENTS_MAX];
	if (!code_scan_is_possible(list->patches, list->count, list->file.bytes))
		return false;
	const unsigned count = list->count ? read_parts(list, read, context, parts) : 0;
	for (size_t i = 0; i < list->count; i++) {
		const struct code_patch *patch = &list->patches[i];
		const uint64_t bytes = (uint64_t)patch->before + patch->length + patch->after;
		const uint32_t flags = patch->kind == CODE_SEED ? 0 : PF_X;
		const struct part *part = part_of(parts, count, flags, patch->offset, patch->offset + bytes);
		uint8_t window[WINDOW];
		if (!part)
			return false;
		if (patch->kind == CODE_SEED)
			continue;
		const uint64_t left = part->to - patch->offset < bytes + CODE_INSTRUCTION_MAX
		                              ? part->to - patch->offset
		                              : bytes + CODE_INSTRUCTION_MAX;
		if (!read(context, patch->offset, window, left) || !is_patch(window, left, patch))
			return false;
	}
	return true;
}
