/* SPDX-License-Identifier: MIT */
/* --sched: which policy schedules the guest's threads, and its parameters. */
#ifndef HYPERVISOR_SCHED_OPTION_H
#define HYPERVISOR_SCHED_OPTION_H

#include <stdint.h>
#include <stdio.h>

#include "abi/sched_settings.h"
#include "base/error.h"
#include "code/code_scan.h"

/** Most counts of a policy. Its users include abi/sched_area.h. */
#define SCHED_COUNTS_MAX (sizeof(((struct sched_area *)0)->counts) / sizeof(uint64_t))

/** The policy that the user asked for. */
struct sched_config {
	struct boot_sched boot;
	struct sched_from from;    /**< --from */
	uint64_t *counts;          /**< boot.counts elements, for sched_area.counts; NULL: none */
	struct code_points points; /**< --preempt */
	struct sched_plan *plan;   /**< near: boot.counts entries, whose `use` the run sets; NULL: none */
};

/**
 * Parses NAME[:param=value,...] (abi/sched_parameters.h). Sets policy, parameters and counts, and leaves the rest of
 * `config` unchanged. The caller frees the counts. Returns 0, or a negative errno with one line in *error.
 */
int sched_option_parse(const char *text, struct sched_config *config, struct error *error);

/** Returns "fifo" and so on, or "?" for an unknown policy. */
const char *sched_option_policy_name(uint64_t policy);

/**
 * Writes the policy with every parameter that has an index, including defaults, as --sched takes it:
 * "pct:depth=3,steps=0,slice=100ms,delay=1000ms,from=0". Returns what snprintf returns.
 */
int sched_option_describe(const struct boot_sched *boot, char *to, size_t bytes);

/** Prints the policies and their parameters, for --sched help. */
void sched_option_help(FILE *to);

#endif
