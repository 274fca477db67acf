/* SPDX-License-Identifier: MIT */
/* The tries are those of a search (search_try.h), made one after the other. */
#include "analyze/analyze_races.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "analyze/analyze_look.h"
#include "base/die.h"
#include "report/search_races.h"
#include "search/search_points.h"

#define TIME_S 10 /* an eighth of it for each try, as of a search with --time */

static struct {
	struct search_points points;
	struct search_profile *profile; /* none */
	struct search_races races;
} work;

/* Waits for a try. A signal stops it, and the analysis. */
static void wait_for(struct analyze *analyze, struct search_slot *slot)
{
	while (waitpid(slot->child, &slot->status, WNOHANG) == 0) {
		const int sig = sigwaitinfo(&analyze->signals, NULL);
		if (sig <= 0 || sig == SIGCHLD)
			continue;
		analyze->signal = sig;
		kill(slot->child, SIGTERM);
	}
}

bool analyze_races_find(struct analyze *analyze)
{
	struct search_option option = analyze->option.runs;
	struct search_slot *slot = &analyze->slots[0];
	if (!search_option_is_own(&option))
		return true;
	option.points_tries = SEARCH_POINTS_TRIES;
	option.finds_races = true;
	option.vary = 1U << SEARCH_INPUT_sched;
	option.from = "main";
	option.time_s = TIME_S;
	option.points = &work.points;
	option.run = analyze->races_run;
	option.run_count = analyze->races_run_count;
	option.has_timeout = false;
	option.timeout_s = analyze->limit_s;
	slot->schedule = NULL;
	for (uint64_t number = 1; number <= SEARCH_POINTS_TRIES && !analyze_is_stopped(analyze); number++) {
		if (search_slot_start(slot, &option, number, option.vary, analyze->input, &analyze->mask))
			return error_set(&analyze->error, EAGAIN, "cannot start a process; give a smaller --jobs") == 0;
		wait_for(analyze, slot);
		slot->ended = true;
		if (!analyze->signal)
			search_slot_learn(slot, &option, &work.points, work.profile, &work.races);
	}
	slot->number = 0;
	if (!analyze_is_stopped(analyze))
		search_points_settle(&work.points, option.program[0]);
	return !analyze_is_stopped(analyze);
}

void analyze_races_put(FILE *to)
{
	if (!work.races.count)
		return;
	fputs("in its first tries, no order was seen between these accesses:\n", to);
	search_races_put(to, &work.races, NULL, 1);
}

char *analyze_races_points(void)
{
	return work.points.option;
}

/* Whether a place of a race, "a.c:14", is that of a stack. */
static bool is_at(const char *place, const char *line)
{
	const size_t bytes = strlen(place), all = strlen(line);
	return all >= bytes && !strcmp(line + all - bytes, place) && (all == bytes || line[all - bytes - 1] == '/');
}

bool analyze_races_are(const struct analyze_look *first, const struct analyze_look *second)
{
	char *a = first ? analyze_look_own_line(first->stack) : NULL;
	char *b = second ? analyze_look_own_line(second->stack) : NULL;
	bool are = false;
	for (size_t i = 0; a && b && i < work.races.count && !are; i++) {
		const struct search_access *at = work.races.all[i].at;
		are = (is_at(at[0].place, a) && is_at(at[1].place, b)) ||
		      (is_at(at[0].place, b) && is_at(at[1].place, a));
	}
	free(a);
	free(b);
	return are && (analyze_look_meets(first, second) || analyze_look_frees(first) || analyze_look_frees(second));
}
