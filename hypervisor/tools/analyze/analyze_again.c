/* SPDX-License-Identifier: MIT */
/* Other pairs, if the first does not decide: each decision that is needed may lead to another one, and so may
 * other runs that pass. A pair that decides but is in a library of the system only shows how the threads come to the
 * mistake in the program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyze/analyze.h"
#include "analyze/analyze_rank.h"

#define SEEDS_MAX 16 /* random runs from which a way to the failing one is looked for */
#define WORD_BYTES 40

/* What was found about a pair. */
struct finding {
	struct analyze_side failing, passing;
	struct plan_event pair[2];
	size_t place;
	uint64_t distance;
	struct analyze_orders others[2];
	unsigned equals;
	bool has_flips, is_after;
	struct analyze_flips after[2], flips[2][2];
};

static void put_aside(struct analyze *analyze, struct finding *finding)
{
	*finding = (struct finding){.failing = analyze->failing,
	                            .passing = analyze->passing,
	                            .pair = {analyze->pair[0], analyze->pair[1]},
	                            .place = analyze->place,
	                            .distance = analyze->distance,
	                            .equals = analyze->equals,
	                            .has_flips = analyze->has_flips,
	                            .is_after = analyze->is_after};
	memcpy(finding->others, analyze->others, sizeof(finding->others));
	memcpy(finding->after, analyze->after, sizeof(finding->after));
	memcpy(finding->flips, analyze->flips, sizeof(finding->flips));
	memset(analyze->others, 0, sizeof(analyze->others));
	memset(analyze->after, 0, sizeof(analyze->after));
	memset(analyze->flips, 0, sizeof(analyze->flips));
	analyze->equals = 0;
	analyze->has_flips = analyze->is_after = false;
}

/* What was found since then is not freed: the process ends soon. */
static void take_back(struct analyze *analyze, const struct finding *finding)
{
	analyze->failing = finding->failing;
	analyze->passing = finding->passing;
	for (unsigned i = 0; i < 2; i++)
		analyze->pair[i] = finding->pair[i];
	analyze->place = finding->place;
	analyze->distance = finding->distance;
	memcpy(analyze->others, finding->others, sizeof(finding->others));
	memcpy(analyze->after, finding->after, sizeof(finding->after));
	memcpy(analyze->flips, finding->flips, sizeof(finding->flips));
	analyze->equals = finding->equals;
	analyze->has_flips = finding->has_flips;
	analyze->is_after = finding->is_after;
	analyze->has_pair = true;
	free(analyze->verdict);
	analyze->verdict = NULL;
}

static bool is_time_over(const struct analyze *analyze, const struct timespec *began)
{
	const double most = analyze->option.search_seconds > ANALYZE_AGAIN_SECONDS ? analyze->option.search_seconds
	                                                                           : ANALYZE_AGAIN_SECONDS;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - began->tv_sec) + (double)(now.tv_nsec - began->tv_nsec) / 1e9 > most;
}

static bool is_left(const struct analyze *analyze)
{
	for (size_t i = 0; i < analyze->minimal.count; i++)
		if (analyze->nearest[i] != UINT64_MAX)
			return true;
	return false;
}

/* Whether the analysis can end with this pair. */
static bool is_good(const struct analyze *analyze)
{
	return analyze_decides(analyze) != DECIDES_NOT && analyze_rank_is_users(analyze);
}

/* Finds another pair, between the given failing run and one that passes under other random switches. */
static bool bisect_random(struct analyze *analyze, const struct plan *failing, unsigned seed)
{
	static char sched[] = "--sched=near:p=0.3";
	const struct plan none = {0};
	char word[WORD_BYTES];
	struct analyze_found found;
	snprintf(word, sizeof(word), "--sched-seed=%u", seed);
	const struct analyze_run fails = {failing, {NULL}}, passes = {&none, {sched, word}};
	const bool goes_on = analyze_bisect_other(analyze, &fails, &passes, &found);
	analyze->has_pair = found.is_found;
	analyze->failing = found.sides[0];
	analyze->passing = found.sides[1];
	analyze->place = found.place;
	for (unsigned i = 0; i < 2; i++)
		analyze->pair[i] = found.pair[i];
	return goes_on;
}

/* Looks for another pair and tries its order. */
static bool try_another(struct analyze *analyze, const struct plan *failing, unsigned *seed)
{
	const bool goes_on =
		is_left(analyze) ? analyze_bisect_again(analyze) : bisect_random(analyze, failing, ++*seed);
	if (!goes_on || !analyze->has_pair)
		return goes_on;
	return analyze_look_around(analyze) && (!analyze_rank_is_users(analyze) || analyze_flip(analyze));
}

bool analyze_flip_again(struct analyze *analyze)
{
	static struct finding first, race, none;
	struct timespec began;
	unsigned seed = 0, best = analyze_rank_pair(analyze);
	const bool decides = analyze_decides(analyze) != DECIDES_NOT;
	const struct finding *kept = &first;
	if (is_good(analyze))
		return true;
	clock_gettime(CLOCK_MONOTONIC, &began);
	put_aside(analyze, &first);
	bool goes_on = true;
	while (goes_on && seed < SEEDS_MAX && !is_time_over(analyze, &began)) {
		goes_on = try_another(analyze, &first.failing.plan, &seed);
		if (goes_on && analyze->has_pair && analyze_decides(analyze) > DECIDES_NOT && is_good(analyze))
			return true;
		const unsigned rank = goes_on && analyze->has_pair && !decides ? analyze_rank_pair(analyze) : 0;
		const bool is_race = rank >= ANALYZE_RANK_RACE && rank > best;
		put_aside(analyze, is_race ? &race : &none);
		kept = is_race ? &race : kept; /* without a pair that decides, a race is likelier than lock calls */
		best = is_race ? rank : best;
	}
	take_back(analyze, kept);
	return !analyze_is_stopped(analyze);
}
