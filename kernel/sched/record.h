/* SPDX-License-Identifier: MIT */
/* Records of the schedule: the fewest from which policy/policy_replay.c can repeat all decisions.
 *
 * A record is written when another thread takes over, when a waiting thread itself continues although others could
 * have, at each choice, and at the end. So a thread that waits while no other is ready makes no record, and its points
 * are counted on. `points` and the `detail` of a tick count from the last record.
 *
 * The window (abi/sched_record.h) has one cursor. In a replay it is at the next record, and the decision writes that
 * record again in its place. */
#ifndef KERNEL_SCHED_RECORD_H
#define KERNEL_SCHED_RECORD_H

#include "abi/sched_op.h"
#include "kernel/sched/policy.h"

/** Whether the answer to a question needs a record. The ready queue is still as it was at the question. */
bool sched_record_is_due(const struct sched_question *question, const struct thread *next);

/** The operation in the record of a jump: it tells a jump at a decision point from one in the call behind that point.
 */
static inline uint16_t sched_record_jump_op(const struct sched_question *question)
{
	return question->kind == SCHED_KIND_preempt ? question->op : SCHED_OP_NONE;
}

/** Tells the monitor, which can stop the run at any moment, which thread runs after the next record. */
void sched_record_next(const struct thread *next);

/** Writes a record, if records are wanted, and restarts the counts. The points must be settled (arm.h). */
void sched_record_add(uint32_t thread, enum sched_kind kind, uint16_t op, uint64_t detail);

#endif
