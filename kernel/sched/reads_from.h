/* SPDX-License-Identifier: MIT */
/* Reads-from pairs of a run (abi/sched_reads.h), for `eremite search` and for policies with constraints. */
#ifndef KERNEL_SCHED_READS_FROM_H
#define KERNEL_SCHED_READS_FROM_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/sched_op.h"
#include "kernel/sched/policy.h"

/** Whether this run notes pairs: a search wants them, or the policy has constraints. Each point then asks; those at
 * which the policy is not due do not reach it. */
static inline bool reads_from_is_noted(void)
{
	const struct boot_sched *boot = sched_boot();
	return boot->flags & SCHED_FLAG_READS || (boot->policy == SCHED_pos && boot->counts);
}

/* The functions below run on the policies' stack. In a run that notes no pairs, reads_from_begin, _created and _go_on
 * do nothing, and the others are not called. */

/** Forgets what was noted, because a policy starts. */
void reads_from_begin(void);

/** A thread was made, in a slot that an ended one may have left. */
void reads_from_created(const struct thread *thread);

/** Whether there was a second thread: before, nothing is noted, and points need not ask. */
static inline bool reads_from_has_begun(void)
{
	return sched_shared()->youngest > 1;
}

/** Notes what the running thread is about to do, at a decision point before `op` on an object (NULL: none); `place` is
 * the address of the code. */
void reads_from_note(uint64_t op, const void *object, uint64_t place);

/** The thread does what was noted for it last. */
void reads_from_go_on(const struct thread *thread);

/** The access that a thread is about to make; NULL: none to an object, or it is not known. */
const struct sched_pending *reads_from_pending(const struct thread *thread);

/** The last write to an object, in units of 8 bytes; NULL: none is known. */
const struct sched_writer *reads_from_writer(uint64_t object);

/** Whether the run had a pair. */
bool reads_from_has(uint64_t pair);

/** Whether an operation on an object reads it, or writes it; one on a lock does both. */
static inline bool reads_from_reads(uint64_t op)
{
	return op != SCHED_OP_store;
}

static inline bool reads_from_writes(uint64_t op)
{
	return op != SCHED_OP_load;
}

#endif
