/* SPDX-License-Identifier: MIT */
/* Timers to read (timerfd_create(2)). */
#ifndef KERNEL_LINUX_EVENT_TIMERFD_H
#define KERNEL_LINUX_EVENT_TIMERFD_H

/** For timer_source.expire: those whose moment has come can be read. */
void timerfd_expire(void);

#endif
