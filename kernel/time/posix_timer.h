/* SPDX-License-Identifier: MIT */
/* POSIX timers (timer_create(2)): deadlines in virtual time that end in a signal with a value. */
#ifndef KERNEL_TIME_POSIX_TIMER_H
#define KERNEL_TIME_POSIX_TIMER_H

#include <stdbool.h>
#include <stdint.h>

/** Timers that can exist at once, of all processes. */
#define POSIX_TIMERS_MAX 512

/** What a timer counts, and what it does when it expires. */
struct posix_timer_event {
	bool cpu;         /**< runs with vclock_cpu instead of vclock_now */
	bool real;        /**< moments are given in vclock_realtime */
	bool value_is_id; /**< the value is the timer's own number */
	uint32_t thread;  /**< whom the signal is for, 0: the process (SIGEV_THREAD_ID) */
	int32_t sig;      /**< 0: nothing is sent (SIGEV_NONE) */
	uint64_t value;   /**< what the signal carries */
};

/** Makes a timer. Its number, which is never used again, or -EAGAIN. */
int posix_timer_create(const struct posix_timer_event *event);

/** Deletes a timer. 0 or -EINVAL: there is none of that number, as from all that follow. */
int posix_timer_delete(int id);

/** Deletes all timers of the process, which ends or executes another program. */
void posix_timer_forget(void);

/** Arms a timer to expire left_ns from now, which may be in the past, and then at each interval that is not 0. */
int posix_timer_arm(int id, int64_t left_ns, uint64_t interval_ns);

/** Disarms a timer. */
int posix_timer_disarm(int id);

/** Time left, 0 when it is disarmed, and the interval. */
int posix_timer_get(int id, uint64_t *left_ns, uint64_t *interval_ns);

/** What the timer's clock shows. */
int posix_timer_clock(int id, int64_t *now_ns);

/** Expirations that the last signal taken stood for beside its own, at most INT32_MAX (timer_getoverrun(2)). */
int posix_timer_overrun(int id);

/** The timer's signal has been taken off the queue: its overrun, 0 when the timer is no more. */
int posix_timer_taken(int id);

/** When, by vclock_now, posix_timer_expire has something to do at the soonest; UINT64_MAX: never, as things are. Of all
 * timers, or of those that can send a signal while the guest is idle (timer_next_ns). */
uint64_t posix_timer_due_ns(bool idle);

/** Sends the signals of all timers that are due. */
void posix_timer_expire(void);

#endif
