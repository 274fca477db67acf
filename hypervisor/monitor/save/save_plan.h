/* SPDX-License-Identifier: MIT */
/* The plan for the directory of --save: for each name, the object that is there and the object that is to be there. It
 * is made, and checked against the host's files, before anything is changed. */
#ifndef HYPERVISOR_SAVE_PLAN_H
#define HYPERVISOR_SAVE_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "save/changes.h"

/** The plan for one name. */
struct save_step {
	const char *path;             /**< below the directory */
	struct change_record *new;    /**< the object that is to be there; NULL: none */
	struct change_record *old;    /**< the record of its removal, or NULL */
	char *made;                   /**< `path`, if the step owns its memory; otherwise NULL */
	uint32_t old_kind;            /**< kind of the object that is there; 0: none */
	bool is_in_place;             /**< the object that is there is changed, not replaced */
	bool is_expanded;             /**< a removed directory whose entries have steps of their own */
	uint64_t handle;              /**< handle of the object that is there; only while the plan is made */
	struct host_stamp was;        /**< stamp of the object that is there */
	struct change_record *source; /**< record whose file gets this further name; NULL: none */
	int64_t time_ns;              /**< mtime of a file, in ns since 1970 */
};

/** Zero-initialised: an empty plan. */
struct save_plan {
	struct changes *changes;
	struct save_step *steps; /**< in the order of their paths */
	size_t count, room;
};

/**
 * Makes the plan, after the guest has reported all changes. Searches removed directories, which must contain nothing
 * that the program has not seen. Returns 0, or a negative errno with a line in *error.
 */
int save_plan_make(struct save_plan *plan, struct changes *changes, struct error *error);

/**
 * Checks for conflicts, that is, whether the host's files are still those that the program was shown, and chooses the
 * times of the files. Returns 0, or a negative errno with a line in *error; then the plan must not be applied.
 */
int save_plan_check(struct save_plan *plan, struct error *error);

/** Frees the plan. */ void save_plan_fini(struct save_plan *plan);

#endif
