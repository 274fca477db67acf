/* SPDX-License-Identifier: MIT */
/* Inputs that eremite takes from the host if they are not given. */
#ifndef HYPERVISOR_DRAWN_INPUTS_H
#define HYPERVISOR_DRAWN_INPUTS_H

#include "session/session.h"

/**
 * Draws the inputs that were not given. With a way outside, seed and epoch are the host's: keys that everyone can
 * compute protect nothing, and certificates are not valid in the year 2000. With the host's times of files, the clock
 * starts after them.
 */
void drawn_inputs_draw(struct session *options);

/** Notes the seed and the epoch that hold without being given, for a recording. */
void drawn_inputs_note(struct session *options);

#endif
