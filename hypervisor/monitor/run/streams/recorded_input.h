/* SPDX-License-Identifier: MIT */
/* Standard input that the guest reads by the doorbell, in a recording: in the order of its reads. */
#ifndef HYPERVISOR_RECORDED_INPUT_H
#define HYPERVISOR_RECORDED_INPUT_H

#include <stddef.h>
#include <sys/types.h>

#include "record/recording.h"

/**
 * Adds a piece that the guest got, or the end of input if it has no bytes. A piece has at most NETWORK_PAYLOAD_MAX
 * bytes. Returns 0, or the negative errno with which writing failed.
 */
int recorded_input_add(struct recording *recording, const void *piece, size_t bytes);

/**
 * Reads the next piece, which must not be longer than `bytes`. Returns its bytes; 0 at the recorded end of input;
 * -ENODATA if the recording has no further piece; -EPROTO if the piece is longer; or -EBADMSG with replay->error.
 */
ssize_t recorded_input_next(struct replay *replay, void *to, size_t bytes);

#endif
