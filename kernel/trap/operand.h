/* SPDX-License-Identifier: MIT */
/* Memory operands of instructions: ModRM, SIB and displacement (SDM 2A, 2.1.5). */
#ifndef KERNEL_TRAP_OPERAND_H
#define KERNEL_TRAP_OPERAND_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/arch/trap.h"

/** Whether ModRM says that there is one. */
static inline bool operand_is_memory(uint8_t modrm)
{
	return modrm >> 6 != 3;
}

/** Its address, by its ModRM with what follows, the instruction's REX (of which X and B count) and where the next
 * instruction begins; without a segment's base. */
uint64_t operand_address(const struct trap_frame *frame, const uint8_t *modrm, uint8_t rex, uint64_t next);

#endif
