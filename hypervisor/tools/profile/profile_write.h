/* SPDX-License-Identifier: MIT */
/* The files of a profile. */
#ifndef HYPERVISOR_PROFILE_WRITE_H
#define HYPERVISOR_PROFILE_WRITE_H

#include <stdio.h>

#include "profile/profile_option.h"
#include "profile/profile_table.h"

#define PROFILE_SCHEMA 1 /* of profile.json (docs/profile.md) */

/** A profile that is complete, sorted. */
struct profile {
	struct profile_table table;
	const struct profile_option *option;
	uint64_t samples, ns; /**< of all stacks */
	bool has_times;       /**< stacks are weighed by time, not by the number of samples */
};

/** What a stack weighs: nanoseconds, or samples. */
static inline uint64_t profile_weight(const struct profile *profile, uint64_t samples, uint64_t ns)
{
	return profile->has_times ? ns : samples;
}

/** Makes the directory if it is not there, and writes all files. Ends eremite if it cannot. */
void profile_write(const struct profile *profile);

/** Prints the functions that took the most. */
void profile_write_functions(FILE *to, const struct profile *profile);

/** Writes a page with a flame graph, or gzip-compressed pprof. */
void profile_html(FILE *to, const struct profile *profile);
void profile_pprof(FILE *to, const struct profile *profile);

#endif
