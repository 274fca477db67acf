/* SPDX-License-Identifier: MIT */
/* Each direction of a connection is a text. Its bytes are `final` when a match of REDACT_WINDOW bytes that begins in
 * them would have ended: then their matches are replaced and may be kept. Records are kept in their order, so one that
 * waits holds back all that follow. */
#include "record/redact_queue.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define LISTS 1024
#define SCAN_AT (2 * REDACT_WINDOW)   /* a text is searched when so many bytes are not final */
#define MATCH_MAX (4 * REDACT_WINDOW) /* a longer match that goes on is found in pieces */

/** A record that waits. */
struct held {
	struct held *next;  /* in the queue */
	struct held *later; /* in the text */
	struct network_record record;
	uint64_t offset; /* in the text */
	bool is_final;
	bool has_redacted;
	uint8_t *mask; /* mask[i]: byte i was replaced; behind the payload */
	uint8_t payload[];
};

/** One direction of a connection, or standard input. Positions count from its first byte. */
struct text {
	struct text *next; /* in the list of its flow */
	uint32_t flow;
	bool from_guest, has_ended;
	uint8_t *data; /* true bytes [base, end) */
	size_t room;
	uint64_t base, end, final;
	uint64_t from[REDACT_MOST]; /* of each expression: where to search on */
	struct held *first, **last; /* those that are not final */
};

struct redact_queue {
	struct redact *redact;
	redact_keep *keep;
	void *context;
	struct text *texts[LISTS];
	struct held *first, **last;
	size_t bytes; /* that wait */
	int error;
	struct redact_counts counts;
	struct record_redacted_range *ranges;
	size_t ranges_room;
};

struct redact_queue *redact_queue_create(struct redact *redact, redact_keep *keep, void *context)
{
	struct redact_queue *queue = calloc(1, sizeof(*queue));
	if (!queue) {
		redact_destroy(redact);
		return NULL;
	}
	queue->redact = redact;
	queue->keep = keep;
	queue->context = context;
	queue->last = &queue->first;
	return queue;
}

static void free_text(struct text *text)
{
	if (text->data)
		explicit_bzero(text->data, text->room);
	free(text->data);
	free(text);
}

void redact_queue_destroy(struct redact_queue *queue)
{
	if (!queue)
		return;
	for (unsigned i = 0; i < LISTS; i++)
		for (struct text *text = queue->texts[i], *next; text; text = next) {
			next = text->next;
			free_text(text);
		}
	for (struct held *held = queue->first, *next; held; held = next) {
		next = held->next;
		free(held);
	}
	redact_destroy(queue->redact);
	free(queue->ranges);
	free(queue);
}

static void fail_queue(struct redact_queue *queue, int error)
{
	if (!queue->error)
		queue->error = error;
}

/* --- texts --- */

static struct text **find_queued_text(struct redact_queue *queue, uint32_t flow, bool from_guest)
{
	struct text **at = &queue->texts[flow % LISTS];
	while (*at && ((*at)->flow != flow || (*at)->from_guest != from_guest))
		at = &(*at)->next;
	return at;
}

static struct text *open_queued_text(struct redact_queue *queue, uint32_t flow, bool from_guest)
{
	struct text **at = find_queued_text(queue, flow, from_guest);
	if (*at)
		return *at;
	struct text *text = calloc(1, sizeof(*text));
	if (!text) {
		fail_queue(queue, -ENOMEM);
		return NULL;
	}
	text->flow = flow;
	text->from_guest = from_guest;
	text->last = &text->first;
	return *at = text;
}

/* Replaces the bytes [start, end) of a text in the records that wait. */
static void replace_bytes(struct redact_queue *queue, struct text *text, uint64_t start, uint64_t end)
{
	for (struct held *held = text->first; held && held->offset < end; held = held->later) {
		uint64_t from = start > held->offset ? start - held->offset : 0;
		uint64_t to = end - held->offset < held->record.bytes ? end - held->offset : held->record.bytes;
		for (; from < to; from++) {
			queue->counts.bytes += !held->mask[from];
			held->mask[from] = 1;
			held->payload[from] = REDACT_BYTE;
			held->has_redacted = true;
		}
	}
}

/* Replaces the matches of an expression that begin before `final`. Matches behind it may still grow. */
static void search_text(struct redact_queue *queue, struct text *text, unsigned i, uint64_t final)
{
	struct redact_range match;
	size_t bytes = text->end - text->base;
	int found = 0;
	while (text->from[i] < final &&
	       (found = redact_find(queue->redact, i, text->data, bytes, text->from[i] - text->base, !text->base,
	                            text->has_ended, &match)) > 0 &&
	       text->base + match.start < final) {
		uint64_t start = text->base + match.start, end = text->base + match.end;
		replace_bytes(queue, text, start, end);
		bool goes_on = end == text->end && !text->has_ended && end - start <= MATCH_MAX;
		if (goes_on) { /* bytes that come later may belong to it */
			text->from[i] = start;
			return;
		}
		queue->counts.matches++;
		text->from[i] = end;
	}
	if (found < 0)
		fail_queue(queue, found);
	else if (text->from[i] < final)
		text->from[i] = final;
}

/* Forgets what no search needs any more: one byte before each is its context. */
static void shorten_text(const struct redact_queue *queue, struct text *text)
{
	uint64_t least = text->final;
	for (unsigned i = 0; i < redact_count(queue->redact); i++)
		least = text->from[i] < least ? text->from[i] : least;
	least -= least > 0;
	if (least <= text->base)
		return;
	memmove(text->data, text->data + (least - text->base), text->end - least + 1);
	text->base = least;
}

/* Makes a text final up to a position. */
static void settle_text(struct redact_queue *queue, struct text *text, uint64_t final)
{
	for (unsigned i = 0; i < redact_count(queue->redact) && !queue->error; i++)
		search_text(queue, text, i, final);
	if (queue->error)
		return;
	text->final = final;
	while (text->first && text->first->offset + text->first->record.bytes <= final) {
		text->first->is_final = true;
		text->first = text->first->later;
	}
	if (!text->first)
		text->last = &text->first;
	shorten_text(queue, text);
}

static void end_text(struct redact_queue *queue, uint32_t flow, bool from_guest, bool is_gone)
{
	struct text **at = find_queued_text(queue, flow, from_guest), *text = *at;
	if (!text)
		return;
	text->has_ended = true;
	settle_text(queue, text, text->end);
	if (is_gone && !queue->error) {
		*at = text->next;
		free_text(text);
	}
}

/* Whether a text begins with the ClientHello of TLS (RFC 8446, 4.1.2). */
static bool is_tls(const struct held *held)
{
	return !held->offset && held->record.flow && held->record.bytes >= 6 && held->payload[0] == 22 &&
	       held->payload[1] == 3 && held->payload[5] == 1;
}

static void add_to_text(struct redact_queue *queue, struct held *held, struct text *text)
{
	size_t bytes = held->record.bytes, used = text->end - text->base;
	if (!array_reserve(text->data, text->room, used + bytes + 1)) {
		fail_queue(queue, -ENOMEM);
		return;
	}
	memcpy(text->data + used, held->payload, bytes);
	text->data[used + bytes] = 0;
	held->offset = text->end;
	queue->counts.tls += is_tls(held);
	text->end += bytes;
	*text->last = held;
	text->last = &held->later;
	if (text->has_ended)
		settle_text(queue, text, text->end);
	else if (text->end - text->final >= SCAN_AT)
		settle_text(queue, text, text->end - REDACT_WINDOW);
}

/* --- the queue --- */

/* Replaces the matches in a payload that is a text of its own. */
static void redact_whole(struct redact_queue *queue, struct held *held)
{
	int found = redact_mask(queue->redact, held->payload, held->record.bytes, held->mask);
	if (found < 0) {
		fail_queue(queue, found);
		return;
	}
	queue->counts.matches += (unsigned)found;
	for (uint32_t i = 0; i < held->record.bytes; i++) {
		if (!held->mask[i])
			continue;
		held->payload[i] = REDACT_BYTE;
		queue->counts.bytes++;
		held->has_redacted = true;
	}
	held->is_final = true;
}

/* A connection that the guest has closed still gets what was under way, which no program reads. */
static void redact_late(struct redact_queue *queue, struct held *held)
{
	memset(held->payload, REDACT_BYTE, held->record.bytes);
	memset(held->mask, 1, held->record.bytes);
	queue->counts.bytes += held->record.bytes;
	held->offset = REDACT_LATE;
	held->has_redacted = held->is_final = true;
}

static void place_held(struct redact_queue *queue, struct held *held)
{
	const struct network_record *record = &held->record;
	bool from_guest = record->op == NETWORK_SEND;
	struct text *text = NULL;
	held->is_final = !record->bytes;
	switch (record->op) {
	case NETWORK_CONNECT:
	case NETWORK_CAME:
		open_queued_text(queue, record->flow, true);
		open_queued_text(queue, record->flow, false);
		break;
	case NETWORK_FINISH:
	case NETWORK_ENDED:
		end_text(queue, record->flow, record->op == NETWORK_FINISH, false);
		break;
	case NETWORK_CONNECTED:
	case NETWORK_CLOSE:
	case NETWORK_RESET:
		if (record->op == NETWORK_CONNECTED && !record->value)
			break;
		end_text(queue, record->flow, true, true);
		end_text(queue, record->flow, false, true);
		break;
	case NETWORK_INPUT:
		text = open_queued_text(queue, 0, false);
		if (!record->bytes)
			end_text(queue, 0, false, false);
		break;
	case NETWORK_SEND:
	case NETWORK_DATA:
		text = *find_queued_text(queue, record->flow, from_guest);
		break;
	default:
		break;
	}
	if (held->is_final || queue->error)
		return;
	if (text)
		add_to_text(queue, held, text);
	else if (record->op == NETWORK_SEND || record->op == NETWORK_DATA)
		redact_late(queue, held);
	else
		redact_whole(queue, held);
}

/* Lists the ranges that were replaced. */
static uint32_t list_ranges(struct redact_queue *queue, const struct held *held)
{
	uint32_t count = 0, bytes = held->record.bytes;
	for (uint32_t at = 0; at < bytes; at++) {
		uint32_t start = at;
		while (at < bytes && held->mask[at])
			at++;
		if (at == start)
			continue;
		if (!array_reserve(queue->ranges, queue->ranges_room, count + 1)) {
			fail_queue(queue, -ENOMEM);
			return 0;
		}
		queue->ranges[count++] = (struct record_redacted_range){start, at - start};
	}
	return count;
}

static void keep_first(struct redact_queue *queue)
{
	struct held *held = queue->first;
	struct record_redacted redacted = {.op = held->record.op, .flow = held->record.flow, .offset = held->offset};
	if (held->has_redacted)
		redacted.count = list_ranges(queue, held);
	if (queue->error)
		return;
	queue->keep(queue->context, &held->record, held->payload, held->has_redacted ? &redacted : NULL, queue->ranges);
	queue->bytes -= sizeof(*held) + 2 * (size_t)held->record.bytes;
	queue->first = held->next;
	if (!queue->first)
		queue->last = &queue->first;
	free(held);
}

/* Too much waits for the first record: the rest of its text is replaced, whatever it is. */
static void give_up_first(struct redact_queue *queue)
{
	const struct network_record *record = &queue->first->record;
	bool from_guest = record->op == NETWORK_SEND;
	struct text *text = *find_queued_text(queue, record->op == NETWORK_INPUT ? 0 : record->flow, from_guest);
	assert(text);
	uint64_t before, final = text->end > REDACT_WINDOW ? text->end - REDACT_WINDOW : 0;
	if (final > text->final)
		settle_text(queue, text, final);
	before = queue->counts.bytes;
	replace_bytes(queue, text, text->final, text->end);
	queue->counts.unseen += queue->counts.bytes - before;
	while (text->first) { /* true bytes stay in the text, for a match that ends later */
		text->first->is_final = true;
		text->first = text->first->later;
	}
	text->last = &text->first;
}

static void keep_final(struct redact_queue *queue)
{
	while (queue->first && !queue->error) {
		if (queue->first->is_final)
			keep_first(queue);
		else if (queue->bytes > REDACT_HELD_MAX)
			give_up_first(queue);
		else
			return;
	}
}

void redact_queue_add(struct redact_queue *queue, const struct network_record *record, const void *payload)
{
	size_t bytes = record->bytes;
	if (queue->error)
		return;
	struct held *held = calloc(1, sizeof(*held) + 2 * bytes + 1);
	if (!held) {
		fail_queue(queue, -ENOMEM);
		return;
	}
	held->record = *record;
	held->mask = held->payload + bytes;
	if (bytes)
		memcpy(held->payload, payload, bytes);
	*queue->last = held;
	queue->last = &held->next;
	queue->bytes += sizeof(*held) + 2 * bytes;
	place_held(queue, held);
	keep_final(queue);
}

void redact_queue_end(struct redact_queue *queue)
{
	for (unsigned i = 0; i < LISTS; i++)
		for (struct text *text = queue->texts[i]; text && !queue->error; text = text->next) {
			text->has_ended = true;
			settle_text(queue, text, text->end);
		}
	keep_final(queue);
}

int redact_queue_error(const struct redact_queue *queue)
{
	return queue->error;
}

struct redact_counts redact_queue_counts(const struct redact_queue *queue)
{
	return queue->counts;
}
