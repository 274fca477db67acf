/* SPDX-License-Identifier: MIT */
/* Merges the results of shards, and makes all shards one after the other (docs/search.md). */
#ifndef HYPERVISOR_SEARCH_MERGE_H
#define HYPERVISOR_SEARCH_MERGE_H

#include "base/pair_table.h"
#include "library/json_in.h"
#include "search/results/search_results.h"

/** Zero-initialised: no shard yet. */
struct search_merge {
	struct search_option option;   /**< what the results say of the search */
	struct search_results results; /**< of all shards */
	bool *has_shard;               /**< by its number less one */
	uint64_t *most;                /**< tries of each shard, in the file that has most of them */
	uint64_t *failed;              /**< how many of them failed, in the file of each shard that counts */
	uint64_t common, common_failures, common_timeouts; /**< of the tries that all shards make; 0: no shard yet */
	bool was_stopped;                                  /**< --stop-file has stopped a shard */
	bool has_more;             /**< a file was left out that has more tries of its shard than the one before */
	char *first;               /**< name of the first file, for messages */
	char *line;                /**< the search as it was given; NULL: no file yet */
	char *options, *arguments; /**< of the command that makes any shard */
	char *hashed;              /**< name of the first file that has the program's hash; NULL: none yet */
	char *eremite, *made; /**< the version that made the shards, and the first file that says it; NULL: none yet */
	uint64_t runs, input_bytes;
	struct pair_table ways; /**< of results.distinct, by the SHA-256 of their identities */
	struct pair_secret secret;
};

/** Adds the results of a shard, which are `json`, from a file of this name. The caller frees neither. Ends eremite if
 * they are not those of a shard, or of another search than the ones before. A shard that is there already is left
 * out, and so is one with fewer tries than `most`. */
void search_merge_add(struct search_merge *merge, const char *path, cJSON *json);

/** Writes the merged results as `option` wants them, and names what is missing. Returns the exit status. */
int search_merge_put(const struct search_option *option, struct search_merge *merge);

/** `eremite search --merge`: adds the files of the command line, writes the results, and returns the exit status. */
int search_merge_files(const struct search_option *option);

/** Makes all shards, one after the other, and merges them. `make` makes one in a child, by `option`, writes its results
 * as JSON, and returns the exit status. Returns that of the whole search. */
int search_merge_make(struct search_option *option, int (*make)(FILE *to));

#endif
