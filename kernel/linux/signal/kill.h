/* SPDX-License-Identifier: MIT */
/* Signals that the kernel sends to a thread, process or group by its number. */
#ifndef KERNEL_LINUX_SIGNAL_KILL_H
#define KERNEL_LINUX_SIGNAL_KILL_H

#include <stdbool.h>

#include "kernel/signal/queue.h"

/** The receiver of a signal, with the values of struct f_owner_ex (fcntl(2)). */
struct kill_target {
	enum { KILL_THREAD, KILL_PROCESS, KILL_GROUP } type;
	uint32_t id; /**< 0: no receiver */
};

/** Whether the receiver exists. */
bool kill_exists(const struct kill_target *target);

/** Whether a number belongs to a thread, a process or a group, so that a target may have it. */
bool kill_knows(uint32_t id);

/** Sends a signal. KILL_PROCESS takes the number of any thread of the process. A target that does not exist gets
 * nothing. Returns 0, or -EAGAIN when a real-time signal finds the queue full. */
int kill_send(const struct kill_target *target, int sig, const struct signal_origin *origin);

#endif
