/* SPDX-License-Identifier: MIT */
/* Notification by a thread that calls a function: SIGEV_THREAD (sigevent(7)). */
#ifndef LIBC_PORT_NOTIFY_H
#define LIBC_PORT_NOTIFY_H

#include "abi/linux.h" /* before <signal.h> makes si_pid and its like macros */

#include <signal.h>
#include <time.h>

#include "libc-port/src/thread/thread.h"

/** Calls the event's function in a thread of its own. 0, or -1 and errno. */
int notify_call(const struct sigevent *event) THREAD_PRIVATE(notify_call);

/** timer_create(2) for an event with SIGEV_THREAD. */
int notify_timer_create(clockid_t clock, const struct sigevent *event, timer_t *timer)
	THREAD_PRIVATE(notify_timer_create);

/** A timer, of any kind, is about to be deleted. */
void notify_timer_delete(int id) THREAD_PRIVATE(notify_timer_delete);

#endif
