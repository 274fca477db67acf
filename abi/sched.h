/* SPDX-License-Identifier: MIT */
/* Scheduling decisions: what the monitor asks of the scheduler, and the records of which schedules are made.
 *
 * A decision point is a place at which the running thread could be replaced by another: before each kernel call, before
 * each function of pthread.h that others can notice, and with -fpreempt=memory before each access to shared memory. A
 * thread counts the points it passes. All that depends on the policy (its state, its random numbers, how far away the
 * next decision is) lies in the boot area and in the schedule area and nowhere else: a recorded schedule that is
 * replayed must leave the same memory behind. */
#ifndef ABI_SCHED_H
#define ABI_SCHED_H

#include <stdint.h>

#include "abi/layout.h"

/** Policies: X(name, "what it does"). The parameters of each are in docs/scheduling.md. */
#define SCHED_POLICY_LIST(X) \
	X(fifo, "a thread runs until it blocks") \
	X(rr, "as fifo, but for a quantum at the most") \
	X(random, "any thread goes on at each decision point") \
	X(pct, "random priorities that change at random points (Burckhardt 2010)") \
	X(pos, "random priorities of events, partial-order sampling (Yuan 2018)") \
	X(surw, "selectively uniform random walk (Zhao 2025)") \
	X(replay, "as a schedule file says")

enum sched_policy_id {
#define SCHED_POLICY_ID(name, text) SCHED_##name,
	SCHED_POLICY_LIST(SCHED_POLICY_ID)
#undef SCHED_POLICY_ID
		SCHED_POLICIES
};

/** A tick is a quarter of a nanosecond of virtual time. */
#define TICKS_PER_NS 4

/** Threads that can exist at once. */
#define THREADS_MAX 32768

/* What a decision point stands before: below SCHED_OP_FIRST the number of a system call, then one of these. The list
 * is append-only: numbers are part of the determinism contract. X(name). */
#define SCHED_OP_FIRST 512
#define SCHED_OP_LIST(X) \
	X(load) \
	X(store) \
	X(atomic) \
	X(pthread_create) \
	X(pthread_join) \
	X(pthread_exit) \
	X(pthread_cancel) \
	X(pthread_mutex_lock) \
	X(pthread_mutex_trylock) \
	X(pthread_mutex_unlock) \
	X(pthread_cond_wait) \
	X(pthread_cond_signal) \
	X(pthread_cond_broadcast) \
	X(pthread_rwlock_rdlock) \
	X(pthread_rwlock_wrlock) \
	X(pthread_rwlock_unlock) \
	X(pthread_barrier_wait) \
	X(pthread_spin_lock) \
	X(pthread_spin_unlock) \
	X(pthread_once) \
	X(sem_wait) \
	X(sem_post) \
	X(libc_lock)

enum sched_op {
	SCHED_OP_NONE = SCHED_OP_FIRST - 1,
#define SCHED_OP_NUMBER(name) SCHED_OP_##name,
	SCHED_OP_LIST(SCHED_OP_NUMBER)
#undef SCHED_OP_NUMBER
		SCHED_OP_END
};

/** Decisions, as a schedule file names them: X(name). */
#define SCHED_KIND_LIST(X) \
	X(preempt) /* replaced at a decision point, before `op` */ \
	X(tick)    /* replaced between two, when `detail` ticks had passed since the record before */ \
	X(block)   /* cannot go on: waits, in `op` */ \
	X(yield)   /* gave way, in `op` */ \
	X(exit)    /* the thread's end */ \
	X(wake)    /* of those who wait for the same, thread `detail` is woken */ \
	X(timeout) /* of a wake-up and a timeout at the same moment, the timeout (detail 1) or the wake-up (0) counts \
	            */ \
	X(signal)  /* a signal for the process goes to thread `detail` */ \
	X(end)     /* the run's end */ \
	X(stop)    /* it was stopped from outside, when `detail` ticks had passed since the record before */

enum sched_kind {
#define SCHED_KIND_NUMBER(name) SCHED_KIND_##name,
	SCHED_KIND_LIST(SCHED_KIND_NUMBER)
#undef SCHED_KIND_NUMBER
		SCHED_KINDS
};

/**
 * One line of a schedule: `thread` passes `points` decision points, counted since the record before, and then comes
 * the decision. Who runs next is the next record's thread. For preempt, the last point counted is the one at which it
 * is replaced.
 */
struct sched_record {
	uint32_t thread;
	uint16_t kind; /**< enum sched_kind */
	uint16_t op;   /**< preempt, block, yield: enum sched_op or system call number; else SCHED_OP_NONE */
	uint64_t points;
	uint64_t detail;
};

_Static_assert(sizeof(struct sched_record) == 24, "sched_record");

#define SCHED_FLAG_RECORD 1U  /**< write records */
#define SCHED_FLAG_ACCOUNT 2U /**< keep the accounts of threads that have ended, for --summary */
#define SCHED_PARAMETERS 6

/** What boot_info says of the scheduler. All zero: fifo, nothing recorded, no schedule area. */
struct boot_sched {
	uint32_t policy; /**< enum sched_policy_id */
	uint32_t
		flags; /**< SCHED_FLAG_*; the schedule area is mapped when they, or a policy but fifo and rr, are set */
	uint64_t seed; /**< --sched-seed */
	uint64_t parameters[SCHED_PARAMETERS]; /**< by policy; 0: the default */
	uint64_t counts;                       /**< surw: how many of sched_area.counts are given */
};

/** What a thread did, for --summary; in the schedule area. */
struct sched_account {
	uint32_t thread; /**< its number, 0: the slot was never used */
	uint32_t ended;
	char name[16];
	uint64_t points;        /**< decision points passed */
	uint64_t switches;      /**< how often it was switched to */
	uint64_t ran_ns;        /**< virtual time it ran */
	uint64_t blocked_ns[8]; /**< virtual time it waited, by enum sched_cause */
};

/** Why threads wait: X(name, "as a report says it"). At most 8. */
#define SCHED_CAUSE_LIST(X) \
	X(ready, "ready to run") \
	X(lock, "lock") \
	X(condition, "condition") \
	X(join, "thread's end") \
	X(sleep, "sleep") \
	X(io, "file") \
	X(signal, "signal") \
	X(futex, "futex")

enum sched_cause {
#define SCHED_CAUSE_NUMBER(name, text) SCHED_CAUSE_##name,
	SCHED_CAUSE_LIST(SCHED_CAUSE_NUMBER)
#undef SCHED_CAUSE_NUMBER
		SCHED_CAUSES
};

/** Accounts kept: those of the first threads of a run. */
#define SCHED_ACCOUNTS 4096

/**
 * Records in the window: the doorbell rings DOORBELL_SCHEDULE when it is full (record) or empty (replay). The monitor
 * then takes the records before records_at, if it records; puts the next ones in place, if it replays, records_count of
 * them, which is 0 when there are no more; adds records_at to records_before, and sets records_at to 0. A replay that
 * is recorded too writes each record where the one stood that it has followed. What is in the window at the end of the
 * run is taken then.
 */
#define SCHED_WINDOW 262144

/**
 * The page at LAYOUT_SCHED, in the boot area: what every run needs. It is not part of guest memory's digest.
 */
struct sched_shared {
	int64_t points_left;   /**< decision points until the policy wants to be asked, less one */
	uint64_t points_armed; /**< what points_left was set to, plus one */
	uint64_t points_since; /**< points passed since the last record, up to the last arming */
	uint64_t slice_start;  /**< ticks, when the last record was */
	uint64_t limit; /**< moment, in ticks, at which the countdown of ticks is used up (kernel/time/vclock.h) */
	uint64_t policy_ticks;   /**< moment, in ticks, at which the policy wants to be asked; UINT64_MAX: never */
	uint64_t decision;       /**< decision points and choices so far, up to the last arming */
	uint64_t records_at;     /**< record: written into the window; replay: read from it */
	uint64_t records_count;  /**< replay: how many the window holds */
	uint64_t records_before; /**< records that the window held before and that are gone */
	uint64_t random[8];      /**< the policy's small state */
	uint64_t current;        /**< number of the thread that runs; for the monitor to read, 0: thread 1 */
	uint64_t youngest;       /**< number of the thread made last, likewise */
	uint64_t next;           /**< record: who goes on after the decision that was, or is being, written last */
	uint64_t next_at;        /**< record: how many records there are once it is written */
	uint64_t counting;       /**< while points are settled or armed: 1 + those since the last record; else 0 */
	struct boot_sched boot;  /**< the kernel's copy: what a program does to boot_info has no effect */
};

_Static_assert(sizeof(struct sched_shared) <= 1024, "sched_shared");

/** State of a policy for one thread, by slot. */
struct sched_slot {
	uint64_t word[4];
};

/** The schedule area, at LAYOUT_SCHEDULE; mapped when boot_sched says so. */
struct sched_area {
	struct sched_slot slots[THREADS_MAX];
	uint64_t policy[4096]; /**< larger state of a policy */
	uint64_t counts[4096]; /**< surw: events expected of each thread, by thread number less one */
	struct sched_account accounts[SCHED_ACCOUNTS];
	struct sched_record records[SCHED_WINDOW];
};

_Static_assert(sizeof(struct sched_area) <= LAYOUT_SCHEDULE_SIZE, "sched_area");

/**
 * DOORBELL_THREAD, args[0] its guest-physical address: one thread's state when the run ends because none can go on
 * (or when the monitor asks why it ends); sent once for each, lowest number first.
 */
struct thread_report {
	uint32_t thread;
	uint32_t holder; /**< who has what it waits for; 0: nobody, or unknown */
	char name[16];
	uint64_t object;        /**< address of the lock or condition it waits for; 0: none */
	uint64_t registers[17]; /**< as in struct fault_report */
	char waits_for[80];     /**< "mutex", "end of thread 3", "data in a pipe (read)"; ended by NUL */
};

#endif
