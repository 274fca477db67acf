/* SPDX-License-Identifier: MIT */
#include "kernel/linux/debug/debug_breakpoints.h"

#include "abi/errno.h"
#include "kernel/arch/gate.h"
#include "kernel/lib/string.h"
#include "kernel/linux/debug/debug_aside.h"
#include "kernel/linux/debug/debug_condition.h"
#include "kernel/linux/debug/debug_memory.h"
#include "kernel/linux/debug/debug_state.h"
#include "kernel/linux/debug/debug_step.h"
#include "kernel/linux/debug/debug_watch.h"
#include "kernel/linux/patch/code_bytes.h"
#include "kernel/linux/patch/stub_rounds.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/space.h"
#include "kernel/mm/vm.h"

#define NOP_OPCODE 0x90

static struct debug_copy *breakpoint_copy_of(uint64_t page)
{
	struct debug_state *state = debug_state();
	for (uint64_t i = 0; i < state->copy_count; i++)
		if (state->copies[i].page == page)
			return &state->copies[i];
	return NULL;
}

static uint8_t *bytes_of(const struct debug_copy *copy)
{
	return (uint8_t *)phys_to_virt(DEBUG_PAGES) + (uint64_t)(copy - debug_state()->copies) * PAGE_SIZE;
}

/* The entry of a page of code that can be replaced; NULL: it is not mapped, can be written to, or is a part of a page
 * of 2 MiB. */
static uint64_t *code_page_entry(uint64_t page)
{
	bool large;
	uint64_t *entry = pagetable_entry(page, false, &large);
	const uint64_t needed = PTE_PRESENT | PTE_USER, refused = PTE_WRITE | PTE_GUARDED | PTE_NO_EXECUTE;
	return entry && !large && (*entry & (needed | refused)) == needed ? entry : NULL;
}

/* Replaces a page. Its bytes are read at the program's address: the kernel's own view of a page of a file may not be
 * mapped yet. NULL: it cannot be replaced now. */
static struct debug_copy *replace_page(uint64_t page)
{
	struct debug_state *state = debug_state();
	uint64_t *entry = code_page_entry(page);
	if (!entry || state->copy_count == DEBUG_PAGES_MAX)
		return NULL;
	struct debug_copy *copy = &state->copies[state->copy_count++];
	const uint64_t at = DEBUG_PAGES + (uint64_t)(copy - state->copies) * PAGE_SIZE;
	memcpy(bytes_of(copy), (const void *)page, PAGE_SIZE);
	*copy = (struct debug_copy){.page = page, .entry = entry, .before = *entry};
	copy->now = at | (*entry & ~(PTE_ADDRESS | PTE_OWNED));
	*entry = copy->now;
	gate_invlpg(page);
	return copy;
}

/* Replaces a byte of code, but not in the program's own page. */
static void put_byte(uint64_t address, uint8_t byte)
{
	const uint64_t page = address & ~(PAGE_SIZE - 1);
	struct debug_copy *copy = breakpoint_copy_of(page);
	if (!copy)
		copy = replace_page(page);
	if (copy)
		bytes_of(copy)[address % PAGE_SIZE] = byte;
}

static void plant(uint64_t address)
{
	if (address != debug_state()->passed)
		put_byte(address, CODE_TRAP);
}

/* Has a loop with a breakpoint make single rounds: their copy has the breakpoint, too. */
static void plant_in_rounds(uint64_t address)
{
	const uint64_t jump = stub_rounds_jump(address);
	for (unsigned i = 0; jump && i < STUB_TEST_JUMP_BYTES; i++)
		put_byte(jump + i, NOP_OPCODE);
}

void debug_breakpoints_lift(void)
{
	struct debug_state *state = debug_state();
	if (state->space == space_current)
		debug_watch_lift();
	for (uint64_t i = 0; i < state->copy_count && state->space == space_current; i++) {
		const struct debug_copy *copy = &state->copies[i];
		if (*copy->entry != copy->now)
			continue;
		*copy->entry = copy->before;
		gate_invlpg(copy->page);
	}
	state->copy_count = 0;
}

/* Keeps the bytes of an instruction whose breakpoint has conditions, before breakpoints are in its page. Returns
 * whether it has. */
static bool note_code(struct debug_breakpoint *breakpoint)
{
	const uint64_t at = stub_going_on(breakpoint->address), left = PAGE_SIZE - at % PAGE_SIZE;
	const uint64_t bytes = left < DEBUG_CODE_BYTES ? left : DEBUG_CODE_BYTES;
	breakpoint->code_bytes = 0;
	if (breakpoint->condition_bytes && debug_memory_peek(at, breakpoint->code, bytes))
		breakpoint->code_bytes = (uint8_t)bytes;
	return breakpoint->code_bytes;
}

/* Where the instruction of a breakpoint is executed; 0: nowhere. */
struct places {
	uint64_t at[2];
};

/* In the program or a stub, and in the copy of a loop with it. Where the loop in the program jumps to the copy, that is
 * the only place: a thread would stop twice. */
static struct places places_of(const struct debug_breakpoint *breakpoint)
{
	bool is_replaced;
	const uint64_t copied = stub_copied(breakpoint->address, &is_replaced);
	return (struct places){{is_replaced ? 0 : stub_going_on(breakpoint->address), copied}};
}

void debug_breakpoints_insert(void)
{
	struct debug_state *state = debug_state();
	bool has_conditions = false;
	if (state->space != space_current)
		return;
	debug_breakpoints_lift();
	for (uint64_t i = 0; i < state->count; i++)
		has_conditions |= note_code(&state->breakpoints[i]);
	if (has_conditions && debug_aside_page())
		replace_page(debug_aside_page());
	for (uint64_t i = 0; i < state->count; i++) {
		const struct places places = places_of(&state->breakpoints[i]);
		plant_in_rounds(state->breakpoints[i].address);
		for (unsigned k = 0; k < 2; k++)
			if (places.at[k] && places.at[k] != state->skipped)
				plant(places.at[k]);
	}
	if (state->return_at)
		plant(state->return_at);
	debug_watch_guard();
}

/* The breakpoint at which a thread stops at an address. */
static const struct debug_breakpoint *breakpoint_at(uint64_t address)
{
	const struct debug_state *state = debug_state();
	for (uint64_t i = 0; i < state->count; i++) {
		const struct places places = places_of(&state->breakpoints[i]);
		if (places.at[0] == address || places.at[1] == address)
			return &state->breakpoints[i];
	}
	return NULL;
}

bool debug_breakpoints_at(uint64_t address)
{
	return breakpoint_at(address);
}

void debug_breakpoints_settle(struct trap_frame *frame)
{
	const struct debug_state *state = debug_state();
	const uint64_t at = frame->rip;
	if (frame->vector != TRAP_GENERAL_PROTECTION || !state->copy_count || at == state->skipped ||
	    at == state->passed || (at != state->return_at && !breakpoint_at(at)))
		return;
	const struct debug_copy *copy = breakpoint_copy_of(at & ~(PAGE_SIZE - 1));
	if (!copy || bytes_of(copy)[at % PAGE_SIZE] != CODE_TRAP)
		return;
	frame->vector = TRAP_BREAKPOINT;
	frame->error_code = 0;
	frame->rip++;
}

/* Whether an instruction shows the trap flag of a step over it: PUSHF and SYSCALL. */
static bool shows_flag(const struct debug_breakpoint *breakpoint)
{
	const uint8_t *code = breakpoint->code;
	return code[0] == 0x9c || (code[0] == 0x66 && code[1] == 0x9c) || (code[0] == 0x0f && code[1] == 0x05);
}

bool debug_breakpoints_pass(struct trap_frame *frame)
{
	const struct debug_breakpoint *breakpoint = breakpoint_at(frame->rip);
	const uint8_t *conditions = debug_state()->conditions + breakpoint->condition;
	if (!breakpoint->condition_bytes || shows_flag(breakpoint) ||
	    !debug_condition_is_false(conditions, breakpoint->condition_bytes, frame))
		return false;
	const struct debug_copy *copy = breakpoint_copy_of(debug_aside_page());
	const bool is_noted = frame->rip == places_of(breakpoint).at[0]; /* a copy has other displacements */
	if (!is_noted || !debug_aside_go(frame, breakpoint->code, breakpoint->code_bytes, copy ? bytes_of(copy) : NULL))
		debug_step_pass(frame);
	return true;
}

static struct debug_breakpoint *find_breakpoint(uint64_t address)
{
	struct debug_state *state = debug_state();
	for (uint64_t i = 0; i < state->count; i++)
		if (state->breakpoints[i].address == address)
			return &state->breakpoints[i];
	return NULL;
}

/* Takes conditions out of the list of all. */
static void remove_conditions(struct debug_breakpoint *breakpoint)
{
	struct debug_state *state = debug_state();
	const uint64_t from = breakpoint->condition, bytes = breakpoint->condition_bytes;
	memmove(state->conditions + from, state->conditions + from + bytes, state->conditions_bytes - from - bytes);
	state->conditions_bytes -= bytes;
	breakpoint->condition_bytes = 0;
	for (uint64_t i = 0; i < state->count; i++)
		if (state->breakpoints[i].condition > from)
			state->breakpoints[i].condition -= (uint32_t)bytes;
}

/* Without room, there are none: the debugger evaluates them at each stop. */
static void add_conditions(struct debug_breakpoint *breakpoint, const uint8_t *list, size_t bytes)
{
	struct debug_state *state = debug_state();
	remove_conditions(breakpoint);
	breakpoint->condition = (uint32_t)state->conditions_bytes;
	if (DEBUG_CONDITIONS_BYTES - state->conditions_bytes < bytes)
		return;
	breakpoint->condition_bytes = (uint32_t)bytes;
	memcpy(state->conditions + state->conditions_bytes, list, bytes);
	state->conditions_bytes += bytes;
}

/* Whether an address can never have a breakpoint. Memory that cannot be executed needs none: a thread that goes there
 * stops at once by SIGSEGV, which gdb takes for its breakpoint. So the functions that it calls return to the stack. */
static bool is_refused(uint64_t address)
{
	bool large;
	const int protection = vm_protection(address);
	const uint64_t *entry = pagetable_entry(address, false, &large);
	return !protection || (protection & VM_EXEC && entry && large && *entry & PTE_PRESENT);
}

int debug_breakpoints_add(uint64_t address, const uint8_t *conditions, size_t bytes)
{
	struct debug_state *state = debug_state();
	struct debug_breakpoint *found = find_breakpoint(address);
	if (bytes > DEBUG_DATA_BYTES || !debug_condition_is_list(conditions, bytes))
		return -EINVAL;
	if (!found && is_refused(address))
		return -EFAULT;
	if (!found && state->count == DEBUG_BREAKPOINTS_MAX)
		return -ENOSPC;
	if (!found) {
		found = &state->breakpoints[state->count++];
		*found = (struct debug_breakpoint){.address = address};
	}
	add_conditions(found, conditions, bytes);
	return 0;
}

int debug_breakpoints_remove(uint64_t address)
{
	struct debug_state *state = debug_state();
	struct debug_breakpoint *found = find_breakpoint(address);
	if (!found)
		return -ENOENT;
	remove_conditions(found);
	*found = state->breakpoints[--state->count];
	return 0;
}

void debug_breakpoints_forget(void)
{
	debug_state()->count = debug_state()->copy_count = debug_state()->conditions_bytes = 0;
	debug_state()->aside_page = 0;
}
