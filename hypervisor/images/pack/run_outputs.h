/* SPDX-License-Identifier: MIT */
/* What a run left: its streams, the files in /out, and the files that it changed elsewhere. */
#ifndef HYPERVISOR_RUN_OUTPUTS_H
#define HYPERVISOR_RUN_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "pack/trace.h"

/** One output, described as in an image (struct eri_output). */
struct run_output {
	const char *what;
	char *path, *target; /**< owned */
	uint32_t mode;       /**< 0: removed */
	uint64_t bytes, at;  /**< size, and offset in `fd` */
	int fd;              /**< has the contents; -1: `host`, or none */
	char *host;          /**< owned; the file that has the contents, or NULL */
	size_t number;       /**< in the order in which the run reported it */
};

struct run_outputs {
	struct run_output *all; /**< sorted */
	size_t count, room;
};

/** Lists the outputs of a run, whose /out is the directory `out`. Returns 0, or a negative errno with one line in
 * *error. */
int run_outputs_list(struct run_outputs *outputs, const struct trace *trace, const struct trace_fds *fds,
                     const char *out, struct error *error);

/** Frees everything. */
void run_outputs_fini(struct run_outputs *outputs);

/** Order of two outputs: less than 0, 0 if they are at the same place, or greater than 0. */
int run_output_order(const char *what, const char *path, const char *other_what, const char *other_path);

/** Whether it has contents. */
bool run_output_has_contents(const struct run_output *output);

/** Opens the contents, for the caller to close. Returns a descriptor, or a negative errno; -ENODATA if the output has
 * no contents. */
int run_output_open(const struct run_output *output);

#endif
