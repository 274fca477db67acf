/* SPDX-License-Identifier: MIT */
/* A slot is used again only if all that its last thread did comes before the new one's start. So its time goes on, and
 * no race between the two is missed. */
#include "tsan.h"

#include <sched.h>
#include <time.h>

#define HISTORY_MAX 4096U /* threads whose numbers are known */
#define SLICE (1 << 20)
/* A thread that waits in a loop yields so often, then sleeps for microseconds that double, so that what it waits for,
 * which may be another one's sleep, comes soon. */
#define YIELDS 8U
#define DOUBLINGS_MAX 10U

enum tsan_state tsan_state;
struct tsan_lost tsan_lost;
__thread struct thread *tsan_self __attribute__((tls_model("initial-exec")));
uint32_t threads_slots;

static struct thread *all[SLOTS]; /* by slot, also those that have ended */
static struct thread *spare;
static uint32_t made;
static __thread bool has_left __attribute__((tls_model("initial-exec")));
static struct {
	uint32_t slot, from, number;
} history[HISTORY_MAX];
static uint32_t history_count;

static struct thread *take_thread(void)
{
	struct thread *thread = spare;
	if (!thread)
		return memory_take(sizeof(*thread));
	spare = thread->next;
	__builtin_memset(thread, 0, offsetof(struct thread, frames));
	return thread;
}

/* A slot for a thread that `maker` makes: SLOTS: there is none. */
static uint32_t choose_slot(const struct thread *maker)
{
	for (uint32_t slot = 0; maker && slot < threads_slots; slot++) {
		struct thread *last = all[slot];
		if (last->has_ended && maker->clock.at[slot] >= last->clock.at[slot])
			return slot;
	}
	return threads_slots < SLOTS ? threads_slots++ : SLOTS;
}

struct thread *threads_make(struct thread *maker)
{
	const uint32_t slot = choose_slot(maker);
	made++;
	struct thread *thread = slot == SLOTS ? NULL : take_thread();
	if (!thread) {
		threads_slots -= slot < SLOTS && !all[slot];
		return NULL;
	}
	uint32_t from = 1;
	if (all[slot]) {
		from = all[slot]->clock.at[slot] + 1;
		all[slot]->next = spare;
		spare = all[slot];
	}
	all[slot] = thread;
	if (maker)
		thread->clock = maker->clock;
	thread->clock.at[slot] = from;
	thread->slot = slot;
	thread->number = made;
	thread->slice = SLICE;
	history[history_count % HISTORY_MAX].slot = slot;
	history[history_count % HISTORY_MAX].from = from;
	history[history_count++ % HISTORY_MAX].number = made;
	if (maker)
		threads_tick(maker);
	return thread;
}

void threads_init(void)
{
	tsan_self = threads_make(NULL);
	if (tsan_self)
		tsan_self->id = pthread_self();
}

void threads_follow_all(struct thread *thread)
{
	const uint32_t from = thread->clock.at[thread->slot];
	for (uint32_t i = 0; i < threads_slots; i++)
		clock_join(&thread->clock, &all[i]->clock);
	for (uint32_t i = 0; i < threads_slots; i++)
		threads_tick(all[i]);
	thread->clock.at[thread->slot] = from;
}

void threads_adopt(void)
{
	if (tsan_state != TSAN_ON || has_left)
		return;
	tsan_self = threads_make(NULL);
	if (!tsan_self)
		return;
	threads_follow_all(tsan_self);
	tsan_self->id = pthread_self();
}

void threads_drop(struct thread *thread)
{
	made--;
	threads_leave(thread);
}

void threads_leave(struct thread *ended)
{
	ended->has_ended = true;
	ended->id = 0;
}

void threads_end(void)
{
	struct thread *thread = tsan_self;
	has_left = true;
	tsan_self = NULL;
	if (thread && thread->is_detached)
		threads_leave(thread);
}

void clock_join(struct clock *to, const struct clock *from)
{
	for (uint32_t i = 0; i < threads_slots; i++)
		to->at[i] = to->at[i] > from->at[i] ? to->at[i] : from->at[i];
}

void threads_join(struct thread *joiner, struct thread *ended)
{
	if (joiner)
		clock_join(&joiner->clock, &ended->clock);
	threads_leave(ended);
}

struct thread *threads_by_id(pthread_t id)
{
	for (uint32_t i = 0; i < threads_slots; i++)
		if (all[i]->id == id && !all[i]->has_ended)
			return all[i];
	return NULL;
}

uint32_t threads_number(uint32_t slot, uint32_t time)
{
	const uint32_t oldest = history_count > HISTORY_MAX ? history_count - HISTORY_MAX : 0;
	for (uint32_t i = history_count; i-- > oldest;)
		if (history[i % HISTORY_MAX].slot == slot && history[i % HISTORY_MAX].from <= time)
			return history[i % HISTORY_MAX].number;
	return 0;
}

void threads_tick(struct thread *thread)
{
	thread->clock.at[thread->slot]++;
}

void threads_give_way(struct thread *thread, bool waits)
{
	thread->slice = SLICE;
	thread->waits = waits ? thread->waits + 1 : 0;
	if (thread->waits <= YIELDS) {
		sched_yield();
		return;
	}
	const unsigned doublings = thread->waits - YIELDS < DOUBLINGS_MAX ? thread->waits - YIELDS : DOUBLINGS_MAX;
	nanosleep(&(struct timespec){.tv_nsec = 1000L << doublings}, NULL);
}
