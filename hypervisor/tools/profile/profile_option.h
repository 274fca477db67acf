/* SPDX-License-Identifier: MIT */
/* The command line of `eremite profile`. */
#ifndef HYPERVISOR_PROFILE_OPTION_H
#define HYPERVISOR_PROFILE_OPTION_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/strace.h"

struct profile_option {
	enum strace_sample_by by;
	uint64_t every;     /**< calls, faults or nanoseconds */
	const char *output; /**< --output */
	bool compares;      /**< --compare: of the two files in `program` */
	bool is_quiet;      /**< --quiet */
	char **run;         /**< options of eremite run */
	int run_count;
	char **program; /**< with its arguments */
	int program_count;
};

/** The word of --by, which profile.json has, too. */
const char *profile_option_by(enum strace_sample_by by);

/** Parses argv. Ends eremite on an error, and after --help. */
void profile_option_parse(struct profile_option *option, int argc, char **argv);

#endif
