/* SPDX-License-Identifier: MIT */
/* Checks whether untrusted patches, such as those from the cache, are valid for a file. */
#include "abi/code.h"
#include "abi/layout.h"
#include "code/code_scan.h"
#include "code/code_seeds.h"
#include "scan/disassembler.h"
#include "scan/opcode_search.h"

/* Whether what a patch says of the instruction that changes when it moves is possible. */
static bool is_relative_possible(const struct code_patch *patch)
{
	const unsigned at = patch->operand[0], end = at + patch->operand[1];
	const unsigned site = patch->before, behind = patch->before + patch->length;
	if (patch->operand[2] || (!patch->operand[1] && patch->operand[0]))
		return false;
	return !patch->operand[1] || (patch->operand[1] >= 4 && patch->operand[1] <= CODE_INSTRUCTION_MAX &&
	                              (end <= site || (at >= behind && end <= behind + patch->after)));
}

/* Whether a place that counts time, of so many bytes, is possible. */
static bool is_tick_possible(const struct code_patch *patch, uint64_t bytes)
{
	const unsigned at = patch->operand[0], end = at + patch->operand[1];
	const bool is_counted = patch->kind == CODE_TICK_COUNT;
	if (is_counted ? (code_ticks(patch) & (code_ticks(patch) - 1)) != 0 : patch->before != 0)
		return false;
	if (bytes < 5 || patch->offset % PAGE_SIZE + bytes > PAGE_SIZE || !code_ticks(patch))
		return false;
	if (patch->kind == CODE_TICK_LOOP && patch->operand[1])
		return at && end <= bytes && (patch->operand[1] == 1 || patch->operand[1] == 4);
	return (patch->operand[1] ? patch->operand[1] >= 4 && patch->operand[1] <= CODE_INSTRUCTION_MAX && end <= bytes
	                          : !at);
}

/* Whether a part of a loop that is copied is possible. */
static bool is_loop_possible(const struct code_patch *patch)
{
	const unsigned at = patch->operand[0], bytes = patch->operand[1];
	const bool is_jump = patch->operand[2] & CODE_LOOP_JUMP, is_end = patch->kind == CODE_LOOP;
	const unsigned loop = code_loop_bytes(patch);
	if (is_end ? !is_jump || loop <= patch->length || loop > CODE_LOOP_BYTES_MAX : loop != 0)
		return false;
	return !patch->before && !patch->after && (bytes == 4 || (bytes == 1 && is_jump)) && at &&
	       at + bytes <= patch->length && (!is_jump || at + bytes == patch->length);
}

/* How many bytes from its offset on are the patch's, or 0 when there is no such patch. */
static uint64_t bytes_of(const struct code_patch *patch)
{
	uint64_t bytes = (uint64_t)patch->before + patch->length + patch->after;
	if (!patch->length || patch->length > CODE_INSTRUCTION_MAX || (patch->length < 2 && !code_is_tick(patch->kind)))
		return 0;
	if (disassembler_set_of(patch->kind) & OPCODE_POINTS) {
		unsigned at = CODE_DISPLACEMENT_AT(patch->operand), size = CODE_DISPLACEMENT_BYTES(patch->operand);
		if (at + size > patch->length || (size != 0 && size != 1 && size != 4))
			return 0;
		return patch->operand[0] & CODE_TRAPS ? (bytes == patch->length ? bytes : 0) : bytes >= 5 ? bytes : 0;
	}
	if (code_is_tick(patch->kind))
		return is_tick_possible(patch, bytes) ? bytes : 0;
	if (patch->kind == CODE_LOOP || patch->kind == CODE_LOOP_PART)
		return is_loop_possible(patch) ? bytes : 0;
	bool is_jump = patch->kind == CODE_SYSCALL || code_trap_of(patch->kind);
	if (is_jump ? !is_relative_possible(patch) : patch->operand[0] || patch->operand[1] || patch->operand[2])
		return 0;
	if (patch->kind == CODE_SEED)
		return code_seeds_is_possible(patch) ? bytes : 0;
	if (code_trap_of(patch->kind) && (patch->offset % PAGE_SIZE + bytes > PAGE_SIZE || patch->length > 3))
		return 0;
	if (is_jump) /* a system call may have prefixes */
		return bytes >= 5 ? bytes : 0;
	bool is_known = (patch->kind == CODE_SYSCALL_TRAP || patch->kind == CODE_PAUSE) ||
	                (patch->kind >= TRAP_CPUID && patch->kind <= TRAP_SYSTEM);
	return is_known && !patch->before && !patch->after ? bytes : 0;
}

bool code_scan_is_possible(const struct code_patch *patches, size_t count, uint64_t bytes)
{
	uint64_t after = 0;
	for (size_t i = 0; i < count; i++) {
		uint64_t own = bytes_of(&patches[i]), offset = patches[i].offset;
		if (!own || offset < after || offset > bytes || own > bytes - offset)
			return false;
		after = offset + own;
	}
	return true;
}
