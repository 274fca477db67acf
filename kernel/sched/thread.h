/* SPDX-License-Identifier: MIT */
/* Threads: the kernel's state of each. A thread runs, is ready, or waits. Its kernel calls run on its own stack. */
#ifndef KERNEL_SCHED_THREAD_H
#define KERNEL_SCHED_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/sched_account.h"
#include "abi/thread.h"
#include "kernel/signal/thread_signals.h"

#define THREAD_NAME_BYTES 16

enum thread_state {
	THREAD_READY, /**< runs, or is in the ready queue */
	THREAD_WAITING,
	THREAD_ENDED,
};

/** A queue of threads, the oldest entry first. */
struct thread_queue {
	struct thread *first, *last;
	unsigned count;
};

/** The purpose of a wait on a futex. A wake-up for one kind does not wake waiters of another kind. */
enum futex_kind {
	FUTEX_PLAIN,   /**< nothing */
	FUTEX_TO_MOVE, /**< FUTEX_WAIT_REQUEUE_PI: a lock, after it is moved to its word (futex_pi.c) */
	FUTEX_LOCK,    /**< the lock in the word */
	FUTEX_NONE,    /**< no waiter's kind */
};

/** Why a thread waits, for reports. */
struct wait_reason {
	const char *what; /**< "data in a pipe (read)"; a constant */
	enum sched_cause cause;
};

/** The identity of a futex's word: a place in an object that is mapped shared, the same by any mapping; or a virtual
 * address in an address space (object is its root table), which several processes may have (CLONE_VM). */
struct futex_key {
	const void *object;
	uint64_t place;
};

struct process;

struct thread {
	struct thread *next, *previous; /**< in the ready queue or in a wait queue */
	struct thread *before, *after;  /**< its neighbours in the list of living threads, by number */
	uint32_t tid;  /**< the number that programs see (gettid(2)): `number`, unless it was renamed */
	uint32_t slot; /**< below THREADS_MAX, reused after its end */
	enum thread_state state;

	/* While it does not run: */
	uint64_t stack_pointer; /**< of its context (context.S) */
	uint64_t kernel_stack; /**< of a Linux program's thread: top of its kernel stack (kernel/linux/entry/entry.h) */
	/** Segment bases, and selectors (kernel/arch/selectors.h); valid also while it runs, after
	 * thread_segments_note. */
	uint64_t fs_base, gs_base, selectors;

	/* While it waits: */
	struct thread_queue *queue; /**< NULL: for a time or a signal only */
	struct wait_reason reason;
	int wake_result;            /**< what ended the wait */
	uint64_t deadline_ns;       /**< SCHED_FOREVER: none */
	uint64_t timeout_order;     /**< orders equal deadlines by the start of the wait */
	unsigned heap_index;        /**< index in timeouts.c, from 1; 0: not in the heap */
	const void *futex;          /**< the word it waits on; NULL: not a futex wait */
	uint32_t futex_bits;        /**< FUTEX_WAIT_BITSET's */
	enum futex_kind futex_kind; /**< FUTEX_PLAIN when it does not wait on a futex */
	struct futex_key futex_key; /**< identity of the word, while `futex` is set */
	const void *futex_target;   /**< FUTEX_WAIT_REQUEUE_PI: the only word to which it may be moved */
	uint16_t call;              /**< the kernel call it is in */

	uint32_t number;        /**< the number in schedules and reports */
	struct thread *renamed; /**< next renamed thread */
	struct process *process;
	struct thread_signals signals;

	/* Set by the program through system calls: */
	uint32_t *clear_tid; /**< set_tid_address(2), in the program's memory */
	uint64_t robust_list;
	uint64_t rseq; /**< rseq(2), of a Linux program's thread, in the program's memory; 0: none */
	uint32_t rseq_signature, rseq_processor;
	const struct thread_note *note;
	char name[THREAD_NAME_BYTES]; /**< PR_SET_NAME, of a Linux program's thread; ended by a NUL */
	int policy;                   /**< sched_setscheduler(2): stored, without effect */
	int priority;
	uint64_t affinity;    /**< sched_setaffinity(2): stored, without effect; 0: all processors */
	int nice;             /**< getpriority(2), of a Linux program's thread: stored, without effect */
	int io_priority;      /**< ioprio_set(2), of a Linux program's thread: stored, without effect */
	uint32_t personality; /**< personality(2), of a Linux program's thread: PER_LINUX or PER_LINUX32, and flags */

	/* While it spins in a loop (kernel/linux/entry/spin.c): */
	struct {
		uint64_t length;  /**< steps of the loop */
		uint64_t wait_ns; /**< duration of its present or last wait */
		uint64_t streak;  /**< the last streak in which it found nothing new */
		bool waits;       /**< it waits now, or was woken and has not run yet */
		bool changes;     /**< an iteration changes memory that others may see */
		unsigned stamps;  /**< equal reads of the time stamp so far */
		uint64_t stamp;   /**< hash of the registers at the last one that a loop keeps */
		uint64_t stamps_since_ns;
	} spin;

	/* Accounts: */
	uint64_t since_ns; /**< start of its present state: running, waiting or ready */
	uint64_t ran_ns;   /**< run time before since_ns */
	uint64_t switches;
	uint64_t points;
	uint64_t blocked_ns[SCHED_CAUSES];
};

/** The running thread. While a thread ends it is that thread, until another runs. */
extern struct thread *thread_current;

/** Sets a segment base of the running thread. The caller has checked that it is below 0x7ffffffff000. */
void thread_set_fs_base(uint64_t base);
void thread_set_gs_base(uint64_t base);

/** The number of the processor that a program sees a thread run on: the first one of its affinity, or processor 0. */
static inline uint32_t thread_processor(const struct thread *thread)
{
	return thread->affinity ? (uint32_t)__builtin_ctzl(thread->affinity) : 0;
}

/** Makes the first thread the running one. */
void thread_init(void);

/** The living thread that programs know by this number, or NULL. */
struct thread *thread_find(uint32_t tid);

/** The living thread that schedules know by this number, or NULL. */
struct thread *thread_numbered(uint32_t number);

/** Gives a thread the number of an ended one, as programs see it: for execve(2) by a thread that is not its process's
 * first. */
void thread_rename(struct thread *thread, uint32_t tid);

/** The living thread with the lowest number; there is always one. `after` leads to the others. */
struct thread *thread_first(void);

/** The number of living threads. */
unsigned thread_count(void);

/** Makes a thread of the current process, with the next number and without a context. NULL: THREADS_MAX are in use, or
 * no memory. */
struct thread *thread_allocate(void);

/** Takes a thread off the list of living threads: its number is no longer found. */
void thread_end(struct thread *thread);

/** Frees an ended thread, whose context is never used again. */
void thread_free(struct thread *thread);

/** Adds a thread at the end of a queue; removes it. */
void thread_queue_add(struct thread_queue *queue, struct thread *thread);
void thread_queue_remove(struct thread_queue *queue, struct thread *thread);

#endif
