/* SPDX-License-Identifier: MIT */
/* Timers as files (timerfd_create(2)). */
#ifndef KERNEL_LINUX_EVENT_TIMERFD_H
#define KERNEL_LINUX_EVENT_TIMERFD_H

/** Part of personality.timers_expire: makes the timers that are due readable. */
void timerfd_expire(void);

#endif
