/* SPDX-License-Identifier: MIT */
/* Which system calls are begun anew after a signal handler with SA_RESTART (signal(7), sigaction(2)). */
#ifndef ABI_RESTART_H
#define ABI_RESTART_H

#include <stdbool.h>
#include <stddef.h>

/**
 * Whether the call of a number may be begun anew; others fail with EINTR after any handler. `timeout` is its fourth
 * argument, which a futex wait must not have.
 */
static inline bool syscall_may_restart(long number, const void *timeout)
{
	switch (number) {
	case 7:   /* poll */
	case 23:  /* select */
	case 34:  /* pause */
	case 35:  /* nanosleep */
	case 128: /* rt_sigtimedwait */
	case 130: /* rt_sigsuspend */
	case 230: /* clock_nanosleep */
	case 232: /* epoll_wait */
	case 270: /* pselect6 */
	case 271: /* ppoll */
	case 281: /* epoll_pwait */
	case 441: /* epoll_pwait2 */
		return false;
	case 202: /* futex */
		return timeout == NULL;
	default:
		return true;
	}
}

#endif
