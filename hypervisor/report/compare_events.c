/* SPDX-License-Identifier: MIT */
/* A record has a hash of all events up to its own, so the first record that differs is the first difference. Of a long
 * run a list has every second, fourth ... event only: then the place is that many events wide. */
#include "report/compare_events.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "abi/events.h"
#include "base/die.h"
#include "report/event_text.h"
#include "run/event_log.h"

/* What the head of a list says. */
struct compare_head {
	uint64_t returned, stride, records; /* as in struct event_file_head */
	bool is_part;                       /* it has all events from a number on, as many as fit */
	uint64_t before;                    /* events that were left out */
	size_t at;                          /* where the records begin */
};

static struct compare_head compare_head_of(const struct compare_events *list)
{
	struct event_file_head head;
	struct compare_head all;
	if (event_log_head_from(list->bytes, list->size, &head, &all.before, &all.at) ||
	    head.stride & (head.stride - 1))
		die("compare: %s is damaged: its list of events is not valid", list->path);
	all.is_part = all.at != sizeof(head);
	if (all.is_part && head.returned <= all.before)
		die("compare: %s has no events: its run ended before event %" PRIu64 " of --events-from", list->path,
		    all.before + 1);
	all.returned = head.returned;
	all.stride = head.stride;
	all.records = head.records;
	return all;
}

bool compare_events_is(const uint8_t *bytes, size_t size)
{
	const size_t length = strlen(EVENT_FILE_MAGIC);
	return size >= length &&
	       (!memcmp(bytes, EVENT_FILE_MAGIC, length) || !memcmp(bytes, EVENT_FILE_MAGIC_FROM, length));
}

/* The record of an event whose number, from the first that was kept on, is a multiple of the stride. */
static struct event_record compare_record_of(const struct compare_events *list, const struct compare_head *head,
                                             uint64_t number)
{
	struct event_record record;
	memcpy(&record, list->bytes + head->at + (number / head->stride - 1) * sizeof(record), sizeof(record));
	return record;
}

static void compare_print_place(uint64_t first, uint64_t last)
{
	if (first == last)
		printf("first event that differs: event %" PRIu64, last);
	else
		printf("first event that differs: one of the events %" PRIu64 " to %" PRIu64, first, last);
}

/* Prints what each run did at an event. */
static void compare_print_both(const struct compare_events *a, const struct event_record *of_a,
                               const struct compare_events *b, const struct event_record *of_b)
{
	char did[2][EVENT_TEXT_BYTES];
	event_text(of_a, did[0]);
	event_text(of_b, did[1]);
	if (strcmp(did[0], did[1]))
		printf(": %s in %s, %s in %s\n", did[0], a->path, did[1], b->path);
	else /* all events before are the same: the moment of the switch differs, or a thread */
		printf(": %s in both, but at different moments\n", did[0]);
}

/* Says how the interval becomes one event. */
static void compare_print_interval(uint64_t first, uint64_t last)
{
	if (first != last)
		printf("To know which one, run both again with --events-out=FILE --events-from=%" PRIu64
		       ", and compare these files.\n",
		       first);
}

static void compare_print_end(uint64_t number, const struct compare_events *ended, const struct compare_events *other)
{
	printf("first event that differs: event %" PRIu64 ": %s has ended before it, %s has not\n", number, ended->path,
	       other->path);
}

bool compare_events(const struct compare_events *a, const struct compare_events *b)
{
	const struct compare_head of_a = compare_head_of(a), of_b = compare_head_of(b);
	const uint64_t stride = of_a.stride > of_b.stride ? of_a.stride : of_b.stride;
	const uint64_t all = of_a.returned < of_b.returned ? of_a.returned : of_b.returned, before = of_a.before;
	if (before != of_b.before || of_a.is_part != of_b.is_part)
		die("compare: %s has the events from %" PRIu64 " on, and %s those from %" PRIu64
		    " on; give both runs the same --events-from, or none",
		    a->path, before + 1, b->path, of_b.before + 1);
	for (uint64_t number = stride; number <= all - before; number += stride) {
		if (number / of_a.stride > of_a.records || number / of_b.stride > of_b.records)
			break;
		const struct event_record one = compare_record_of(a, &of_a, number),
					  other = compare_record_of(b, &of_b, number);
		const uint64_t first = before + number - stride + 1, last = before + number;
		if (!memcmp(&one, &other, sizeof(one)))
			continue;
		compare_print_place(first, last);
		compare_print_both(a, &one, b, &other);
		compare_print_interval(first, last);
		return true;
	}
	if (of_a.is_part && all - before > of_a.records) {
		printf("the events %" PRIu64 " to %" PRIu64 " are the same\n", before + 1, before + of_a.records);
		return false;
	}
	if (of_a.returned != of_b.returned) {
		const bool a_ended = of_a.returned < of_b.returned;
		compare_print_end(all + 1, a_ended ? a : b, a_ended ? b : a);
	} else
		puts("the events are the same");
	return of_a.returned != of_b.returned;
}
