/* SPDX-License-Identifier: MIT */
/* The command line of `eremite pack`: options of its own, and those of `eremite run`. */
#ifndef HYPERVISOR_PACK_OPTION_H
#define HYPERVISOR_PACK_OPTION_H

#include <stdbool.h>

#include "eri/eri_manifest.h"
#include "oci/oci.h"
#include "pack/pack_step.h"

struct pack_option {
	char *output;
	char **externals, **excludes; /**< patterns, ended by NULL; NULL: none */
	char **includes;              /**< paths */
	unsigned external_count, exclude_count, include_count;
	bool compress, is_quiet, is_verbose, no_run;
	bool check_portable, strict;
	char *recording; /**< --with-recording, or NULL */
	char *oci;       /**< --from-oci, or NULL */
	struct pack_run runs[ERI_STEPS_MAX];
	unsigned run_count;
};

/** Puts an option before all others of a run. */
void pack_option_insert(struct pack_run *run, char *text);

/** Gives a run the root file system `root`, a file, and the environment, user, directory and program of a container.
 * The run's own arguments replace its command. */
void pack_option_container(struct pack_run *run, const char *root, const struct oci_config *config);

/** Parses argv. On an error it prints a message and exits with EXIT_EREMITE; --help exits with 0. Its allocations live
 * as long as the process. */
void pack_option_parse(struct pack_option *option, int argc, char **argv);

#endif
