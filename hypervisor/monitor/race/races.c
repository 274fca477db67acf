/* SPDX-License-Identifier: MIT */
/* As FastTrack (Flanagan and Freund 2009) and ThreadSanitizer do, each unit keeps its last accesses, with the time of
 * their thread. A new access that is not ordered behind one of them races with it.
 *
 * Locked instructions acquire and release at their unit. An unlock by a plain store releases, too, since the unit was
 * accessed by a locked instruction before. In other units, a plain store may be an atomic one: it releases in the full
 * relation alone. Accesses to a unit of locks and atomics are no race unless one of them is no atomic operation. */
#include "race/races.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "race/race_calls.h"
#include "race/race_clock.h"
#include "base/pair_table.h"

#define KEPT 6                     /* accesses of a unit */
#define FIRST_FRAMES (128UL << 10) /* bytes of the first thread's stack above its first known stack pointer */
#define STACK_BYTES (8UL << 20)    /* below a stack's top, other memory may follow */

struct kept {
	uint64_t time, note;
	uint32_t place;
	uint16_t thread; /* index */
	uint8_t bytes;   /* 0: free */
	bool reads : 1, writes : 1, is_locked : 1, is_plain : 1;
};

struct unit {
	struct kept kept[KEPT];
	struct race_release released;
	bool is_atomic; /* a locked instruction has accessed it */
};

struct returning {
	unsigned order; /* what its system call does when it returns */
	uint32_t unit;  /* of its futex */
	bool has_waited, was_replaced;
};

struct races {
	struct race_clocks *clocks;
	struct race_channel files, memory;
	struct returning returning[RACE_THREADS_MAX];
	uint64_t stack[RACE_THREADS_MAX]; /* an address that is above the thread's stack, or near its top; 0: not known
	                                   */
	struct race_release unseen;       /* by stores that are no decision points */
	struct unit *units;
	size_t unit_count, unit_room;
	struct pair_secret secret;
	struct pair_table by_places;
	struct race *all;
	size_t room;
	uint64_t left_out;
};

struct races *races_create(void)
{
	struct races *races = calloc(1, sizeof(*races));
	struct race_clocks *clocks = races ? race_clocks_create() : NULL;
	if (!clocks) {
		free(races);
		return NULL;
	}
	races->clocks = clocks;
	races->by_places.max = RACES_MAX;
	pair_secret_init(&races->secret);
	return races;
}

void races_destroy(struct races *races)
{
	if (!races)
		return;
	for (size_t i = 0; i < races->unit_count; i++)
		race_release_fini(&races->units[i].released);
	race_release_fini(&races->unseen);
	race_clocks_destroy(races->clocks);
	pair_table_fini(&races->by_places);
	free(races->units);
	free(races->all);
	free(races);
}

/* NULL: there are too many. */
static struct unit *unit_of(struct races *races, uint32_t number)
{
	if (number >= RACES_UNITS_MAX || !array_reserve(races->units, races->unit_room, number + 1UL))
		return NULL;
	while (races->unit_count <= number)
		races->units[races->unit_count++] = (struct unit){.is_atomic = false};
	return &races->units[number];
}

/* Orders what all threads have done before what a thread does from now on. */
static void acquire_all(struct races *races, uint32_t thread, enum race_relation first)
{
	for (uint32_t i = 0; race_clocks_has(races->clocks, i); i++) {
		if (i == thread)
			continue;
		race_clocks_release(races->clocks, i, &races->unseen);
		race_clocks_acquire(races->clocks, thread, &races->unseen, first);
	}
}

/* The index of a thread that goes on. If it was in a system call, the call has returned. */
static uint32_t running(struct races *races, uint32_t number)
{
	const uint32_t thread = race_clocks_thread(races->clocks, number);
	if (thread == RACE_NO_THREAD)
		return thread;
	const struct returning call = races->returning[thread];
	const struct unit *futex = call.order & RACE_FUTEX ? unit_of(races, call.unit) : NULL;
	races->returning[thread] = (struct returning){.order = 0};
	if (call.has_waited || call.was_replaced)
		acquire_all(races, thread, call.has_waited ? RACE_STRONG : RACE_FULL);
	if (futex)
		race_clocks_acquire(races->clocks, thread, &futex->released, RACE_STRONG);
	else if (call.order & RACE_RECEIVES)
		race_clocks_receive(races->clocks, thread, call.order & RACE_MEMORY ? &races->memory : &races->files);
	return thread;
}

/* --- what orders threads --- */

void races_made(struct races *races, uint32_t maker, uint32_t number, uint64_t stack)
{
	const uint32_t from = running(races, maker), thread = race_clocks_thread(races->clocks, number);
	if (from != RACE_NO_THREAD && thread != RACE_NO_THREAD && from != thread)
		race_clocks_made(races->clocks, from, thread);
	if (thread != RACE_NO_THREAD)
		races->stack[thread] = stack;
}

void races_woken(struct races *races, uint32_t waker, uint32_t number)
{
	const uint32_t from = race_clocks_thread(races->clocks, waker),
		       thread = race_clocks_thread(races->clocks, number);
	if (from != RACE_NO_THREAD && thread != RACE_NO_THREAD && from != thread)
		race_clocks_order(races->clocks, thread, from);
}

void races_ended(struct races *races, uint32_t number, uint64_t control_block)
{
	const uint32_t thread = running(races, number);
	if (thread != RACE_NO_THREAD)
		race_clocks_ended(races->clocks, thread, control_block);
}

/* What a thread did comes before what all others do from now on: a handler of a signal may run in any. */
static void signal_all(struct races *races, uint32_t thread)
{
	struct race_channel sent = {0};
	race_clocks_send(races->clocks, thread, &sent);
	for (uint32_t i = 0; race_clocks_has(races->clocks, i); i++)
		race_clocks_receive(races->clocks, i, &sent);
}

void races_call(struct races *races, uint32_t number, uint32_t call, uint32_t unit, uint64_t stack)
{
	const uint32_t thread = running(races, number);
	const unsigned order = race_calls_order(call);
	struct unit *futex = order & RACE_FUTEX ? unit_of(races, unit) : NULL;
	if (thread == RACE_NO_THREAD)
		return;
	if (!races->stack[thread]) /* the first one, which nobody has made */
		races->stack[thread] = stack + FIRST_FRAMES;
	if (futex) {
		race_clocks_acquire(races->clocks, thread, &futex->released, RACE_STRONG);
		race_clocks_release(races->clocks, thread, &futex->released);
	}
	if (order & RACE_SENDS)
		race_clocks_send(races->clocks, thread, order & RACE_MEMORY ? &races->memory : &races->files);
	if (order & RACE_SIGNALS)
		signal_all(races, thread);
	races->returning[thread] = (struct returning){.order = order, .unit = unit};
}

void races_replaced(struct races *races, uint32_t number, bool waits)
{
	const uint32_t thread = race_clocks_thread(races->clocks, number);
	if (thread == RACE_NO_THREAD)
		return;
	races->returning[thread].has_waited |= waits;
	races->returning[thread].was_replaced |= !waits;
}

void races_locked(struct races *races, uint32_t number, uint64_t address)
{
	const uint32_t thread = running(races, number);
	if (thread != RACE_NO_THREAD)
		race_clocks_may_join(races->clocks, thread, address);
}

uint64_t races_time(struct races *races, uint32_t number)
{
	const uint32_t thread = race_clocks_thread(races->clocks, number);
	return thread == RACE_NO_THREAD ? UINT64_MAX : race_clocks_time(races->clocks, thread);
}

bool races_is_before(struct races *races, uint32_t earlier, uint64_t time, uint32_t thread)
{
	const uint32_t first = race_clocks_thread(races->clocks, earlier), second = running(races, thread);
	return first != RACE_NO_THREAD && second != RACE_NO_THREAD && time &&
	       race_clocks_is_ordered(races->clocks, RACE_STRONG, first, time, second);
}

bool races_is_gone(struct races *races, uint32_t ended, uint32_t thread)
{
	const uint32_t first = race_clocks_thread(races->clocks, ended),
		       second = race_clocks_thread(races->clocks, thread);
	return first != RACE_NO_THREAD && second != RACE_NO_THREAD && race_clocks_is_gone(races->clocks, first, second);
}

/* --- accesses --- */

/* Keeps a unit of a race in the place of one that has become atomic. */
static void note_unit(const struct races *races, struct race *race, uint32_t unit)
{
	for (unsigned i = 0; i < race->unit_count; i++)
		if (race->units[i] == unit || races->units[race->units[i]].is_atomic) {
			race->units[i] = unit;
			return;
		}
	if (race->unit_count < RACE_UNITS)
		race->units[race->unit_count++] = unit;
}

static void note_race(struct races *races, const struct kept *earlier, const struct race_access *access,
                      bool is_certain, bool is_unordered)
{
	const bool is_turned = earlier->place > access->place;
	const uint32_t low = is_turned ? access->place : earlier->place,
		       high = is_turned ? earlier->place : access->place;
	bool is_new;
	const uint32_t at = pair_table_index(&races->by_places, &races->secret, low, high, &is_new);
	if (at == PAIR_TABLE_NONE || !array_reserve(races->all, races->room, at + 1UL)) {
		races->left_out++;
		return;
	}
	struct race *race = &races->all[at];
	if (is_new) {
		*race = (struct race){.place = {low, high}, .address = access->address};
		race->thread[is_turned] = race_clocks_number(races->clocks, earlier->thread);
		race->thread[!is_turned] = access->thread;
		race->note[is_turned] = earlier->note;
		race->note[!is_turned] = access->note;
	}
	race->writes[is_turned] |= earlier->writes;
	race->reads[is_turned] |= earlier->reads;
	race->writes[!is_turned] |= access->writes;
	race->reads[!is_turned] |= access->reads;
	race->count++;
	race->orders |= (uint8_t)(1U << is_turned);
	race->is_certain |= is_certain;
	race->is_unordered |= is_unordered;
	note_unit(races, race, access->unit);
}

static bool may_be_atomic(bool is_locked, bool is_plain)
{
	return is_locked || !is_plain;
}

/* Whether an access may race with an earlier one: they have a byte in common, and one of them writes. */
static bool may_race(const struct kept *earlier, const struct race_access *access)
{
	return (earlier->bytes & access->bytes) && (earlier->writes || access->writes) &&
	       !(earlier->is_locked && access->is_locked);
}

/* The kept accesses with which this one may race, as bits, that nothing orders before what the thread does now, if each
 * plain store elsewhere released and each load acquired. */
static unsigned unordered_now(const struct races *races, const struct unit *unit, const struct race_access *access,
                              uint32_t thread)
{
	unsigned all = 0;
	for (unsigned i = 0; i < KEPT; i++)
		if (may_race(&unit->kept[i], access) &&
		    !race_clocks_is_ordered(races->clocks, RACE_FULL, unit->kept[i].thread, unit->kept[i].time, thread))
			all |= 1U << i;
	return all;
}

/* `unordered` is that of unordered_now, before the thread has acquired what the unit has. */
static void compare_with(struct races *races, const struct unit *unit, const struct race_access *access,
                         uint32_t thread, unsigned unordered)
{
	for (unsigned i = 0; i < KEPT; i++) {
		const struct kept *earlier = &unit->kept[i];
		if (!may_race(earlier, access) ||
		    race_clocks_is_ordered(races->clocks, RACE_STRONG, earlier->thread, earlier->time, thread))
			continue;
		const bool may_be = may_be_atomic(earlier->is_locked, earlier->is_plain) &&
		                    may_be_atomic(access->is_locked, access->is_plain);
		if (unit->is_atomic && may_be)
			continue;
		note_race(races, earlier, access,
		          !may_be && !race_clocks_is_ordered(races->clocks, RACE_FULL, earlier->thread, earlier->time,
		                                             thread),
		          unordered >> i & 1 && !earlier->is_locked && !access->is_locked);
	}
}

/* Keeps an access: in the place of an earlier one of the same instruction and thread, else of one that is free, else of
 * the thread's own, else of the first. */
static void keep_access(struct unit *unit, const struct race_access *access, uint32_t thread, uint64_t time)
{
	struct kept *best = &unit->kept[0];
	unsigned best_rank = 0;
	for (unsigned i = 0; i < KEPT; i++) {
		struct kept *kept = &unit->kept[i];
		const bool is_own = kept->bytes && kept->thread == thread,
			   is_covered = is_own && kept->writes == access->writes && kept->bytes == access->bytes;
		const unsigned rank = is_own && kept->place == access->place ? 4
		                      : !kept->bytes                         ? 3
		                      : is_covered                           ? 2
		                                                             : 0;
		if (rank > best_rank || (rank == best_rank && kept->time < best->time)) {
			best = kept;
			best_rank = rank;
		}
	}
	const uint8_t before = best_rank == 4 && best->time == time ? best->bytes : 0;
	*best = (struct kept){.time = time,
	                      .note = access->note,
	                      .place = access->place,
	                      .thread = (uint16_t)thread,
	                      .bytes = before | access->bytes,
	                      .reads = access->reads,
	                      .writes = access->writes,
	                      .is_locked = access->is_locked,
	                      .is_plain = access->is_plain};
}

/* The thread in whose stack an address is; RACE_NO_THREAD: none. */
static uint32_t owner_of(const struct races *races, uint64_t address)
{
	uint64_t nearest = STACK_BYTES;
	uint32_t owner = RACE_NO_THREAD;
	for (uint32_t i = 0; race_clocks_has(races->clocks, i); i++)
		if (races->stack[i] - address < nearest) {
			nearest = races->stack[i] - address;
			owner = i;
		}
	return owner;
}

/* The other thread on whose stack an access is, or RACE_NO_THREAD. Its own loads and stores there, relative to the
 * stack pointer, are no decision points: they may acquire what others write there, and release what others read. */
static uint32_t stack_owner(struct races *races, const struct race_access *access, uint32_t thread)
{
	const uint32_t owner = owner_of(races, access->address);
	return owner == thread ? RACE_NO_THREAD : owner;
}

static void order_unseen(struct races *races, uint32_t first, uint32_t second)
{
	if (first == RACE_NO_THREAD || second == RACE_NO_THREAD)
		return;
	race_clocks_release(races->clocks, first, &races->unseen);
	race_clocks_acquire(races->clocks, second, &races->unseen, RACE_FULL);
}

void races_access(struct races *races, const struct race_access *access)
{
	const uint32_t thread = running(races, access->thread);
	struct unit *unit = thread == RACE_NO_THREAD ? NULL : unit_of(races, access->unit);
	if (!unit || race_clocks_is_full(races->clocks)) {
		races->left_out++;
		return;
	}
	unit->is_atomic |= access->is_locked;
	const bool may_be = may_be_atomic(access->is_locked, access->is_plain);
	const unsigned unordered = unordered_now(races, unit, access, thread);
	if (may_be) /* a store, too: the unit has other bytes, which others may have released */
		race_clocks_acquire(races->clocks, thread, &unit->released, unit->is_atomic ? RACE_STRONG : RACE_FULL);
	const uint32_t owner = may_be ? stack_owner(races, access, thread) : RACE_NO_THREAD;
	if (access->reads)
		order_unseen(races, owner, thread);
	compare_with(races, unit, access, thread, unordered);
	keep_access(unit, access, thread, race_clocks_time(races->clocks, thread));
	if (may_be && access->writes)
		race_clocks_release(races->clocks, thread, &unit->released);
	if (access->writes)
		order_unseen(races, thread, owner);
}

/* --- what was found --- */

const struct race *races_all(struct races *races, size_t *count)
{
	*count = 0;
	for (size_t i = 0; i < races->by_places.count; i++) {
		const struct race race = races->all[i];
		bool is_kept = race.is_certain;
		for (unsigned k = 0; k < race.unit_count; k++)
			is_kept |= !races->units[race.units[k]].is_atomic;
		if (is_kept)
			races->all[(*count)++] = race;
	}
	races->by_places.count = (uint32_t)*count; /* no more are added */
	return races->all;
}

uint64_t races_left_out(const struct races *races)
{
	return races->left_out;
}
