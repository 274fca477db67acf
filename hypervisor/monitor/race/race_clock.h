/* SPDX-License-Identifier: MIT */
/* Vector clocks of the threads of a run (Fidge 1988, Mattern 1989): what happens before what.
 *
 * There are two relations, each with clocks of its own. In the strong one, threads are ordered by what is known to be
 * synchronisation: kernel calls, the start and end of threads, locked instructions. The full one also takes each plain
 * store and the load that reads its value for a release and an acquire, because they may be atomics. So the full
 * relation orders all that the strong one orders.
 *
 * A thread's own time counts its releases in both relations. An access at time t of thread A comes before what thread B
 * does now if B's clock has at least t for A. */
#ifndef HYPERVISOR_RACE_CLOCK_H
#define HYPERVISOR_RACE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/** Accesses of more threads than these are not looked at. */
#define RACE_THREADS_MAX 256U
#define RACE_NO_THREAD RACE_THREADS_MAX

enum race_relation { RACE_STRONG, RACE_FULL, RACE_RELATIONS };

/** The clock of a thread at a moment. Several releases may share one. */
struct race_moment;

/** What a thread has released at a place where others acquire it. Zero-initialised: nothing. */
struct race_release {
	struct race_moment *moment[RACE_RELATIONS];
	uint32_t thread; /**< index */
	uint64_t time;   /**< its own time; 0: nothing was released */
};

/** A place where several threads release; a release does not acquire earlier ones. Zero-initialised: nothing. */
struct race_channel {
	uint64_t at[RACE_RELATIONS][RACE_THREADS_MAX];
};

struct race_clocks;

/** Returns clocks without threads, or NULL without memory. */
struct race_clocks *race_clocks_create(void);
void race_clocks_destroy(struct race_clocks *clocks);

/** Returns the index of the thread with a number, which it adds if it is new; RACE_NO_THREAD: there are too many. */
uint32_t race_clocks_thread(struct race_clocks *clocks, uint32_t number);

/** Whether there is a thread with an index, and its number. */
bool race_clocks_has(const struct race_clocks *clocks, uint32_t thread);
uint32_t race_clocks_number(const struct race_clocks *clocks, uint32_t thread);

/** Whether a release was lost because there was no memory: what looks unordered from then on may be ordered. */
bool race_clocks_is_full(const struct race_clocks *clocks);

/** The thread's time now. */
uint64_t race_clocks_time(const struct race_clocks *clocks, uint32_t thread);

/** Whether what `earlier` did at its `time` comes before what `thread` does now. */
bool race_clocks_is_ordered(const struct race_clocks *clocks, enum race_relation relation, uint32_t earlier,
                            uint64_t time, uint32_t thread);

/** Replaces a release by what the thread has done up to now. Without memory, the release keeps what it had. */
void race_clocks_release(struct race_clocks *clocks, uint32_t thread, struct race_release *to);

/** Orders a release before what the thread does from now on, in the relations from the first one given on. */
void race_clocks_acquire(struct race_clocks *clocks, uint32_t thread, const struct race_release *from,
                         enum race_relation first);

/** Frees what a release refers to. */
void race_release_fini(struct race_release *release);

/** The same with channels, in both relations. */
void race_clocks_send(struct race_clocks *clocks, uint32_t thread, struct race_channel *to);
void race_clocks_receive(struct race_clocks *clocks, uint32_t thread, const struct race_channel *from);

/** Orders what a thread has done before what another one does from now on. */
void race_clocks_order(struct race_clocks *clocks, uint32_t thread, uint32_t before);

/** A thread is made by another one, or ends. */
void race_clocks_made(struct race_clocks *clocks, uint32_t maker, uint32_t thread);
void race_clocks_ended(struct race_clocks *clocks, uint32_t thread, uint64_t control_block);

/** Whether a thread comes after the end of another one in every schedule: it was made after it, or has waited for it.
 */
bool race_clocks_is_gone(const struct race_clocks *clocks, uint32_t ended, uint32_t thread);

/** A thread accesses an address by a locked instruction. In the control block of a thread that has ended, it joins it.
 */
void race_clocks_may_join(struct race_clocks *clocks, uint32_t thread, uint64_t address);

#endif
