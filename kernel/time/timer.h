/* SPDX-License-Identifier: MIT */
/* Interval timers (getitimer(2)): deadlines in virtual time that send a signal. */
#ifndef KERNEL_TIME_TIMER_H
#define KERNEL_TIME_TIMER_H

#include <stdint.h>

/** The timers of a process, the first three with the numbers of getitimer(2). */
enum timer_kind {
	TIMER_REAL,    /**< counts the time of the clock, SIGALRM */
	TIMER_VIRTUAL, /**< counts while the program runs, SIGVTALRM */
	TIMER_PROFILE, /**< counts like TIMER_VIRTUAL here, SIGPROF */
	TIMER_KINDS,
	TIMER_WORK = TIMER_KINDS /**< counts like TIMER_VIRTUAL; Linux programs only, expired by the personality */
};

/** Arms (value_ns > 0) or disarms a timer. It repeats every interval_ns if that is not 0. */
void timer_set(enum timer_kind kind, uint64_t value_ns, uint64_t interval_ns);

/** Gets the time left (0 when disarmed) and the interval. */
void timer_get(enum timer_kind kind, uint64_t *value_ns, uint64_t *interval_ns);

/** While the guest is idle: the time to which the clock may jump, that of the next timer whose expiry has an effect.
 * UINT64_MAX: none. A timer whose signal is dropped, or is already pending, can wake no thread. */
uint64_t timer_next_ns(void);

/** When, by vclock_now, the next timer on the current process's clock of processor time has an effect if its threads
 * only run. UINT64_MAX: none. As in timer_next_ns, a timer whose signal is dropped or already pending has no effect. */
uint64_t timer_working_ns(void);

/** Timers of a part of the kernel that is above this folder. */
struct timer_source {
	uint64_t soonest_ns;  /**< when expire() has work; UINT64_MAX: not at present */
	void (*expire)(void); /**< called when such timers are due; NULL: this kind has no timer yet */
};

/** When the first of the timers behind files expires (timerfd_create(2)); UINT64_MAX: none is armed. Only Linux
 * programs have them. After a change of it, call timer_update. */
extern uint64_t timer_files_ns;

/** The arrival of what is under way between sockets (kernel/net/fault/net_delay.h). After a change of it, call
 * timer_update. */
extern struct timer_source timer_arrivals;

/** Call this after a deadline of a POSIX timer or of TIMER_WORK has changed. */
void timer_update(void);

/** If set, called after timer_soonest_ns may have changed. The scheduler sets it. */
extern void (*timer_changed)(void);

/** What timer_soonest_ns returns. Only this module writes it; the monitor reads it (abi/linux_view.h). */
extern uint64_t timer_soonest;

/** When timer_expire has work; UINT64_MAX: not at present. */
uint64_t timer_soonest_ns(void);

/** Sends the signals of all timers that are due, if any is. */
void timer_expire(void);

#endif
