/* SPDX-License-Identifier: MIT */
/* The command line of `eremite analyze`. */
#ifndef HYPERVISOR_ANALYZE_OPTION_H
#define HYPERVISOR_ANALYZE_OPTION_H

#include "search/search_option.h"

struct analyze_option {
	struct search_option runs; /**< what counts as a failure, jobs, format of the results, options, the program */
	char *schedule;            /**< --schedule: the schedule that fails; NULL: `sched` makes it */
	/** --sched, --sched-seed and --from, with which it fails, each with its value; NULL: not given */
	char *sched[3];
	char *search;                  /**< --search, or NULL */
	double search_seconds;         /**< --search: how long the search took; 0: not known */
	const struct cJSON *races;     /**< --search: the races that the search has seen, unchecked; NULL: none */
	const struct cJSON *differs;   /**< --search: lines that a passing try does not write, unchecked; NULL: none */
	uint64_t seeds;                /**< of the flip check */
	char *failing, *passing;       /**< files for the schedules */
	bool has_failing, has_passing; /**< they were given */
	char *html;                    /**< --html: file for the page; NULL: none */
};

/** Parses argv. On an error it prints a message and exits with EXIT_EREMITE; --help exits with 0. */
void analyze_option_parse(struct analyze_option *option, int argc, char **argv);

#endif
