/* SPDX-License-Identifier: MIT */
/* A moment is made when a thread releases something and its clock has changed since its last moment, so that a thread
 * that stores a thousand times makes one. A thread's own time is not in its moments, but in its releases. */
#include "race/race_clock.h"

#include <stdlib.h>
#include <string.h>

#define MOMENTS_MAX (128UL << 20) /* bytes of all moments */
#define CONTROL_BLOCK_BYTES 4096  /* more than glibc and musl have behind the FS base */

struct race_moment {
	uint64_t *bytes; /* race_clocks.bytes */
	uint32_t uses, count;
	uint64_t at[]; /* `count` threads; the others' is 0 */
};

struct race_thread {
	uint32_t number;
	uint64_t time;
	uint64_t clock[RACE_RELATIONS][RACE_THREADS_MAX];
	struct race_moment *moment[RACE_RELATIONS]; /* NULL: the clock has changed */
	struct race_release birth, end;
	uint64_t joined[RACE_THREADS_MAX / 64]; /* by index: threads whose end it has waited for */
	uint64_t control_block;                 /* once it has ended; 0: none is known */
};

struct race_clocks {
	struct race_thread *threads[RACE_THREADS_MAX];
	uint32_t count, found; /* found: index of the thread that was looked for last */
	uint64_t bytes;        /* of all moments */
	bool is_full;
	uint32_t ended[RACE_THREADS_MAX], ended_count; /* threads with a control block */
};

struct race_clocks *race_clocks_create(void)
{
	return calloc(1, sizeof(struct race_clocks));
}

static uint64_t clock_bytes(uint32_t count)
{
	return sizeof(struct race_moment) + count * sizeof(uint64_t);
}

static void drop_moment(struct race_moment **moment)
{
	if (*moment && !--(*moment)->uses) {
		*(*moment)->bytes -= clock_bytes((*moment)->count);
		free(*moment);
	}
	*moment = NULL;
}

bool race_clocks_is_full(const struct race_clocks *clocks)
{
	return clocks->is_full;
}

void race_release_fini(struct race_release *release)
{
	for (unsigned relation = 0; relation < RACE_RELATIONS; relation++)
		drop_moment(&release->moment[relation]);
	release->time = 0;
}

void race_clocks_destroy(struct race_clocks *clocks)
{
	for (uint32_t i = 0; clocks && i < clocks->count; i++) {
		struct race_thread *thread = clocks->threads[i];
		for (unsigned relation = 0; relation < RACE_RELATIONS; relation++)
			drop_moment(&thread->moment[relation]);
		race_release_fini(&thread->birth);
		race_release_fini(&thread->end);
		free(thread);
	}
	free(clocks);
}

uint32_t race_clocks_thread(struct race_clocks *clocks, uint32_t number)
{
	if (clocks->found < clocks->count && clocks->threads[clocks->found]->number == number)
		return clocks->found;
	for (uint32_t i = clocks->count; i--;)
		if (clocks->threads[i]->number == number)
			return clocks->found = i;
	struct race_thread *thread = clocks->count < RACE_THREADS_MAX ? calloc(1, sizeof(*thread)) : NULL;
	if (!thread)
		return RACE_NO_THREAD;
	thread->number = number;
	thread->time = 1;
	clocks->threads[clocks->count] = thread;
	return clocks->count++;
}

bool race_clocks_has(const struct race_clocks *clocks, uint32_t thread)
{
	return thread < clocks->count;
}

uint32_t race_clocks_number(const struct race_clocks *clocks, uint32_t thread)
{
	return clocks->threads[thread]->number;
}

uint64_t race_clocks_time(const struct race_clocks *clocks, uint32_t thread)
{
	return clocks->threads[thread]->time;
}

bool race_clocks_is_ordered(const struct race_clocks *clocks, enum race_relation relation, uint32_t earlier,
                            uint64_t time, uint32_t thread)
{
	return earlier == thread || clocks->threads[thread]->clock[relation][earlier] >= time;
}

/* The thread's clock as it is now. NULL: no memory. */
static struct race_moment *moment_of(struct race_clocks *clocks, struct race_thread *thread, unsigned relation)
{
	struct race_moment *moment = thread->moment[relation];
	if (moment)
		return moment;
	const uint64_t bytes = clock_bytes(clocks->count);
	moment = clocks->bytes + bytes <= MOMENTS_MAX ? malloc(bytes) : NULL;
	clocks->is_full |= !moment;
	if (!moment)
		return NULL;
	clocks->bytes += bytes;
	moment->bytes = &clocks->bytes;
	moment->uses = 1;
	moment->count = clocks->count;
	memcpy(moment->at, thread->clock[relation], clocks->count * sizeof(moment->at[0]));
	thread->moment[relation] = moment;
	return moment;
}

void race_clocks_release(struct race_clocks *clocks, uint32_t index, struct race_release *to)
{
	struct race_thread *thread = clocks->threads[index];
	struct race_moment *now[RACE_RELATIONS];
	for (unsigned relation = 0; relation < RACE_RELATIONS; relation++) {
		now[relation] = moment_of(clocks, thread, relation);
		if (!now[relation])
			return;
	}
	for (unsigned relation = 0; relation < RACE_RELATIONS; relation++) {
		now[relation]->uses++;
		drop_moment(&to->moment[relation]);
		to->moment[relation] = now[relation];
	}
	to->thread = index;
	to->time = thread->time++;
}

/* Raises a clock to others, each of `count` threads. */
static void join_clock(struct race_thread *thread, unsigned relation, const uint64_t *at, uint32_t count)
{
	uint64_t *clock = thread->clock[relation];
	for (uint32_t i = 0; i < count; i++)
		clock[i] = at[i] > clock[i] ? at[i] : clock[i];
	drop_moment(&thread->moment[relation]);
}

void race_clocks_acquire(struct race_clocks *clocks, uint32_t index, const struct race_release *from,
                         enum race_relation first)
{
	struct race_thread *thread = clocks->threads[index];
	if (!from->time || from->thread == index)
		return;
	for (unsigned relation = first; relation < RACE_RELATIONS; relation++) {
		uint64_t *time = &thread->clock[relation][from->thread];
		if (*time >= from->time)
			continue; /* what was known of that thread then includes what it knew */
		join_clock(thread, relation, from->moment[relation]->at, from->moment[relation]->count);
		*time = from->time;
	}
}

void race_clocks_send(struct race_clocks *clocks, uint32_t index, struct race_channel *to)
{
	struct race_thread *thread = clocks->threads[index];
	for (unsigned relation = 0; relation < RACE_RELATIONS; relation++) {
		for (uint32_t i = 0; i < clocks->count; i++)
			if (thread->clock[relation][i] > to->at[relation][i])
				to->at[relation][i] = thread->clock[relation][i];
		to->at[relation][index] = thread->time;
	}
	thread->time++;
}

void race_clocks_receive(struct race_clocks *clocks, uint32_t index, const struct race_channel *from)
{
	for (unsigned relation = 0; relation < RACE_RELATIONS; relation++)
		join_clock(clocks->threads[index], relation, from->at[relation], clocks->count);
}

static void note_join(struct race_clocks *clocks, uint32_t thread, uint32_t ended)
{
	clocks->threads[thread]->joined[ended / 64] |= 1UL << ended % 64;
}

void race_clocks_order(struct race_clocks *clocks, uint32_t thread, uint32_t before)
{
	struct race_release release = {0};
	if (clocks->threads[before]->end.time)
		note_join(clocks, thread, before);
	race_clocks_release(clocks, before, &release);
	race_clocks_acquire(clocks, thread, &release, RACE_STRONG);
	race_release_fini(&release);
}

void race_clocks_made(struct race_clocks *clocks, uint32_t maker, uint32_t thread)
{
	struct race_release *birth = &clocks->threads[thread]->birth;
	race_clocks_release(clocks, maker, birth);
	race_clocks_acquire(clocks, thread, birth, RACE_STRONG);
}

void race_clocks_ended(struct race_clocks *clocks, uint32_t index, uint64_t control_block)
{
	struct race_thread *thread = clocks->threads[index];
	if (thread->end.time)
		return;
	race_clocks_release(clocks, index, &thread->end);
	thread->control_block = control_block;
	if (control_block && thread->end.time)
		clocks->ended[clocks->ended_count++] = index;
}

bool race_clocks_is_gone(const struct race_clocks *clocks, uint32_t ended, uint32_t thread)
{
	const struct race_release *end = &clocks->threads[ended]->end, *birth = &clocks->threads[thread]->birth;
	if (end->time && clocks->threads[thread]->joined[ended / 64] >> ended % 64 & 1)
		return true;
	if (!end->time || !birth->time)
		return false;
	if (birth->thread == ended)
		return birth->time > end->time;
	const struct race_moment *known = birth->moment[RACE_STRONG];
	return ended < known->count && known->at[ended] >= end->time;
}

void race_clocks_may_join(struct race_clocks *clocks, uint32_t thread, uint64_t address)
{
	for (uint32_t i = 0; i < clocks->ended_count; i++) {
		const struct race_thread *ended = clocks->threads[clocks->ended[i]];
		if (address - ended->control_block >= CONTROL_BLOCK_BYTES)
			continue;
		race_clocks_acquire(clocks, thread, &ended->end, RACE_STRONG);
		note_join(clocks, thread, clocks->ended[i]);
	}
}
