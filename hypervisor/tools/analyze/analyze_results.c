/* SPDX-License-Identifier: MIT */
#include "analyze/analyze_results.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_json.h"
#include "analyze/analyze_locks.h"
#include "analyze/analyze_look.h"
#include "analyze/analyze_races.h"
#include "analyze/analyze_rank.h"
#include "base/text.h"
#include "cmdline/option_words.h"
#include "sealed/image_text.h"
#include "search/search_input.h"

#define AROUND 6 /* events before and after the pair in the text */
#define NEEDED_MAX 16
#define OTHERS_MAX 3 /* other orders, beyond which only those in the user's files are shown */

/* A command that repeats a side; with `place`, by gdb from that place of --at on. The caller frees it. */
static char *make_command(const struct analyze *analyze, const char *file, char *place)
{
	static char eremite[] = "eremite", run[] = "run", debug[] = "debug", separator[] = "--";
	const struct search_option *runs = &analyze->option.runs;
	char **words = NULL, *schedule;
	int count = 0;
	schedule = text_of("--schedule=%s", file);
	option_words_append(&words, &count, eremite);
	option_words_append(&words, &count, place ? debug : run);
	if (place)
		option_words_append(&words, &count, place);
	for (int i = 0; i < analyze->run_given; i++)
		option_words_append(&words, &count, runs->run[i]);
	option_words_append(&words, &count, schedule);
	option_words_append(&words, &count, separator);
	for (int i = 0; i < runs->program_count; i++)
		option_words_append(&words, &count, runs->program[i]);
	char *text = image_text_words_utf8(words, (unsigned)count);
	free(words);
	free(schedule);
	return text;
}

char *analyze_results_command(const struct analyze *analyze, const char *file)
{
	return make_command(analyze, file, NULL);
}

/* "store counter (0x2390c0) at race.c:18". */
static void put_look(FILE *to, const struct analyze_look *look)
{
	char *line = analyze_look_line(look->stack);
	const char *frees = analyze_look_frees(look);
	fputs(look->op, to);
	if (*look->name)
		fprintf(to, " %s (0x%" PRIx64 ")", look->name, look->object);
	else if (look->object)
		fprintf(to, " 0x%" PRIx64, look->object);
	if (frees)
		fprintf(to, " in %s", frees);
	if (line)
		fprintf(to, " at %s", line);
	free(line);
}

static void put_event_at(FILE *to, const struct plan_event *event, const struct analyze_look *look)
{
	fprintf(to, "thread %" PRIu32 " ", event->thread);
	if (!event->points && !event->part)
		fputs("starts", to);
	else if (event->part)
		fputs("goes on in ", to);
	if (look)
		put_look(to, look);
	else if (event->points)
		fprintf(to, "operation %" PRIu64, event->points);
	else if (event->part)
		fputs("what it did before its first decision point", to);
	putc('\n', to);
}

static void put_event(FILE *to, const struct analyze_looks *looks, const struct plan_event *event)
{
	put_event_at(to, event, analyze_look_find(looks, event->thread, event->points));
}

char *analyze_results_choice(const struct sched_plan *entry)
{
	switch (entry->ticks) {
	case SCHED_KIND_timeout:
		return text_of("of a wake-up and a timeout at the same moment, the %s counts",
		               entry->next ? "timeout" : "wake-up");
	case SCHED_KIND_signal:
		return text_of("of several threads, thread %u gets the signal", entry->next);
	default:
		return text_of("of several threads, thread %u is woken", entry->next);
	}
}

static void put_decision(FILE *to, const struct sched_plan *entry)
{
	const uint32_t thread = entry->thread, next = entry->next;
	switch (entry->kind) {
	case SCHED_PLAN_point:
		fprintf(to, "thread %u makes way for thread %u before ", thread, next);
		break;
	case SCHED_PLAN_wait:
		if (thread == next)
			fprintf(to, "thread %u is woken and goes on at once, in ", thread);
		else
			fprintf(to, "thread %u waits and thread %u runs next, in ", thread, next);
		break;
	case SCHED_PLAN_tick:
		fprintf(to, "thread %u makes way for thread %u at a tick in ", thread, next);
		break;
	case SCHED_PLAN_woken:
		fprintf(to, "thread %u makes way for thread %u at the end of ", thread, next);
		break;
	case SCHED_PLAN_stay:
		fprintf(to, "thread %u goes on although it yields, in its operations %lu to %lu, from ", thread,
		        entry->points, entry->ticks);
		break;
	case SCHED_PLAN_jump:
		fprintf(to, "time jumps, though a thread is ready, when thread %u waits in ", thread);
		break;
	case SCHED_PLAN_leap:
		fprintf(to, "time jumps, though a thread is ready, when thread %u is before ", thread);
		break;
	default: {
		char *choice = analyze_results_choice(entry);
		fprintf(to, "%s, when thread %u is in ", choice, thread);
		free(choice);
	}
	}
}

static void put_needed(FILE *to, const struct analyze *analyze)
{
	size_t count = 0;
	for (size_t i = 0; i < analyze->minimal.count; i++)
		count += analyze->minimal.entries[i].kind != SCHED_PLAN_anchor;
	fprintf(to, "of %zu decision%s other than those of fifo, %zu %s %s:\n", analyze->given_entries,
	        analyze->given_entries == 1 ? "" : "s", count, count == 1 ? "is" : "are",
	        !analyze->is_minimal      ? "left so far, and some may not be needed"
	        : analyze->minimal_passes ? "needed to pass"
	                                  : "needed to fail");
	for (size_t i = 0, shown = 0; i < analyze->minimal.count; i++) {
		const struct sched_plan *entry = &analyze->minimal.entries[i];
		const struct analyze_look *look = analyze_look_find(&analyze->needed, entry->thread, entry->points);
		if (entry->kind == SCHED_PLAN_anchor)
			continue;
		if (shown++ == NEEDED_MAX) {
			fputs("  ...\n", to);
			break;
		}
		fputs("  ", to);
		put_decision(to, entry);
		if (look)
			put_look(to, look);
		else
			fprintf(to, "operation %" PRIu64, entry->points);
		putc('\n', to);
	}
}

/* Says where a thread is at its next decision point after an event. */
static void put_next(FILE *to, const struct analyze *analyze, const struct plan_event *event)
{
	const struct analyze_look *look = analyze_look_find(&analyze->failing.looks, event->thread, event->points + 1);
	if (!look)
		look = analyze_look_find(&analyze->passing.looks, event->thread, event->points + 1);
	fprintf(to, "    thread %" PRIu32 "'s is ", event->thread);
	if (look)
		put_look(to, look);
	else
		fputs("not near, or it has none", to);
	putc('\n', to);
}

/* Says where both events meet. */
static void put_meeting(FILE *to, const struct analyze *analyze, const struct analyze_look *a,
                        const struct analyze_look *b)
{
	if (a && b && a->object && a->object == b->object && *a->name) {
		fprintf(to, "  they meet at %s (0x%" PRIx64 ")\n", a->name, a->object);
	} else if (a && b && a->object && a->object == b->object) {
		fprintf(to, "  they meet at 0x%" PRIx64 ", which is no variable with a name\n", a->object);
	} else if (a && b && (analyze_look_frees(a) || analyze_look_frees(b))) {
		fprintf(to, "  one of them gives memory back: if the other one uses it, that is a use after %s\n",
		        analyze_look_frees(a) ? analyze_look_frees(a) : analyze_look_frees(b));
	} else {
		fputs("  their operations name no common object: they meet in what each thread does up to its next "
		      "decision point\n",
		      to);
		put_next(to, analyze, &analyze->pair[0]);
		put_next(to, analyze, &analyze->pair[1]);
	}
}

char *analyze_results_headline(const struct analyze *analyze)
{
	const struct analyze_flips *failing = analyze_flips_of(analyze, false),
				   *passing = analyze_flips_of(analyze, true);
	const unsigned others = analyze->others[0].count + analyze->others[1].count;
	const enum analyze_decides decides = analyze_decides(analyze);
	if (decides == DECIDES_UNKNOWN)
		return strdup("the order of two events makes the difference between the nearest schedules that fail "
		              "and pass; whether it decides was not checked to the end");
	char *counts = text_of("failed %lu of %lu times in this order, and passed %lu of %lu times in the other",
	                       failing->fails, failing->kept, passing->passes, passing->kept);
	char *with = decides == DECIDES_TOGETHER
	                     ? text_of(", together with %u other order%s", others, others == 1 ? "" : "s")
	                     : text_of("%s", "");
	char *text = decides == DECIDES_NOT
	                     ? text_of("what decides was not found; the order of two events is one of several "
	                               "conditions (it %s)",
	                               counts)
	                     : text_of("the order of two events decides%s (%sit %s)", with,
	                               analyze->is_after ? "after the same beginning, " : "", counts);
	free(counts);
	free(with);
	return text;
}

static void put_pair(FILE *to, const struct analyze *analyze)
{
	const struct analyze_look *looks[2];
	char *headline = analyze_results_headline(analyze);
	fprintf(to, "%s:\n", headline);
	free(headline);
	analyze_look_pair(&analyze->failing.looks, analyze->pair, looks);
	for (unsigned i = 0; i < 2; i++) {
		fprintf(to, "  %s: ", i ? "second" : "first");
		put_event_at(to, &analyze->pair[i], looks[i]);
		if (looks[i])
			results_format_lines(to, "    ", looks[i]->stack);
	}
	put_meeting(to, analyze, looks[0], looks[1]);
	if (analyze->equals)
		fprintf(to,
		        "  %u of the other orders that are needed %s as likely the cause: correct the one that is "
		        "wrong by "
		        "your design\n",
		        analyze->equals, analyze->equals == 1 ? "is" : "are");
	fputs("  around them, when it fails:\n", to);
	const struct plan_events *events = &analyze->failing.events;
	const size_t first = analyze->place > AROUND ? analyze->place - AROUND : 0;
	for (size_t i = first; i < events->count && i < analyze->place + 2 + AROUND; i++) {
		const bool is_pair = i == analyze->place || i == analyze->place + 1;
		fputs(is_pair ? "  > " : "    ", to);
		if (is_pair)
			put_event_at(to, &events->at[i], looks[i - analyze->place]);
		else
			put_event(to, &analyze->failing.looks, &events->at[i]);
	}
	if (analyze->place + 1 == events->count)
		fputs("    the run ends before the second\n", to);
}

static void put_order(FILE *to, const struct analyze_flips *flips, bool passing)
{
	fprintf(to, "  %s order: kept under %" PRIu64 " of %" PRIu64 " seeds: %" PRIu64 " failed, %" PRIu64 " passed",
	        passing ? "passing" : "failing", flips->kept, flips->seeds, flips->fails, flips->passes);
	if (flips->otherwise)
		fprintf(to, ", %" PRIu64 " failed in another way (%s)", flips->otherwise, flips->other_end);
	putc('\n', to);
}

static unsigned rank_of(const struct analyze_orders *others, unsigned i)
{
	const struct analyze_look *at[2];
	analyze_look_pair(&others->looks, others->at[i], at);
	return analyze_rank_of(at[0], at[1]);
}

/* Writes the other pairs whose order is needed: those in the user's files one by one. */
static void put_others(FILE *to, const struct analyze_orders *others, const char *what)
{
	unsigned left = 0;
	if (others->count)
		fprintf(to, "  also needed to %s:\n", what);
	for (unsigned i = 0; i < others->count; i++) {
		if (others->count > OTHERS_MAX && rank_of(others, i) < ANALYZE_RANK_USERS) {
			left++;
			continue;
		}
		const struct analyze_look *at[2];
		analyze_look_pair(&others->looks, others->at[i], at);
		for (unsigned j = 0; j < 2; j++) {
			fputs(j ? "      before " : "    ", to);
			put_event_at(to, &others->at[i][j], at[j]);
		}
	}
	if (left)
		fprintf(to, "    and %u order%s by which the threads come there, outside the files of the program\n",
		        left, left == 1 ? "" : "s");
}

/* Writes a line of the verdict, about some of the runs that kept an order. */
static void put_some(FILE *to, uint64_t count, uint64_t kept, const char *what)
{
	if (count)
		fprintf(to, "in %" PRIu64 " of %" PRIu64 " runs %s\n", count, kept, what);
}

static void put_verdict(FILE *to, const struct analyze *analyze)
{
	const struct analyze_flips *failing = analyze_flips_of(analyze, false),
				   *passing = analyze_flips_of(analyze, true);
	const uint64_t otherwise = failing->otherwise + passing->otherwise;
	if (!analyze->has_flips) {
		if (analyze->has_pair && !analyze_is_stopped(analyze))
			fputs("not made, because one of the events is the begin of the program\n", to);
		return;
	}
	if (analyze_flips_decide(failing, passing))
		fprintf(to, "%sthis order %s\n", analyze->is_after ? "after the same beginning, " : "",
		        analyze->others[0].count + analyze->others[1].count ? "decides, together with the others"
		                                                            : "alone decides");
	put_some(to, failing->passes, failing->kept,
	         "in the failing order, the failure needs more, which was not found");
	put_some(to, passing->fails, passing->kept,
	         "in the passing order, the program fails in the same way elsewhere: correct this pair and analyze "
	         "again");
	if (analyze_is_stopped(analyze))
		fputs("the check was stopped before its end\n", to);
	else if (!failing->kept || !passing->kept)
		fprintf(to, "the %s order could not be kept: no other thread could run\n",
		        failing->kept ? "passing" : "failing");
	if (otherwise)
		fprintf(to,
		        "in %" PRIu64 " of these runs the program failed in another way, with %s: analyze that failure "
		        "by itself\n",
		        otherwise, failing->other_end ? failing->other_end : passing->other_end);
}

char *analyze_results_verdict(const struct analyze *analyze)
{
	struct text_made made;
	FILE *to = text_open(&made);
	put_verdict(to, analyze);
	return text_close(&made);
}

static void put_flips(FILE *to, const struct analyze *analyze)
{
	const struct analyze_flips *with_others = analyze->flips[1];
	char *verdict = analyze_results_verdict(analyze);
	if (!analyze->has_flips) {
		if (*verdict)
			fprintf(to, "flip check: %s", verdict);
		free(verdict);
		return;
	}
	fputs("flip check: the order of the pair under other schedules:\n", to);
	put_order(to, &analyze->flips[0][0], false);
	put_order(to, &analyze->flips[0][1], true);
	if (analyze->after[0].seeds) {
		fputs("  after the same beginning, up to the pair:\n", to);
		put_order(to, &analyze->after[0], false);
		put_order(to, &analyze->after[1], true);
	}
	put_others(to, &analyze->others[0], "fail");
	put_others(to, &analyze->others[1], "pass, in the passing order of the pair");
	if (with_others[0].seeds || with_others[1].seeds)
		fputs("  with these orders kept, too:\n", to);
	for (unsigned passing = 0; passing < 2; passing++)
		if (with_others[passing].seeds)
			put_order(to, &with_others[passing], passing);
	results_format_lines(to, "  ", verdict);
	free(verdict);
}

static void put_side(FILE *to, const struct analyze *analyze, const struct analyze_side *side, const char *file)
{
	if (!side->is_written)
		return;
	char *command = analyze_results_command(analyze, file);
	fprintf(to, "%s, %s%s\n  again: ", file, side->end,
	        !side->is_replayed ? ", not replayed"
	        : side->replays    ? ""
	                           : ", which its replay did not show: the program is not deterministic here");
	image_text_put_words(to, command); /* its words may come from somebody else's results */
	search_input_put(to);
	free(command);
}

/* The command that opens gdb where the thread of the pair's first event begins to run for the last time before it. */
static void put_debug(FILE *to, const struct analyze *analyze)
{
	const struct analyze_side *side = &analyze->failing;
	char place[48];
	if (!side->is_written || !analyze->has_pair || search_option_is_native(&analyze->option.runs))
		return;
	snprintf(place, sizeof(place), "--at=decision:%" PRIu64,
	         plan_event_decision(&side->schedule, &analyze->pair[0]));
	char *command = make_command(analyze, analyze->option.failing, place);
	fprintf(to, "  in gdb, before the pair, where thread %" PRIu32 " goes on: ", analyze->pair[0].thread);
	image_text_put_words(to, command);
	search_input_put(to);
	free(command);
}

/* "b (0x404060)". */
static void put_object(FILE *to, const struct analyze_look *look)
{
	if (*look->name)
		fprintf(to, "%s (0x%" PRIx64 ")", look->name, look->object);
	else
		fprintf(to, "0x%" PRIx64, look->object);
}

/* Whether an earlier thread waits for the same lock. */
static bool is_put(const struct analyze *analyze, unsigned number)
{
	for (unsigned i = 0; i < number; i++)
		if (analyze->locks[i].object == analyze->locks[number].object)
			return true;
	return false;
}

/* Says where each lock of a deadlock was taken. */
static void put_locks(FILE *to, const struct analyze *analyze)
{
	char *cycle = analyze_locks_cycle(analyze);
	for (unsigned i = 0; i < analyze->lock_count; i++) {
		const struct analyze_lock *lock = &analyze->locks[i];
		const struct analyze_look *look = is_put(analyze, i) ? NULL : analyze_locks_look(analyze, lock);
		char *line = look ? analyze_look_line(look->stack) : NULL;
		if (!look)
			continue;
		fprintf(to, "    thread %" PRIu32 " %s ", look->thread,
		        lock->is_lock ? "took" : "was the last to change");
		put_object(to, look);
		fprintf(to, "%s%s%s\n", lock->is_lock ? "" : " from 0", line ? " at " : "", line ? line : "");
		results_format_lines(to, "      ", look->stack);
		free(line);
	}
	if (cycle)
		fprintf(to, "    deadlock: %s\n", cycle);
	free(cycle);
}

static void put_text(FILE *to, const struct analyze *analyze)
{
	uint64_t fails = 0;
	for (size_t i = 0; i < analyze->note_count; i++)
		fails += analyze->notes[i].result == TRY_FAILS;
	if (analyze->identity) {
		fprintf(to, "FAIL %s\n", analyze->end);
		results_format_lines(to, "    ", analyze->said);
		results_format_lines(to, "    ", analyze->stacks);
		put_locks(to, analyze);
	}
	if (analyze->signal)
		fprintf(to, "interrupted in the step '%s'; this is what was found until then:\n",
		        analyze->progress.step);
	if (analyze->minimal.count)
		put_needed(to, analyze);
	if (analyze->has_pair)
		put_pair(to, analyze);
	if (analyze->verdict)
		fprintf(to, "%s\n", analyze->verdict);
	if (!analyze->has_pair && analyze->signal) {
		if (analyze->minimal.count)
			fputs("the two events whose order decides were not found yet: one of these decisions makes the "
			      "difference\n",
			      to);
		analyze_races_put(to);
	}
	put_flips(to, analyze);
	if (analyze->has_flips && analyze_decides(analyze) == DECIDES_NOT &&
	    analyze_rank_pair(analyze) < ANALYZE_RANK_RACE)
		analyze_races_put(to); /* the cause may be one of them */
	put_side(to, analyze, &analyze->failing, analyze->option.failing);
	put_debug(to, analyze);
	put_side(to, analyze, &analyze->passing, analyze->option.passing);
	fprintf(to, "%zu tries, of which %" PRIu64 " failed in this way\n", analyze->note_count, fails);
	if (analyze->error.text[0])
		fputs("stopped by an error\n", to); /* which standard error has */
}

void analyze_results_put(FILE *to, enum results_format format, const struct analyze *analyze)
{
	if (format == RESULTS_JSON)
		analyze_json_put(to, analyze);
	else
		put_text(to, analyze);
}
