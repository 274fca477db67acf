/* SPDX-License-Identifier: MIT */
/* --shards and --shard: work that is cut by number, so that many machines do it (docs/recipes/cluster.md). */
#ifndef HYPERVISOR_SHARD_OPTION_H
#define HYPERVISOR_SHARD_OPTION_H

#include <stdbool.h>

/** Most shards of one work. */
#define SHARDS_MAX 1000000U

/** Which part of the work this process does. Zero-initialised: all, in one piece. */
struct shard_option {
	unsigned shards;      /**< 0: the work is not cut */
	unsigned shard;       /**< from 1; 0: all */
	bool exits_by_result; /**< --exit-code: the status of a complete shard tells what it found */
};

/** Takes the value of --shards. Ends eremite if it is wrong. */
void shard_option_set_shards(struct shard_option *option, const char *verb, const char *text);

/** Takes the value of --shard. Ends eremite if it is wrong. */
void shard_option_set_shard(struct shard_option *option, const char *verb, const char *text);

/**
 * To be called when all options are read. Without --shard, the number of the shard is that of the task of a Slurm array
 * (SLURM_ARRAY_TASK_ID, counted from SLURM_ARRAY_TASK_MIN) or of the pod of an Indexed Job of Kubernetes
 * (JOB_COMPLETION_INDEX, from 0). Ends eremite if there is no such shard.
 */
void shard_option_settle(struct shard_option *option, const char *verb);

#endif
