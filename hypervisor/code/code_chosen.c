/* SPDX-License-Identifier: MIT */
#include "code/code_chosen.h"

#include <errno.h>
#include <stdlib.h>

#include "base/die.h"
#include "code/code_stores.h"
#include "code/code_waits.h"

/* Merges the lists. An instruction that is in both counts as one of a loop that waits. */
static int merge(struct code_chosen *chosen, const struct code_stores *stores, const struct code_waits *waits,
                 char error[256])
{
	struct code_choice *to = chosen->at = malloc((stores->count + waits->count + 1) * sizeof(*to));
	size_t wait = 0, store = 0;
	if (!to)
		return refuse(error, ENOMEM, "out of memory");
	while (wait < waits->count || store < stores->count) {
		if (store == stores->count || (wait < waits->count && waits->at[wait].address <= stores->at[store])) {
			const struct code_wait *at = &waits->at[wait++];
			*to++ = (struct code_choice){at->address, .waits = true, .is_sure = at->is_sure};
			continue;
		}
		uint64_t address = stores->at[store++];
		if (to == chosen->at || to[-1].address != address)
			*to++ = (struct code_choice){address, .is_sure = true};
	}
	chosen->count = (size_t)(to - chosen->at);
	return 0;
}

int code_chosen_make(struct code_map *map, const struct code_points *points, struct code_chosen *chosen,
                     char error[256])
{
	struct code_stores stores = {0};
	struct code_waits waits;
	*chosen = (struct code_chosen){.has_atomics = points->atomics};
	int result = code_waits_find(map, &waits, error);
	if (!result && points->stores && code_stores_draw(map, points->stores, points->seed, &stores))
		result = refuse(error, ENOMEM, "out of memory");
	if (!result)
		result = merge(chosen, &stores, &waits, error);
	free(stores.at);
	free(waits.at);
	return result;
}

void code_chosen_skip(struct code_chosen *chosen, uint64_t address)
{
	while (chosen->next < chosen->count && chosen->at[chosen->next].address < address)
		chosen->next++;
}

void code_chosen_mark(struct code_chosen *chosen, struct code_function *function, const struct code_area *area)
{
	if (!chosen->count)
		return;
	code_chosen_skip(chosen, function->start);
	const struct code_choice *next = chosen->at + chosen->next, *end = chosen->at + chosen->count;
	for (size_t step = 0; step < function->count && next < end; step++) {
		struct code_step *s = &function->steps[step];
		struct memory_operand operand;
		while (next < end && next->address < s->address)
			next++;
		bool is_other = s->instruction.kind && (s->instruction.kind != CODE_ATOMIC || chosen->has_atomics);
		if (next == end || next->address != s->address || is_other)
			continue;
		uint64_t at = s->address - area->address;
		disassembler_operand(area->bytes + at, area->count - at, &operand);
		if (!(s->instruction.flags & INSTRUCTION_MOVABLE) && CODE_BASE(operand.packed) != CODE_RIP)
			continue;
		s->instruction.kind = next->waits ? CODE_WAIT : operand.is_update ? CODE_UPDATE : CODE_STORE;
	}
}

bool code_chosen_is_sure(const struct code_chosen *chosen, uint64_t address)
{
	for (size_t i = chosen->next; i < chosen->count && chosen->at[i].address <= address; i++)
		if (chosen->at[i].address == address)
			return chosen->at[i].is_sure;
	return true;
}

void code_chosen_fini(struct code_chosen *chosen)
{
	free(chosen->at);
	*chosen = (struct code_chosen){0};
}
