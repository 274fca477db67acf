/* SPDX-License-Identifier: MIT */
#include "beside.h"

#include <sched.h>
#include <signal.h>

/* Whether the guest leaves a processor idle. */
static bool has_processor(void)
{
	cpu_set_t set;
	return !sched_getaffinity(0, sizeof(set), &set) && CPU_COUNT(&set) > 1;
}

bool beside_start(pthread_t *thread, void *(*function)(void *), void *argument)
{
	sigset_t all, old;
	if (!has_processor())
		return false;
	sigfillset(&all);        /* handlers run in the guest's thread */
	sigdelset(&all, SIGSYS); /* but that of the thread's own forbidden call (confine.c) */
	pthread_sigmask(SIG_SETMASK, &all, &old);
	bool runs = !pthread_create(thread, NULL, function, argument);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return runs;
}
