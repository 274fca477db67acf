/* SPDX-License-Identifier: MIT */
/* -fpreempt=memory: the functions that gcc's -fsanitize=thread calls for atomic operations. Each passes a decision
 * point, then does the operation.
 *
 * The operation needs no lock prefix. One thread runs at a time, and this file is compiled without ticks and hooks, so
 * no other thread can run within it. For the same reason every memory order is the strongest. The cost of a locked
 * instruction (docs/ticks.md) is added here, because the plugin sees only calls. It is added before the point, at which
 * signal handlers and other threads may run. */
#include <stdbool.h>

#include "kernel/sys/point.h"
#include "libc-port/src/ticks.h"
#include "libc-port/ticks/costs.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define COST(kind, sixteenths, text) cost_##kind = (sixteenths),
enum { TICK_COST_LIST(COST) };
#define LOCKED_TICKS (cost_atomic / TICK_COST_UNIT)

typedef unsigned char atomic8;
typedef unsigned short atomic16;
typedef unsigned int atomic32;
typedef unsigned long atomic64;
typedef unsigned __int128 atomic128;

#define LOAD(bits) \
	atomic##bits __tsan_atomic##bits##_load(const atomic##bits *at, int order) \
	{ \
		(void)order; \
		kernel_point(SCHED_OP_load, at); \
		return *at; \
	}

#define STORE(bits) \
	void __tsan_atomic##bits##_store(atomic##bits *at, atomic##bits value, int order) \
	{ \
		if (order == __ATOMIC_SEQ_CST) \
			ticks_charge(LOCKED_TICKS); \
		kernel_point(SCHED_OP_store, at); \
		*at = value; \
	}

/* Defines an operation that reads `old`, writes `result`, which is computed from `old` and `value`, and returns `old`.
 */
#define MODIFY(bits, name, result) \
	atomic##bits __tsan_atomic##bits##_##name(atomic##bits *at, atomic##bits value, int order) \
	{ \
		(void)order; \
		ticks_charge(LOCKED_TICKS); \
		kernel_point(SCHED_OP_atomic, at); \
		atomic##bits old = *at; \
		*at = (atomic##bits)(result); \
		return old; \
	}

/* The weak form never fails spuriously, so both forms are the same. */
#define COMPARE_EXCHANGE(bits, name) \
	bool __tsan_atomic##bits##_##name(atomic##bits *at, atomic##bits *expected, atomic##bits value, int order, \
	                                  int order_failed) \
	{ \
		(void)order, (void)order_failed; \
		ticks_charge(LOCKED_TICKS); \
		kernel_point(SCHED_OP_atomic, at); \
		atomic##bits old = *at; \
		if (old == *expected) { \
			*at = value; \
			return true; \
		} \
		*expected = old; \
		return false; \
	}

#define ALL(bits) \
	LOAD(bits) \
	STORE(bits) \
	MODIFY(bits, exchange, value) \
	MODIFY(bits, fetch_add, old + value) \
	MODIFY(bits, fetch_sub, old - value) \
	MODIFY(bits, fetch_and, old &value) \
	MODIFY(bits, fetch_or, old | value) \
	MODIFY(bits, fetch_xor, old ^ value) \
	MODIFY(bits, fetch_nand, ~(old & value)) \
	COMPARE_EXCHANGE(bits, compare_exchange_strong) \
	COMPARE_EXCHANGE(bits, compare_exchange_weak)

/* clang-format off */
ALL(8) ALL(16) ALL(32) ALL(64) ALL(128)
	/* clang-format on */

	/* A fence does nothing: the next thread that runs sees all earlier writes. */
	void __tsan_atomic_thread_fence(int order)
{
	if (order == __ATOMIC_SEQ_CST)
		ticks_charge(LOCKED_TICKS);
}

void __tsan_atomic_signal_fence(int)
{
}
