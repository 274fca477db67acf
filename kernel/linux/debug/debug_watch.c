/* SPDX-License-Identifier: MIT */
#include "kernel/linux/debug/debug_watch.h"

#include "abi/errno.h"
#include "kernel/arch/gate.h"
#include "kernel/lib/string.h"
#include "kernel/linux/debug/debug_state.h"
#include "kernel/mm/pagetable.h"

#define PAGE_FAULT_WRITE 2UL

static bool is_present(uint64_t address)
{
	bool large;
	const uint64_t *entry = pagetable_entry(address, false, &large);
	return entry && (*entry & (PTE_PRESENT | PTE_USER)) == (PTE_PRESENT | PTE_USER);
}

/* The bytes of a page that the program has not touched are unknown, because looking would touch it. */
static bool can_read(const struct debug_watched *watched)
{
	return is_present(watched->address) && is_present(watched->address + watched->bytes - 1);
}

static void note_value(struct debug_watched *watched)
{
	watched->is_known = can_read(watched);
	if (watched->is_known)
		memcpy(watched->value, (const void *)watched->address, watched->bytes);
}

int debug_watch_add(uint64_t address, uint64_t bytes)
{
	struct debug_state *state = debug_state();
	if (!bytes || bytes > DEBUG_WATCH_BYTES)
		return -EINVAL;
	if (state->watch_count == DEBUG_WATCHES_MAX)
		return -ENOSPC;
	struct debug_watched *watched = &state->watches[state->watch_count++];
	*watched = (struct debug_watched){.address = address, .bytes = bytes};
	note_value(watched);
	return 0;
}

int debug_watch_remove(uint64_t address, uint64_t bytes)
{
	struct debug_state *state = debug_state();
	for (uint64_t i = 0; i < state->watch_count; i++) {
		if (state->watches[i].address != address || state->watches[i].bytes != bytes)
			continue;
		state->watches[i] = state->watches[--state->watch_count];
		return 0;
	}
	return -ENOENT;
}

void debug_watch_forget(void)
{
	debug_state()->watch_count = debug_state()->guard_count = 0;
	debug_state()->is_storing = false;
}

static void guard_page(uint64_t address)
{
	struct debug_state *state = debug_state();
	bool large;
	uint64_t *entry = pagetable_entry(address, false, &large);
	const uint64_t needed = PTE_PRESENT | PTE_USER | PTE_WRITE;
	if (!entry || (*entry & needed) != needed)
		return;
	struct debug_guard *guard = &state->guards[state->guard_count++];
	const uint64_t bytes = large ? BLOCK_SIZE : PAGE_SIZE;
	*guard =
		(struct debug_guard){.start = address & ~(bytes - 1), .bytes = bytes, .entry = entry, .before = *entry};
	*entry = guard->now = *entry & ~PTE_WRITE;
	gate_invlpg(address);
}

void debug_watch_guard(void)
{
	struct debug_state *state = debug_state();
	if (state->is_storing)
		return;
	for (uint64_t i = 0; i < state->watch_count; i++) {
		struct debug_watched *watched = &state->watches[i];
		if (!watched->is_known)
			note_value(watched);
		guard_page(watched->address);
		guard_page(watched->address + watched->bytes - 1);
	}
}

/* The last guard comes first, because two may be of one page. */
void debug_watch_lift(void)
{
	struct debug_state *state = debug_state();
	while (state->guard_count) {
		const struct debug_guard *guard = &state->guards[--state->guard_count];
		if (*guard->entry != guard->now)
			continue;
		*guard->entry = guard->before;
		gate_invlpg(guard->start);
	}
}

bool debug_watch_faults(const struct trap_frame *frame)
{
	struct debug_state *state = debug_state();
	if (frame->vector != TRAP_PAGE_FAULT || !(frame->error_code & PAGE_FAULT_WRITE))
		return false;
	for (uint64_t i = 0; i < state->guard_count; i++) {
		if (frame->address - state->guards[i].start >= state->guards[i].bytes)
			continue;
		state->is_storing = true;
		debug_watch_lift();
		return true;
	}
	return false;
}

void debug_watch_end(void)
{
	debug_state()->is_storing = false;
}

bool debug_watch_changed(uint64_t *address)
{
	struct debug_state *state = debug_state();
	for (uint64_t i = 0; i < state->watch_count; i++) {
		struct debug_watched *watched = &state->watches[i];
		if (!watched->is_known || !can_read(watched) ||
		    !memcmp(watched->value, (const void *)watched->address, watched->bytes))
			continue;
		*address = watched->address;
		note_value(watched);
		return true;
	}
	return false;
}
