/* SPDX-License-Identifier: MIT */
#include "kernel/linux/debug/debug_watch.h"

#include "abi/errno.h"
#include "kernel/arch/gate.h"
#include "kernel/lib/string.h"
#include "kernel/linux/debug/debug_memory.h"
#include "kernel/linux/debug/debug_state.h"
#include "kernel/mm/pagetable.h"

#define PAGE_FAULT_WRITE 2UL
#define PAGE_FAULT_FETCH 16UL

/* The bytes of a page that the program has not touched are unknown, because looking would touch it. */
static bool can_read(const struct debug_watched *watched)
{
	return debug_memory_is_there(watched->address) && debug_memory_is_there(watched->address + watched->bytes - 1);
}

static void note_value(struct debug_watched *watched)
{
	watched->is_known = can_read(watched);
	if (watched->is_known)
		memcpy(watched->value, (const void *)watched->address, watched->bytes);
}

int debug_watch_add(enum debug_watch kind, uint64_t address, uint64_t bytes)
{
	struct debug_state *state = debug_state();
	if (!bytes || bytes > DEBUG_WATCH_BYTES || kind > DEBUG_WATCH_ACCESSES)
		return -EINVAL;
	if (state->watch_count == DEBUG_WATCHES_MAX)
		return -ENOSPC;
	struct debug_watched *watched = &state->watches[state->watch_count++];
	*watched = (struct debug_watched){.address = address, .bytes = bytes, .kind = kind};
	note_value(watched);
	return 0;
}

int debug_watch_remove(enum debug_watch kind, uint64_t address, uint64_t bytes)
{
	struct debug_state *state = debug_state();
	for (uint64_t i = 0; i < state->watch_count; i++) {
		const struct debug_watched *watched = &state->watches[i];
		if (watched->address != address || watched->bytes != bytes || watched->kind != (uint32_t)kind)
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

static void guard_page(uint64_t address, bool hides)
{
	struct debug_state *state = debug_state();
	bool large;
	uint64_t *entry = pagetable_entry(address, false, &large);
	const uint64_t needed = PTE_PRESENT | PTE_USER | (hides ? 0 : PTE_WRITE);
	if (!entry || (*entry & needed) != needed)
		return;
	struct debug_guard *guard = &state->guards[state->guard_count++];
	const uint64_t bytes = large ? BLOCK_SIZE : PAGE_SIZE;
	*guard =
		(struct debug_guard){.start = address & ~(bytes - 1), .bytes = bytes, .entry = entry, .before = *entry};
	*entry = guard->now = *entry & ~(hides ? PTE_PRESENT : PTE_WRITE);
	gate_invlpg(address);
}

static bool hides_page(const struct debug_watched *watched)
{
	return watched->kind != DEBUG_WATCH_STORES;
}

bool debug_watch_hides(void)
{
	for (uint64_t i = 0; i < debug_state()->watch_count; i++)
		if (hides_page(&debug_state()->watches[i]))
			return true;
	return false;
}

/* Values first, which cannot be read once their pages are absent. */
void debug_watch_guard(void)
{
	struct debug_state *state = debug_state();
	if (state->is_storing)
		return;
	for (uint64_t i = 0; i < state->watch_count; i++)
		if (!state->watches[i].is_known)
			note_value(&state->watches[i]);
	for (uint64_t i = 0; i < state->watch_count; i++) {
		const struct debug_watched *watched = &state->watches[i];
		guard_page(watched->address, hides_page(watched));
		guard_page(watched->address + watched->bytes - 1, hides_page(watched));
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

/* Notes which watched bytes the instruction or the kernel accesses. The address of the fault is the first byte. */
static void note_access(uint64_t address, uint64_t error_code)
{
	const bool is_store = error_code & PAGE_FAULT_WRITE;
	for (uint64_t i = 0; i < debug_state()->watch_count; i++) {
		struct debug_watched *watched = &debug_state()->watches[i];
		if (!(error_code & PAGE_FAULT_FETCH) && address - watched->address < watched->bytes)
			watched->is_accessed |= watched->kind == DEBUG_WATCH_ACCESSES ||
			                        (watched->kind == DEBUG_WATCH_READS && !is_store);
	}
}

bool debug_watch_faults(const struct trap_frame *frame)
{
	struct debug_state *state = debug_state();
	if (frame->vector != TRAP_PAGE_FAULT)
		return false;
	for (uint64_t i = 0; i < state->guard_count; i++) {
		const struct debug_guard *guard = &state->guards[i];
		if (frame->address - guard->start >= guard->bytes ||
		    (guard->now & PTE_PRESENT && !(frame->error_code & PAGE_FAULT_WRITE)))
			continue;
		note_access(frame->address, frame->error_code);
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

/* Notes the value for the next time. */
static bool is_changed(struct debug_watched *watched)
{
	if (!watched->is_known || !can_read(watched) ||
	    !memcmp(watched->value, (const void *)watched->address, watched->bytes))
		return false;
	note_value(watched);
	return true;
}

/* A read watchpoint does not stop after a store. */
static bool is_hit(struct debug_watched *watched)
{
	const bool was_accessed = watched->is_accessed, changed = is_changed(watched);
	watched->is_accessed = false;
	return was_accessed || (changed && watched->kind != DEBUG_WATCH_READS);
}

bool debug_watch_hits(struct debug_stop *stop)
{
	struct debug_state *state = debug_state();
	for (uint64_t i = 0; i < state->watch_count; i++) {
		if (!is_hit(&state->watches[i]))
			continue;
		stop->watched = state->watches[i].address;
		stop->signal = state->watches[i].kind;
		return true;
	}
	return false;
}
