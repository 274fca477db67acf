/* SPDX-License-Identifier: MIT */
#include "kernel/linux/debug/debug_breakpoints.h"

#include "abi/errno.h"
#include "kernel/arch/gate.h"
#include "kernel/lib/string.h"
#include "kernel/linux/debug/debug_state.h"
#include "kernel/linux/debug/debug_watch.h"
#include "kernel/linux/patch/code_bytes.h"
#include "kernel/linux/patch/stub.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/space.h"
#include "kernel/mm/vm.h"

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

static void plant(uint64_t address)
{
	if (address == debug_state()->passed)
		return;
	const uint64_t page = address & ~(PAGE_SIZE - 1);
	struct debug_copy *copy = breakpoint_copy_of(page);
	if (!copy)
		copy = replace_page(page);
	if (copy)
		bytes_of(copy)[address % PAGE_SIZE] = CODE_INT3;
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

void debug_breakpoints_insert(void)
{
	struct debug_state *state = debug_state();
	if (state->space != space_current)
		return;
	debug_breakpoints_lift();
	for (uint64_t i = 0; i < state->count; i++) {
		const uint64_t at = stub_going_on(state->breakpoints[i]);
		if (at != state->skipped)
			plant(at);
	}
	if (state->return_at)
		plant(state->return_at);
	debug_watch_guard();
}

bool debug_breakpoints_at(uint64_t address)
{
	const struct debug_state *state = debug_state();
	for (uint64_t i = 0; i < state->count; i++)
		if (stub_going_on(state->breakpoints[i]) == address)
			return true;
	return false;
}

static uint64_t *find_breakpoint(uint64_t address)
{
	struct debug_state *state = debug_state();
	for (uint64_t i = 0; i < state->count; i++)
		if (state->breakpoints[i] == address)
			return &state->breakpoints[i];
	return NULL;
}

/* Whether code at an address, which is mapped, can never have a breakpoint. */
static bool is_refused(uint64_t address)
{
	bool large;
	const uint64_t *entry = pagetable_entry(address, false, &large);
	return !(vm_protection(address) & VM_EXEC) || (entry && large && *entry & PTE_PRESENT);
}

int debug_breakpoints_add(uint64_t address)
{
	struct debug_state *state = debug_state();
	if (find_breakpoint(address))
		return 0;
	if (is_refused(address))
		return -EFAULT;
	if (state->count == DEBUG_BREAKPOINTS_MAX)
		return -ENOSPC;
	state->breakpoints[state->count++] = address;
	return 0;
}

int debug_breakpoints_remove(uint64_t address)
{
	struct debug_state *state = debug_state();
	uint64_t *found = find_breakpoint(address);
	if (!found)
		return -ENOENT;
	*found = state->breakpoints[--state->count];
	return 0;
}
