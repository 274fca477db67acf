/* SPDX-License-Identifier: MIT */
/* Lists of instructions that touched memory which two threads used: written by --shared-out, read by --preempt shared.
 *
 * A list is text. A line has the content of a file, as its XXH3-128 in hexadecimal, and the offset of an instruction in
 * it. Names of files are comments, so a list holds wherever the same files are. Several lists in one file are one.
 *
 * A short list can also be one word, CONTENT+OFFSET+OFFSET,CONTENT+OFFSET, with offsets in hexadecimal. */
#ifndef HYPERVISOR_CODE_SHARED_H
#define HYPERVISOR_CODE_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "code/code_map.h"
#include "code/code_stores.h"

#define CODE_SHARED_MAX 1048576 /* limit of instructions in a list */

/** The content of a file. */
struct code_content {
	uint64_t high, low;
};

struct code_access {
	struct code_content content;
	uint64_t offset;
};

struct code_shared {
	uint64_t sum;           /**< hash of the list; schedules name it */
	struct code_access *at; /**< ascending, without duplicates */
	size_t count;
};

/** The files of a list that a run has used. */
struct code_shared_uses {
	const struct code_shared *shared;
	bool *is_used; /**< with `unused`: for each file, at the index of its first instruction */
	size_t files;  /**< files in the list */
	size_t unused; /**< those of them that the run has not used yet */
};

/** Returns the content of a file. */
struct code_content code_shared_content(const uint8_t *file, uint64_t bytes);

/** Writes the first lines of a list, and a line with an access of that kind (enum code_kind). */
void code_shared_print_header(FILE *to);
void code_shared_print(FILE *to, const struct code_access *access, uint8_t kind);

/**
 * Reads an untrusted list, whose name is for messages. Returns 0 and a list, which code_shared_fini frees. Or returns
 * -EINVAL, -EIO or -ENOMEM with one line in *error.
 */
int code_shared_read(struct code_shared *shared, FILE *from, const char *name, struct error *error);

/** Parses an untrusted list that is one word. Returns 0 or a negative errno, as code_shared_read. */
int code_shared_parse(struct code_shared *shared, const char *word, struct error *error);

/** Returns a list of at least one instruction as one word, for the caller to free; NULL without memory. */
char *code_shared_word(const struct code_shared *shared);

/** Leaves at most `most` instructions in a list: a sample that depends on the list alone. */
void code_shared_sample(struct code_shared *shared, size_t most);

/** Finds the listed instructions of a file, by their addresses. Returns 0 or -ENOMEM. */
int code_shared_pick(const struct code_shared *shared, const struct code_map *map, struct code_sample *sample);

/** Begins a run that has used no file of a list, which must outlive `uses`; NULL: no list. Returns 0 or -ENOMEM. */
int code_shared_uses_init(struct code_shared_uses *uses, const struct code_shared *shared);

/** Notes that the run has used a file, which need not be in the list. */
void code_shared_use(struct code_shared_uses *uses, struct code_content content);

/** Frees the uses, but not their counts; accepts all-zero ones. */
void code_shared_uses_fini(struct code_shared_uses *uses);

/** Frees a list; accepts an all-zero one. */
void code_shared_fini(struct code_shared *shared);

#endif
