/* SPDX-License-Identifier: MIT */
/* A lock is taken by the operation that changes its word from 0: while it is held, the word is not 0. This holds for
 * the locks of glibc, musl and Rust, and for most of one's own. An operation of a native program's pthread.h is the
 * lock's own, and its holder is known.
 *
 * A thread is shown before an operation, and may be replaced there. So the word is read at each look of any thread:
 * what a thread's operation has changed is seen at its next look, and what was there before at the last look of all. */
#include "analyze/analyze_locks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/sched_op.h"
#include "analyze/analyze_look.h"
#include "analyze/analyze_try.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "guest/guest_virtual.h"
#include "guest/linux_view.h"

#define EVENTS_MAX 20000 /* last events that are watched: half a second where a look takes 26 us */
#define HEAD "lock"      /* first word of a line that the child writes for each lock that was taken */

#define THREADS_KEPT 256 /* threads whose last looks are kept; of more, some acquisitions are not known */

/* A lock in the child, and the last time that it was taken. */
static struct watched {
	uint64_t object;
	uint32_t holder; /* by the report; 0: not known */
	struct plan_event event;
	bool is_taken, is_read;
	uint32_t word; /* with is_read: at the last look */
} watched[ANALYZE_LOCKS_MAX];
static unsigned watched_count; /* set by the parent before the run */

/* The page tables of the process that was shown last. Its address may be another word in another process. */
static uint64_t tables;

/* The last look of each thread, by its number. */
static struct sched_look last_looks[THREADS_KEPT];

/* --- in the child --- */

/* Notes what the thread's last operation has made of the word of a lock. */
static void note_change(struct watched *lock, const struct sched_look *last, uint32_t word)
{
	if (lock->is_read && !lock->word && word) {
		lock->is_taken = last->object == lock->object; /* otherwise by an instruction that is no point */
		lock->event = (struct plan_event){.thread = last->thread, .points = last->points};
	}
	lock->word = word;
	lock->is_read = true;
}

static void read_words(const struct sched_look *last, const struct guest_memory *memory)
{
	struct linux_view view;
	if (!linux_view_read(&view, memory))
		return;
	if (view.tables != tables)
		for (unsigned i = 0; i < watched_count; i++)
			watched[i].is_read = watched[i].is_taken = false;
	tables = view.tables;
	const struct guest_memory seen = linux_view_memory(&view, memory);
	for (unsigned i = 0; i < watched_count; i++) {
		uint32_t word;
		if (!guest_virtual_read(&seen, watched[i].object, &word, sizeof(word)))
			note_change(&watched[i], last, word);
	}
}

/* Notes an operation of a native program on its lock. If the holder takes it several times, the first one counts. */
static void note_operation(struct watched *lock, const struct sched_look *look)
{
	if (look->thread != lock->holder || look->object != lock->object)
		return;
	switch (look->op) {
	case SCHED_OP_pthread_mutex_lock:
	case SCHED_OP_pthread_rwlock_wrlock:
	case SCHED_OP_pthread_spin_lock:
		if (!lock->is_taken)
			lock->event = (struct plan_event){.thread = look->thread, .points = look->points};
		lock->is_taken = true;
		break;
	case SCHED_OP_pthread_mutex_unlock:
	case SCHED_OP_pthread_rwlock_unlock:
	case SCHED_OP_pthread_spin_unlock:
		lock->is_taken = false;
		break;
	default:
		break;
	}
}

static void watch_locks(void *context, const struct sched_look *look, const struct fault_report *,
                        const struct guest_memory *memory, const struct image *)
{
	const int *fd = context;
	if (look) {
		struct sched_look *last = &last_looks[look->thread % THREADS_KEPT];
		if (last->thread != look->thread)
			*last = (struct sched_look){.thread = look->thread};
		read_words(last, memory);
		*last = *look;
	}
	for (unsigned i = 0; i < watched_count; i++)
		if (look)
			note_operation(&watched[i], look);
		else if (watched[i].is_taken)
			dprintf(*fd, HEAD " %u %" PRIu32 " %" PRIu64 "\n", i, watched[i].event.thread,
			        watched[i].event.points);
}

/* --- in the parent --- */

/* The address at the end of "mutex m (0x404060)" or "futex at 0x404060"; 0: none. A name may have parentheses, too. */
static uint64_t object_in(const char *line, size_t bytes)
{
	for (const char *at = line + bytes; at-- > line;)
		if (!strncmp(at, " at 0x", 6) || !strncmp(at, " (0x", 4))
			return strtoull(strchr(at, 'x') + 1, NULL, 16);
	return 0;
}

/* Takes a line of the report of the deadlock, "thread 2 waits for mutex m (0x404060), which thread 3 holds". */
static void take_line(struct analyze *analyze, const char *line, size_t bytes)
{
	static const char wait[] = " wait", which[] = ", which thread ", itself[] = ", which it holds itself",
			  ends[] = " for end of thread ";
	struct analyze_lock lock = {0};
	const char *waits = memmem(line, bytes, wait, strlen(wait));
	if (!waits || (sscanf(line, "thread %" SCNu32, &lock.waiter) != 1 &&
	               sscanf(line, "%*u threads (%" SCNu32, &lock.waiter) != 1))
		return;
	const size_t left = bytes - (size_t)(waits - line); /* a thread's name may be what follows it here */
	const char *end = memmem(waits, left, which, strlen(which));
	if (end)
		sscanf(end + strlen(which), "%" SCNu32, &lock.holder);
	else if ((end = memmem(waits, left, itself, strlen(itself))))
		lock.holder = lock.waiter;
	end = end ? end : line + bytes;
	const char *joined = memmem(waits, (size_t)(end - waits), ends, strlen(ends));
	if (joined)
		sscanf(joined + strlen(ends), "%" SCNu32, &lock.holder);
	lock.object = object_in(waits, (size_t)(end - waits));
	lock.is_lock = lock.holder || memmem(waits, (size_t)(end - waits), " for mutex", 10);
	const bool may_be = lock.is_lock || memmem(waits, (size_t)(end - waits), " for futex", 10);
	if (may_be && (lock.object || joined) && analyze->lock_count < ANALYZE_LOCKS_MAX)
		analyze->locks[analyze->lock_count++] = lock;
}

static void take_lines(struct analyze *analyze)
{
	for (const char *line = analyze->stacks, *end; *line; line = end + (*end == '\n')) {
		end = strchrnul(line, '\n');
		if (*line != ' ')
			take_line(analyze, line, (size_t)(end - line));
	}
}

/* Adds that each thread is shown before each of the last events. */
static void add_events(struct plan *plan, const struct plan_events *events)
{
	const size_t room = plan->count < SCHED_PLAN_MAX ? SCHED_PLAN_MAX - plan->count : 0;
	const size_t most = room < EVENTS_MAX ? room : EVENTS_MAX;
	for (size_t i = events->count > most ? events->count - most : 0; i < events->count; i++) {
		const struct sched_plan entry = {
			.thread = events->at[i].thread, .kind = SCHED_PLAN_look, .points = events->at[i].points};
		if (entry.points && !events->at[i].part)
			memory_check(plan_add(plan, &entry));
	}
}

/* Sets the plan that does what the failing schedule did, and its events. */
static bool plan_given(struct analyze *analyze, struct plan *plan, struct plan_events *events)
{
	struct error error; /* a schedule that is too long: a later step says so */
	return !plan_of_schedule(plan, &analyze->given, &error) && !plan_add_stays(plan, &analyze->given, &error) &&
	       !plan_events_of_schedule(events, &analyze->given, &error);
}

/* Takes what the child has written, unless the memory of the program says that another thread holds the lock. */
static void take_seen(struct analyze *analyze, const char *seen)
{
	struct plan_event event = {0};
	unsigned i;
	for (const char *line = seen; line && *line; line = strchr(line, '\n'), line += line != NULL) {
		if (sscanf(line, HEAD " %u %" SCNu32 " %" SCNu64, &i, &event.thread, &event.points) != 3 ||
		    i >= analyze->lock_count)
			continue;
		struct analyze_lock *lock = &analyze->locks[i];
		lock->taken = event;
		lock->is_taken = !lock->holder || lock->holder == event.thread;
	}
}

/* Watches the locks in a run of the same schedule. Returns false if the analysis is stopped. */
static bool watch(struct analyze *analyze, const struct plan *given, const struct plan_events *events)
{
	struct analyze_try made = {.step = "locks", .looked = watch_locks};
	for (size_t i = 0; i < given->count; i++)
		memory_check(plan_add(&made.plan, &given->entries[i]));
	add_events(&made.plan, events);
	plan_order(&made.plan);
	watched_count = analyze->lock_count;
	for (unsigned i = 0; i < watched_count; i++)
		watched[i] = (struct watched){.object = analyze->locks[i].object, .holder = analyze->locks[i].holder};
	const bool goes_on = analyze_try_all(analyze, &made, 1);
	if (goes_on && made.result == TRY_FAILS)
		take_seen(analyze, made.seen);
	plan_fini(&made.plan);
	analyze_try_fini(&made);
	return goes_on;
}

/* Shows the stacks where the locks were taken. */
static bool show(struct analyze *analyze, struct plan *plan)
{
	bool any = false;
	for (unsigned i = 0; i < analyze->lock_count; i++) {
		const struct analyze_lock *lock = &analyze->locks[i];
		if (lock->is_taken)
			analyze_look_add(plan, lock->taken.thread, lock->taken.points);
		any = any || lock->is_taken;
	}
	return !any || analyze_look_at(analyze, plan, &analyze->lock_looks);
}

bool analyze_locks_find(struct analyze *analyze)
{
	struct plan plan = {0};
	struct plan_events events = {0};
	bool goes_on = true;
	if (strcmp(analyze->end, "deadlock"))
		return true;
	take_lines(analyze);
	if (analyze->lock_count && plan_given(analyze, &plan, &events))
		goes_on = watch(analyze, &plan, &events) && show(analyze, &plan);
	plan_events_fini(&events);
	plan_fini(&plan);
	return goes_on;
}

const struct analyze_look *analyze_locks_look(const struct analyze *analyze, const struct analyze_lock *lock)
{
	return lock->is_taken ? analyze_look_find(&analyze->lock_looks, lock->taken.thread, lock->taken.points) : NULL;
}

/* The lock that a thread waits for, if it is known which thread holds it. */
static const struct analyze_lock *awaited_by(const struct analyze *analyze, uint32_t thread)
{
	for (unsigned i = 0; i < analyze->lock_count; i++)
		if (analyze->locks[i].waiter == thread && analyze->locks[i].is_lock &&
		    (analyze->locks[i].holder || analyze->locks[i].is_taken))
			return &analyze->locks[i];
	return NULL;
}

static uint32_t holder_of(const struct analyze_lock *lock)
{
	return lock->holder ? lock->holder : lock->taken.thread;
}

/* Whether the locks lead from one thread to itself, and one of the holders on the way was not known before. */
static bool is_new_cycle(const struct analyze *analyze, uint32_t thread)
{
	const struct analyze_lock *lock = awaited_by(analyze, thread);
	bool is_new = false;
	for (unsigned i = 0; lock && i < ANALYZE_LOCKS_MAX; i++) {
		is_new = is_new || !lock->holder;
		if (holder_of(lock) == thread)
			return is_new;
		lock = awaited_by(analyze, holder_of(lock));
	}
	return false;
}

char *analyze_locks_cycle(const struct analyze *analyze)
{
	const struct analyze_lock *lock = NULL;
	struct text_made made;
	for (unsigned i = 0; !lock && i < analyze->lock_count; i++)
		if (is_new_cycle(analyze, analyze->locks[i].waiter))
			lock = &analyze->locks[i];
	if (!lock)
		return NULL;
	FILE *to = text_open(&made);
	const uint32_t first = lock->waiter;
	fprintf(to, "thread %" PRIu32 " waits for %s", first, holder_of(lock) == first ? "itself" : "");
	while (holder_of(lock) != first) {
		fprintf(to, "thread %" PRIu32 ", which waits for ", holder_of(lock));
		lock = awaited_by(analyze, holder_of(lock));
	}
	if (lock->waiter != first)
		fprintf(to, "thread %" PRIu32, first);
	return text_close(&made);
}
