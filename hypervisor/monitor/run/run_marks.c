/* SPDX-License-Identifier: MIT */
/* A thread reads a counter of the guest's, which it does not disturb, and adds a mark if the guest has gone on. */
#include "run/run_marks.h"

#include <string.h>
#include <time.h>

#include "abi/events.h"
#include "base/beside.h"
#include "net/net.h"
#include "record/record_log.h"
#include "record/recording.h"
#include "run/run_state.h"

#define FIRST_NS 50000000L /* the first mark, so that also a short run leaves one */
#define EACH_NS 500000000L

bool run_marks_are_counted(const struct run *run)
{
	return run->config->recording || run->config->replay_stop;
}

static uint64_t events_of(const struct run *run)
{
	const struct event_state *state = guest_memory_at(&run->memory, gpa(LAYOUT_EVENTS), sizeof(*state));
	return state ? __atomic_load_n(&state->returned, __ATOMIC_ACQUIRE) : 0;
}

/* All that the guest was given before it had come so far must be added first. */
static void add_mark(struct run *run)
{
	const struct record_mark mark = {events_of(run)};
	if (mark.events <= run->marks.last)
		return;
	run->marks.last = mark.events;
	if (run->net)
		net_mark(run->net, &mark);
	else
		recording_mark(run->config->recording, &mark);
}

/* Waits, and returns whether the thread is to go on. */
static bool rest(struct run_marks *marks, long ns)
{
	struct timespec end;
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_nsec += ns;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	pthread_mutex_lock(&marks->lock);
	while (!marks->ends && !pthread_cond_clockwait(&marks->ending, &marks->lock, CLOCK_MONOTONIC, &end))
		;
	const bool goes_on = !marks->ends;
	pthread_mutex_unlock(&marks->lock);
	return goes_on;
}

static void *mark_beside(void *context)
{
	struct run *run = context;
	for (long ns = FIRST_NS; rest(&run->marks, ns); ns = EACH_NS)
		add_mark(run);
	return NULL;
}

void run_marks_start(struct run *run)
{
	if (!run->config->recording || run->ended)
		return;
	pthread_mutex_init(&run->marks.lock, NULL);
	pthread_cond_init(&run->marks.ending, NULL);
	const int error = beside_create(&run->marks.thread, mark_beside, run);
	if (error)
		run_fail(run, "cannot start a thread: %s; raise 'ulimit -u'", strerror(error));
	run->marks.has_thread = !error;
}

void run_marks_end(struct run *run)
{
	if (!run->marks.has_thread)
		return;
	pthread_mutex_lock(&run->marks.lock);
	run->marks.ends = true;
	pthread_cond_signal(&run->marks.ending);
	pthread_mutex_unlock(&run->marks.lock);
	pthread_join(run->marks.thread, NULL);
	run->marks.has_thread = false;
	if (run->result->end == RUN_TIMEOUT || run->result->end == RUN_INTERRUPTED)
		add_mark(run);
}
