/* SPDX-License-Identifier: MIT */
/* Reads and writes schedule files (docs/scheduling.md): text, with a line for each record of abi/sched_record.h. */
#ifndef HYPERVISOR_SCHEDULE_H
#define HYPERVISOR_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "abi/sched_record.h"
#include "base/error.h"
#include "code/code_scan.h"

/* The words of a file that are no kinds and operations. */
#define SCHEDULE_VERSION 1
#define SCHEDULE_FIRST_LINE "eremite-schedule"
#define SCHEDULE_DIGEST "digest"   /**< on the first line, before the number of its definition; without it: 1 */
#define SCHEDULE_PREEMPT "preempt" /**< a line before the decisions, with the value of --preempt */
#define SCHEDULE_CLOCK_VERSION 2
#define SCHEDULE_CLOCK_WORK "clock work" /**< a line before the decisions, in a file of SCHEDULE_CLOCK_VERSION */

/**
 * Limit of a line in bytes: longer than any line that schedule_print_record writes. Only comments may be longer when
 * read.
 */
#define SCHEDULE_LINE_MAX 256

/** Limit of records in a file: some gigabytes of them. */
#define SCHEDULE_RECORDS_MAX (1UL << 27)

/** A schedule that was read from a file. */
struct schedule {
	struct sched_record *records;
	uint32_t *lines; /**< line number of each record, from 1 */
	uint64_t count;
	uint32_t last_line;
	struct code_points points; /**< values of --preempt and --clock in the file */
};

/**
 * Reads a file up to its end; `name` is for messages. Returns 0, or a negative errno with one line in *error,
 * "NAME:LINE: what". schedule_free is allowed in either case.
 */
int schedule_read(struct schedule *schedule, FILE *from, const char *name, struct error *error);

/** Frees a schedule; accepts an all-zero one. */
void schedule_free(struct schedule *schedule);

/** Returns the line of a record; for a record beyond the end, the last line. */
uint32_t schedule_line(const struct schedule *schedule, uint64_t record);

/** Whether a record, which may come from the guest, is valid in a file. */
bool schedule_is_valid(const struct sched_record *record);

/** Write the header or a record, which must be valid. The caller checks ferror. */
void schedule_print_header(FILE *to, const struct code_points *points);
void schedule_print_record(FILE *to, const struct sched_record *record);

/**
 * Return the name of a kind, such as "preempt", or of the operation after a decision point; "?" for an unknown number.
 */
const char *schedule_kind_name(unsigned kind);
const char *schedule_op_name(unsigned op);

#endif
