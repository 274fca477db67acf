/* SPDX-License-Identifier: MIT */
/* Threads: what the kernel knows of each. A thread runs, is ready, or waits; its kernel calls are on its own stack. */
#ifndef KERNEL_SCHED_THREAD_H
#define KERNEL_SCHED_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/sched.h"
#include "abi/thread.h"
#include "kernel/signal/thread_signals.h"

#define THREAD_NAME_BYTES 16

enum thread_state {
	THREAD_READY, /**< runs, or is in the ready queue */
	THREAD_WAITING,
	THREAD_ENDED,
};

/** Threads in a row, the one that came first at the front. */
struct thread_queue {
	struct thread *first, *last;
	unsigned count;
};

/** What a thread that waits on a futex is to have; who wakes those of one kind does not wake those of another. */
enum futex_kind {
	FUTEX_PLAIN,   /**< nothing */
	FUTEX_TO_MOVE, /**< FUTEX_WAIT_REQUEUE_PI: a lock, after it is moved to its word (futex_pi.c) */
	FUTEX_LOCK,    /**< the lock in the word */
	FUTEX_NONE,    /**< nobody's */
};

/** Why a thread waits, for reports. */
struct wait_reason {
	const char *what; /**< "data in a pipe (read)"; a constant */
	enum sched_cause cause;
};

/**
 * What a futex's word is known by: a place in an object that is mapped shared, by way of whichever mapping, or a
 * virtual address in a process (object is that process).
 */
struct futex_key {
	const void *object;
	uint64_t place;
};

struct process;

struct thread {
	struct thread *next, *previous; /**< in the ready queue or in a wait queue */
	struct thread *before, *after;  /**< of the living threads, the ones with the numbers next to its own */
	uint32_t tid;                   /**< by which programs know it (gettid(2)): its number, unless it was renamed */
	uint32_t slot;                  /**< below THREADS_MAX, used again after its end */
	enum thread_state state;

	/* While it does not run. */
	uint64_t stack_pointer;    /**< of its context (context.S) */
	uint64_t kernel_stack;     /**< of a Linux program's thread: its top (kernel/linux/entry/entry.h) */
	uint64_t fs_base, gs_base; /**< of the segments; also while it runs */

	/* While it waits. */
	struct thread_queue *queue; /**< NULL: for a time or a signal only */
	struct wait_reason reason;
	int wake_result;            /**< what ended the wait */
	uint64_t deadline_ns;       /**< SCHED_FOREVER: none */
	uint64_t timeout_order;     /**< of two with the same deadline the one that began to wait first comes first */
	unsigned heap_index;        /**< in timeouts.c, from 1; 0: not there */
	const void *futex;          /**< the word it waits on, NULL: another wait */
	uint32_t futex_bits;        /**< FUTEX_WAIT_BITSET's */
	enum futex_kind futex_kind; /**< FUTEX_PLAIN when it does not wait on one */
	struct futex_key futex_key; /**< what the word is known by, while `futex` is set */
	const void *futex_target;   /**< FUTEX_WAIT_REQUEUE_PI: the only word to which it may be moved */
	uint16_t call;              /**< the kernel call it is in */

	uint32_t number;        /**< by which schedules and reports know it */
	struct thread *renamed; /**< the next one that was */
	struct process *process;
	struct thread_signals signals;

	/* What it told the kernel. */
	uint32_t *clear_tid; /**< set_tid_address(2), in the program's memory */
	uint64_t robust_list;
	uint64_t robust_bytes;
	uint64_t rseq; /**< rseq(2), of a Linux program's, in its memory; 0: none */
	uint32_t rseq_signature, rseq_processor;
	const struct thread_note *note;
	char name[THREAD_NAME_BYTES]; /**< PR_SET_NAME, of a Linux program's; ended by a NUL */
	int policy;                   /**< sched_setscheduler(2): kept, and without effect */
	int priority;
	uint64_t affinity; /**< sched_setaffinity(2), likewise; 0: all processors */
	int nice;          /**< getpriority(2), of a Linux program's, likewise */
	int io_priority;   /**< ioprio_set(2), likewise */

	/* While it waits in a loop (kernel/linux/entry/spin.c). */
	struct {
		uint64_t length;  /**< steps of the loop */
		uint64_t wait_ns; /**< for how long it waits */
		uint64_t streak;  /**< the one in which it has found nothing new, last */
		bool waits;       /**< it does now, or has been woken and has not gone on */
		bool changes;     /**< memory is another one on the way round */
	} spin;

	/* Accounts. */
	uint64_t since_ns; /**< when it began to do what it does: to run, to wait or to be ready */
	uint64_t ran_ns;   /**< before that */
	uint64_t switches;
	uint64_t points;
	uint64_t blocked_ns[SCHED_CAUSES];
};

/** The thread that runs; while one ends, that one, until another runs. */
extern struct thread *thread_current;

/** Sets a base of the running thread's segments: below 0x7ffffffff000, which the caller has checked. */
void thread_set_fs_base(uint64_t base);
void thread_set_gs_base(uint64_t base);

/** The processor that a thread is told that it runs on: the first of those that it asked for, or of all. */
static inline uint32_t thread_processor(const struct thread *thread)
{
	return thread->affinity ? (uint32_t)__builtin_ctzl(thread->affinity) : 0;
}

/** The first thread becomes the running one. */
void thread_init(void);

/** The thread that programs know by a number, NULL: there is none (any more). */
struct thread *thread_find(uint32_t tid);

/** The thread that schedules know by a number, likewise. */
struct thread *thread_numbered(uint32_t number);

/** Gives a thread the number of one that has ended, for programs: execve(2) of a thread that is not its process's
 * first. */
void thread_rename(struct thread *thread, uint32_t tid);

/** Of the living threads the one with the lowest number; there is one always. `after` leads to the others. */
struct thread *thread_first(void);

/** Living threads. */
unsigned thread_count(void);

/** Makes a thread of the current process, that has the next number and no context yet. NULL: there are THREADS_MAX, or
 * no memory. */
struct thread *thread_allocate(void);

/** Takes a thread out of those that live: from now on there is none of its number. */
void thread_end(struct thread *thread);

/** Forgets a thread that has ended, whose context is never used again. */
void thread_free(struct thread *thread);

/** Puts a thread at the end of a queue, and takes it out. */
void thread_queue_add(struct thread_queue *queue, struct thread *thread);
void thread_queue_remove(struct thread_queue *queue, struct thread *thread);

#endif
