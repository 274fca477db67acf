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

static struct event_file_head compare_head_of(const struct compare_events *list)
{
	struct event_file_head head;
	if (event_log_head(list->bytes, list->size, &head) || head.stride & (head.stride - 1))
		die("compare: %s is damaged: its list of events is not valid", list->path);
	return head;
}

bool compare_events_is(const uint8_t *bytes, size_t size)
{
	const size_t length = strlen(EVENT_FILE_MAGIC);
	return size >= length && !memcmp(bytes, EVENT_FILE_MAGIC, length);
}

/* The record of an event whose number is a multiple of the stride. */
static struct event_record compare_record_of(const struct compare_events *list, uint64_t stride, uint64_t number)
{
	struct event_record record;
	memcpy(&record, list->bytes + sizeof(struct event_file_head) + (number / stride - 1) * sizeof(record),
	       sizeof(record));
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

static void compare_print_end(uint64_t number, const struct compare_events *ended, const struct compare_events *other)
{
	printf("first event that differs: event %" PRIu64 ": %s has ended before it, %s has not\n", number, ended->path,
	       other->path);
}

bool compare_events(const struct compare_events *a, const struct compare_events *b)
{
	const struct event_file_head of_a = compare_head_of(a), of_b = compare_head_of(b);
	const uint64_t stride = of_a.stride > of_b.stride ? of_a.stride : of_b.stride;
	const uint64_t all = of_a.returned < of_b.returned ? of_a.returned : of_b.returned;
	for (uint64_t number = stride; number <= all; number += stride) {
		if (number / of_a.stride > of_a.records || number / of_b.stride > of_b.records)
			break;
		const struct event_record one = compare_record_of(a, of_a.stride, number),
					  other = compare_record_of(b, of_b.stride, number);
		if (!memcmp(&one, &other, sizeof(one)))
			continue;
		compare_print_place(number - stride + 1, number);
		compare_print_both(a, &one, b, &other);
		return true;
	}
	if (of_a.returned != of_b.returned) {
		const bool a_ended = of_a.returned < of_b.returned;
		compare_print_end(all + 1, a_ended ? a : b, a_ended ? b : a);
	}
	return of_a.returned != of_b.returned;
}
