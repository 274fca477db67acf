/* SPDX-License-Identifier: MIT */
/* The command line of `eremite verify`. */
#ifndef HYPERVISOR_VERIFY_OPTION_H
#define HYPERVISOR_VERIFY_OPTION_H

#include <stdbool.h>

#include "cli/results_format.h"

struct verify_option {
	char **images;
	unsigned image_count;
	unsigned runs; /**< of each image */
	unsigned jobs; /**< images at once */
	char *engine;  /**< --engine, or NULL */
	char *data;    /**< --data, or NULL */
	char *keep;    /**< --keep, or NULL */
	char *timeout; /**< --timeout, or NULL */
	enum results_format format;
	char *results_file; /**< NULL: standard output */
	bool is_quiet;
};

/** Parses argv. On an error it prints a message and exits with EXIT_EREMITE; --help exits with 0. */
void verify_option_parse(struct verify_option *option, int argc, char **argv);

#endif
