/* SPDX-License-Identifier: MIT */
/* Which system calls are restarted after a signal handler with SA_RESTART (signal(7), sigaction(2)). */
#ifndef ABI_RESTART_H
#define ABI_RESTART_H

#include <stdbool.h>
#include <stddef.h>

/** Whether system call `number` may be restarted. Other calls fail with EINTR after any handler. `timeout` is the
 * call's fourth argument: a futex wait is restarted only without a timeout. */
static inline bool syscall_may_restart(long number, const void *timeout)
{
	switch (number) {
	case 7:   /* poll */
	case 23:  /* select */
	case 34:  /* pause */
	case 35:  /* nanosleep */
	case 65:  /* semop */
	case 69:  /* msgsnd */
	case 70:  /* msgrcv */
	case 128: /* rt_sigtimedwait */
	case 130: /* rt_sigsuspend */
	case 220: /* semtimedop */
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
