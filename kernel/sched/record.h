/* SPDX-License-Identifier: MIT */
/* Records of the schedule: the fewest from which policy_replay.c can make the same decisions again.
 *
 * A record is written when another thread goes on, when a thread that waits goes on itself although others could have,
 * at each choice, and at the end. So a thread that waits while nobody else is ready makes none: its points are counted
 * on. What `points` and a tick's `detail` count from is the last record.
 *
 * The window (abi/sched.h) has one cursor: in a replay it is the record that comes next, and making that decision
 * writes it again in its place. */
#ifndef KERNEL_SCHED_RECORD_H
#define KERNEL_SCHED_RECORD_H

#include "kernel/sched/policy.h"

/** Whether the answer to a question is a record. The ready queue is as it was when the question was asked. */
bool sched_record_is_due(const struct sched_question *question, const struct thread *next);

/** Tells the monitor, which can stop the run at any moment, who goes on after the record that is written next. */
void sched_record_next(const struct thread *next);

/** Writes a record, if records are wanted, and counts from here. The points must be settled (arm.h). */
void sched_record_add(uint32_t thread, enum sched_kind kind, uint16_t op, uint64_t detail);

#endif
