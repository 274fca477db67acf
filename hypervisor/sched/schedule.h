/* SPDX-License-Identifier: MIT */
/* Schedule files (docs/scheduling.md): text, a line for each record of abi/sched.h. */
#ifndef HYPERVISOR_SCHEDULE_H
#define HYPERVISOR_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "abi/sched.h"
#include "code/code_scan.h"

/** More than any line that schedule_print_record writes, and than any but a comment that is read. */
#define SCHEDULE_LINE_MAX 256

/** Records that a file may have: some gigabytes. */
#define SCHEDULE_RECORDS_MAX (1UL << 27)

/** A file that was read. */
struct schedule {
	struct sched_record *records;
	uint32_t *lines; /**< in which line each record stands, from 1 */
	uint64_t count;
	uint32_t last_line;
	struct code_points points; /**< what it says of --preempt */
};

/**
 * Reads one line without its newline. 1: *record is set; 0: a comment, or nothing; -EINVAL with what is wrong, and what
 * is expected, in error[].
 */
int schedule_parse_line(const char *line, struct sched_record *record, char error[160]);

/**
 * Reads a file up to its end; `name` is for messages. 0, or a negative errno with one line in error[], "NAME:LINE:
 * what". schedule_free is allowed in either case.
 */
int schedule_read(struct schedule *schedule, FILE *from, const char *name, char error[256]);

/** Takes one that is all zero. */
void schedule_free(struct schedule *schedule);

/** Where a record stands; for one beyond the end, the last line. */
uint32_t schedule_line(const struct schedule *schedule, uint64_t record);

/** Whether a record, which may be the guest's, can stand in a file. */
bool schedule_is_valid(const struct sched_record *record);

/** Each writes, and leaves errors to ferror. The record must be valid. */
void schedule_print_header(FILE *to, const struct code_points *points);
void schedule_print_record(FILE *to, const struct sched_record *record);

/** "preempt" and so on, and what a decision point stands before; "?" for none. */
const char *schedule_kind_name(unsigned kind);
const char *schedule_op_name(unsigned op);

#endif
