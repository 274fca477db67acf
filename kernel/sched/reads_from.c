/* SPDX-License-Identifier: MIT */
/* Two hash tables with linear probing, in the schedule area. Entries of earlier runs, or tries, have another epoch and
 * count as free, so nothing is cleared. What is noted depends on the run alone, and leaves no trace in it.
 *
 * A point is passed before the access that it is about, and another thread may run in between. So the access is noted
 * as the thread's next one, and takes place when the thread is chosen to go on.
 *
 * Until the second thread is made, points do not ask, so that programs get through their beginning at full speed.
 *
 * A lock that is taken after a wait has no second point: it counts where the thread first asked for it. When a table is
 * nearly full, further objects or pairs are left out. */
#include "kernel/sched/reads_from.h"

#include "abi/sched_area.h"
#include "kernel/sched/arm.h"

#define PAIRS_MAX (SCHED_PAIRS / 4 * 3) /* probing stays short up to here */
#define WRITERS_MAX (SCHED_WRITERS / 4 * 3)
#define FIBONACCI 0x9e3779b97f4a7c15UL /* multiplicative hashing */

static struct sched_reads *reads(void)
{
	return &sched_area()->reads;
}

void reads_from_begin(void)
{
	if (!reads_from_is_noted())
		return;
	reads()->epoch++;
	reads()->signature = 0;
	reads()->pairs = 0;
	reads()->writers = 0;
}

void reads_from_created(const struct thread *thread)
{
	if (!reads_from_is_noted())
		return;
	sched_area()->pending[thread->slot].epoch = 0;
	arm_points_again();
}

static bool is_access(uint64_t op)
{
	return op >= SCHED_OP_FIRST && op != SCHED_OP_pthread_create && op != SCHED_OP_pthread_join &&
	       op != SCHED_OP_pthread_exit && op != SCHED_OP_pthread_cancel;
}

static bool is_plain(uint64_t op)
{
	return op == SCHED_OP_load || op == SCHED_OP_store || op == SCHED_OP_atomic;
}

/* The callers of functions for locks are not known, so the lock stands for them. */
static uint32_t site_of(uint64_t op, uint64_t object, uint64_t place)
{
	const uint64_t site = is_plain(op) ? place : (object * FIBONACCI ^ op * FIBONACCI << 7) >> 33;
	return site & SCHED_SITE_MASK;
}

void reads_from_note(uint64_t op, const void *object, uint64_t place)
{
	struct sched_pending *pending = &sched_area()->pending[thread_current->slot];
	if (!object || !is_access(op) || !reads_from_has_begun()) {
		pending->epoch = 0;
		return;
	}
	*pending = (struct sched_pending){
		.object = (uint64_t)object / 8,
		.epoch = reads()->epoch,
		.site = site_of(op, (uint64_t)object / 8, place),
		.op = (uint16_t)op,
	};
}

const struct sched_pending *reads_from_pending(const struct thread *thread)
{
	const struct sched_pending *pending = &sched_area()->pending[thread->slot];
	return pending->epoch == reads()->epoch ? pending : NULL;
}

/* The entry of an object, or the free one where it would be. */
static struct sched_writer *writer_of(uint64_t object)
{
	unsigned at = (unsigned)(object * FIBONACCI >> (64 - SCHED_WRITERS_SHIFT));
	for (;; at = (at + 1) % SCHED_WRITERS) {
		struct sched_writer *writer = &reads()->writer[at];
		if (writer->epoch != reads()->epoch || writer->object == object)
			return writer;
	}
}

const struct sched_writer *reads_from_writer(uint64_t object)
{
	const struct sched_writer *writer = writer_of(object);
	return writer->epoch == reads()->epoch ? writer : NULL;
}

/* The entry of a pair, or the free one where it would be. */
static struct sched_pair *pair_entry(uint64_t pair)
{
	unsigned at = (unsigned)(pair * FIBONACCI >> (64 - SCHED_PAIRS_SHIFT));
	for (;; at = (at + 1) % SCHED_PAIRS) {
		struct sched_pair *entry = &reads()->table[at];
		if (entry->epoch != reads()->epoch || entry->pair == pair)
			return entry;
	}
}

bool reads_from_has(uint64_t pair)
{
	return pair_entry(pair)->epoch == reads()->epoch;
}

/* Spreads the bits of a pair over a word, so that sums of such words differ if the sets do: the end of SplitMix64
 * (Steele, Lea and Flood 2014). */
static uint64_t mixed(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9UL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebUL;
	return z ^ z >> 31;
}

static void add_pair(uint64_t pair)
{
	struct sched_pair *entry = pair_entry(pair);
	if (entry->epoch == reads()->epoch || reads()->pairs == PAIRS_MAX)
		return;
	*entry = (struct sched_pair){pair, reads()->epoch};
	if (reads()->pairs < SCHED_PAIRS_LISTED)
		reads()->listed[reads()->pairs] = pair;
	reads()->pairs++;
	reads()->signature += mixed(pair);
}

static void set_writer(struct sched_writer *writer, const struct sched_pending *access, uint32_t thread)
{
	if (writer->epoch != reads()->epoch) {
		if (reads()->writers == WRITERS_MAX)
			return;
		reads()->writers++;
	}
	*writer = (struct sched_writer){access->object, reads()->epoch, access->site, thread};
}

void reads_from_go_on(const struct thread *thread)
{
	if (!reads_from_is_noted())
		return;
	struct sched_pending *access = &sched_area()->pending[thread->slot];
	if (access->epoch != reads()->epoch)
		return;
	struct sched_writer *writer = writer_of(access->object);
	if (writer->epoch == reads()->epoch && writer->thread != thread->number && reads_from_reads(access->op))
		add_pair((uint64_t)writer->site << 32 | access->site);
	if (reads_from_writes(access->op))
		set_writer(writer, access, thread->number);
	access->epoch = 0;
}
