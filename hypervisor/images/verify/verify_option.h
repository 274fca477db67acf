/* SPDX-License-Identifier: MIT */
/* The command line of `eremite verify`. */
#ifndef HYPERVISOR_VERIFY_OPTION_H
#define HYPERVISOR_VERIFY_OPTION_H

#include <stdbool.h>
#include <stdint.h>

#include "cmdline/results_format.h"
#include "cmdline/shard_option.h"
#include "verify/verify_images.h"

/** The least default of --timeout, in seconds: start-up and a loaded host must not end a short run. */
#define VERIFY_TIMEOUT_LEAST_S 600.0

struct verify_option {
	char **images;
	unsigned image_count;
	unsigned runs;    /**< of each image */
	unsigned jobs;    /**< images at once */
	char *engine;     /**< --engine, or NULL */
	char *data;       /**< --data, or NULL */
	char *keep;       /**< --keep, or NULL */
	char *timeout;    /**< --timeout, or NULL: as long as verify_option_timeout() says */
	bool has_timeout; /**< false: --timeout 0 */
	char *identity;   /**< --identity in digits, or NULL */
	char *keys;       /**< --signed-by, or NULL */
	enum results_format format;
	char *results_file; /**< NULL: standard output */
	bool is_quiet, is_verbose;
	struct shard_option shard;
	bool merges;  /**< --merge: images[] are the results of shards */
	char **given; /**< the words of the command line that name images */
	unsigned given_count;
	unsigned all_count;                  /**< images of all shards */
	char all_hash[2 * DIGEST_BYTES + 1]; /**< of their names */
};

/** Parses argv. On an error it prints a message and exits with EXIT_EREMITE; --help exits with 0. */
void verify_option_parse(struct verify_option *option, int argc, char **argv);

/** The default of --timeout in seconds, for a step whose packed run took so many minutes. */
double verify_option_timeout(uint64_t wall_minutes);

#endif
