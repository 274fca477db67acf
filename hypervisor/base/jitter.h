/* SPDX-License-Identifier: MIT */
/* Jitter, for tests. Work that the monitor does at moments of its own choice happens at random moments, and hundreds of
 * times as often. The guest must not notice, so digests with and without jitter are equal.
 *
 * The process has one random state, which all threads and signal handlers of the monitor may use. Without jitter_begin
 * each function returns the value for a usual run. */
#ifndef HYPERVISOR_JITTER_H
#define HYPERVISOR_JITTER_H

#include <stdbool.h>
#include <stdint.h>

/** Switches jitter on. */
void jitter_begin(uint64_t seed);

/** Whether jitter_begin was called. */
bool jitter_is_on(void);

/** Returns a random number below `limit`, which is not 0; 0 without jitter. */
uint64_t jitter_below(uint64_t limit);

/** Returns true once in `count` calls on average; false without jitter. */
bool jitter_one_in(uint64_t count);

/** Returns a random number from 1 to `limit`; `usual` without jitter. */
uint64_t jitter_instead(uint64_t usual, uint64_t limit);

/** Returns the nanoseconds until the next look at the guest, or the next drain; `usual_ns` without jitter. */
uint64_t jitter_interval_ns(uint64_t usual_ns);

/** Sometimes makes the calling thread sleep for a fraction of a millisecond; does nothing without jitter. */
void jitter_stall(void);

#endif
