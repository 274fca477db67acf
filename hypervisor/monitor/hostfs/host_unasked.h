/* SPDX-License-Identifier: MIT */
/* One answer that is prepared before the guest asks, and how it is confirmed or undone (host_ahead.h). */
#ifndef HYPERVISOR_HOST_UNASKED_H
#define HYPERVISOR_HOST_UNASKED_H

#include "hostfs/host_ahead.h"

/**
 * Appends an entry to the area for the request at `at` of ahead->before, and counts it; the guest does not see it yet.
 * Returns false if the run must reach the request first, or if there is no room.
 */
bool host_unasked_answer(struct host_ahead *ahead, size_t at, const struct host_asked *asked);

/**
 * Appends an entry for the next request of a walk, of which `from` is the position, and counts it; the guest does not
 * see it yet. Returns false if nothing is expected, the guest must ask itself, or there is no room.
 */
bool host_unasked_walk(struct host_ahead *ahead, const struct host_walk *from);

/**
 * Appends an entry for the next look-up of a program that looks at files in order, after the one that found *at, and
 * counts it; the guest does not see it yet. Sets *at to the object that it finds. Returns false if no other one can
 * follow.
 */
bool host_unasked_look(struct host_ahead *ahead, uint32_t *at);

/** Confirms an answer that the guest has taken. */
void host_unasked_confirm(struct host_ahead *ahead, const struct host_ahead_answer *answer);

/** Undoes an answer that the guest has not taken. It must not have taken any later answer either. */
void host_unasked_undo(struct host_ahead *ahead, const struct host_ahead_answer *answer);

#endif
