/* SPDX-License-Identifier: MIT */
/* Runs what an image has sealed: its options, arguments, files and standard input take the place of the host's. */
#ifndef HYPERVISOR_SEALED_RUN_H
#define HYPERVISOR_SEALED_RUN_H

#include "base/error.h"
#include "code/service/code_sealed.h"
#include "eri/eri_image.h"
#include "hostfs/tree/binds.h"
#include "hostfs/tree/host_sealed.h"
#include "hostfs/tree/host_supply.h"
#include "run/run.h"

/** One step of an image, opened for a run. */
struct sealed_run {
	struct eri_image image;
	const struct eri_step *step;
	struct eri_names names;
	struct eri_block names_text;
	struct code_sealed code;
	bool is_checked; /**< as in struct host_sealed */
	struct host_sealed sealed[ERI_TREES_MAX];
	struct host_tree trees[BOOT_HOST_ROOTS_MAX]; /**< the image's, then those of --bind and --replace */
	struct host_supply supply;
	struct input input;
	char **overrides; /**< as in `mark` */
	struct run_sealed mark;
};

/** Opens an image. Ends eremite with a message on an error. */
void sealed_run_open(struct sealed_run *sealed, const char *path);

/** Chooses the kernel, or the native image, of the step for a run. */
void sealed_run_open_kernel(struct sealed_run *sealed, struct run_config *config);

/** Opens the root file system of the step, which has one. */
void sealed_run_open_root(struct sealed_run *sealed, struct root *root);

/** Returns the path of a copy in memory of the schedule that the step replays, or NULL if it replays none. */
const char *sealed_run_schedule(const struct sealed_run *sealed);

/** Opens the recording of the step, which has one; `verifies`: for --verify, which is refused. Ends eremite with a
 * message on an error. */
void sealed_run_recording(const struct sealed_run *sealed, bool verifies, struct replay *replay);

/** Leaves the hashes of its contents to another process, which checks the file with the attributes `checked`. Ends
 * eremite with a message if the image is another file, or has changed: the result would be said of what was not run. */
void sealed_run_leave_check(struct sealed_run *sealed, const struct stat *checked);

/** Opens the files and the standard input of the step for a run; `binds` are the host's files that take the place of
 * sealed ones, and `data` is the directory of --data, or NULL. */
void sealed_run_open_files(struct sealed_run *sealed, struct run_config *config, const struct binds *binds,
                           struct host_files *files, const char *data);

/** Loads the events of the step, which has them; the caller frees block->copy. Ends eremite with a message on an error.
 */
void sealed_run_events(const struct sealed_run *sealed, struct eri_block *block);

/** Checks that the image did not change. Returns 0, or a negative errno with one line in *error. */
int sealed_run_check(const struct sealed_run *sealed, struct error *error);

/** Frees everything. */
void sealed_run_close(struct sealed_run *sealed);

#endif
