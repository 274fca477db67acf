/* SPDX-License-Identifier: MIT */
/* surw samples the interleavings of the operations on one object uniformly if it knows how many each thread has. A try
 * gets one of the shared objects. Threads that use the shared objects in the same way are of one kind. In every second
 * try the counts are changed so that each kind has the same sum: among a hundred threads of one kind, the one of
 * another kind then runs first in half of these tries instead of in one of a hundred.
 *
 * A try that samples all points, or those on all objects, gets counts that are true, twice or four times as large, by
 * thread: among interleavings that are all equally likely, few let one thread do much between two points of another,
 * and many errors need that. */
#include "search/search_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/sched_parameters.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/split_mix.h"
#include "base/text.h"
#include "abi/sched_area.h"
#include "sched/sched_option.h"

#define COUNT_MAX (1UL << 40) /* sums and products of counts stay below 2^64 */

/* --- collecting --- */

static int compare_accesses(const void *left, const void *right)
{
	const struct sched_access *a = left, *b = right;
	if (a->object != b->object)
		return a->object < b->object ? -1 : 1;
	return a->thread < b->thread ? -1 : a->thread > b->thread;
}

static int compare_objects(const void *left, const void *right)
{
	const struct search_object *a = left, *b = right;
	return a->address < b->address ? -1 : a->address > b->address;
}

/* Joins entries of the same object. */
static void join_objects(struct search_profile *profile)
{
	size_t kept = 0;
	if (!profile->object_count)
		return;
	qsort(profile->objects, profile->object_count, sizeof(*profile->objects), compare_objects);
	for (size_t i = 0; i < profile->object_count; i++) {
		if (kept && profile->objects[kept - 1].address == profile->objects[i].address)
			profile->objects[kept - 1].weight += profile->objects[i].weight;
		else
			profile->objects[kept++] = profile->objects[i];
	}
	profile->object_count = kept;
}

/* Adds the objects of one try, whose accesses are sorted, that two threads have used. */
static void add_objects(struct search_profile *profile, const struct sched_access *access, size_t count)
{
	for (size_t from = 0, to; from < count; from = to) {
		struct search_object object = {.address = access[from].object};
		uint64_t most = 0;
		bool stores = false;
		for (to = from; to < count && access[to].object == object.address; to++) {
			stores = stores || access[to].stores;
			object.weight += access[to].points;
			most = access[to].points > most ? access[to].points : most;
		}
		object.weight -= most;
		if (!object.address || !stores || to - from < 2)
			continue;
		memory_check(array_reserve(profile->objects, profile->object_room, profile->object_count + 1));
		profile->objects[profile->object_count++] = object;
		profile->weight += object.weight;
	}
	join_objects(profile);
}

static void note_threads(struct search_profile *profile, const struct sched_access *access, size_t count)
{
	bool *seen = memory_or_die(calloc(SCHED_COUNTS_MAX, sizeof(*seen)));
	memory_check(array_reserve(profile->seen, profile->seen_room, SCHED_COUNTS_MAX));
	for (size_t i = 0; i < count; i++)
		seen[access[i].thread - 1] = true;
	for (size_t i = 0; i < SCHED_COUNTS_MAX; i++) {
		if (!seen[i])
			continue;
		for (; profile->threads <= i; profile->threads++)
			profile->seen[profile->threads] = 0;
		profile->seen[i]++;
	}
	free(seen);
}

/* Joins entries of the same object and thread. */
static void join(struct search_profile *profile)
{
	size_t kept = 0;
	qsort(profile->access, profile->access_count, sizeof(*profile->access), compare_accesses);
	for (size_t i = 0; i < profile->access_count; i++) {
		const struct sched_access *from = &profile->access[i];
		struct sched_access *to = &profile->access[kept ? kept - 1 : 0];
		if (kept && !compare_accesses(to, from)) {
			to->points += from->points;
			to->stores = to->stores || from->stores;
		} else {
			profile->access[kept++] = *from;
		}
	}
	profile->access_count = kept;
}

void search_profile_add(struct search_profile *profile, uint64_t first, uint64_t last,
                        const struct sched_access *access, size_t count)
{
	const size_t before = profile->access_count;
	memory_check(array_reserve(profile->access, profile->access_room, before + count + 1));
	struct sched_access *added = profile->access + before;
	size_t kept = 0;
	for (size_t i = 0; i < count; i++) {
		if (!access[i].thread || access[i].thread > SCHED_COUNTS_MAX)
			continue;
		added[kept] = access[i];
		if (added[kept].points > COUNT_MAX)
			added[kept].points = COUNT_MAX;
		kept++;
	}
	qsort(added, kept, sizeof(*added), compare_accesses);
	add_objects(profile, added, kept);
	note_threads(profile, added, kept);
	profile->access_count += kept;
	join(profile);
	profile->tries++;
	if (!first || last < first)
		return;
	if (!profile->first || first < profile->first)
		profile->first = first;
	if (last > profile->last)
		profile->last = last;
}

/* --- using it --- */

/* The mean of a sum over the tries in which a thread ran; at least 1 if the sum is not 0. */
static uint64_t mean_of(const struct search_profile *profile, uint32_t thread, uint64_t sum)
{
	const unsigned tries = profile->seen[thread - 1];
	const uint64_t mean = tries ? (sum + tries / 2) / tries : 0;
	return sum && !mean ? 1 : mean;
}

/* Two numbers for a try, evenly spread over successive tries: Roberts' sequence R2 from a random beginning. So the
 * first tries differ as much as they can. */
struct draw {
	uint64_t object, kind; /* fractions of 2^64 */
	uint64_t skew;         /* a seed */
};

static struct draw draw_of(uint64_t seed, uint64_t turn)
{
	const uint64_t first = split_mix_next(&seed), second = split_mix_next(&seed);
	return (struct draw){first + turn * 0xc13fa9a902a6328fUL, second + turn * 0x91e10da5c79e7b1dUL, seed + turn};
}

/* Draws a shared object, by weight. In every fourth try, and if no object is shared, it returns 0. All points are then
 * sampled, because an error may need the order of operations on several objects. */
static uint64_t draw_object(const struct search_profile *profile, uint64_t fraction)
{
	if (fraction >> 62 == 0)
		return 0;
	uint64_t at = (uint64_t)((unsigned __int128)(fraction - (1UL << 62)) * profile->weight / (3UL << 62));
	for (size_t i = 0; i < profile->object_count; i++) {
		if (at < profile->objects[i].weight)
			return profile->objects[i].address;
		at -= profile->objects[i].weight;
	}
	return 0;
}

/* Sets how many points each thread passes on an object, SCHED_OBJECT_ANY: on all objects, 0: all its points. */
static void count_points(const struct search_profile *profile, uint64_t object, uint64_t *counts)
{
	for (size_t i = 0; i < profile->access_count; i++) {
		const struct sched_access *access = &profile->access[i];
		if (!object || access->object == object || (object == SCHED_OBJECT_ANY && access->object))
			counts[access->thread - 1] += access->points;
	}
	for (size_t i = 0; i < profile->threads; i++)
		counts[i] = mean_of(profile, (uint32_t)i + 1, counts[i]);
}

/* Sets a number for the kind of each thread: a hash of how it uses the object, and of which objects that at least three
 * threads have used it uses. */
static void find_kinds(const struct search_profile *profile, uint64_t object, uint64_t *kinds)
{
	for (size_t from = 0, to; from < profile->access_count; from = to) {
		const struct sched_access *access = profile->access;
		for (to = from; to < profile->access_count && access[to].object == access[from].object; to++)
			;
		if (!access[from].object || (to - from < 3 && access[from].object != object))
			continue;
		for (size_t i = from; i < to; i++) {
			uint64_t state = access[i].object ^ (access[i].stores ? 1UL << 63 : 0);
			if (access[i].object == object)
				state += mean_of(profile, access[i].thread, access[i].points) << 48;
			kinds[access[i].thread - 1] ^= split_mix_next(&state);
		}
	}
}

/* Changes the counts so that the threads of each kind have the same sum, as far as whole numbers allow. */
static void balance(const struct search_profile *profile, uint64_t object, uint64_t *counts)
{
	const size_t threads = profile->threads;
	uint64_t *kinds = memory_or_die(calloc(2 * threads, sizeof(*kinds))), *sums = kinds + threads, most = 0;
	find_kinds(profile, object, kinds);
	for (size_t i = 0; i < threads; i++) {
		for (size_t j = 0; j < threads; j++)
			sums[i] += kinds[j] == kinds[i] ? counts[j] : 0;
		most = sums[i] > most ? sums[i] : most;
	}
	for (size_t i = 0; i < threads; i++)
		if (counts[i])
			counts[i] = (uint64_t)((unsigned __int128)counts[i] * most / sums[i]);
	free(kinds);
}

/* Makes the counts of some threads twice or four times as large. */
static void skew(const struct search_profile *profile, uint64_t seed, uint64_t *counts)
{
	for (size_t i = 0; i < profile->threads; i++)
		counts[i] <<= split_mix_next(&seed) % 3;
}

/* Whether a policy is of this name. */
static bool is_policy(const char *policy, const char *name)
{
	const size_t bytes = strlen(name);
	return !strncmp(policy, name, bytes) && (!policy[bytes] || policy[bytes] == ':');
}

/* Returns surw with the parameters that a policy, surw or urw, is given. */
static char *surw_of(const char *policy)
{
	return text_of("surw%s", policy + strcspn(policy, ":"));
}

static bool has_points_on_objects(const struct search_profile *profile)
{
	for (size_t i = 0; i < profile->access_count; i++)
		if (profile->access[i].object)
			return true;
	return false;
}

/* The object whose points are sampled: of surw mostly a shared one. Else, as far as there are objects, SCHED_OBJECT_ANY
 * in every second try: what a thread does on no object, such as its start, then does not count. 0: all points. */
static uint64_t object_of(const struct search_profile *profile, const char *policy, struct draw draw)
{
	const bool selects = is_policy(policy, "surw") && !profile->lacks_objects;
	const uint64_t object = selects ? draw_object(profile, draw.object) : 0;
	return object || draw.kind >> 63 || !has_points_on_objects(profile) ? object : SCHED_OBJECT_ANY;
}

static char *with_counts(const struct search_profile *profile, const char *policy, struct draw draw)
{
	uint64_t *counts = calloc(profile->threads + 1, sizeof(*counts));
	const uint64_t object = object_of(profile, policy, draw);
	const bool is_one = object && object != SCHED_OBJECT_ANY;
	char *known = surw_of(policy);
	struct text_made made;
	FILE *to = text_open(&made);
	count_points(profile, object, counts);
	if (is_one && draw.kind >> 63)
		balance(profile, object, counts);
	if (!is_one)
		skew(profile, draw.skew, counts);
	fprintf(to, "%s%c", known, strchr(known, ':') ? ',' : ':');
	if (is_one)
		fprintf(to, "object=%#" PRIx64 ",", object);
	else if (object)
		fputs("object=any,", to);
	fputs("counts=", to);
	for (size_t i = 0; i < profile->threads; i++)
		fprintf(to, "%s%" PRIu64, i ? "/" : "", counts[i]);
	char *text = text_close(&made);
	free(counts);
	free(known);
	return text;
}

/* A change point is where several threads are alive. */
static char *with_steps(const struct search_profile *profile, const char *policy)
{
	const uint64_t max = UINT32_MAX, steps = profile->last - profile->first + 1;
	const uint64_t from = profile->first - 1;
	return text_of("%s%cfrom=%" PRIu64 ",steps=%" PRIu64, policy, strchr(policy, ':') ? ',' : ':',
	               from < max ? from : max, steps < max ? steps : max);
}

bool search_profile_serves(const char *policy)
{
	if (is_policy(policy, "pct"))
		return !strstr(policy, "steps=") && !strstr(policy, "from=");
	return (is_policy(policy, "surw") || is_policy(policy, "urw")) && !strstr(policy, "object=") &&
	       !strstr(policy, "counts=") && !strstr(policy, "profile=");
}

char *search_profile_policy(const struct search_profile *profile, const char *policy, uint64_t seed, uint64_t turn)
{
	const bool is_urw = is_policy(policy, "urw");
	if (!profile || !search_profile_serves(policy) || !profile->first || !profile->threads)
		return is_urw ? surw_of(policy) : text_of("%s", policy);
	return is_urw || is_policy(policy, "surw") ? with_counts(profile, policy, draw_of(seed, turn))
	                                           : with_steps(profile, policy);
}
