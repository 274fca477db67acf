/* SPDX-License-Identifier: MIT */
/* Applies --timeout to opening and reading files before the run: opening a FIFO can block until another process opens
 * its other end. */
#ifndef HYPERVISOR_OPENING_H
#define HYPERVISOR_OPENING_H

/**
 * Starts a timer of timeout_s seconds; 0 means no limit. Unless opening_end is called in time, eremite ends with
 * EXIT_TIMEOUT and a line that names the file.
 */
void opening_begin(const char *path, double timeout_s);

/** Starts a timer of timeout_s seconds for all that is done before the run, also between opening_begin and opening_end;
 * opening_limit_end stops it. */
void opening_limit(const char *path, double timeout_s);

/** Stops that timer: the run has one of its own. */
void opening_limit_end(void);

/** Stops the timer: the file is open, and has been read if necessary. */
void opening_end(void);

#endif
