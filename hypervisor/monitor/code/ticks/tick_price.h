/* SPDX-License-Identifier: MIT */
/* The price table of --clock work: what an instruction costs, by its class (docs/ticks.md). */
#ifndef HYPERVISOR_TICK_PRICE_H
#define HYPERVISOR_TICK_PRICE_H

#include "code/code_function.h"

/** Prices are in sixteenths of a tick. */
#define TICK_PRICE_SHIFT 4

/**
 * X(NAME, price, "instruction"): docs/ticks.md has the same table. They were fitted to ten programs, so that virtual
 * and real time differ by a similar factor in all of them.
 */
#define TICK_PRICE_LIST(X) \
	X(PLAIN, 4, "any, if no other line says more") \
	X(MEMORY, 8, "with a memory operand; in addition") \
	X(STACK, 2, "push, pop, and with a memory operand at rsp or rbp, in place of this; in addition") \
	X(INDEXED, 32, "with a memory operand that has an index register, in place of this; in addition") \
	X(VECTOR, 1, "on several elements of vector registers") \
	X(VECTOR_MEMORY, 2, "the same with a memory operand; in addition") \
	X(BRANCH, 24, "conditional jump") \
	X(CALL, 26, "call; with the price of the function, if that has no place") \
	X(POINTER, 40, "call through a pointer; indirect jump") \
	X(MULTIPLY, 12, "integer multiplication; in addition") \
	X(DIVIDE, 120, "integer division; in addition") \
	X(FP_DIVIDE, 28, "floating-point division and square root; in addition") \
	X(LOCKED, 450, "locked; in addition") \
	X(STRING, 64, "string instruction with a repeat prefix; in addition") \
	X(BYTES, 64, "movs and stos with a repeat prefix, for each 16 bytes, in whole ticks; in addition")

/** The bytes that movs or stos with a repeat prefix writes each time; 0: it is another instruction. */
unsigned tick_repeated_bytes(const uint8_t *at, unsigned length);

/** The price of such an instruction for each time, in CODE_TICK_PARTS of a tick: a power of two. */
unsigned tick_price_of_bytes(unsigned bytes);

/** Returns the price of an instruction of an area. It depends on the instruction's bytes alone. */
unsigned tick_price_of(const struct code_area *area, const struct code_step *step);

#endif
