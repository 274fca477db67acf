/* SPDX-License-Identifier: MIT */
#include "cli/image/trace_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/write_all.h"
#include "cli/image/sealed_run.h"
#include "cli/option_defaults.h"
#include "cli/record_option.h"
#include "cli/verify.h"
#include "code/code_sealed.h"
#include "hostfs/out_copy.h"
#include "report/report_races.h"
#include "sched/shared_notes.h"

static struct event_log event_log;
static struct code_sealed code_noted;
static struct out_copy report;
static char *races; /* their text */
static size_t races_bytes;
static struct race_log told; /* by the program's library */

static void keep(struct run_config *run, int fd)
{
	if (fd >= 0)
		run->kept[run->kept_count++] = fd;
}

/* Whether an option lets something in from outside that an image does not seal. */
static bool is_live(const char *option)
{
	static const char *const sealed[] = {"--bind=", "--root=", "--schedule="};
	for (unsigned i = 0; i < sizeof(sealed) / sizeof(sealed[0]); i++)
		if (!strncmp(option, sealed[i], strlen(sealed[i])))
			return false;
	return !eri_manifest_takes(option) && strcmp(option, "--net=none");
}

/* Refuses what an image cannot keep. */
static void check_pack(const struct options *options)
{
	if (options->sealed)
		die("pack: %s is a sealed image already; copy it, or give a program", options->sealed->image.path);
	if (options->run.out_dir)
		die("pack: --out=%s: the image keeps /out; leave --out out, and get the files by eremite extract "
		    "FILE.eri DIR .eremite/steps",
		    options->run.out_dir);
}

static bool is_outcome(const struct trace_run *trace)
{
	return trace->purpose == TRACE_OUTCOME || trace->purpose == TRACE_PROFILE;
}

static void begin_outcome(const struct trace_run *trace, struct run_config *run)
{
	run->discard_output = true;
	run->copies_max = trace->streams_bytes;
	run->sched.boot.flags |= trace->purpose == TRACE_PROFILE ? SCHED_FLAG_ACCESSES : 0;
	run->sched.boot.flags |= trace->notes ? SCHED_FLAG_NOTE : 0;
	run->sched.boot.flags |= trace->wants_pairs ? SCHED_FLAG_READS : 0;
	run->copies[1] = trace->fds.streams[1];
	run->copies[2] = trace->fds.streams[2];
	keep(run, trace->fds.text);
	keep(run, trace->fds.streams[1]);
	keep(run, trace->fds.streams[2]);
	run->tries = trace->tries;
	if (trace->tries) {
		keep(run, trace->tries->in);
		keep(run, trace->tries->out);
	}
	if (trace->report) {
		report.path = trace->report;
		run->out_copy = &report;
		keep(run, trace->report_to);
	}
	if (trace->plan) {
		run->sched.plan = trace->plan;
		run->sched.boot.counts = trace->plan_count;
	}
	if (trace->looked) {
		run->looked = trace->looked;
		run->looked_context = (void *)&trace->looks;
		keep(run, trace->looks);
	}
	if (trace->record_to < 0)
		return;
	run->sched.boot.flags |= SCHED_FLAG_RECORD;
	keep(run, trace->record_to);
}

bool trace_outcome_is_same(const struct trace_outcome *a, const struct trace_outcome *b)
{
	const bool has_status = a->end != RUN_DEADLOCK;
	return a->end == b->end && (!has_status || a->status == b->status) && a->chain[0] == b->chain[0] &&
	       a->chain[1] == b->chain[1] && a->events == b->events && a->decisions == b->decisions &&
	       a->virtual_ns == b->virtual_ns && a->signature == b->signature;
}

void trace_run_record(const struct trace_run *trace, struct options *options)
{
	if (trace->purpose != TRACE_OUTCOME || trace->record_to < 0)
		return;
	options->run.schedule_out = fdopen(trace->record_to, "w");
	if (!options->run.schedule_out)
		die("out of memory");
}

/* Called at the end of the run: names and lines are in the guest's memory. */
static void keep_races(void *context, const struct guest_memory *memory, const struct image *image, bool is_sampled)
{
	FILE *to = open_memstream(&races, &races_bytes);
	if (!to)
		return;
	report_races(to, image, memory, context, is_sampled, &told);
	if (fclose(to))
		races_bytes = 0;
}

void trace_run_note(const struct trace_run *trace, struct options *options)
{
	if (!trace->notes)
		return;
	if (trace->note_look_count) {
		options->run.note_looks = trace->note_looks;
		options->run.note_look_count = trace->note_look_count;
		options->run.note_looked = report_race_look;
		options->run.note_looked_context = (void *)&trace->looks;
		keep(&options->run, trace->looks);
		return;
	}
	options->run.notes_max = trace->notes_max;
	options->run.shared_notes = shared_notes_create();
	if (!options->run.shared_notes)
		die("out of memory");
	if (!trace->races)
		return;
	options->run.race_log = &told;
	options->run.raced = NULL;
	options->run.noted = keep_races;
	options->run.noted_context = options->run.shared_notes;
}

/* Returns the list of instructions as text, for the caller to free; NULL: no list is wanted, or without memory. */
static char *take_list(const struct run_config *run, uint64_t *bytes)
{
	char *list;
	size_t all;
	FILE *to = run->shared_notes ? open_memstream(&list, &all) : NULL;
	*bytes = 0;
	if (!to)
		return NULL;
	shared_notes_write(run->shared_notes, to);
	if (fclose(to))
		return NULL;
	*bytes = all;
	return list;
}

/* Writes what became of the entries of the plan, a byte for each. */
static int write_uses(const struct trace_run *trace)
{
	uint8_t uses[4096];
	int error = 0;
	for (size_t i = 0, count; !error && i < trace->plan_count; i += count) {
		for (count = 0; count < sizeof(uses) && i + count < trace->plan_count; count++)
			uses[count] = (uint8_t)trace->plan[i + count].use;
		error = write_all(trace->fds.text, uses, count, (off_t)(sizeof(struct trace_outcome) + i));
	}
	return error;
}

static void end_outcome(const struct trace_run *trace, const struct run_config *run, struct run_result *result)
{
	uint64_t list_bytes;
	char *list = take_list(run, &list_bytes);
	const struct trace_outcome outcome = {.is_complete = TRACE_COMPLETE,
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
	                                      .races_bytes = races_bytes};
	const size_t access_bytes = result->access_count * sizeof(*result->accesses);
	int error = write_all(trace->fds.text, &outcome, sizeof(outcome), 0);
	if (!error && trace->plan)
		error = write_uses(trace);
	if (!error && trace->record_to >= 0 && fflush(run->schedule_out))
		error = -errno;
	if (!error && result->access_count)
		error = write_all(trace->fds.text, result->accesses, access_bytes, sizeof(outcome));
	if (!error && list_bytes)
		error = write_all(trace->fds.text, list, list_bytes, (off_t)(sizeof(outcome) + access_bytes));
	if (!error && result->pair_count)
		error = write_all(trace->fds.text, result->pairs, result->pair_count * sizeof(*result->pairs),
		                  (off_t)(sizeof(outcome) + access_bytes + list_bytes));
	if (!error && trace->report && report.bytes)
		error = write_all(trace->report_to, report.data, report.bytes, 0);
	if (!error && races_bytes)
		error = write_all(trace->fds.text, races, races_bytes,
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

void trace_run_begin(const struct trace_run *trace, struct options *options, struct input *input)
{
	struct run_config *run = &options->run;
	if (trace->checked)
		sealed_run_leave_check(options->sealed, trace->checked);
	if (is_outcome(trace))
		begin_outcome(trace, run);
	if (trace->purpose != TRACE_RESULT)
		return;
	if (options->verify)
		die("pack: --verify is for eremite run; eremite verify compares an image");
	if (trace->fds.names >= 0)
		check_pack(options);
	for (unsigned i = 0; i < options->given.input_count && trace->fds.names >= 0 && !run->replay; i++)
		if (is_live(options->given.inputs[i]))
			die("pack: %s is an input that is not in an image; leave it out", options->given.inputs[i]);
	if (trace->fds.code >= 0) {
		code_sealed_init(&code_noted, &run->sched.points);
		run->code_noted = &code_noted;
	}
	run->want_digest = true;
	run->discard_output = trace->hide_output;
	run->copies_max = UINT64_MAX;
	run->copies[1] = trace->fds.streams[1];
	run->copies[2] = trace->fds.streams[2];
	if (!run->out_dir)
		run->out_dir = trace->out_dir;
	if (!run->input) {
		input->keep = true;
		run->input = input;
	}
	keep(run, trace->ready ? trace->ready : -1);
	keep(run, trace->goes_on ? trace->goes_on : -1);
	keep(run, trace->fds.text);
	keep(run, trace->fds.names);
	keep(run, trace->fds.events);
	keep(run, trace->fds.code);
	keep(run, trace->fds.spool);
	keep(run, trace->fds.input);
	keep(run, trace->fds.streams[1]);
	keep(run, trace->fds.streams[2]);
}

void trace_run_changes(const struct trace_run *trace, struct options *options, struct changes *changes,
                       struct save_dir *dir)
{
	if (trace->purpose != TRACE_RESULT)
		return;
	changes->takes_all = true;
	changes->spool = trace->fds.spool;
	options->run.changes = changes;
	if (!changes->dir)
		return;
	close(dir->spool); /* what is saved comes from the same file */
	dir->spool = fcntl(trace->fds.spool, F_DUPFD_CLOEXEC, 0);
	if (dir->spool < 0)
		die("cannot open another descriptor: %s", strerror(errno));
}

void trace_run_log(const struct trace_run *trace, struct options *options)
{
	if (trace->purpose != TRACE_RESULT || trace->fds.events < 0)
		return;
	int result = event_log_init(&event_log, options->engine->reserve);
	if (result)
		die("pack: cannot reserve memory for the log of events: %s", strerror(-result));
	options->run.event_log = &event_log;
}

/* Lets the other process copy what the run has read, before this one saves what the run has changed. If the other one
 * has ended, so does this one, and nothing is saved. */
static void take_turns(const struct trace_run *trace)
{
	char byte = 0;
	ssize_t got;
	if (!trace->ready)
		return;
	while (write(trace->ready, &byte, 1) < 0 && errno == EINTR)
		;
	while ((got = read(trace->goes_on, &byte, 1)) < 0 && errno == EINTR)
		;
	if (got != 1)
		_exit(EXIT_EREMITE);
}

void trace_run_end(const struct trace_run *trace, struct options *options, struct run_result *result)
{
	char error[256];
	if (is_outcome(trace))
		end_outcome(trace, &options->run, result);
	if (trace->purpose != TRACE_RESULT || (result->not_started && !trace->no_run))
		return; /* there is no run to be repeated */
	const struct record_given *inputs = &options->given;
	struct record_given defaults = {0};
	option_defaults_list(options, &defaults);
	const struct trace_given given = {.options = inputs->inputs,
	                                  .option_count = inputs->input_count,
	                                  .defaults = defaults.inputs,
	                                  .default_count = defaults.input_count,
	                                  .includes = trace->includes,
	                                  .include_count = trace->include_count,
	                                  .excludes = trace->excludes,
	                                  .no_run = trace->no_run};
	if (result->end != RUN_EXIT && result->end != RUN_SIGNAL && result->end != RUN_DEADLOCK)
		return;
	if (!trace_write(&trace->fds, &options->run, result, &given, error)) {
		take_turns(trace);
		return;
	}
	result->end = RUN_ERROR;
	result->status = 0;
	snprintf(result->message, sizeof(result->message), "%s", error);
}

void trace_run_compare(const struct trace_run *trace, const struct options *options, struct run_result *result)
{
	struct eri_block block;
	sealed_run_events(options->sealed, &block);
	const struct verify_sealed sealed = {block.data, block.bytes, trace->purpose == TRACE_EVENTS_STEADY};
	verify_sealed_run(&options->run, options->engine, &sealed, result);
	free(block.copy);
}

void trace_run_close(void)
{
	event_log_fini(&event_log);
	code_sealed_fini(&code_noted);
}
