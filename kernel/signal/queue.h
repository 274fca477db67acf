/* SPDX-License-Identifier: MIT */
/* Pending signals with what their receivers are told, in the order in which they were sent. */
#ifndef KERNEL_SIGNAL_QUEUE_H
#define KERNEL_SIGNAL_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/signal/thread_signals.h"
#include "kernel/time/posix_timer.h"

/** Signals that processes can have sent each other and not got yet: what RLIMIT_SIGPENDING is for a user on Linux. */
#define SIGNAL_QUEUE_MAX 2048
/** The same of those that the kernel sends, of most numbers one to a process; others do not take their room. */
#define SIGNAL_QUEUE_OWN 1024

/** What a siginfo_t tells of a signal: its code and, as that says, the sender or the timer, and a value. */
struct signal_origin {
	int32_t code;
	int32_t pid; /**< of a timer: its number */
	uint32_t uid;
	uint64_t value;
};

/**
 * Queues behind those of the same number. 0, or -EAGAIN when there is no room for more of its sender: of a timer there
 * is, because each has at most one queued, unless processes have said of theirs that they are timers'. The signal's bit
 * in `pending` is the caller's business, here and below.
 */
int queue_add(struct signal_queue *queue, int sig, const struct signal_origin *origin);

/** Takes the oldest signal of a number off. False when there is none. */
bool queue_take(struct signal_queue *queue, int sig, struct signal_origin *origin);

/** Takes a timer's entry out of the list of a number. False when there is none. */
bool queue_remove_timer(struct signal_queue *queue, int sig, int32_t timer);

/** Whether none of a number is queued. */
bool queue_is_empty(const struct signal_queue *queue, int sig);

/** Moves all that is queued of a number, and its pending bit, to the end of another queue. */
void queue_move(struct signal_queue *from, struct signal_queue *to, int sig);

#endif
