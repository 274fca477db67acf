/* SPDX-License-Identifier: MIT */
/* Functions that gcc calls for atomic operations without an instruction: on 16 bytes, on structures of any size, and
 * others of its libatomic (https://gcc.gnu.org/wiki/Atomic/GCCMM/LIbrary). Each passes a decision point, then does the
 * operation.
 *
 * There is no lock. One thread runs at a time, and this file is compiled without ticks, so no other thread can run
 * within an operation. For the same reason every memory order is the strongest. memcpy is not used, because it counts
 * ticks. */
#include <fenv.h>
#include <stdbool.h>
#include <stddef.h>

#include "kernel/sys/point.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

typedef unsigned __int128 atomic16;

/* Other C names, because gcc warns about definitions of names that it knows. */
#define ATOMIC(name) __asm__("__atomic_" #name)

static void copy(void *to, const void *from, size_t bytes)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

static bool is_equal(const unsigned char *one, const unsigned char *other, size_t bytes)
{
	while (bytes && *one == *other)
		one++, other++, bytes--;
	return bytes == 0;
}

void generic_load(size_t bytes, const void *at, void *value, int order) ATOMIC(load);
void generic_load(size_t bytes, const void *at, void *value, int)
{
	kernel_point(SCHED_OP_load, at);
	copy(value, at, bytes);
}

void generic_store(size_t bytes, void *at, const void *value, int order) ATOMIC(store);
void generic_store(size_t bytes, void *at, const void *value, int)
{
	kernel_point(SCHED_OP_store, at);
	copy(at, value, bytes);
}

void generic_exchange(size_t bytes, void *at, const void *value, void *old, int order) ATOMIC(exchange);
void generic_exchange(size_t bytes, void *at, const void *value, void *old, int)
{
	unsigned char *where = at, *result = old;
	const unsigned char *from = value;
	kernel_point(SCHED_OP_atomic, at);
	for (size_t i = 0; i < bytes; i++) { /* `value` and `old` may be the same */
		unsigned char byte = where[i];
		where[i] = from[i];
		result[i] = byte;
	}
}

bool generic_compare_exchange(size_t bytes, void *at, void *expected, const void *value, int order, int order_failed)
	ATOMIC(compare_exchange);
bool generic_compare_exchange(size_t bytes, void *at, void *expected, const void *value, int, int)
{
	kernel_point(SCHED_OP_atomic, at);
	if (is_equal(at, expected, bytes)) {
		copy(at, value, bytes);
		return true;
	}
	copy(expected, at, bytes);
	return false;
}

bool is_lock_free(size_t bytes, const volatile void *at) ATOMIC(is_lock_free);
bool is_lock_free(size_t bytes, const volatile void *at)
{
	return (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) && (size_t)at % bytes == 0;
}

/* Called after an atomic operation on a floating-point number, which may have been computed several times. */
void raise_exceptions(int exceptions) ATOMIC(feraiseexcept);
void raise_exceptions(int exceptions)
{
	feraiseexcept(exceptions);
}

atomic16 load_16(const atomic16 *at, int order) ATOMIC(load_16);
atomic16 load_16(const atomic16 *at, int)
{
	kernel_point(SCHED_OP_load, at);
	return *at;
}

void store_16(atomic16 *at, atomic16 value, int order) ATOMIC(store_16);
void store_16(atomic16 *at, atomic16 value, int)
{
	kernel_point(SCHED_OP_store, at);
	*at = value;
}

bool compare_exchange_16(atomic16 *at, atomic16 *expected, atomic16 value, int order, int order_failed)
	ATOMIC(compare_exchange_16);
bool compare_exchange_16(atomic16 *at, atomic16 *expected, atomic16 value, int, int)
{
	kernel_point(SCHED_OP_atomic, at);
	atomic16 old = *at;
	if (old == *expected) {
		*at = value;
		return true;
	}
	*expected = old;
	return false;
}

/* Defines an operation that writes `result`, computed from the old value `old` and `value`. */
#define MODIFY(name, result, returned) \
	atomic16 name##_16(atomic16 *at, atomic16 value, int order) ATOMIC(name##_16); \
	atomic16 name##_16(atomic16 *at, atomic16 value, int order) \
	{ \
		(void)order; \
		kernel_point(SCHED_OP_atomic, at); \
		const atomic16 old = *at, new = (result); \
		*at = new; \
		return (returned); \
	}

#define BOTH(name, result) MODIFY(fetch_##name, result, old) MODIFY(name##_fetch, result, new)

/* clang-format off */
MODIFY(exchange, value, old)
BOTH(add, old + value)
BOTH(sub, old - value)
BOTH(and, old & value)
BOTH(or, old | value)
BOTH(xor, old ^ value)
BOTH(nand, ~(old & value))
/* clang-format on */
