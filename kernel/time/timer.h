/* SPDX-License-Identifier: MIT */
/* Interval timers (getitimer(2)): deadlines in virtual time that end in a signal. */
#ifndef KERNEL_TIME_TIMER_H
#define KERNEL_TIME_TIMER_H

#include <stdint.h>

/** The timers of a process, the first three with the numbers of getitimer(2). */
enum timer_kind {
	TIMER_REAL,    /**< runs with the clock, SIGALRM */
	TIMER_VIRTUAL, /**< runs while the program does, SIGVTALRM */
	TIMER_PROFILE, /**< the same here, SIGPROF */
	TIMER_KINDS,
	TIMER_WORK = TIMER_KINDS /**< the same, of Linux programs: timer_source has it done */
};

/** Arms (value_ns > 0) or disarms a timer; it repeats every interval_ns if that is not 0. */
void timer_set(enum timer_kind kind, uint64_t value_ns, uint64_t interval_ns);

/** Time left, 0 when disarmed, and the interval. */
void timer_get(enum timer_kind kind, uint64_t *value_ns, uint64_t *interval_ns);

/**
 * When, while the guest is idle, the next timer expires that changes something by it: what time may jump to.
 * UINT64_MAX: none does. One whose signal is dropped, or is pending already, can wake nobody.
 */
uint64_t timer_next_ns(void);

/** Timers of other kinds, which only Linux programs have: those that files stand for, and TIMER_WORK. */
struct timer_source {
	uint64_t soonest_ns;  /**< when expire() has something to do for files; UINT64_MAX: never, as things are */
	void (*expire)(void); /**< NULL: there are none */
};

/** To be followed by timer_update when it has changed. */
extern struct timer_source timer_source;

/** To be called when a deadline of a POSIX timer, or of TIMER_WORK, has changed. */
void timer_update(void);

/** When timer_expire has something to do; UINT64_MAX: never, as things are. */
uint64_t timer_soonest_ns(void);

/** Sends the signals of all timers that are due, if any is. */
void timer_expire(void);

#endif
