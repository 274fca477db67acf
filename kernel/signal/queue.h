/* SPDX-License-Identifier: MIT */
/* Pending signals with what their receivers are told, in the order in which they were sent. */
#ifndef KERNEL_SIGNAL_QUEUE_H
#define KERNEL_SIGNAL_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/time/posix_timer.h"

/** Signals that a program can have queued: what RLIMIT_SIGPENDING is on Linux. */
#define SIGNAL_QUEUE_MAX 1024

/** What a siginfo_t tells of a signal: its code and, as that says, the sender or the timer, and a value. */
struct signal_origin {
	int32_t code;
	int32_t pid; /**< of a timer: its number */
	uint32_t uid;
	uint64_t value;
};

/**
 * Queues behind those of the same number. 0, or -EAGAIN when the queue is full; a timer's signal always finds room,
 * because each timer has at most one queued.
 */
int queue_add(int sig, const struct signal_origin *origin, bool timer);

/** Takes the oldest signal of a number off. False when there is none. */
bool queue_take(int sig, struct signal_origin *origin);

/** Takes a timer's entry out of the queue of a number. False when there is none. */
bool queue_remove_timer(int sig, int32_t timer);

/** Whether none of a number is queued. */
bool queue_is_empty(int sig);

#endif
