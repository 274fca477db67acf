/* SPDX-License-Identifier: MIT */
#include "base/beside.h"

#include <sched.h>
#include <signal.h>

/* The processors that this process may use, if its main thread is bound to one of them now. */
static cpu_set_t remembered;
static bool remembers;

void beside_remember(const cpu_set_t *processors)
{
	remembered = *processors;
	remembers = true;
}

void beside_spread(void)
{
	if (remembers)
		sched_setaffinity(0, sizeof(remembered), &remembered);
}

unsigned beside_processors(void)
{
	cpu_set_t set;
	if (remembers)
		return (unsigned)CPU_COUNT(&remembered);
	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (unsigned)CPU_COUNT(&set);
}

bool beside_has_processor(void)
{
	return remembers || beside_processors() > 1;
}

int beside_create(pthread_t *thread, void *(*function)(void *), void *argument)
{
	sigset_t all, old;
	sigfillset(&all);        /* handlers run in the guest's thread */
	sigdelset(&all, SIGSYS); /* except SIGSYS for a forbidden call of the thread (confine.c), */
	sigdelset(&all, SIGBUS); /* and SIGBUS for a missing part of a file (mapped_file.c) */
	pthread_sigmask(SIG_SETMASK, &all, &old);
	cpu_set_t kept;
	bool keeps = remembers && !sched_getaffinity(0, sizeof(kept), &kept);
	beside_spread(); /* the thread inherits the affinity */
	int error = pthread_create(thread, NULL, function, argument);
	if (keeps)
		sched_setaffinity(0, sizeof(kept), &kept);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return error;
}

bool beside_start(pthread_t *thread, void *(*function)(void *), void *argument)
{
	return beside_has_processor() && !beside_create(thread, function, argument);
}
