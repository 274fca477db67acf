/* SPDX-License-Identifier: MIT */
/* Event records. Watching leaves traces on the program's stack, so that a watched run has another digest of memory
 * than others; its chain is the same. */
#include "kernel/sys/event.h"

#include "abi/events.h"
#include "abi/stats.h"
#include "kernel/dev/doorbell.h"
#include "kernel/end.h"
#include "kernel/lib/format.h"
#include "kernel/arch/direct_map.h"

bool event_watched;

static struct boot_events wanted;

void event_init(const struct boot_info *boot)
{
	wanted = boot->events;
	event_watched = wanted.interval || wanted.first < wanted.last || wanted.stop;
}

static void put(const struct run_stats *stats, unsigned call, long result)
{
	struct event_buffer *buffer = phys_to_virt(LAYOUT_EVENTS);
	if (buffer->count == EVENT_RECORDS)
		doorbell_ring(DOORBELL_EVENTS, 0, 0);
	buffer->records[buffer->count++] = (struct event_record){stats->events, call, result, stats->chain[0]};
}

void event_note(unsigned call, long result)
{
	const struct run_stats *stats = phys_to_virt(LAYOUT_STATS);
	uint64_t number = stats->events;
	if ((wanted.interval && number % wanted.interval == 0) || (number >= wanted.first && number < wanted.last))
		put(stats, call, result);
	if (number == wanted.stop) {
		char what[64];
		format(what, sizeof(what), "kernel call %lu", number);
		end_with_report(END_STOPPED, 0, what);
	}
}
