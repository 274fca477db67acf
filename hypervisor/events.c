/* SPDX-License-Identifier: MIT */
/* Lists of event records, copied out of the guest before they are looked at. */
#include "events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS_MAX (64UL << 20)

int events_take(struct events *events, const struct guest_memory *memory)
{
	struct event_buffer *buffer = guest_memory_at(memory, gpa(LAYOUT_EVENTS), sizeof(*buffer));
	if (!buffer)
		return -EFAULT;
	size_t count = buffer->count;
	if (count > EVENT_RECORDS)
		return -EPROTO;
	if (events->count + count > EVENTS_MAX)
		return -ENOMEM;
	if (events->count + count > events->room) {
		size_t room = 2 * (events->count + count);
		struct event_record *grown = realloc(events->records, room * sizeof(*grown));
		if (!grown)
			return -ENOMEM;
		events->records = grown;
		events->room = room;
	}
	if (count)
		memcpy(events->records + events->count, buffer->records, count * sizeof(buffer->records[0]));
	events->count += count;
	buffer->count = 0;
	return 0;
}

long events_difference(const struct events *a, const struct events *b)
{
	size_t common = a->count < b->count ? a->count : b->count;
	for (size_t i = 0; i < common; i++)
		if (memcmp(&a->records[i], &b->records[i], sizeof(a->records[i])))
			return (long)i;
	return a->count == b->count ? -1 : (long)common;
}

void events_fini(struct events *events)
{
	free(events->records);
	*events = (struct events){0};
}
