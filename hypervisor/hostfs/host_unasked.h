/* SPDX-License-Identifier: MIT */
/* One answer that nobody has asked for yet, and what is done about it when it was taken or was not. */
#ifndef HYPERVISOR_HOST_UNASKED_H
#define HYPERVISOR_HOST_UNASKED_H

#include "hostfs/host_ahead.h"

/**
 * Puts one more entry behind those in the area, for a request at `at` of ahead->before, and counts it; the guest does
 * not see it yet. False: the run has to come to the request first, or there is no room.
 */
bool host_unasked_answer(struct host_ahead *ahead, size_t at, const struct host_asked *asked);

/** The guest has taken an answer. */
void host_unasked_confirm(struct host_ahead *ahead, const struct host_ahead_answer *answer);

/** The guest has not taken an answer, nor any that was found later. */
void host_unasked_undo(struct host_ahead *ahead, const struct host_ahead_answer *answer);

#endif
