/* SPDX-License-Identifier: MIT */
/* What the operations of a program cost in virtual time: the table behind ticks. docs/ticks.md has it, too. */
#ifndef LIBC_PORT_TICKS_COSTS_H
#define LIBC_PORT_TICKS_COSTS_H

/**
 * X(kind, sixteenths of a tick, "operation"). A tick is a quarter of a nanosecond. The numbers are part of the
 * determinism contract: another number is another virtual time.
 */
#define TICK_COST_LIST(X) \
	X(move, 0, "copy between registers, conversion of an integer") \
	X(integer, 4, "integer operation") \
	X(multiply, 20, "integer multiplication") \
	X(divide, 120, "integer division by what is no constant") \
	X(load, 8, "load") \
	X(far, 320, \
	  "load or store in a table of 4096 elements or more, at an index that is computed by a mask or a remainder") \
	X(link, 64, "load by a pointer that the round before has loaded, as in a list or a tree") \
	X(store, 8, "store") \
	X(real, 4, "floating-point operation, conversion") \
	X(real_divide, 28, "floating-point division") \
	X(real_root, 40, "square root") \
	X(branch, 4, "branch that always goes the same way") \
	X(surprise, 60, \
	  "the same, in addition, when it goes either way half the time; in proportion when one way is rarer") \
	X(jump, 12, "jump through a table or to a computed label") \
	X(call, 26, "call, and what a small function without loops and calls does") \
	X(call_pointer, 120, "call through a pointer") \
	X(atomic, 450, \
	  "atomic operation that locks the bus: read-modify-write, sequentially consistent store or fence") \
	X(assembly, 8, "asm statement")

/** In one unit of time there are as many of the list's. */
#define TICK_COST_UNIT 16

#endif
