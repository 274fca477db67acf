/* SPDX-License-Identifier: MIT */
/* Signals that end eremite (SIGINT, SIGTERM, SIGHUP, SIGQUIT) wait while something is written that must not be left
 * half done. */
#ifndef HYPERVISOR_HOLD_STOPS_H
#define HYPERVISOR_HOLD_STOPS_H

#include <signal.h>
#include <stdbool.h>

/** The set of these signals. */
static inline void hold_stops_set(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGQUIT);
}

/** Blocks them in the calling thread. *before is the mask, for hold_stops_end. */
static inline void hold_stops_begin(sigset_t *before)
{
	sigset_t set;
	hold_stops_set(&set);
	pthread_sigmask(SIG_BLOCK, &set, before);
}

/** Whether one of them has arrived meanwhile, and ends eremite at hold_stops_end: what is half done is to be undone.
 * One that is ignored, as under nohup(1) or in a job of a shell's background, is pending while it is blocked, and ends
 * nothing.
 */
static inline bool hold_stops_came(void)
{
	sigset_t set, pending;
	struct sigaction action;
	hold_stops_set(&set);
	if (sigpending(&pending) || sigandset(&pending, &pending, &set) || sigisemptyset(&pending))
		return false;
	for (int sig = 1; sig < NSIG; sig++)
		if (sigismember(&pending, sig) == 1 && !sigaction(sig, NULL, &action) && action.sa_handler != SIG_IGN)
			return true;
	return false;
}

/** Sets the mask that was before. A signal that came meanwhile ends eremite here, unless its handler does something
 * else. */
static inline void hold_stops_end(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

#endif
