/* SPDX-License-Identifier: MIT */
/* Atomic operations with their orders, as C11 5.1.2.4 and 7.17 define synchronises-with: release sequences and fences
 * count. Orders of fences that only seq_cst gives order no accesses, so they are left out. */
#include "tsan.h"

#define SPIN_COST (1 << 16)      /* of a load that finds what the last one found, in hooks */
#define ORDER(order) ((order)&7) /* without hints for lock elision */

typedef __int128 i128;

static bool acquires(int order)
{
	order = ORDER(order);
	return order != __ATOMIC_RELAXED && order != __ATOMIC_RELEASE;
}

static bool releases(int order)
{
	order = ORDER(order);
	return order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
}

static void acquire(struct thread *thread, uint64_t address, int order)
{
	if (acquires(order))
		sync_acquire(thread, address);
	else
		sync_see(thread, address);
}

/* A thread that waits for a value lets the others run. */
static void count_load(struct thread *thread, uint64_t address, uint64_t value)
{
	const bool waits = thread->last_address == address && thread->last_value == value;
	thread->last_address = address;
	thread->last_value = value;
	thread->slice -= waits ? SPIN_COST : 1;
	if (thread->slice <= 0)
		threads_give_way(thread, waits);
}

static void loaded(const volatile void *at, uint64_t bytes, int order, uint64_t value, uint64_t pc)
{
	struct thread *thread = tsan_thread();
	const uint64_t address = (uint64_t)at;
	if (!thread)
		return;
	acquire(thread, address, order);
	shadow_access(thread, address, bytes, ACCESS_ATOMIC, pc);
	count_load(thread, address, value);
}

static void stored(const volatile void *at, uint64_t bytes, int order, uint64_t pc)
{
	struct thread *thread = tsan_thread();
	const uint64_t address = (uint64_t)at;
	if (!thread)
		return;
	thread->last_address = 0;
	shadow_access(thread, address, bytes, ACCESS_ATOMIC | ACCESS_WRITE, pc);
	sync_overwrite(releases(order) ? NULL : thread, address);
	if (releases(order))
		sync_release(thread, address);
	else
		sync_release_fenced(thread, address);
}

static void updated(const volatile void *at, uint64_t bytes, int order, uint64_t pc)
{
	struct thread *thread = tsan_thread();
	const uint64_t address = (uint64_t)at;
	if (!thread)
		return;
	thread->last_address = 0;
	acquire(thread, address, order);
	shadow_access(thread, address, bytes, ACCESS_ATOMIC | ACCESS_WRITE, pc);
	if (releases(order))
		sync_release(thread, address);
	else
		sync_release_fenced(thread, address);
}

/* A compare-and-swap that has found another value is a load. It may be one that waits. */
static void compared(const volatile void *at, uint64_t bytes, bool is_done, const int order[2], uint64_t value,
                     uint64_t pc)
{
	if (is_done)
		updated(at, bytes, order[0], pc);
	else
		loaded(at, bytes, order[1], value, pc);
}

EXPORT void __tsan_atomic_thread_fence(int order)
{
	struct thread *thread = tsan_thread();
	if (!thread)
		return;
	if (acquires(order) && thread->has_seen)
		clock_join(&thread->clock, &thread->seen);
	if (!releases(order))
		return;
	thread->released = thread->clock;
	thread->has_released = true;
	threads_tick(thread);
}

EXPORT void __tsan_atomic_signal_fence(int order)
{
	(void)order;
}

/* --- the hooks, by size --- */

static i128 point_load128(const volatile void *at)
{
	extern i128 point_compare128(volatile void *at, i128 expected, i128 value);
	return point_compare128((volatile void *)at, 0, 0);
}

extern i128 point_compare128(volatile void *at, i128 expected, i128 value);

static i128 swap128(volatile void *at, i128 value)
{
	i128 old = *(const volatile i128 *)at, found;
	while ((found = point_compare128(at, old, value)) != old)
		old = found;
	return old;
}

static void point_store128(volatile void *at, i128 value)
{
	swap128(at, value);
}

static i128 point_exchange128(volatile void *at, i128 value)
{
	return swap128(at, value);
}

static i128 point_add128(volatile void *at, i128 value)
{
	i128 old = *(const volatile i128 *)at, found;
	while ((found = point_compare128(at, old, old + value)) != old)
		old = found;
	return old;
}

#define DECLARE(bits, type) \
	extern type point_load##bits(const volatile void *at); \
	extern void point_store##bits(volatile void *at, type value); \
	extern type point_exchange##bits(volatile void *at, type value); \
	extern type point_add##bits(volatile void *at, type value); \
	extern type point_compare##bits(volatile void *at, type expected, type value);

DECLARE(8, uint8_t)
DECLARE(16, uint16_t)
DECLARE(32, uint32_t)
DECLARE(64, uint64_t)

#define CHANGE(bits, type, name, expression) \
	EXPORT type __tsan_atomic##bits##_##name(volatile type *at, type value, int order) \
	{ \
		type old = *at, found; \
		while ((found = point_compare##bits(at, old, (type)(expression))) != old) \
			old = found; \
		updated(at, sizeof(type), order, CALLER); \
		return old; \
	}

#define COMPARE(bits, type, kind) \
	EXPORT int __tsan_atomic##bits##_compare_exchange_##kind(volatile type *at, type *expected, type value, \
	                                                         int order, int failure) \
	{ \
		const type found = point_compare##bits(at, *expected, value); \
		const bool is_done = found == *expected; \
		compared(at, sizeof(type), is_done, (const int[]){order, failure}, (uint64_t)found, CALLER); \
		if (!is_done) \
			*expected = found; \
		return is_done; \
	}

#define HOOKS(bits, type) \
	EXPORT type __tsan_atomic##bits##_load(const volatile type *at, int order) \
	{ \
		const type value = point_load##bits(at); \
		loaded(at, sizeof(type), order, (uint64_t)value, CALLER); \
		return value; \
	} \
	EXPORT void __tsan_atomic##bits##_store(volatile type *at, type value, int order) \
	{ \
		point_store##bits(at, value); \
		stored(at, sizeof(type), order, CALLER); \
	} \
	EXPORT type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order) \
	{ \
		const type old = point_exchange##bits(at, value); \
		updated(at, sizeof(type), order, CALLER); \
		return old; \
	} \
	EXPORT type __tsan_atomic##bits##_fetch_add(volatile type *at, type value, int order) \
	{ \
		const type old = point_add##bits(at, value); \
		updated(at, sizeof(type), order, CALLER); \
		return old; \
	} \
	EXPORT type __tsan_atomic##bits##_fetch_sub(volatile type *at, type value, int order) \
	{ \
		const type old = point_add##bits(at, (type)-value); \
		updated(at, sizeof(type), order, CALLER); \
		return old; \
	} \
	CHANGE(bits, type, fetch_and, old &value) \
	CHANGE(bits, type, fetch_or, old | value) \
	CHANGE(bits, type, fetch_xor, old ^ value) \
	CHANGE(bits, type, fetch_nand, ~(old & value)) \
	COMPARE(bits, type, strong) \
	COMPARE(bits, type, weak) \
	EXPORT type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type expected, type value, \
	                                                       int order, int failure) \
	{ \
		const type found = point_compare##bits(at, expected, value); \
		compared(at, sizeof(type), found == expected, (const int[]){order, failure}, (uint64_t)found, CALLER); \
		return found; \
	}

HOOKS(8, uint8_t)
HOOKS(16, uint16_t)
HOOKS(32, uint32_t)
HOOKS(64, uint64_t)
HOOKS(128, i128)
