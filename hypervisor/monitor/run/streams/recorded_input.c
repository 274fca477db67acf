/* SPDX-License-Identifier: MIT */
/* The guest cannot tell a run with a recording from one without: each read is answered with the same bytes. */
#include "run/streams/recorded_input.h"

#include <errno.h>
#include <string.h>

#include "abi/network.h"
#include "record/record_log.h"

int recorded_input_add(struct recording *recording, const void *piece, size_t bytes)
{
	const struct network_record record = {.op = NETWORK_INPUT, .bytes = (uint32_t)bytes};
	recording_network(recording, &record, piece);
	return recording_flush(recording); /* so that a run that is killed leaves what it has read */
}

ssize_t recorded_input_next(struct replay *replay, void *to, size_t bytes)
{
	struct replay_block block = {0};
	const uint8_t *redacted = NULL;
	int result;
	while ((result = replay_next(replay, &block)) > 0 && block.kind != RECORD_INPUT)
		redacted = block.kind == RECORD_REDACTED ? block.data : NULL;
	replay_note_given(replay, result > 0 ? redacted : NULL);
	if (result <= 0)
		return result ? result : -ENODATA;
	size_t got = block.bytes - sizeof(struct network_record);
	if (got > bytes)
		return -EPROTO;
	memcpy(to, block.data + sizeof(struct network_record), got);
	return (ssize_t)got;
}
