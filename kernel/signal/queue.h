/* SPDX-License-Identifier: MIT */
/* Pending signals and the data for their receivers, in the order in which they were sent. */
#ifndef KERNEL_SIGNAL_QUEUE_H
#define KERNEL_SIGNAL_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/signal/thread_signals.h"

/** Maximum number of queued signals that processes have sent each other: RLIMIT_SIGPENDING of a user on Linux. */
#define SIGNAL_QUEUE_MAX 2048
/** Maximum number of queued signals from the kernel, at most one per process for most numbers. They do not use the room
 * of other signals. */
#define SIGNAL_QUEUE_OWN 1024

/** Room for signals of POSIX timers: each has at most one. */
#define SIGNAL_QUEUE_TIMERS 512

/** Data of a siginfo_t: its code, the sender or timer that the code implies, and a value. */
struct signal_origin {
	int32_t code;
	int32_t pid; /**< of a timer: the timer's number */
	uint32_t uid;
	uint64_t value;
};

/** Queues a signal behind those of the same number. Returns 0, or -EAGAIN when the sender has no more room. Timers
 * always have room, because each has at most one signal queued, unless processes use a timer's code for signals of
 * their own. The caller maintains the signal's bit in `pending`, as for the following functions. */
int queue_add(struct signal_queue *queue, int sig, const struct signal_origin *origin);

/** The oldest entry of a signal, which stays. Returns whether there is one. */
bool queue_look(const struct signal_queue *queue, int sig, struct signal_origin *origin);

/** Takes the oldest signal of a number off the queue. False: there is none. */
bool queue_take(struct signal_queue *queue, int sig, struct signal_origin *origin);

/** Takes a timer's entry out of the list of a number. False: there is none. */
bool queue_remove_timer(struct signal_queue *queue, int sig, int32_t timer);

/** Whether no signal of a number is queued. */
bool queue_is_empty(const struct signal_queue *queue, int sig);

/** Moves all queued signals of a number, and its pending bit, to the end of another queue. */
void queue_move(struct signal_queue *from, struct signal_queue *to, int sig);

#endif
