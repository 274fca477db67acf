/* SPDX-License-Identifier: MIT */
/* What stops a search before all its tries are made: a signal such as that of ^C, the end of --time, or the file of
 * --stop-file. The signals are
 * blocked until the search has written its results: a terminal and timeout(1) may send one twice. */
#ifndef HYPERVISOR_SEARCH_STOP_H
#define HYPERVISOR_SEARCH_STOP_H

#include "search/search_try.h"

/** Blocks the signals that stop a search, and SIGCHLD, and begins its time: `time_s` seconds, or 0 for no limit.
 * `file`: its being there stops the search; or NULL. `takes_usr1`: SIGUSR1 is one of them. Sets *mask to the signals
 * that were blocked before, for children. Ends eremite on an error. */
void search_stop_begin(double time_s, const char *file, bool takes_usr1, sigset_t *mask);

/** Ends the time without a stop: what was found is made again then. Signals still stop. */
void search_stop_forget_time(void);

/** Whether the file has stopped the search. */
bool search_stop_by_file(void);

/** Makes the file, which stops this search and all others that look for it. Called after each failure. */
void search_stop_make_file(void);

/** The signal that has stopped the search, or 0. */
int search_stop_signal(void);

/** Whether the search is to stop. */
bool search_stop_is_due(void);

/** Can be read when a signal has arrived or a child has ended. Waits for it last search_stop_wait_ms() at most. */
int search_stop_fd(void);

/** Milliseconds up to the end of the time, but at most a second. */
int search_stop_wait_ms(void);

/** Waits until a child ends, a signal arrives or the time is over, but at most a second. */
void search_stop_wait(void);

/** Waits until the child of a slot has ended, and returns true. If the search is to stop before, ends the child, and
 * returns false. */
bool search_stop_wait_slot(struct search_slot *slot, const struct search_option *option);

/** Kills the child of a slot if it runs long after its --timeout, which it should have kept itself: a guest may have
 * broken into it. */
void search_stop_limit(const struct search_slot *slot, const struct search_option *option);

/** Waits until a child has ended that is about to end, and sets its *status. One that does not end soon is killed: a
 * guest may have broken into it. */
void search_stop_reap(pid_t child, int *status);

#endif
