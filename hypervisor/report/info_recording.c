/* SPDX-License-Identifier: MIT */
#include "report/info_recording.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "net/net_address.h"
#include "record/record_log.h"
#include "record/recording.h"
#include "record/redact_queue.h"

/* Prints text of the recording, which anyone may have written, as it may be printed: line by line. */
static void print_text(FILE *to, const char *head, const char *text, size_t bytes)
{
	while (bytes) {
		const char *end = memchr(text, '\n', bytes);
		size_t length = end ? (size_t)(end - text) : bytes;
		char *line = memory_or_die(strndup(text, length));
		clean_text(line, strlen(line));
		fprintf(to, "%s%s\n", head, line);
		free(line);
		length += end != NULL;
		text += length;
		bytes -= length;
	}
}

static void print_network(FILE *to, const struct record_network *entry)
{
	const struct network_record *record = &entry->record;
	char address[NET_ADDRESS_TEXT];
	if (record->op == NETWORK_TIME) {
		fprintf(to, "look %" PRIu64 ": TIME, %" PRIu64 " ns\n", record->look, record->moment);
		return;
	}
	fprintf(to, "look %" PRIu64 ", %" PRIu64 " ns: %s", record->look, record->moment, record_log_name(record->op));
	if (record->flow)
		fprintf(to, ", %s connection %u", record->flow & NETWORK_INCOMING ? "incoming" : "outgoing",
		        record->flow & ~NETWORK_INCOMING);
	if (record->local.port) {
		net_address_text(&record->local, address);
		fprintf(to, ", local %s", address);
	}
	if (record->remote.port) {
		net_address_text(&record->remote, address);
		fprintf(to, ", remote %s", address);
	}
	if (record->value)
		fprintf(to, ", value %d", record->value);
	if (record->bytes)
		fprintf(to, ", %u byte%s at %" PRIu64, record->bytes, text_s(record->bytes), entry->payload_at);
	fprintf(to, "\n");
}

static void print_input(FILE *to, const struct network_record *record)
{
	fprintf(to, "look %" PRIu64 ", %" PRIu64 " ns: standard input, ", record->look, record->moment);
	if (record->bytes)
		fprintf(to, "%u byte%s\n", record->bytes, text_s(record->bytes));
	else
		fprintf(to, "its end\n");
}

/* What --redact replaced in the next record. */
static void print_redacted(FILE *to, const struct replay_block *block)
{
	struct record_redacted redacted;
	struct record_redacted_range range;
	memcpy(&redacted, block->data, sizeof(redacted));
	if (!redacted.op)
		fprintf(to, "redacted: what --redact matches\n");
	for (uint32_t i = 0; i < redacted.count; i++) {
		memcpy(&range, block->data + sizeof(redacted) + i * sizeof(range), sizeof(range));
		if (redacted.offset == REDACT_LATE)
			fprintf(to, "redacted: the next record, which nobody has read\n");
		else
			fprintf(to, "redacted: %u byte%s from byte %" PRIu64 " on, in the next record\n", range.bytes,
			        text_s(range.bytes), redacted.offset + range.at);
	}
}

/* What a later run was given. */
static void print_added(FILE *to, const struct replay_block *block)
{
	const char *at = (const char *)block->data, *end = at + block->bytes, *next;
	fprintf(to, "what follows was added by a later run, so --replay refuses this recording\n");
	for (; at < end && (next = memchr(at, 0, (size_t)(end - at))); at = next + 1)
		print_text(to, "option ", at, (size_t)(next - at));
}

/* What --tls-keylog has taken: how much, and not the keys. */
static void print_keys(FILE *to, const struct replay_block *block)
{
	static const char *const once[] = {"CLIENT_RANDOM ", "CLIENT_HANDSHAKE_TRAFFIC_SECRET "}; /* TLS 1.2, TLS 1.3 */
	const char *at = (const char *)block->data, *end = at + block->bytes;
	unsigned connections = 0;
	while (at < end) {
		const char *next = memchr(at, '\n', (size_t)(end - at));
		next = next ? next + 1 : end;
		for (unsigned i = 0; i < 2; i++)
			connections += (size_t)(next - at) > strlen(once[i]) && !memcmp(at, once[i], strlen(once[i]));
		at = next;
	}
	fprintf(to, "keys: of %u TLS connection%s, so the capture shows what was sent\n", connections,
	        text_s(connections));
}

static void print_mark(FILE *to, const struct replay_block *block)
{
	struct record_mark mark = {0};
	memcpy(&mark, block->data, block->bytes < sizeof(mark) ? block->bytes : sizeof(mark));
	fprintf(to, "mark: %" PRIu64 " kernel calls and switches of threads had returned\n", mark.events);
}

static void print_block(FILE *to, const struct replay_block *block)
{
	struct record_network entry;
	switch (block->kind) {
	case RECORD_NETWORK:
		memcpy(&entry, block->data, sizeof(entry));
		print_network(to, &entry);
		return;
	case RECORD_MARK:
		print_mark(to, block);
		return;
	case RECORD_INPUT:
		memcpy(&entry.record, block->data, sizeof(entry.record));
		print_input(to, &entry.record);
		return;
	case RECORD_REDACTED:
		print_redacted(to, block);
		return;
	case RECORD_ADDED:
		print_added(to, block);
		return;
	case RECORD_KEYS:
		print_keys(to, block);
		return;
	case RECORD_DEFAULTS: /* printed with the options */
		return;
	case RECORD_ABOUT:
		print_text(to, "made by: ", (const char *)block->data, block->bytes);
		return;
	case RECORD_FILES:
		print_text(to, "file ", (const char *)block->data, block->bytes);
		return;
	case RECORD_END:
		print_text(to, "end: ", (const char *)block->data, block->bytes);
		return;
	default:
		fprintf(to, "a block of the unknown kind %u, %u bytes\n", block->kind, block->bytes);
		return;
	}
}

int info_recording_print(FILE *to, const char *dir, struct error *error)
{
	struct replay replay;
	struct replay_block block;
	int result = replay_open(&replay, dir, error);
	for (unsigned i = 0; !result && i < replay.option_count; i++)
		print_text(to, "option ", replay.options[i], strlen(replay.options[i]));
	for (unsigned i = 0; !result && i < replay.default_count; i++)
		print_text(to, "default ", replay.defaults[i], strlen(replay.defaults[i]));
	while (!result && (result = replay_next(&replay, &block)) > 0) {
		print_block(to, &block);
		result = 0;
	}
	if (!result && !replay_find(&replay, RECORD_END, &block))
		fprintf(to, "cut off here\n");
	replay_close(&replay);
	return result;
}
