/* SPDX-License-Identifier: MIT */
#include "cmdline/shard_option.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/die.h"
#include "base/value.h"

/* Returns the value of an option, a number of a shard. */
static unsigned shard_number(const char *verb, const char *name, const char *text)
{
	uint64_t number;
	if (value_number(text, &number) || !number || number > SHARDS_MAX)
		die("%s: %s=%s: give a number from 1 to %u", verb, name, text, SHARDS_MAX);
	return (unsigned)number;
}

void shard_option_set_shards(struct shard_option *option, const char *verb, const char *text)
{
	option->shards = shard_number(verb, "--shards", text);
}

void shard_option_set_shard(struct shard_option *option, const char *verb, const char *text)
{
	option->shard = shard_number(verb, "--shard", text);
}

/* Returns the number in a variable of the environment, or `otherwise` if it is not set. */
static uint64_t from_environment(const char *verb, const char *name, uint64_t otherwise)
{
	uint64_t number;
	const char *text = getenv(name);
	if (!text)
		return otherwise;
	if (value_number(text, &number) || number > UINT32_MAX)
		die("%s: %s=%s in the environment is no number of a shard; give --shard", verb, name, text);
	return number;
}

/* The number that a batch system has given, from 1; 0: none. */
static uint64_t placed_shard(const char *verb)
{
	const uint64_t task = from_environment(verb, "SLURM_ARRAY_TASK_ID", UINT64_MAX);
	const uint64_t pod = from_environment(verb, "JOB_COMPLETION_INDEX", UINT64_MAX);
	if (task == UINT64_MAX)
		return pod == UINT64_MAX ? 0 : pod + 1;
	const uint64_t first = from_environment(verb, "SLURM_ARRAY_TASK_MIN", 1);
	const uint64_t step = from_environment(verb, "SLURM_ARRAY_TASK_STEP", 1);
	if (task < first || !step)
		die("%s: SLURM_ARRAY_TASK_ID=%lu is no task of its array; give --shard", verb, task);
	return (task - first) / step + 1;
}

void shard_option_settle(struct shard_option *option, const char *verb)
{
	if (option->shard && !option->shards)
		die("%s: --shard=%u needs --shards, the number of all shards", verb, option->shard);
	if (option->exits_by_result && !option->shards)
		die("%s: --exit-code is for shards; without --shards the exit status tells the result anyway", verb);
	if (!option->shards)
		return;
	const uint64_t shard = option->shard ? option->shard : placed_shard(verb);
	if (shard > option->shards)
		die("%s: there is no shard %lu among --shards=%u", verb, shard, option->shards);
	option->shard = (unsigned)shard;
}
