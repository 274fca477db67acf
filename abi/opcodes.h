/* SPDX-License-Identifier: MIT */
/* Tests whether bytes may be an instruction of enum trap_kind (abi/boot.h). The monitor's search of files and the
 * kernel's search of code that a program makes use the same table, which is made from all forms that Zydis decodes. */
#ifndef ABI_OPCODES_H
#define ABI_OPCODES_H

#include <stdbool.h>
#include <stdint.h>

/** The bytes, as bit sets, that may be third after 0x0f and a second byte. */
struct opcode_thirds {
	uint32_t plain[8];    /**< whatever is before the 0x0f */
	uint32_t prefixed[8]; /**< after a prefix of 66, F2 or F3 */
};

#include "abi/opcode_table.inc"

/** Initialisers of a table of the bytes with which the instructions below begin. */
#define OPCODES_FIRST [0x0f] = 1, [0xc4] = 1, [0xc6] = 1, [0xc7] = 1, [0xd9] = 1, [0xdd] = 1

/** Number of bytes that opcodes_may_trap reads. */
#define OPCODES_BYTES 4

static inline bool opcodes_has(const uint32_t set[8], uint8_t byte)
{
	return set[byte / 32] >> byte % 32 & 1;
}

/** Whether a byte is a legacy prefix other than LOCK, or a REX prefix. */
static inline bool opcodes_is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26:
	case 0x2e:
	case 0x36:
	case 0x3e:
	case 0x64:
	case 0x65:
	case 0x66:
	case 0x67:
	case 0xf2:
	case 0xf3:
		return true;
	default:
		return (byte & 0xf0) == 0x40; /* REX */
	}
}

/**
 * Whether bytes may be an instruction of enum trap_kind without its legacy prefixes, except FNSTENV and FNSAVE.
 * `before` is the byte before them.
 */
static inline bool opcodes_may_trap(uint8_t before, const uint8_t at[OPCODES_BYTES])
{
	const struct opcode_thirds *thirds;
	switch (at[0]) {
	case 0x0f:
		if (!opcode_rows[at[1]])
			return false;
		thirds = &opcode_thirds[opcode_rows[at[1]]];
		return opcodes_has(thirds->plain, at[2]) ||
		       (opcodes_is_prefix(before) && opcodes_has(thirds->prefixed, at[2]));
	case 0xc4: /* AMX: VEX of map 2, W 0, L 0 */
		return (at[1] & 0x1f) == 2 && !(at[2] & 0x84) && opcodes_has(opcode_vex.plain, at[3]);
	case 0xc6: /* XABORT */
	case 0xc7: /* XBEGIN */
		return at[1] == 0xf8;
	default:
		return false;
	}
}

/** Whether bytes may be FNSTENV or FNSAVE: d9 or dd, and a ModRM of memory with 6. */
static inline bool opcodes_may_store_x87(const uint8_t at[2])
{
	return (at[0] == 0xd9 || at[0] == 0xdd) && at[1] < 0xc0 && (at[1] >> 3 & 7) == 6;
}

#endif
