/* SPDX-License-Identifier: MIT */
/* The command line of `eremite pack`: options of its own, and those of `eremite run`. */
#ifndef HYPERVISOR_PACK_OPTION_H
#define HYPERVISOR_PACK_OPTION_H

#include <stdbool.h>

#include "eri/eri_manifest.h"
#include "pack/pack_step.h"

struct pack_option {
	char *output;
	char **externals, **excludes; /**< patterns, ended by NULL; NULL: none */
	char **includes;              /**< paths */
	unsigned external_count, exclude_count, include_count;
	bool compress, is_quiet;
	struct pack_run runs[ERI_STEPS_MAX];
	unsigned run_count;
};

/** Parses argv. On an error it prints a message and exits with EXIT_EREMITE; --help exits with 0. Its allocations live
 * as long as the process. */
void pack_option_parse(struct pack_option *option, int argc, char **argv);

#endif
