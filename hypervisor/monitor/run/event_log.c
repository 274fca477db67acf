/* SPDX-License-Identifier: MIT */
/* The monitor's side of the log. The guest writes the log, so logging causes no exits. The log is untrusted like all
 * guest data: a wrong log only gives a wrong place in a message. */
#include "run/event_log.h"

#include <errno.h>
#include <string.h>

#include "base/write_all.h"
#include "guest/guest_memory.h"

#define BATCH 128 /* records that are written at once */

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

int event_log_write(const struct event_log *log, const struct event_state *recorded, uint64_t max, int fd)
{
	struct event_record batch[BATCH];
	struct event_file_head head = {.magic = EVENT_FILE_MAGIC, .returned = recorded->returned};
	uint64_t records = recorded->records <= EVENT_RECORDS ? recorded->records : 0, step = 1, count = 0;
	while (records / step > max)
		step *= 2;
	head.stride = (recorded->stride ? recorded->stride : 1) * step;
	head.records = records / step;
	int result = write_all(fd, &head, sizeof(head), 0);
	off_t at = sizeof(head);
	for (uint64_t i = step - 1; i < records && !result; i += step) {
		guest_memory_copy(&batch[count++], &log->records[i], sizeof(batch[0]));
		if (count < BATCH && i + step < records)
			continue;
		result = write_all(fd, batch, count * sizeof(batch[0]), at);
		at += (off_t)(count * sizeof(batch[0]));
		count = 0;
	}
	return result;
}

int event_log_head(const void *file, size_t bytes, struct event_file_head *head)
{
	if (bytes < sizeof(*head))
		return -EPROTO;
	memcpy(head, file, sizeof(*head));
	if (memcmp(head->magic, EVENT_FILE_MAGIC, sizeof(head->magic)) || !head->stride ||
	    head->records > EVENT_RECORDS || head->records > head->returned / head->stride ||
	    head->records * sizeof(struct event_record) != bytes - sizeof(*head))
		return -EPROTO;
	return 0;
}

int event_log_read(struct event_log *log, const void *file, size_t bytes, struct event_state *recorded)
{
	struct event_file_head head;
	if (event_log_head(file, bytes, &head))
		return -EPROTO;
	memcpy(log->records, (const uint8_t *)file + sizeof(head), bytes - sizeof(head));
	*recorded = (struct event_state){.returned = head.returned, .stride = head.stride, .records = head.records};
	return 0;
}
