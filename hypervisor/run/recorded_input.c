/* SPDX-License-Identifier: MIT */
/* The guest cannot tell a run with a recording from one without: each read is answered with the same bytes. */
#include "run/recorded_input.h"

#include <errno.h>
#include <string.h>

#include "abi/network.h"
#include "record/record_log.h"
#include "record/redact_queue.h"

int recorded_input_add(struct recording *recording, const void *piece, size_t bytes)
{
	const struct network_record record = {.op = NETWORK_INPUT, .bytes = (uint32_t)bytes};
	recording_network(recording, &record, piece);
	return recording_flush(recording); /* so that a run that is killed leaves what it has read */
}

/* Notes the first byte given that --redact replaced. Its block comes before the piece. */
static void note_redacted(struct replay *replay, const struct replay_block *block)
{
	struct record_redacted redacted;
	struct record_redacted_range first;
	memcpy(&redacted, block->data, sizeof(redacted));
	replay->redacted.is = true;
	if (!redacted.count || replay->redacted.was_given || redacted.op != NETWORK_INPUT ||
	    redacted.offset == REDACT_LATE)
		return;
	memcpy(&first, block->data + sizeof(redacted), sizeof(first));
	replay->redacted.was_given = replay->redacted.is_input = true;
	replay->redacted.at = redacted.offset + first.at;
}

ssize_t recorded_input_next(struct replay *replay, void *to, size_t bytes)
{
	struct replay_block block = {0};
	int result;
	while ((result = replay_next(replay, &block)) > 0 && block.kind != RECORD_INPUT)
		if (block.kind == RECORD_REDACTED)
			note_redacted(replay, &block);
	if (result <= 0)
		return result ? result : -ENODATA;
	size_t got = block.bytes - sizeof(struct network_record);
	if (got > bytes)
		return -EPROTO;
	memcpy(to, block.data + sizeof(struct network_record), got);
	return (ssize_t)got;
}
