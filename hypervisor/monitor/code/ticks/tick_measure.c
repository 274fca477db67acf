/* SPDX-License-Identifier: MIT */
#include "code/ticks/tick_measure.h"

#include "code/ticks/tick_price.h"

/* Whether a place is charged at an instruction. */
static bool is_tick_place(const struct code_patch *places, size_t count, uint64_t offset, unsigned bytes)
{
	for (size_t i = 0; i < count; i++)
		if (code_is_tick(places[i].kind) && places[i].kind != CODE_TICK_COUNT &&
		    places[i].offset - offset < bytes)
			return true;
	return false;
}

void tick_measure_distance(struct tick_distance *longest, const struct code_function *function,
                           const struct code_area *area, const struct code_patch *places, size_t count)
{
	struct tick_distance here = {0};
	uint64_t next = 0;
	for (size_t i = 0; i < function->count; i++) {
		const struct code_step *step = &function->steps[i];
		const struct instruction *in = &step->instruction;
		const uint64_t offset = area->offset + (step->address - area->address);
		if (step->address != next || is_tick_place(places, count, offset, in->length))
			here = (struct tick_distance){.address = step->address};
		if (step->is_reached) {
			here.instructions++;
			here.price += tick_price_of(area, step);
		}
		next = in->flags & INSTRUCTION_END ? 0 : step->address + in->length;
		if (here.price > longest->price)
			*longest = here;
	}
}
