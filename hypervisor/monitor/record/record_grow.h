/* SPDX-License-Identifier: MIT */
/* A recording that gets more exchanges is written anew beside the old one, which stays as it is until the new one is
 * complete. This copies the old one. */
#ifndef HYPERVISOR_RECORD_GROW_H
#define HYPERVISOR_RECORD_GROW_H

#include <stdint.h>

#include "record/recording.h"

/**
 * Copies the blocks of a recording, without how its run ended, and its capture into two empty files. Stores the check
 * of the last block. What a killed run has left of a block of the capture is left out. Returns 0 or a negative errno.
 */
int record_grow_copy(const struct replay *replay, int log, int capture, uint64_t *check);

#endif
