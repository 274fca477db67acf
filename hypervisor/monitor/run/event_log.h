/* SPDX-License-Identifier: MIT */
/* The log of one run's kernel calls, with which another run compares itself (abi/events.h). */
#ifndef HYPERVISOR_EVENT_LOG_H
#define HYPERVISOR_EVENT_LOG_H

#include <stdbool.h>

#include "abi/boot.h"
#include "abi/events.h"
#include "guest/guest_memory.h"

/** Memory of the log, shown to the guest at LAYOUT_EVENT_LOG, and what the next run does with it. */
struct event_log {
	struct host_memory memory;
	struct event_record *records; /**< EVENT_RECORDS records; the guest writes them, so readers copy them first */
	struct boot_events wanted;
};

/** Reserves lazily backed memory with `reserve`, for a run that records. Returns 0 or a negative errno. */
int event_log_init(struct event_log *log, host_memory_reserve *reserve);

/** Unmaps the log; accepts an all-zero log. */
void event_log_fini(struct event_log *log);

/**
 * From now on runs compare themselves with the recorded run, whose final state is `recorded`, and stop after call
 * `stop` (0: never). Returns 0, or -EPROTO if the state is impossible.
 */
int event_log_compare(struct event_log *log, const struct event_state *recorded, uint64_t stop);

/** The head of a file with a log; its records follow. All numbers are little-endian. */
struct event_file_head {
	char magic[8];                      /**< EVENT_FILE_MAGIC without its NUL */
	uint64_t returned, stride, records; /**< as in struct event_state */
};

#define EVENT_FILE_MAGIC "ERI-EVT1"

/** A file with all events from a number on, as many as fit, begins so. Behind the head is one more number of 8 bytes:
 * how many events were left out. The stride is 1. */
#define EVENT_FILE_MAGIC_FROM "ERI-EVT2"

/** Writes the log of a run that has ended in the state `recorded` to a file: at most `max` records, which are evenly
 * spaced. Returns 0 or a negative errno: -ENOTSUP if the kernel does not know how to begin at an event. */
int event_log_write(const struct event_log *log, const struct event_state *recorded, uint64_t max, int fd);

/** Copies the head of a file with a log, which may be hostile. Returns 0; or -EPROTO if the file is no whole log. The
 * stride may still be no power of two, which event_log_compare() refuses. */
int event_log_head(const void *file, size_t bytes, struct event_file_head *head);

/** Copies the head of a file with a log of either kind, and sets how many events were left out and where the records
 * begin. Returns as event_log_head does. */
int event_log_head_from(const void *file, size_t bytes, struct event_file_head *head, uint64_t *before, size_t *at);

/** Fills a log from a file, whose contents may be hostile, and sets the final state of its run. Returns 0 or -EPROTO.
 */
int event_log_read(struct event_log *log, const void *file, size_t bytes, struct event_state *recorded);

/** Copies the recorded call with this number. Returns false if the log does not have it. */
bool event_log_find(const struct event_log *log, uint64_t number, struct event_record *record);

#endif
