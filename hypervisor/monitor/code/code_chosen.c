/* SPDX-License-Identifier: MIT */
#include "code/code_chosen.h"

#include <errno.h>
#include <stdlib.h>

#include "abi/code.h"

int code_chosen_make(const struct code_waits *waits, const struct code_sample *sample, bool has_atomics,
                     struct code_chosen *chosen)
{
	struct code_choice *to = malloc((sample->count + waits->count + 1) * sizeof(*to));
	size_t wait = 0, store = 0;
	*chosen = (struct code_chosen){.at = to, .has_atomics = has_atomics};
	if (!to)
		return -ENOMEM;
	while (wait < waits->count || store < sample->count) {
		if (store == sample->count || (wait < waits->count && waits->at[wait].address <= sample->at[store])) {
			const struct code_wait *at = &waits->at[wait++];
			*to++ = (struct code_choice){at->address, .waits = true, .is_sure = at->is_sure};
			continue;
		}
		uint64_t address = sample->at[store++];
		if (to == chosen->at || to[-1].address != address)
			*to++ = (struct code_choice){address, .is_sure = true};
	}
	chosen->count = (size_t)(to - chosen->at);
	return 0;
}

void code_chosen_skip(struct code_chosen *chosen, uint64_t address)
{
	while (chosen->next < chosen->count && chosen->at[chosen->next].address < address)
		chosen->next++;
}

static uint8_t kind_of(const struct code_choice *choice, uint8_t kind, const struct memory_operand *operand)
{
	if (choice->waits)
		return CODE_WAIT;
	if (kind == CODE_ATOMIC)
		return CODE_LOCKED; /* one step, not an update */
	return operand->is_update ? CODE_UPDATE : operand->is_store ? CODE_STORE : CODE_LOAD;
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
		if (!(s->instruction.flags & INSTRUCTION_MOVABLE) &&
		    (CODE_BASE(operand.packed) != CODE_RIP ||
		     s->instruction.flags & (INSTRUCTION_END | INSTRUCTION_LEAVES | INSTRUCTION_INDIRECT)))
			continue;
		if (next->waits || operand.is_store || operand.is_load)
			s->instruction.kind = kind_of(next, s->instruction.kind, &operand);
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
