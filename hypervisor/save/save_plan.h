/* SPDX-License-Identifier: MIT */
/* What is to be done in --save's directory: for each name what is there, and what is to be there. Made, and checked
 * against the host's files, before anything is done. */
#ifndef HYPERVISOR_SAVE_PLAN_H
#define HYPERVISOR_SAVE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "save/changes.h"

/** One name. */
struct save_step {
	const char *path;             /**< below the directory */
	struct change_record *new;    /**< what is to be there; NULL: nothing */
	struct change_record *old;    /**< that it is removed, or NULL */
	char *made;                   /**< `path`, if that is its own */
	uint32_t old_kind;            /**< of what is there; 0: nothing */
	bool is_in_place;             /**< what is there is to be changed, not replaced */
	bool is_expanded;             /**< what is in a directory that is removed has steps of its own */
	uint64_t handle;              /**< of what is there; only while the plan is made */
	struct host_stamp was;        /**< what is there */
	struct change_record *source; /**< whose file this is a further name of; NULL: none */
	int64_t time_ns;              /**< of a file: its mtime, since 1970 */
};

/** Zero-initialised: nothing. */
struct save_plan {
	struct changes *changes;
	struct save_step *steps; /**< in the order of their paths */
	size_t count, room;
};

/**
 * Makes the plan, when the guest has told of all. Looks through removed directories, in which there must be nothing
 * that the program has not seen. 0, or a negative errno with a line in error[].
 */
int save_plan_make(struct save_plan *plan, struct changes *changes, char error[256]);

/**
 * Looks for conflicts, whether what is on the host is what the program was shown, and chooses the times of the files.
 * 0, or a negative errno with a line in error[]: nothing is to be done then.
 */
int save_plan_check(struct save_plan *plan, char error[256]);

/** The step of a path, or NULL. */
struct save_step *save_plan_find(const struct save_plan *plan, const char *path);

/** Frees it. */
void save_plan_fini(struct save_plan *plan);

#endif
