/* SPDX-License-Identifier: MIT */
/* Other pairs, if the first does not decide: each decision that is needed may lead to another one. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/analyze/analyze.h"

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

bool analyze_flip_again(struct analyze *analyze)
{
	static struct finding first, none;
	struct timespec began;
	if (analyze_decides(analyze) != DECIDES_NOT || !is_left(analyze))
		return true;
	clock_gettime(CLOCK_MONOTONIC, &began);
	put_aside(analyze, &first);
	bool goes_on = true;
	while (goes_on && is_left(analyze) && !is_time_over(analyze, &began)) {

		goes_on = analyze_bisect_again(analyze) && analyze->has_pair && analyze_look_around(analyze) &&
		          analyze_flip(analyze);
		if (goes_on && analyze_decides(analyze) > DECIDES_NOT)
			return true;
		put_aside(analyze, &none);
	}
	take_back(analyze, &first);
	return !analyze_is_stopped(analyze);
}
