/* SPDX-License-Identifier: MIT */
/* The general registers of a frame, by their numbers in instructions, 0 to 15 (SDM 2A, table 3-1). */
#ifndef KERNEL_ARCH_TRAP_REGISTER_H
#define KERNEL_ARCH_TRAP_REGISTER_H

#include "kernel/arch/trap.h"

#define TRAP_REGISTERS 16

/** Index of a register's word in struct trap_frame. */
static inline unsigned trap_register_word(unsigned number)
{
#define WORD(name) (offsetof(struct trap_frame, name) / sizeof(uint64_t))
	static const uint8_t words[TRAP_REGISTERS] = {
		WORD(rax), WORD(rcx), WORD(rdx), WORD(rbx), WORD(rsp), WORD(rbp), WORD(rsi), WORD(rdi),
		WORD(r8),  WORD(r9),  WORD(r10), WORD(r11), WORD(r12), WORD(r13), WORD(r14), WORD(r15),
	};
#undef WORD
	return words[number];
}

static inline uint64_t trap_register_get(const struct trap_frame *frame, unsigned number)
{
	return ((const uint64_t *)frame)[trap_register_word(number)];
}

static inline void trap_register_set(struct trap_frame *frame, unsigned number, uint64_t value)
{
	((uint64_t *)frame)[trap_register_word(number)] = value;
}

#endif
