/* SPDX-License-Identifier: MIT */
/* --sched: which policy schedules the guest's threads, and its parameters. */
#ifndef HYPERVISOR_SCHED_OPTION_H
#define HYPERVISOR_SCHED_OPTION_H

#include <stdint.h>
#include <stdio.h>

#include "abi/boot.h"
#include "abi/sched.h"
#include "code/code_scan.h"

#define SCHED_COUNTS_MAX (sizeof(((struct sched_area *)0)->counts) / sizeof(uint64_t))

/** A policy as the user has asked for it. */
struct sched_config {
	struct boot_sched boot;
	uint64_t *counts;          /**< boot.counts of them, for sched_area.counts; NULL: none */
	struct code_points points; /**< --preempt */
};

/**
 * Reads NAME[:param=value,...] (abi/sched_parameters.h); sets policy, parameters and counts, and leaves the rest of
 * `config`. 0, or a negative errno with one line in error[]. The counts are for the caller to free.
 */
int sched_option_parse(const char *text, struct sched_config *config, char error[256]);

/** "fifo" and so on; "?" for none. */
const char *sched_option_policy_name(uint64_t policy);

/**
 * The policy with every parameter that has an index, defaults too, as --sched takes it:
 * "pct:depth=3,steps=0,slice=100ms". Returns what snprintf does.
 */
int sched_option_describe(const struct boot_sched *boot, char *to, size_t bytes);

/** What there is, for --sched help. */
void sched_option_help(FILE *to);

#endif
