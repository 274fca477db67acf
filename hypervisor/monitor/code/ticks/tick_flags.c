/* SPDX-License-Identifier: MIT */
#include "code/ticks/tick_flags.h"

/* Whether an instruction sets all flags of arithmetic, and reads none: cmp, test, add, sub, and, or, xor. */
static bool sets_all_flags(const uint8_t *at)
{
	at += (at[0] & 0xf0) == 0x40;
	const bool is_operation = at[0] < 0x40 && (at[0] & 7) < 6;
	const unsigned reg = at[0] >= 0x80 && at[0] <= 0x83 ? at[1] >> 3 & 7 : at[0] >> 3 & 7;
	if (at[0] == 0x84 || at[0] == 0x85 || at[0] == 0xa8 || at[0] == 0xa9)
		return true;
	return (is_operation || (at[0] >= 0x80 && at[0] <= 0x83)) && reg != 2 && reg != 3; /* adc, sbb */
}

bool tick_flags_are_unused(const struct code_function *function, const struct code_area *area, size_t step, size_t end)
{
	for (; step < end; step++) {
		const struct code_step *s = &function->steps[step];
		const uint64_t offset = s->address - area->address;
		struct instruction_uses uses;
		if (sets_all_flags(area->bytes + offset))
			return true;
		if (!disassembler_uses(area->bytes + offset, area->count - offset, s->address, &uses) || uses.is_call ||
		    s->instruction.flags & (INSTRUCTION_LEAVES | INSTRUCTION_END) ||
		    uses.reads & (USES_BIT(USES_FLAGS) | USES_BIT(USES_OTHER)))
			return false;
	}
	return false;
}
