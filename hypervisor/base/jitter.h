/* SPDX-License-Identifier: MIT */
/* Jitter, for tests: the monitor does at random moments, and hundreds of times as often, what it does at moments of its
 * own. The guest must not notice, so digests with and without jitter are equal.
 *
 * The process has one state, which every thread and signal handler of the monitor may draw from. Without jitter_begin
 * each function returns what the monitor does in a usual run. */
#ifndef HYPERVISOR_JITTER_H
#define HYPERVISOR_JITTER_H

#include <stdbool.h>
#include <stdint.h>

/** Switches jitter on. */
void jitter_begin(uint64_t seed);

/** Whether jitter_begin was called. */
bool jitter_is_on(void);

/** A random number below `limit`, which is not 0; 0 without jitter. */
uint64_t jitter_below(uint64_t limit);

/** True once in `count` times on average; false without jitter. */
bool jitter_one_in(uint64_t count);

/** A random number from 1 to `limit`; `usual` without jitter. */
uint64_t jitter_instead(uint64_t usual, uint64_t limit);

/** After how many nanoseconds to look at the guest, or to drain, next; `usual_ns` without jitter. */
uint64_t jitter_interval_ns(uint64_t usual_ns);

/** Sometimes makes the calling thread sleep for a fraction of a millisecond; does nothing without jitter. */
void jitter_stall(void);

#endif
