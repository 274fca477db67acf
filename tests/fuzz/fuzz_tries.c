/* SPDX-License-Identifier: MIT */
/* The results of tries in a guest: what is passed on has as many results and pairs as it says. */
#include <stdio.h>
#include <unistd.h>

#include "abi/sched_reads.h"
#include "abi/tries.h"
#include "run/run_state.h"
#include "tests/fuzz/fuzz.h"

/* What run_tries.c needs of run.c. */
bool run_is_stopped(void)
{
	return false;
}

/* Reads what was passed on. */
static void read_again(FILE *from)
{
	struct try_result result;
	uint64_t count, pairs = 0, pair;
	rewind(from);
	if (!fread(&count, sizeof(count), 1, from))
		return; /* the results were refused */
	if (count > TRIES_BATCH)
		abort();
	for (uint64_t i = 0; i < count; i++) {
		if (!fread(&result, sizeof(result), 1, from) || result.pairs > SCHED_PAIRS_LISTED)
			abort();
		pairs += result.pairs;
	}
	while (fread(&pair, sizeof(pair), 1, from))
		pairs--;
	if (pairs)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct tries_shared shared;
	struct fuzz_input input = fuzz_begin(data, size);
	FILE *out = tmpfile();
	const struct tries_channel channel = {.in = -1, .out = fileno(out)};
	const struct run_config config = {.tries = &channel};
	struct run_result result = {.end = RUN_TIMEOUT};
	struct run run = {.config = &config, .result = &result, .tries.base = (uint8_t *)&shared};
	run.tries_given = fuzz_number(&input, 2) % (TRIES_BATCH + 1);
	shared.results = fuzz_number(&input, 8);
	const uint64_t last = run.tries_given ? run.tries_given - 1 : 0;
	memset(shared.result, 0, sizeof(shared.result));
	for (unsigned i = 0; i < 4; i++) {
		fuzz_take(&input, &shared.result[i], sizeof(shared.result[i]));
		fuzz_take(&input, &shared.result[last - (last > i ? i : 0)], sizeof(shared.result[0]));
	}
	run_tries_finish(&run);
	fflush(out);
	read_again(out);
	fclose(out);
	return 0;
}
