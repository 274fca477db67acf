/* SPDX-License-Identifier: MIT */
/* POSIX timers (timer_create(2)): deadlines in virtual time that send a signal with a value. */
#ifndef KERNEL_TIME_POSIX_TIMER_H
#define KERNEL_TIME_POSIX_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/signal/queue.h"

/** Maximum number of timers, over all processes. */
#define POSIX_TIMERS_MAX SIGNAL_QUEUE_TIMERS

/** The clock of a timer, and what it does when it expires. */
struct posix_timer_event {
	bool cpu;         /**< counts vclock_cpu instead of vclock_now */
	bool real;        /**< times are given in vclock_realtime */
	bool value_is_id; /**< the value is the timer's own number */
	uint32_t thread;  /**< receiver of the signal; 0: the process (SIGEV_THREAD_ID) */
	int32_t sig;      /**< 0: nothing is sent (SIGEV_NONE) */
	uint64_t value;   /**< the value that the signal carries */
};

/** Makes a timer. Returns its number, which is never reused, or -EAGAIN. */
int posix_timer_create(const struct posix_timer_event *event);

/** Deletes a timer. Returns 0, or -EINVAL for an unknown number, as all of the following do. */
int posix_timer_delete(int id);

/** Deletes all timers of the process, at its end or at execve(2). */
void posix_timer_forget(void);

/** Arms a timer to expire left_ns from now, which may be in the past, and then every interval_ns, if that is not 0. */
int posix_timer_arm(int id, int64_t left_ns, uint64_t interval_ns);

/** Disarms a timer. */
int posix_timer_disarm(int id);

/** Gets the time left (0 when disarmed) and the interval. */
int posix_timer_get(int id, uint64_t *left_ns, uint64_t *interval_ns);

/** Gets the time of the timer's clock. */
int posix_timer_clock(int id, int64_t *now_ns);

/** Expirations that the last signal taken stands for, in addition to its own; at most INT32_MAX
 * (timer_getoverrun(2)). */
int posix_timer_overrun(int id);

/** The timer's signal was taken off the queue. Returns its overrun, 0 when the timer no longer exists. */
int posix_timer_taken(int id);

/** The earliest time, by vclock_now, at which posix_timer_expire has work; UINT64_MAX: none at present. `idle`:
 * considers only timers that can send a signal while the guest is idle (timer_next_ns). */
uint64_t posix_timer_due_ns(bool idle);

/** The earliest time, by vclock_now, at which a timer on the current process's clock of processor time can send a
 * signal, if its threads only run; UINT64_MAX: none. */
uint64_t posix_timer_working_ns(void);

/** Sends the signals of all timers that are due. */
void posix_timer_expire(void);

#endif
