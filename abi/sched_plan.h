/* SPDX-License-Identifier: MIT */
/* A plan, which policy near follows, and what it shows the monitor of a thread. */
#ifndef ABI_SCHED_PLAN_H
#define ABI_SCHED_PLAN_H

#include <stdint.h>

/** Entries of a plan, which policy near follows as far as they fit. A thread's operation p is what it does from its
 * p-th decision point on up to the next one; operation 0 is its start. X(name, "what it does"). */
#define SCHED_PLAN_LIST(X) \
	X(point)  /* thread is replaced by `next` before its operation `points` */ \
	X(wait)   /* thread is replaced by `next` when it waits, yields or ends in operation `points` */ \
	X(after)  /* as wait, or at the latest before operation points + 1 */ \
	X(tick)   /* thread is replaced by `next` in operation `points`, `ticks` of running time after the last anchor \
	           */ \
	X(anchor) /* the running time for `tick` counts from operation `points` on */ \
	X(choice) /* thread `next`, or of two options the one with this index, is chosen in operation `points` */ \
	X(hold)   /* thread does not begin operation `points`, or with `part` its rest after so many decisions, before \
	             thread `next` has done SCHED_HOLD_PART of its operation SCHED_HOLD_OPERATION (of `ticks`) */ \
	X(look)   /* the monitor is shown where thread is before operation `points` */ \
	X(woken)  /* thread is replaced by `next` at the end of a call in operation `points` that wakes or makes \
	             threads */ \
	X(jump)   /* time jumps when thread waits, yields or ends in operation `points` */ \
	X(leap)   /* time jumps before thread's operation `points` */ \
	X(stay)   /* thread goes on when it yields in operations `points` up to `ticks`, without that one, or when a \
	             slice ends there */

enum sched_plan_kind {
#define SCHED_PLAN_NUMBER(name) SCHED_PLAN_##name,
	SCHED_PLAN_LIST(SCHED_PLAN_NUMBER)
#undef SCHED_PLAN_NUMBER
		SCHED_PLAN_KINDS
};

/** What became of an entry. */
enum sched_plan_use {
	SCHED_PLAN_UNUSED,
	SCHED_PLAN_SAME,  /**< it fitted, and chose what would have been chosen without it; hold: it lasts */
	SCHED_PLAN_OTHER, /**< it fitted, and made a difference */
	SCHED_PLAN_VAIN,  /**< hold: no other thread could run, so it did not wait */
};

/** One entry. They are ordered by thread, points and part; at most SCHED_PLAN_MAX. */
struct sched_plan {
	uint32_t thread;
	uint32_t next;
	uint16_t kind; /**< enum sched_plan_kind */
	uint16_t use;  /**< enum sched_plan_use, which the guest sets */
	uint32_t part; /**< wait, after, choice, hold, woken, jump: decisions made since the operation began, other than
	                * at points and of jumps */
	uint64_t points; /**< number of the thread's own operation */
	uint64_t ticks;  /**< tick: running time since the last anchor; hold: SCHED_HOLD, of thread `next`; choice: its
	                  * enum  sched_kind; woken: threads woken since a leap before that operation, where it comes
	                  * true  as well,  0: none; stay: the first operation in which it no longer applies */
};

/** hold: `ticks`, of the operation of thread `next` and the part of it, which is less than 2^16. */
#define SCHED_HOLD(operation, part) ((uint64_t)(part) << 48 | (operation))
#define SCHED_HOLD_OPERATION(ticks) ((ticks) & ((1UL << 48) - 1))
#define SCHED_HOLD_PART(ticks) ((ticks) >> 48)

#define SCHED_PLAN_MAX 262144 /* what the schedule area has room for */

/** What an entry `look` shows the monitor, by DOORBELL_SCHEDULE. */
struct sched_look {
	uint32_t wanted; /**< 1: the other members are set; the monitor resets it */
	uint32_t thread;
	uint64_t points; /**< number of the operation that it is about to begin */
	uint64_t op;     /**< enum sched_op or system call number; perhaps with SCHED_LOOK_LOADED */
	uint64_t object; /**< its address; 0: none */
};

/** The operation is a store whose instruction has loaded from the same place before, in the operation before. */
#define SCHED_LOOK_LOADED (1UL << 32)

_Static_assert(sizeof(struct sched_plan) == 32, "sched_plan");

#endif
