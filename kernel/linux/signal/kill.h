/* SPDX-License-Identifier: MIT */
/* Signals that the kernel sends to who is known by a number. */
#ifndef KERNEL_LINUX_SIGNAL_KILL_H
#define KERNEL_LINUX_SIGNAL_KILL_H

#include <stdbool.h>

#include "kernel/signal/queue.h"

/** Who gets a signal, with the values of struct f_owner_ex (fcntl(2)). */
struct kill_target {
	enum { KILL_THREAD, KILL_PROCESS, KILL_GROUP } type;
	uint32_t id; /**< 0: nobody */
};

/** Whether there is such a one. */
bool kill_exists(const struct kill_target *target);

/** Whether a number is that of a thread, a process or a group: one that a target may be given. */
bool kill_knows(uint32_t id);

/** Sends a signal, to a process by the number of any thread of it; to nobody if there is none. 0, or -EAGAIN when a
 * real-time signal finds the queue full. */
int kill_send(const struct kill_target *target, int sig, const struct signal_origin *origin);

#endif
