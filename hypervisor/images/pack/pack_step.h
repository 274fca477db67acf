/* SPDX-License-Identifier: MIT */
/* Makes the steps of an image from the traces of runs. */
#ifndef HYPERVISOR_PACK_STEP_H
#define HYPERVISOR_PACK_STEP_H

#include <limits.h>

#include "base/error.h"
#include "pack/stage.h"
#include "pack/trace.h"

/** A run to be made. */
struct pack_run {
	char *step; /**< name of the step */
	int argc;   /**< of the command line of eremite run */
	char **argv;
	int program;     /**< index of the program in argv */
	char *recording; /**< the recording that it replays, or NULL */
};

/** Zero-initialised: no steps. */
struct pack_steps {
	struct eri_step *steps;
	struct trace *traces; /**< one for each step; they own its strings */
	unsigned count;
	size_t step_room, trace_room;
};

/** Hides the image and the directory of the stage from the programs that are run. Returns 0 or a negative errno. */
int pack_run_mask(const struct stage *stage);

/** Makes an empty directory for /out of a step. Returns 0 or a negative errno. */
int pack_step_out(const struct stage *stage, unsigned index, char path[PATH_MAX]);

/**
 * Adds a step, and stages its files and outputs; `out` is the directory that has its files of /out. Returns 0, -ENODATA
 * if the run has left no trace, or another negative errno with one line in *error.
 */
int pack_step_add(struct pack_steps *steps, struct stage *stage, const struct pack_run *run,
                  const struct trace_fds *fds, const char *out, struct error *error);

/** Fills a manifest with the steps. */
void pack_steps_manifest(const struct pack_steps *steps, const struct stage *stage, struct eri_manifest *manifest);

/** Says what was packed, with the identity that the manifest has. */
void pack_steps_say(const struct pack_steps *steps, const struct stage *stage, const char *manifest);

/** Frees everything. */
void pack_steps_fini(struct pack_steps *steps);

/** Features of a processor model, beyond those that every x86-64 host with eremite has, as manifests have them. */
const char *pack_step_features(const char *cpu);

#endif
