/* SPDX-License-Identifier: MIT */
/* The records that make up a schedule, and the window through which they go in and out. */
#ifndef ABI_SCHED_RECORD_H
#define ABI_SCHED_RECORD_H

#include <stdint.h>

/** Kinds of decisions, as a schedule file names them: X(name). */
#define SCHED_KIND_LIST(X) \
	X(preempt) /* the thread is replaced at a decision point, before `op` */ \
	X(tick)    /* the thread is replaced between two points, `detail` ticks after the previous record */ \
	X(block)   /* the thread waits, in `op` */ \
	X(yield)   /* the thread gives way, in `op` */ \
	X(exit)    /* the thread ends */ \
	X(wake)    /* of several waiters, thread `detail` is woken */ \
	X(timeout) /* of a wake-up and a timeout at the same moment, the timeout (detail 1) or the wake-up (0) counts \
	            */ \
	X(signal)  /* a signal for the process goes to thread `detail` */ \
	X(end)     /* the run ends */ \
	X(stop)    /* the run is stopped from outside, `detail` ticks after the previous record */ \
	X(jump) /* time jumps to the next timer or timeout though a thread is ready: before `op`, or without `op` when \
	         * the thread waits, yields or has ended */ \
	X(woken) /* the thread is replaced at the end of a call that woke or made threads, `detail` of them since the \
	          * previous record */

enum sched_kind {
#define SCHED_KIND_NUMBER(name) SCHED_KIND_##name,
	SCHED_KIND_LIST(SCHED_KIND_NUMBER)
#undef SCHED_KIND_NUMBER
		SCHED_KINDS
};

/** One line of a schedule: `thread` passes `points` decision points since the previous record, then the decision
 * follows. The next record's thread runs next. For preempt, the thread is replaced at the last point counted. */
struct sched_record {
	uint32_t thread;
	uint16_t kind; /**< enum sched_kind */
	uint16_t op;   /**< preempt, block, yield, jump: enum sched_op or system call number; else SCHED_OP_NONE */
	uint64_t points;
	uint64_t detail;
};

_Static_assert(sizeof(struct sched_record) == 24, "sched_record");

/** Number of records in the window. The guest rings DOORBELL_SCHEDULE when the window is full (record) or used up
 * (replay). When it records, the monitor takes the records before records_at. When it replays, the monitor puts in the
 * next records and sets records_count, 0 at the end of the schedule. Then it adds records_at to records_before, and
 * sets records_at to 0. A replay that is also recorded overwrites each record that it has followed. At the end of the
 * run the monitor takes the records that are left in the window. */
#define SCHED_WINDOW 262144

#endif
