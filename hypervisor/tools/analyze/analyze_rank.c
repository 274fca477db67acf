/* SPDX-License-Identifier: MIT */
/* All pairs of a set whose order decides are needed. The one that a programmer calls the cause is an access to the
 * program's own data, not how the threads come there, and not what the system's libraries do for themselves. */
#include "analyze/analyze_rank.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_look.h"
#include "analyze/analyze_races.h"

/* Whether a text has a word, also as a part of another one, but "lock" not in "clock" or "block". */
static bool has_word(const char *text, size_t bytes, const char *word)
{
	const size_t length = strlen(word);
	for (const char *at = text; (at = memmem(at, bytes - (size_t)(at - text), word, length)); at++)
		if (at == text || (at[-1] != 'c' && at[-1] != 'b'))
			return true;
	return false;
}

/* Whether an event is an operation of a lock or a wait. */
static bool is_of_lock(const struct analyze_look *look)
{
	static const char *const words[] = {"lock", "mutex", "futex", "sem_", "cond_"};
	const size_t bytes = strcspn(look->stack, "\n/"); /* the innermost frame, up to its file */
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (has_word(look->op, strlen(look->op), words[i]) || has_word(look->stack, bytes, words[i]))
			return true;
	return false;
}

static bool is_users(const struct analyze_look *look)
{
	bool is = false;
	char *line = analyze_look_own_line(look->stack);
	is = line;
	free(line);
	return is;
}

/* Whether one event gives memory back and the other is an access to memory: a use after it. */
static bool is_use_after_free(const struct analyze_look *frees, const struct analyze_look *uses)
{
	return analyze_look_frees(frees) && !analyze_look_frees(uses) && !is_of_lock(uses) &&
	       (!strcmp(uses->op, "load") || !strcmp(uses->op, "store") || !strcmp(uses->op, "atomic"));
}

unsigned analyze_rank_of(const struct analyze_look *first, const struct analyze_look *second)
{
	if (!first || !second)
		return 0;
	const bool meets = first->object && first->object == second->object;
	const bool is_freed = is_use_after_free(first, second) || is_use_after_free(second, first);
	return ANALYZE_RANK_RACE * analyze_races_are(first, second) +
	       ANALYZE_RANK_USERS * (is_users(first) && is_users(second)) +
	       4 * (analyze_look_meets(first, second) || is_freed) +
	       2 * (is_freed || (meets && !is_of_lock(first) && !is_of_lock(second))) + (meets && *first->name);
}

static unsigned rank_of(const struct analyze_looks *looks, const struct plan_event pair[2])
{
	const struct analyze_look *at[2];
	analyze_look_pair(looks, pair, at);
	return analyze_rank_of(at[0], at[1]);
}

unsigned analyze_rank_pair(const struct analyze *analyze)
{
	return rank_of(&analyze->failing.looks, analyze->pair);
}

/* Whether the pair says no more than that the program fails before it ends: the failing run does not reach the second.
 */
static bool is_only_the_end(const struct analyze *analyze)
{
	const struct analyze_look *at[2];
	analyze_look_pair(&analyze->passing.looks, analyze->pair, at);
	return at[1] && !strcmp(at[1]->op, "exit_group") && analyze->place + 1 == analyze->failing.events.count;
}

bool analyze_rank_is_users(const struct analyze *analyze)
{
	const struct analyze_looks *looks = &analyze->failing.looks;
	const struct analyze_look *at[2];
	bool any = false, is = false;
	if (is_only_the_end(analyze))
		return false;
	for (size_t i = 0; i < looks->count; i++)
		any = any || is_users(&looks->at[i]);
	analyze_look_pair(looks, analyze->pair, at);
	for (unsigned i = 0; i < 2; i++)
		is = is || (at[i] && is_users(at[i]));
	return !any || is;
}

void analyze_rank_count(struct analyze *analyze)
{
	const struct analyze_orders *others = &analyze->others[0];
	const unsigned best = rank_of(&analyze->failing.looks, analyze->pair);
	analyze->equals = 0;
	for (unsigned i = 0; best >= ANALYZE_RANK_USERS && i < others->count; i++)
		analyze->equals += rank_of(&others->looks, others->at[i]) == best;
}

/* Exchanges the pair with another one. */
static void exchange(struct analyze *analyze, unsigned other)
{
	struct analyze_orders *others = &analyze->others[0];
	const struct analyze_side sides[2] = {analyze->failing, analyze->passing};
	const struct plan_event pair[2] = {analyze->pair[0], analyze->pair[1]};
	const size_t place = analyze->place;
	analyze->failing = others->sides[other][0];
	analyze->passing = others->sides[other][1];
	analyze->place = others->places[other];
	memcpy(analyze->pair, others->at[other], sizeof(pair));
	memcpy(others->sides[other], sides, sizeof(sides));
	others->places[other] = place;
	memcpy(others->at[other], pair, sizeof(pair));
}

bool analyze_rank_choose(struct analyze *analyze, bool *is_another)
{
	struct analyze_orders *others = &analyze->others[0];
	unsigned best = rank_of(&analyze->failing.looks, analyze->pair), which = others->count;
	*is_another = false;
	if (!others->count)
		return true;
	if (!analyze_look_at_others(analyze))
		return false;
	for (unsigned i = 0; i < others->count; i++) {
		const unsigned rank = rank_of(&others->looks, others->at[i]);
		if (rank <= best)
			continue;
		best = rank;
		which = i;
	}
	if (which == others->count)
		return true;
	*is_another = true;
	exchange(analyze, which);
	return analyze_look_around(analyze);
}
