/* SPDX-License-Identifier: MIT */
/* All numbers are integers, and results are taken in the order of the tries' numbers, so that a search does the same on
 * every host. The tries before the first generation, which make the profile, show pairs, too: the first two generations
 * are planned by these. */
#include "search/search_feedback.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"

/* A way to fail counts as many new pairs: it is what a search is for. */
#define PAIRS_OF_A_FAILURE 16U

/* Each member gets at least this part of its equal share: bugs may need what has found nothing so far. */
#define FLOOR_PART 2U

#define SCORE_UNIT 1024U
#define SCORE_MAX (1UL << 40)
#define TURNS_MAX (1UL << 40)
#define KEPT_MAX 100000U /* plans that are read; a search keeps one for each way to fail */

static struct search_generation *generation_of(const struct search_feedback *feedback, uint64_t generation)
{
	return (struct search_generation *)&feedback->generation[generation % SEARCH_GENERATIONS];
}

/* --- planning --- */

/* The tries of a generation that each member gets. */
static void share(const struct search_feedback *feedback, uint64_t *shares)
{
	const unsigned members = feedback->member_count;
	const uint64_t unit = SEARCH_GENERATION * (uint64_t)SCORE_UNIT;
	uint64_t sum = 0;
	for (unsigned i = 0; i < members; i++)
		sum += feedback->member[i].score;
	const uint64_t floor = sum ? unit / members / FLOOR_PART : unit / members, rest = unit - floor * members;
	for (unsigned i = 0; i < members; i++)
		shares[i] = floor + (sum ? (uint64_t)((unsigned __int128)rest * feedback->member[i].score / sum) : 0);
}

/* Plans a generation. Members take turns by their shares: the one that is farthest behind comes next. */
static void plan(struct search_feedback *feedback, uint64_t generation)
{
	struct search_generation *to = generation_of(feedback, generation);
	uint64_t shares[SEARCH_MEMBERS_MAX], sum = 0;
	int64_t behind[SEARCH_MEMBERS_MAX] = {0};
	search_corpus_weigh(&feedback->corpus);
	share(feedback, shares);
	for (unsigned i = 0; i < feedback->member_count; i++)
		sum += shares[i];
	for (unsigned at = 0; at < SEARCH_GENERATION; at++) {
		unsigned next = 0;
		for (unsigned i = 0; i < feedback->member_count; i++) {
			behind[i] += (int64_t)shares[i];
			next = behind[i] > behind[next] ? i : next;
		}
		behind[next] -= (int64_t)sum;
		struct search_member *member = &feedback->member[next];
		struct search_plan *try = &to->plan[at];
		*try = (struct search_plan){.member = next, .turn = member->turns++};
		if (!member->has_feedback)
			continue;
		uint64_t state = feedback->seed << 32 ^ (feedback->first + generation * SEARCH_GENERATION + at);
		search_corpus_draw(&feedback->corpus, search_corpus_bits(&state), &try->reads);
	}
}

static void plan_first(struct search_feedback *feedback)
{
	if (feedback->has_rounds)
		search_corpus_begin_round(&feedback->corpus);
	plan(feedback, 0);
	plan(feedback, 1);
	feedback->is_planned = true;
}

void search_feedback_init(struct search_feedback *feedback, uint64_t seed, uint64_t first, const bool *has_feedback,
                          unsigned members)
{
	assert(members > 0 && members <= SEARCH_MEMBERS_MAX);
	*feedback = (struct search_feedback){
		.seed = seed, .first = first, .planned = first, .shows = first - 1, .member_count = members};
	for (unsigned i = 0; i < members; i++)
		feedback->member[i].has_feedback = has_feedback[i];
	if (first == 1)
		plan_first(feedback);
}

void search_feedback_delay(struct search_feedback *feedback, uint64_t tries)
{
	assert(!feedback->is_planned);
	feedback->first += tries;
	feedback->planned += tries;
}

/* --- results --- */

static void forget(struct search_generation *generation)
{
	for (unsigned i = 0; i < SEARCH_GENERATION; i++)
		free(generation->shown[i].pairs);
	memset(generation->shown, 0, sizeof(generation->shown));
	memset(generation->is_new, 0, sizeof(generation->is_new));
}

/* Learns from the first tries of the next generation. */
static void learn_generation(struct search_feedback *feedback, uint64_t count)
{
	struct search_generation *from = generation_of(feedback, feedback->complete);
	uint64_t tries[SEARCH_MEMBERS_MAX] = {0}, found[SEARCH_MEMBERS_MAX] = {0};
	for (uint64_t i = 0; i < count; i++) {
		const struct search_shown *shown = &from->shown[i];
		const struct search_plan *try = &from->plan[i];
		tries[try->member]++;
		found[try->member] += from->is_new[i] ? PAIRS_OF_A_FAILURE : 0;
		if (shown->is_there)
			found[try->member] += search_corpus_add(&feedback->corpus, &try->reads, shown->signature,
			                                        shown->pairs, shown->count);
	}
	for (unsigned i = 0; i < feedback->member_count; i++) {
		struct search_member *member = &feedback->member[i];
		member->score = member->score / 2 + (tries[i] ? found[i] * SCORE_UNIT / tries[i] : 0);
	}
	forget(from);
	feedback->taken = 0;
}

/* The tries of the next generation are all there: plans another one. */
static void complete(struct search_feedback *feedback)
{
	learn_generation(feedback, SEARCH_GENERATION);
	feedback->complete++;
	plan(feedback, feedback->complete + 1);
}

uint64_t search_feedback_limit(const struct search_feedback *feedback)
{
	if (!feedback->is_planned)
		return feedback->first - 1;
	return feedback->first - 1 + (feedback->complete + 2) * SEARCH_GENERATION;
}

static bool is_planned(const struct search_feedback *feedback, uint64_t number)
{
	const uint64_t forgotten = feedback->complete ? feedback->complete - 1 : 0;
	return number >= feedback->first + forgotten * SEARCH_GENERATION && number <= search_feedback_limit(feedback);
}

bool search_feedback_has_plan(const struct search_feedback *feedback, uint64_t number)
{
	for (size_t i = 0; i < feedback->kept_count; i++)
		if (feedback->kept[i].number == number)
			return true;
	return feedback->is_planned && is_planned(feedback, number);
}

const struct search_plan *search_feedback_plan(const struct search_feedback *feedback, uint64_t number)
{
	for (size_t i = 0; i < feedback->kept_count; i++)
		if (feedback->kept[i].number == number)
			return &feedback->kept[i].plan;
	assert(is_planned(feedback, number));
	const uint64_t at = number - feedback->first;
	return &generation_of(feedback, at / SEARCH_GENERATION)->plan[at % SEARCH_GENERATION];
}

static void keep(struct search_feedback *feedback, uint64_t number, const struct search_plan *plan)
{
	memory_check(array_reserve(feedback->kept, feedback->kept_room, feedback->kept_count + 1));
	feedback->kept[feedback->kept_count++] = (struct search_kept){number, *plan};
}

void search_feedback_keep(struct search_feedback *feedback, uint64_t number)
{
	if (number < feedback->first) /* of an earlier round: it is kept already */
		return;
	const struct search_plan plan_ = *search_feedback_plan(feedback, number);
	keep(feedback, number, &plan_);
}

void search_feedback_show(struct search_feedback *feedback, uint64_t number, uint64_t signature, const uint64_t *pairs,
                          size_t count)
{
	static const struct search_reads none;
	if (number < feedback->first) {
		if (number <= feedback->shows)
			search_corpus_add(&feedback->corpus, &none, signature, pairs, count);
		return;
	}
	assert(is_planned(feedback, number));
	const uint64_t at = number - feedback->first;
	struct search_shown *to = &generation_of(feedback, at / SEARCH_GENERATION)->shown[at % SEARCH_GENERATION];
	uint64_t *copy = memory_or_die(malloc(count * sizeof(*pairs) + 1));
	if (count)
		memcpy(copy, pairs, count * sizeof(*pairs));
	free(to->pairs);
	*to = (struct search_shown){true, signature, copy, count};
}

void search_feedback_take(struct search_feedback *feedback, uint64_t number, bool is_new)
{
	if (number < feedback->first) {
		if (number + 1 == feedback->first)
			plan_first(feedback);
		return;
	}
	assert(number == feedback->first + feedback->complete * SEARCH_GENERATION + feedback->taken);
	generation_of(feedback, feedback->complete)->is_new[feedback->taken++] = is_new;
	if (feedback->taken == SEARCH_GENERATION)
		complete(feedback);
}

/* --- rounds --- */

void search_feedback_close(struct search_feedback *feedback)
{
	if (feedback->is_planned && feedback->taken)
		learn_generation(feedback, feedback->taken);
}

void search_feedback_join(struct search_feedback *to, const struct search_feedback *from, bool is_own)
{
	search_corpus_join(&to->corpus, &from->corpus);
	for (unsigned i = 0; i < to->member_count; i++) {
		to->member[i].score += from->member[i].score;
		if (is_own)
			to->member[i].turns = from->member[i].turns;
	}
	for (size_t i = 0; i < from->kept_count && is_own; i++)
		keep(to, from->kept[i].number, &from->kept[i].plan);
}

void search_feedback_begin_round(struct search_feedback *feedback, uint64_t tries, unsigned shards)
{
	for (unsigned i = 0; i < feedback->member_count; i++)
		feedback->member[i].score /= shards;
	if (tries + 1 > feedback->first)
		feedback->first = tries + 1;
	if (tries + 1 == feedback->first)
		plan_first(feedback);
}

/* --- text --- */

static void print_plan(FILE *to, const char *what, uint64_t number, const struct search_plan *plan)
{
	fprintf(to, "%s %" PRIu64 " %u %" PRIu64 " ", what, number, plan->member, plan->turn);
	search_corpus_print_reads(to, &plan->reads);
	fputc('\n', to);
}

void search_feedback_print(FILE *to, const struct search_feedback *feedback)
{
	if (!feedback->is_planned)
		return;
	fprintf(to, "complete %" PRIu64 "\n", feedback->complete);
	if (feedback->first != feedback->planned)
		fprintf(to, "first %" PRIu64 "\n", feedback->first);
	for (unsigned i = 0; i < feedback->member_count; i++)
		fprintf(to, "member %u %" PRIu64 " %" PRIu64 "\n", i, feedback->member[i].turns,
		        feedback->member[i].score);
	for (unsigned i = 0; i < 2 * SEARCH_GENERATION; i++) {
		const uint64_t generation = feedback->complete + i / SEARCH_GENERATION;
		print_plan(to, "try", i, &generation_of(feedback, generation)->plan[i % SEARCH_GENERATION]);
	}
	for (size_t i = 0; i < feedback->kept_count; i++)
		print_plan(to, "kept", feedback->kept[i].number, &feedback->kept[i].plan);
	search_corpus_print(to, &feedback->corpus);
}

/* Reads "NUMBER MEMBER TURN READS". */
static bool parse_plan(const struct search_feedback *feedback, const char *line, uint64_t *number,
                       struct search_plan *plan)
{
	uint64_t member;
	int used = 0;
	*plan = (struct search_plan){.member = 0};
	if (sscanf(line, "%13" SCNu64 " %3" SCNu64 " %13" SCNu64 "%n", number, &member, &plan->turn, &used) != 3 ||
	    line[used] != ' ' || member >= feedback->member_count || plan->turn > TURNS_MAX ||
	    !search_corpus_parse_reads(line + used + 1, &plan->reads))
		return false;
	plan->member = (unsigned)member;
	return !plan->reads.count || feedback->member[member].has_feedback;
}

/* Reads the line of a try whose plan was kept. */
static bool parse_kept(struct search_feedback *feedback, const char *line)
{
	struct search_plan plan_;
	uint64_t number;
	if (!parse_plan(feedback, line + 5, &number, &plan_) || number < feedback->planned ||
	    feedback->kept_count == KEPT_MAX)
		return false;
	keep(feedback, number, &plan_);
	return true;
}

/* Reads the line of a try. */
static bool parse_try(struct search_feedback *feedback, const char *line, uint64_t *tries)
{
	struct search_plan try;
	uint64_t at;
	if (!parse_plan(feedback, line + 4, &at, &try) || at != *tries || at >= 2UL * SEARCH_GENERATION)
		return false;
	generation_of(feedback, feedback->complete + at / SEARCH_GENERATION)->plan[at % SEARCH_GENERATION] = try;
	(*tries)++;
	return true;
}

static bool parse_member(struct search_feedback *feedback, const char *line, uint64_t *members)
{
	uint64_t at, turns, score;
	int used = 0;
	if (sscanf(line, "member %3" SCNu64 " %13" SCNu64 " %13" SCNu64 "%n", &at, &turns, &score, &used) != 3 ||
	    line[used] || at != *members || at >= feedback->member_count || turns > TURNS_MAX || score > SCORE_MAX)
		return false;
	feedback->member[at].turns = turns;
	feedback->member[at].score = score;
	(*members)++;
	return true;
}

/* Reads the first try of a later round. */
static bool parse_first(struct search_feedback *feedback, const char *line)
{
	uint64_t first;
	int used = 0;
	if (sscanf(line, "first %10" SCNu64 "%n", &first, &used) != 1 || line[used] || first <= feedback->first)
		return false;
	feedback->first = first;
	return true;
}

static bool parse_lines(struct search_feedback *feedback, char *lines)
{
	uint64_t members = 0, tries = 0;
	int used = 0;
	char *line = strsep(&lines, "\n");
	if (sscanf(line, "complete %10" SCNu64 "%n", &feedback->complete, &used) != 1 || line[used])
		return false;
	while ((line = strsep(&lines, "\n")) && *line) {
		const bool is_valid = !strncmp(line, "first ", 6)    ? parse_first(feedback, line)
		                      : !strncmp(line, "member ", 7) ? parse_member(feedback, line, &members)
		                      : !strncmp(line, "try ", 4)    ? parse_try(feedback, line, &tries)
		                      : !strncmp(line, "kept ", 5)   ? parse_kept(feedback, line)
		                                                     : search_corpus_parse(&feedback->corpus, line);
		if (!is_valid)
			return false;
	}
	feedback->is_planned = members == feedback->member_count && tries == 2UL * SEARCH_GENERATION;
	return feedback->is_planned;
}

/* Whether all plans that were kept are of so many tries. */
static bool are_kept_made(const struct search_feedback *feedback, uint64_t tries)
{
	for (size_t i = 0; i < feedback->kept_count; i++)
		if (feedback->kept[i].number > tries)
			return false;
	return true;
}

bool search_feedback_parse_learnt(struct search_feedback *from, char *lines, uint64_t tries)
{
	return !*lines || (parse_lines(from, lines) && are_kept_made(from, tries));
}

bool search_feedback_parse(struct search_feedback *feedback, char *lines, uint64_t tries)
{
	if (!*lines)
		return tries + 1 < feedback->first;
	if (!parse_lines(feedback, lines) || !are_kept_made(feedback, tries))
		return false;
	const uint64_t first = search_feedback_again(feedback);
	return tries + 1 >= first && tries + 1 - first < SEARCH_GENERATION;
}

uint64_t search_feedback_again(const struct search_feedback *feedback)
{
	return feedback->is_planned ? feedback->first + feedback->complete * SEARCH_GENERATION : 1;
}

void search_feedback_fini(struct search_feedback *feedback)
{
	for (unsigned i = 0; i < SEARCH_GENERATIONS; i++)
		forget(&feedback->generation[i]);
	search_corpus_fini(&feedback->corpus);
	free(feedback->kept);
	feedback->kept = NULL;
}
