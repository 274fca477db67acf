/* SPDX-License-Identifier: MIT */
#include "search/try_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/sched_plan.h"
#include "abi/sched_profile.h"
#include "base/die.h"
#include "base/exit_status.h"
#include "base/memory.h"
#include "base/write_all.h"
#include "cmdline/options.h"
#include "cmdline/run_finish.h"
#include "cmdline/run_say.h"
#include "hostfs/out_copy.h"
#include "report/report_races.h"
#include "sched/shared_notes.h"

/* The run of this process. */
static struct {
	struct session session;
	struct run_result result;
	const struct try_run *try;
	struct out_copy report;
	struct race_log told; /* by the program's library */
	char *races;          /* their text */
	size_t races_bytes;
} made;

/* Instructions of a failure that are all points: a fifth of a list. */
#define FAILURE_LIST_MAX 200U

/* What the observer of the run, whose context is the session, passes on with the context that they have. */

static void on_decision(void *, const struct sched_look *look, const struct fault_report *place,
                        const struct guest_memory *memory, const struct image *image)
{
	int looks = made.try->looks;
	made.try->looked(&looks, look, place, memory, image);
}

static void on_access(void *, const struct note_look *look, const struct fault_report *place,
                      const struct guest_memory *memory, const struct image *image)
{
	int looks = made.try->looks;
	report_race_look(&looks, look, place, memory, image);
}

/* Names and lines are in the guest's memory. */
static void on_noted(void *, const struct guest_memory *memory, const struct image *image, bool is_sampled)
{
	FILE *to = open_memstream(&made.races, &made.races_bytes);
	if (!to)
		return;
	report_races(to, image, memory, made.session.run.shared_notes, is_sampled, &made.told);
	if (fclose(to))
		made.races_bytes = 0;
}

static void list_notes(const struct try_run *try, struct run_config *run)
{
	if (try->note_look_count) {
		run->note_looks = try->note_looks;
		run->note_look_count = try->note_look_count;
		run->observer.access = on_access;
		run_config_keep(run, try->looks);
		return;
	}
	run->notes_max = try->notes_max;
	run->shared_notes = memory_or_die(shared_notes_create());
	if (!try->races)
		return;
	run->race_log = &made.told;
	run->observer.raced = NULL;
	run->observer.noted = on_noted;
}

static void write_schedule(const struct try_run *try, struct run_config *run)
{
	if (try->record_to < 0)
		return;
	run->sched.boot.flags |= SCHED_FLAG_RECORD;
	run->schedule_out = memory_or_die(fdopen(try->record_to, "w"));
	run_config_keep(run, try->record_to);
}

static void prepare_try(const struct try_run *try, struct run_config *run)
{
	run->discard_output = true;
	run->copies_max = try->streams_bytes;
	run->sched.boot.flags |= try->profiles ? SCHED_FLAG_ACCESSES : 0;
	run->sched.boot.flags |= try->notes ? SCHED_FLAG_NOTE : 0;
	run->sched.boot.flags |= try->wants_pairs ? SCHED_FLAG_READS : 0;
	run->copies[1] = try->fds.streams[1];
	run->copies[2] = try->fds.streams[2];
	run_config_keep(run, try->fds.text);
	run_config_keep(run, try->fds.streams[1]);
	run_config_keep(run, try->fds.streams[2]);
	run->tries = try->tries;
	if (try->tries) {
		run_config_keep(run, try->tries->in);
		run_config_keep(run, try->tries->out);
	}
	if (try->report) {
		made.report.path = try->report;
		run->out_copy = &made.report;
		run_config_keep(run, try->report_to);
	}
	if (try->plan) {
		run->sched.plan = try->plan;
		run->sched.boot.counts = try->plan_count;
	}
	if (try->looked) {
		run->observer.decision = on_decision;
		run_config_keep(run, try->looks);
	}
	write_schedule(try, run);
	if (try->notes)
		list_notes(try, run);
}

bool try_outcome_is_same(const struct try_outcome *a, const struct try_outcome *b)
{
	const bool has_status = a->end != RUN_DEADLOCK;
	return a->end == b->end && (!has_status || a->status == b->status) && a->chain[0] == b->chain[0] &&
	       a->chain[1] == b->chain[1] && a->events == b->events && a->decisions == b->decisions &&
	       a->virtual_ns == b->virtual_ns && a->signature == b->signature;
}

/* Returns the list of instructions as text, for the caller to free; NULL: no list is wanted, or without memory. */
static char *take_list(const struct try_run *try, const struct run_config *run, const struct run_result *result,
                       uint64_t *bytes)
{
	char *list;
	size_t all;
	FILE *to = run->shared_notes ? open_memstream(&list, &all) : NULL;
	*bytes = 0;
	if (!to)
		return NULL;
	if (try->lists_failure && (result->end != RUN_EXIT || result->status) && result->end != RUN_STOPPED)
		shared_notes_keep_failure(run->shared_notes, FAILURE_LIST_MAX);
	shared_notes_write(run->shared_notes, to);
	if (fclose(to))
		return NULL;
	*bytes = all;
	return list;
}

/* Writes what became of the entries of the plan, a byte for each. */
static int write_uses(const struct try_run *try)
{
	uint8_t uses[4096];
	int error = 0;
	for (size_t i = 0, count; !error && i < try->plan_count; i += count) {
		for (count = 0; count < sizeof(uses) && i + count < try->plan_count; count++)
			uses[count] = (uint8_t)try->plan[i + count].use;
		error = write_all(try->fds.text, uses, count, (off_t)(sizeof(struct try_outcome) + i));
	}
	return error;
}

static void write_outcome(const struct try_run *try, const struct run_config *run, struct run_result *result)
{
	uint64_t list_bytes;
	char *list = take_list(try, run, result, &list_bytes);
	const struct try_outcome outcome = {.is_complete = TRY_COMPLETE,
	                                    .end = result->end,
	                                    .status = result->status,
	                                    .not_started = result->not_started,
	                                    .chain = {result->stats.chain[0], result->stats.chain[1]},
	                                    .events = result->stats.events,
	                                    .decisions = result->sched.decision,
	                                    .virtual_ns = result->stats.virtual_ns,
	                                    .output = {result->copied[1], result->copied[2]},
	                                    .accesses = result->access_count,
	                                    .list_bytes = list_bytes,
	                                    .several_first = result->several_first,
	                                    .several_last = result->several_last,
	                                    .pairs = result->pair_count,
	                                    .signature = result->signature,
	                                    .races_bytes = made.races_bytes,
	                                    .listed_files = result->listed_files,
	                                    .unused_files = result->unused_files,
	                                    .guest_ns = result->guest_ns};
	const size_t access_bytes = result->access_count * sizeof(*result->accesses);
	int error = write_all(try->fds.text, &outcome, sizeof(outcome), 0);
	if (!error && try->plan)
		error = write_uses(try);
	if (!error && try->record_to >= 0 && fflush(run->schedule_out))
		error = -errno;
	if (!error && result->access_count)
		error = write_all(try->fds.text, result->accesses, access_bytes, sizeof(outcome));
	if (!error && list_bytes)
		error = write_all(try->fds.text, list, list_bytes, (off_t)(sizeof(outcome) + access_bytes));
	if (!error && result->pair_count)
		error = write_all(try->fds.text, result->pairs, result->pair_count * sizeof(*result->pairs),
		                  (off_t)(sizeof(outcome) + access_bytes + list_bytes));
	if (!error && try->report && made.report.bytes)
		error = write_all(try->report_to, made.report.data, made.report.bytes, 0);
	if (!error && made.races_bytes)
		error = write_all(try->fds.text, made.races, made.races_bytes,
		                  (off_t)(sizeof(outcome) + access_bytes + list_bytes +
		                          result->pair_count * sizeof(*result->pairs)));
	free(list);
	free(result->accesses);
	free(result->pairs);
	result->accesses = NULL;
	result->pairs = NULL;
	if (!error)
		return;
	result->end = RUN_ERROR;
	snprintf(result->message, sizeof(result->message), "cannot keep how the run ended: %s", strerror(-error));
}

int try_run_make(int argc, char **argv, const struct try_run *try)
{
	struct session *session = &made.session;
	made.try = try;
	options_parse(session, argc, argv);
	session->is_quiet_about_program = true;
	session->wants_identity = true;
	session->leaves_recording = true;
	if (session_open(session))
		return EXIT_EREMITE;
	run_say_observe(session);
	prepare_try(try, &session->run);
	session_start(session);
	session_run(session, &made.result);
	write_outcome(try, &session->run, &made.result);
	return run_finish(session, &made.result);
}
