/* SPDX-License-Identifier: MIT */
#include "kernel/trap/operand.h"

#include "kernel/arch/trap_register.h"
#include "kernel/lib/string.h"

uint64_t operand_address(const struct trap_frame *frame, const uint8_t *code, uint8_t rex, uint64_t next)
{
	const unsigned mod = code[0] >> 6, rm = code[0] & 7;
	const uint8_t *at = code + 1;
	uint64_t address = 0;
	int32_t far = 0;
	bool wide = mod == 2;
	if (rm == 4) {
		const unsigned index = (*at >> 3 & 7U) | (rex & 2U) << 2, base = (*at & 7U);
		if (index != 4)
			address = trap_register_get(frame, index) << (*at >> 6);
		if (base == 5 && mod == 0)
			wide = true;
		else
			address += trap_register_get(frame, base | (rex & 1U) << 3);
		at++;
	} else if (rm == 5 && mod == 0) {
		address = next;
		wide = true;
	} else {
		address = trap_register_get(frame, rm | (rex & 1U) << 3);
	}
	if (wide)
		memcpy(&far, at, sizeof(far));
	else if (mod == 1)
		far = (int8_t)*at;
	return address + (uint64_t)(int64_t)far;
}
