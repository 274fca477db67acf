/* SPDX-License-Identifier: MIT */
/* The monitor's side of the log. The guest writes the log, so logging causes no exits. The log is untrusted like all
 * guest data: a wrong log only gives a wrong place in a message. */
#include "run/event_log.h"

#include <errno.h>

#include "guest/guest_memory.h"

int event_log_init(struct event_log *log, host_memory_reserve *reserve)
{
	*log = (struct event_log){.wanted.mode = EVENT_LOG_RECORD};
	int result = reserve(&log->memory, LAYOUT_EVENT_LOG_SIZE);
	log->records = (struct event_record *)log->memory.base;
	return result;
}

void event_log_fini(struct event_log *log)
{
	host_memory_release(&log->memory);
	*log = (struct event_log){0};
}

int event_log_compare(struct event_log *log, const struct event_state *recorded, uint64_t stop)
{
	/* The stride is 0 after a run without kernel calls. */
	uint64_t stride = recorded->stride ? recorded->stride : 1;
	if ((stride & (stride - 1)) || recorded->records > EVENT_RECORDS)
		return -EPROTO;
	log->wanted = (struct boot_events){
		.mode = EVENT_LOG_COMPARE,
		.stride = stride,
		.records = recorded->records,
		.returned = recorded->returned,
		.stop = stop,
	};
	return 0;
}

bool event_log_find(const struct event_log *log, uint64_t number, struct event_record *record)
{
	uint64_t stride = log->wanted.stride;
	if (!number || number % stride || number / stride > log->wanted.records)
		return false;
	guest_memory_copy(record, &log->records[number / stride - 1], sizeof(*record));
	return true;
}
