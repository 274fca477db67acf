/* SPDX-License-Identifier: MIT */
/* Scheduling decisions: the policies and their parameters, and the records that make up a schedule.
 *
 * A decision point is a place where another thread can replace the running one: before each kernel call, before each
 * function of pthread.h that other threads can notice, and with -fpreempt=memory before each access to shared memory.
 * Each thread counts the points it passes. All state that depends on the policy (its data, its random numbers, the
 * distance to the next decision) is in the boot area and in the schedule area: a replay of a recorded schedule must
 * leave the same memory behind. */
#ifndef ABI_SCHED_H
#define ABI_SCHED_H

#include <stddef.h>
#include <stdint.h>

#include "abi/layout.h"
#include "abi/sched_reads.h"

/** Policies: X(name, "what it does"). The parameters of each are in docs/scheduling.md. */
#define SCHED_POLICY_LIST(X) \
	X(fifo, "a thread runs until it waits") \
	X(rr, "as fifo, but a thread runs for at most a quantum") \
	X(random, "at each decision point any ready thread runs next") \
	X(pct, "random priorities that change at random points (Burckhardt 2010)") \
	X(pos, "random priorities of events, partial-order sampling (Yuan 2018)") \
	X(surw, "selectively uniform random walk (Zhao 2025)") \
	X(replay, "follows a schedule file") \
	X(near, "follows a schedule file as far as it fits")

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

/* The operation behind a decision point: a number below SCHED_OP_FIRST is a system call, others are from this list. The
 * list is append-only: the numbers are part of the determinism contract. X(name). */
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

#define SCHED_FLAG_RECORD 1U   /**< write records */
#define SCHED_FLAG_ACCOUNT 2U  /**< keep the accounts of ended threads, for --summary */
#define SCHED_FLAG_ACCESSES 4U /**< keep sched_area.profile, for searches */
#define SCHED_FLAG_NOTE 8U     /**< note the accesses at which the policy is asked, for --shared-out */
#define SCHED_FLAG_READS 16U   /**< keep sched_area.reads, for searches */
#define SCHED_PARAMETERS 6

/** Scheduler settings in boot_info. All zero: policy fifo, no record, no schedule area. */
struct boot_sched {
	uint32_t policy; /**< enum sched_policy_id */
	uint32_t flags;  /**< SCHED_FLAG_*; a flag, or a policy other than fifo and rr, needs the schedule area */
	uint64_t seed;   /**< --sched-seed */
	uint64_t parameters[SCHED_PARAMETERS]; /**< by policy; 0: the default */
	uint64_t counts;                       /**< surw, pos: valid elements of sched_area.counts; near: of .plan */
};

/* The state of sched_from.main. */
#define SCHED_MAIN_WANTED 1U /**< the program is not loaded yet */
#define SCHED_MAIN_SET 2U    /**< there is a trap at main */

/** Where the policy starts (--from). Until then the run is scheduled by fifo. */
enum sched_from_kind {
	SCHED_FROM_START,  /**< at the start of the run */
	SCHED_FROM_MAIN,   /**< right before the program's main() */
	SCHED_FROM_CALL,   /**< right before its `number`-th kernel call */
	SCHED_FROM_MARKER, /**< at its first eremite_marker(`marker`) */
};

#define SCHED_MARKER_BYTES 40

/** The point from which boot_sched schedules. All zero: the start. */
struct sched_from {
	uint32_t kind;                   /**< enum sched_from_kind */
	uint32_t main;                   /**< main of a Linux program: SCHED_MAIN_WANTED, then the guest's */
	uint64_t number;                 /**< call: counted from 1; main of a Linux program: its distance from the entry
	                                  * point, then its address */
	uint64_t slice;                  /**< fifo's until then, in ticks; 0: the default */
	char marker[SCHED_MARKER_BYTES]; /**< ended by a NUL */
};

/** What a thread did, for --summary; in the schedule area. */
struct sched_account {
	uint32_t thread; /**< its number; 0: the slot was never used */
	uint32_t ended;
	char name[16];
	uint64_t points;        /**< decision points passed */
	uint64_t switches;      /**< number of switches to this thread */
	uint64_t ran_ns;        /**< virtual time it ran */
	uint64_t blocked_ns[8]; /**< virtual time it waited, by enum sched_cause */
};

/** Why a thread waits: X(name, "text in a report"). At most 8. */
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

/** Number of accounts kept: those of the first threads of a run. */
#define SCHED_ACCOUNTS 4096

/** The decision points of a thread on an object while other threads were alive (kernel/sched/accesses.c). */
struct sched_access {
	uint64_t object; /**< address; 0: points on no object */
	uint32_t thread; /**< its number; 0: the entry is free */
	uint32_t stores; /**< points before operations other than loads; 0 for no object */
	uint64_t points;
};

_Static_assert(sizeof(struct sched_access) == 24, "sched_access");

#define SCHED_ACCESSES_SHIFT 16
#define SCHED_ACCESSES (1U << SCHED_ACCESSES_SHIFT)

/** With SCHED_FLAG_ACCESSES. */
struct sched_profile {
	uint64_t used;        /**< entries in use */
	uint64_t lost;        /**< points for which there was no entry */
	uint64_t start;       /**< decisions before the policy started (--from) */
	uint64_t first, last; /**< decisions from there up to the first and last point while several threads were alive;
	                       * 0: none */
	struct sched_access accesses[SCHED_ACCESSES];
};

/** Number of records in the window. The guest rings DOORBELL_SCHEDULE when the window is full (record) or used up
 * (replay). When it records, the monitor takes the records before records_at. When it replays, the monitor puts in the
 * next records and sets records_count, 0 at the end of the schedule. Then it adds records_at to records_before, and
 * sets records_at to 0. A replay that is also recorded overwrites each record that it has followed. At the end of the
 * run the monitor takes the records that are left in the window. */
#define SCHED_WINDOW 262144

/** The page at LAYOUT_SCHED, in the boot area: state that every run needs. The digest of guest memory leaves it out. */
struct sched_shared {
	int64_t points_left;     /**< decision points until the policy is asked, minus one */
	uint64_t points_armed;   /**< initial value of points_left, plus one */
	uint64_t points_since;   /**< points passed since the last record, up to the last arming */
	uint64_t slice_start;    /**< time of the last record, in ticks */
	uint64_t limit;          /**< time at which the countdown of ticks reaches 0, in ticks (kernel/time/vclock.h) */
	uint64_t policy_ticks;   /**< time at which the policy is to be asked, in ticks; UINT64_MAX: never */
	uint64_t decision;       /**< decision points and choices so far, up to the last arming */
	uint64_t records_at;     /**< record: number written into the window; replay: number read from it */
	uint64_t records_count;  /**< replay: number of records in the window */
	uint64_t records_before; /**< records that have left the window */
	uint64_t random[8];      /**< the policy's small state */
	uint64_t current;        /**< number of the running thread, which the monitor reads; 0: thread 1 */
	uint64_t youngest;       /**< number of the newest thread, which the monitor reads */
	uint64_t next;           /**< record: the thread that runs after the decision written last, or being written */
	uint64_t next_at;        /**< record: number of records once that one is written */
	uint64_t counting;       /**< while points are settled or armed: 1 + points since the last record; else 0 */
	struct boot_sched boot;  /**< the kernel's copy: a program that changes boot_info has no effect */
	struct boot_sched then;  /**< boot_info's, which `boot` becomes at the point `from` */
	struct sched_from from;  /**< the point that was not reached yet; call: its number counts down */
	uint64_t wakes;          /**< threads woken or made since the last record */
	uint64_t asks_woken;     /**< 1: the question at policy_ticks is about threads that were woken; else 0 */
	uint64_t lag_ns; /**< sum of the jumps of time made while a thread was ready; 0 again when all threads wait */
};

_Static_assert(sizeof(struct boot_sched) == 72, "boot_sched");
_Static_assert(sizeof(struct sched_account) == 112, "sched_account");
_Static_assert(sizeof(struct sched_from) == 64, "sched_from");
_Static_assert(sizeof(struct sched_shared) == 416, "sched_shared, at most 1024");

/** State of a policy for one thread, by slot. */
struct sched_slot {
	uint64_t word[4];
};

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

/** An access of a Linux program to memory, at a decision point in its code, or one of the SCHED_NOTE_* below. An access
 * is noted before it is made: if the thread is replaced there (SCHED_NOTE_SWITCH follows), it is made when the thread
 * goes on. */
struct sched_note {
	uint64_t object; /**< address of the instruction's operand */
	uint64_t file;   /**< kernel address of the file's struct view_file (abi/linux_view.h) */
	uint32_t offset; /**< of the instruction in the file */
	uint32_t thread, process;
	uint8_t kind; /**< enum code_kind, or one of the next ones */
	uint8_t bytes;
	uint8_t flags; /**< SCHED_NOTE_ALONE, SCHED_NOTE_STATIC */
	uint8_t reserved;
};

#define SCHED_NOTE_END 0U   /**< the thread ends; object: its FS base, which is in its control block */
#define SCHED_NOTE_MADE 1U  /**< the thread makes another one, whose number is `offset`; file: that one's RSP */
#define SCHED_NOTE_WAKES 2U /**< the thread wakes another one, whose number is `offset` */
#define SCHED_NOTE_CALL 3U  /**< the thread makes system call `offset`; object: its first argument; file: RSP */
#define SCHED_NOTE_SWITCH \
	4U /**< thread `offset` runs in its place; bytes: enum sched_kind of the decision; object: before or in which \
	    * operation; SCHED_OP_load, block: in a loop that reads memory until it changes */

/* sched_note.flags */
#define SCHED_NOTE_ALONE 1U  /**< no other thread has been made yet */
#define SCHED_NOTE_STATIC 2U /**< the object is below the heap, in a variable of the program */

/** Number of notes in the area. The guest rings DOORBELL_NOTES when all are used, and the monitor takes them and sets
 * notes_at to where the next one comes: 0, or a later place if it wants to be asked sooner. It takes the rest at the
 * end of the run. */
#define SCHED_NOTES 131072

/** The schedule area, at LAYOUT_SCHEDULE; mapped when boot_sched says so. */
struct sched_area {
	struct sched_slot slots[THREADS_MAX];
	uint64_t policy[4096]; /**< large state of a policy */
	uint64_t counts[4096]; /**< surw: expected events of each thread, by thread number less one; pos: constraints,
	                        * each a pair (abi/sched_reads.h) */
	struct sched_account accounts[SCHED_ACCOUNTS];
	struct sched_record records[SCHED_WINDOW];
	struct sched_plan plan[SCHED_PLAN_MAX];
	struct sched_look look;
	uint64_t notes_at; /**< number of notes */
	struct sched_note notes[SCHED_NOTES];
	struct sched_profile profile;
	uint64_t each; /**< 1: each point asks, whether the policy is due or not */
	uint64_t due;  /**< then: the decision at which the policy wants to be asked */
	struct sched_reads reads;
	struct sched_pending pending[THREADS_MAX]; /**< with reads: of each thread, by slot */
};

_Static_assert(sizeof(struct sched_slot) == 32, "sched_slot");
_Static_assert(offsetof(struct sched_area, accounts) == 0x110000, "sched_area");
_Static_assert(offsetof(struct sched_area, records) == 0x180000, "sched_area");
_Static_assert(sizeof(struct sched_plan) == 32, "sched_plan");
_Static_assert(offsetof(struct sched_area, plan) == 0x780000, "sched_area");
_Static_assert(sizeof(struct sched_note) == 32, "sched_note");
_Static_assert(sizeof(struct sched_area) <= LAYOUT_SCHEDULE_SIZE, "sched_area");

/** DOORBELL_THREAD's argument, by guest-physical address in args[0]: the state of one thread. The guest sends it for
 * each thread, lowest number first, when the run ends because no thread can run, or when the monitor asks why the run
 * ends. */
struct thread_report {
	uint32_t thread;
	uint32_t holder; /**< the thread that holds the awaited object; 0: none or unknown */
	char name[16];
	uint64_t object;        /**< address of the lock or condition it waits for; 0: none */
	uint64_t registers[17]; /**< as in struct fault_report */
	char waits_for[80];     /**< "mutex", "end of thread 3", "data in a pipe (read)"; ended by NUL */
};

_Static_assert(sizeof(struct thread_report) == 248, "thread_report");

#endif
