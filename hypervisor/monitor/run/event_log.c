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

/* How many records a log has of a run from the event behind `before` on. */
static uint64_t part_records(uint64_t returned, uint64_t before)
{
	const uint64_t behind = returned > before ? returned - before : 0;
	return behind < EVENT_RECORDS ? behind : EVENT_RECORDS;
}

int event_log_write(const struct event_log *log, const struct event_state *recorded, uint64_t max, int fd)
{
	struct event_record batch[BATCH];
	struct event_file_head head = {.magic = EVENT_FILE_MAGIC, .returned = recorded->returned};
	const bool is_part = log->wanted.mode == EVENT_LOG_RECORD && log->wanted.stride;
	const uint64_t before = is_part ? log->wanted.returned : 0;
	uint64_t records = recorded->records <= EVENT_RECORDS ? recorded->records : 0, step = 1, count = 0;
	if (is_part && (recorded->stride > 1 || records != part_records(recorded->returned, before)))
		return -ENOTSUP;
	while (records / step > max)
		step *= 2;
	head.stride = (recorded->stride ? recorded->stride : 1) * step;
	head.records = records / step;
	if (is_part)
		memcpy(head.magic, EVENT_FILE_MAGIC_FROM, sizeof(head.magic));
	int result = write_all(fd, &head, sizeof(head), 0);
	off_t at = sizeof(head);
	if (is_part && !result) {
		result = write_all(fd, &before, sizeof(before), at);
		at += (off_t)sizeof(before);
	}
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

int event_log_head_from(const void *file, size_t bytes, struct event_file_head *head, uint64_t *before, size_t *at)
{
	*before = 0;
	*at = sizeof(*head);
	if (bytes < sizeof(*head))
		return -EPROTO;
	memcpy(head, file, sizeof(*head));
	if (!memcmp(head->magic, EVENT_FILE_MAGIC_FROM, sizeof(head->magic))) {
		*at += sizeof(*before);
		if (bytes < *at)
			return -EPROTO;
		memcpy(before, (const uint8_t *)file + sizeof(*head), sizeof(*before));
	} else if (memcmp(head->magic, EVENT_FILE_MAGIC, sizeof(head->magic)))
		return -EPROTO;
	const bool is_part = *at != sizeof(*head);
	if (!head->stride || head->records > EVENT_RECORDS || head->records > head->returned / head->stride ||
	    head->records * sizeof(struct event_record) != bytes - *at)
		return -EPROTO;
	if (is_part && (head->stride != 1 || head->records != part_records(head->returned, *before)))
		return -EPROTO;
	return 0;
}

int event_log_head(const void *file, size_t bytes, struct event_file_head *head)
{
	uint64_t before;
	size_t at;
	if (event_log_head_from(file, bytes, head, &before, &at) || at != sizeof(*head))
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
