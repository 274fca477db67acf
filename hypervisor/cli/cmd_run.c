/* SPDX-License-Identifier: MIT */
/* `eremite run`: makes one run, or compares two, and reports the result. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/sched_parameters.h"
#include "base/cjson.h"
#include "base/die.h"
#include "base/jitter.h"
#include "base/save.h"
#include "cache/cache.h"
#include "cli/cmd.h"
#include "cli/keeper_serve.h"
#include "cli/opening.h"
#include "cli/option_defaults.h"
#include "cli/options.h"
#include "cli/program_option.h"
#include "cli/record_run.h"
#include "cli/run_say.h"
#include "cli/schedule_option.h"
#include "cli/image/trace_run.h"
#include "cli/shared_out.h"
#include "cli/time_option.h"
#include "cli/tsan_library.h"
#include "cli/verify.h"
#include "code/code_service.h"
#include "confine/confine_files.h"
#include "engine/choice.h"
#include "engine/process/bases.h"
#include "guest/cpu_host.h"
#include "guest/program.h"
#include "hostfs/host_recall.h"
#include "hostfs/host_tmp.h"
#include "report/changes_report.h"
#include "report/summary.h"
#include "save/save_apply.h"
#include "sched/preempt_option.h"

static struct options options;
static const struct trace_run *traced; /* NULL: nobody wants a trace */

/* Opens an output file, if one was given, before the run, so that a bad path does not waste a run. */
static void open_save(struct save *save, const char *path, const char *what)
{
	if (!path)
		return;
	opening_begin(path, options.run.timeout_s);
	int error = save_open(save, path);
	opening_end();
	if (error)
		die("cannot write the %s to %s: %s", what, path, strerror(-error));
}

/* Opens the file of the summary. Without one it goes to standard error. */
static void open_summary(struct save *save)
{
	char error[256];
	if (options.summary == SUMMARY_JSON && cjson_load(error))
		die("%s", error);
	if (options.summary != SUMMARY_NONE && options.summary_file)
		open_save(save, options.summary_file, "summary");
}

static void write_summary(struct save *save, const struct run_result *result)
{
	FILE *to = save->to ? save->to : stderr;
	int error = options.summary == SUMMARY_JSON ? summary_json(to, &options.run, result)
	                                            : summary_text(to, &options.run, result);
	if (save->to && error)
		save_abandon(save);
	else if (save->to)
		error = keeper_put_file(save, KEEPER_SUMMARY);
	if (error)
		die("cannot write the summary to %s: %s",
		    options.summary_file ? options.summary_file : "standard error", strerror(-error));
}

/* Refuses options that name one file twice, if one of them writes it. */
static void check_files(void)
{
	const char *const others[] = {options.schedule_path, options.schedule_near, options.schedule_out,
	                              options.files_out, options.shared_out};
	static const char *const names[] = {"--schedule", "--schedule-near", "--schedule-out", "--files-out",
	                                    "--shared-out"};
	static const char same[] = "run: %s and %s are given the same file, %s; give two files";
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (options.summary_file && others[i] && save_is_same(options.summary_file, others[i]))
			die(same, names[i], "--summary", options.summary_file);
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (options.files_out && others[i] && others[i] != options.files_out &&
		    save_is_same(options.files_out, others[i]))
			die(same, names[i], "--files-out", options.files_out);
}

/* The processor model: v3 for Linux programs and v2 for native images, unless --cpu says otherwise. The host must have
 * its features. */
static void choose_cpu(void)
{
	char error[CPU_HOST_ERROR_MAX];
	struct cpu_host host;
	if (options.run.cpu.processors != 1 && program_option_is_native(&options))
		die("run: --cpus is for Linux programs; %s is a native image, which has one processor: omit it",
		    options.run.image);
	if (options.run.has_layout_seed && program_option_is_native(&options))
		die("run: --layout-seed is for Linux programs; %s is a native image, whose memory layout is fixed: "
		    "omit it",
		    options.run.image);
	if (!options.cpu_given)
		options.run.cpu.model = options.run.linux_program ? DEFAULT_CPU_LINUX : CPU_V2;
	if (options.run.cpu.model == CPU_V2)
		return;
	if (program_option_is_native(&options))
		die("run: --cpu v3 and v4 are for Linux programs; %s is a native image, whose processor is v2: omit it",
		    options.run.image);
	cpu_host_read(&host);
	if (cpu_host_refuse(&host, options.run.cpu.model, error))
		die("run: %s", error);
}

/* Refuses options that native images do not take. */
static void check_native(void)
{
	if (options.binds.count || options.run.workdir || options.files_out || options.run.file_times ||
	    options.strict_files || options.run.has_user)
		die("run: --bind, --workdir, --user, --files-out, --file-times and --strict-files are for Linux "
		    "programs; %s "
		    "is a native image, which gets its files by --root: leave them out",
		    options.run.image);
	if (options.run.unknown_calls != UNKNOWN_PROBE)
		die("run: --unknown-syscall is for Linux programs; %s is a native image without system calls: omit it",
		    options.run.image);
}

/* Opens the files of the host, or of a sealed image, that a Linux program sees. */
static void open_host_files(struct host_files *files, struct host_ahead *ahead)
{
	char error[256];
	if (program_option_is_native(&options))
		check_native();
	if (options.sealed)
		sealed_run_open_files(options.sealed, &options.run, &options.binds, files, options.data);
	if (!options.sealed && (options.run.show_host || options.binds.count)) {
		if (options.run.show_host &&
		    host_tmp_find(&options.binds, options.run.arguments, options.run.argument_count,
		                  options.run.workdir ? options.run.workdir : "/"))
			die("out of memory");
		struct stat secret;
		host_tree_hide(cache_place(&secret), &secret);
		if (binds_open(&options.binds, options.run.show_host, files, error))
			die("%s", error);
	}
	if (!files->trees)
		return;
	files->hash = options.run.want_digest || options.files_out || options.sealed;
	files->strict = options.strict_files;
	files->workdir = options.run.workdir;
	files->times = options.run.host_file_times;
	files->time_ns = options.run.file_time_ns;
	files->bytecode_times = !options.run.file_times || !strcmp(options.run.file_times, "bytecode");
	options.run.host_files = files;
	options.run.host_ahead = ahead;
}

/* Puts a file that the run has written into place. A run that failed leaves none. */
static void close_out(struct save *save, enum keeper_save which, bool has_failed, const char *what, const char *path)
{
	if (has_failed) {
		save_abandon(save);
		return;
	}
	int error = keeper_put_file(save, which);
	if (error)
		die("cannot write the %s to %s: %s", what, path, strerror(-error));
}

/* Writes the list of files that were read. */
static void close_files_out(struct save *save, const struct host_files *files, const struct run_result *result)
{
	bool has_failed = result->end == RUN_ERROR;
	int error = has_failed ? 0 : host_notes_write(&files->notes, save->to);
	if (error) {
		save_abandon(save);
		die("cannot write the list of files to %s: %s", options.files_out, strerror(-error));
	}
	close_out(save, KEEPER_FILES, has_failed, "list of files", options.files_out);
}

/* Puts schedule and list of accesses into place. */
static void close_outs(struct save *schedule, struct save *shared, const struct run_result *result)
{
	bool has_failed = result->end == RUN_ERROR || result->end == RUN_SCHEDULE;
	if (options.schedule_out)
		close_out(schedule, KEEPER_SCHEDULE, has_failed, "schedule", options.schedule_out);
	if (!options.shared_out)
		return;
	shared_out_write(&options, shared->to);
	close_out(shared, KEEPER_SHARED, has_failed, "list of accesses", options.shared_out);
}

/* The changes of a program, and --save's directory. */
static struct {
	struct changes changes;
	struct save_plan plan;
	struct save_dir dir; /* with --save */
} saving = {.dir = {.fd = -1, .spool = -1}};

static void open_changes(void)
{
	struct changes *changes = &saving.changes;
	struct save_dir *dir = &saving.dir;
	char error[256];
	if (options.save_path) {
		if (program_option_is_native(&options))
			die("run: --save is for Linux programs; %s is a native image, which leaves files in /out: give "
			    "--out DIR",
			    options.run.image);
		if (save_dir_open(dir, options.save_path, error))
			die("%s", error);
		if (options.sealed)
			changes->guest_dir = options.run.workdir ? options.run.workdir : "/";
		else if (!save_dir_is_shown(dir, options.run.host_files))
			die("run: --save=%s: the program is not shown this directory, or cannot change it; show it by "
			    "--bind",
			    options.save_path);
		changes->dir = dir;
		options.run.save_plan = &saving.plan;
	}
	if (options.save_path || options.verbosity >= 0 || options.summary == SUMMARY_JSON)
		options.run.changes = changes;
	if (traced)
		trace_run_changes(traced, &options, changes, dir);
	changes->here = getcwd(NULL, 0);
}

/* Warns if a program compares times of files but does not see the times of edits. */
static void warn_of_times(void)
{
	static const char *const names[] = {"make", "gmake", "ninja"};
	const char *slash = strrchr(options.run.program, '/'), *name = slash ? slash + 1 : options.run.program;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (options.save_path && !options.run.host_file_times && !strcmp(name, names[i]))
			say("%s did not see the times at which files were edited; after an edit, add --file-times=host",
			    name);
}

static void say_changes(const struct run_result *result)
{
	const bool is_stopped = result->end == RUN_TIMEOUT || result->end == RUN_INTERRUPTED;
	if (options.verbosity >= 0 && changes_report(&saving.changes, is_stopped, options.verbosity > 0))
		warn_of_times();
}

static void close_changes(void)
{
	save_plan_fini(&saving.plan);
	changes_fini(&saving.changes);
	save_dir_close(&saving.dir);
}

/* Applies the changes of a program that has ended by itself. */
static void save_changes(struct run_result *result)
{
	char error[256];
	if (!options.save_path || (result->end != RUN_EXIT && result->end != RUN_SIGNAL))
		return;
	if (save_plan_check(&saving.plan, error) || save_apply(&saving.plan, error)) {
		result->end = RUN_ERROR;
		result->status = 0;
		snprintf(result->message, sizeof(result->message), "%s", error);
	}
}

/* Ends this process by a signal, which the caller sees. */
static void end_by(int sig)
{
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Returns the exit status of eremite for a result. */
static int exit_status(const struct run_result *result)
{
	if (result->reader_gone)
		return EXIT_SIGNAL_BASE + SIGPIPE;
	switch (result->end) {
	case RUN_EXIT:
		return result->status;
	case RUN_SIGNAL:
		return EXIT_SIGNAL_BASE + result->status;
	case RUN_DEADLOCK:
		return EXIT_DEADLOCK;
	case RUN_TIMEOUT:
	case RUN_REPLAYED:
		return EXIT_TIMEOUT;
	case RUN_DIFFER:
	case RUN_SCHEDULE:
		return EXIT_DIFFER;
	case RUN_INTERRUPTED:
		return EXIT_SIGNAL_BASE + result->status;
	default:
		return EXIT_EREMITE;
	}
}

/* Keeps the list of requests, so that the next run can be answered before it asks. */
static void keep_recall(const struct host_recall *recall, const struct host_ahead *ahead,
                        const struct run_result *result)
{
	const struct host_recall_memory memory = {result->stats.frames_low, result->stats.memory_peak_bytes};
	host_recall_put(recall, &ahead->before, &ahead->now, &memory, ahead->foreseen, ahead->missed, ahead->vain);
}

/* Starts the keeper, which acts for the confined monitor. With --no-confine, only warns. */
static void start_keeper(struct save *const saves[KEEPER_SAVES])
{
	char error[256];
	struct run_config *run = &options.run;
	if (options.no_confine) {
		say("warning: --no-confine: a hostile program that breaks into eremite can do all that you can do; "
		    "leave it out for programs that you do not trust");
		return;
	}
	if (options.verbosity > 0 && confine_files_version())
		say("the monitor is confined to its system calls and, by Landlock %d, to its files",
		    confine_files_version());
	else if (options.verbosity > 0)
		say("the monitor is confined to its system calls; this host's kernel has no Landlock, which would "
		    "confine it to its files");
	if (keeper_start(saves, saving.dir.fd, error))
		die("%s", error);
	for (unsigned i = 0; i < KEEPER_SAVES; i++) {
		if (!saves[i]->to)
			continue;
		run->kept[run->kept_count++] = fileno(saves[i]->to);
		run->kept[run->kept_count++] = saves[i]->dir;
		saves[i]->name[0] = 0; /* the keeper removes an unfinished file */
	}
}

static void open_root(struct root *root)
{
	char error[256];
	if (options.sealed && *options.sealed->step->root_sha256) {
		sealed_run_open_root(options.sealed, root);
		return;
	}
	if (options.root_path && root_open(root, options.root_path, error)) {
		if (root->stopped) {
			say("%s", error);
			end_by(root->stopped);
		}
		die("%s", error);
	}
	if ((options.summary != SUMMARY_NONE || traced) && root_identity(root, error))
		die("%s", error);
}

static void choose_engine(void)
{
	if (!options.engine)
		options.engine = engine_automatic();
	if (options.verbosity > 0)
		say("the engine is %s", options.engine->name);
}

/* Reads the list of requests, and the memory, of an earlier run of the same program. */
static void recall_inputs(struct host_recall *recall, struct host_files *files, struct host_ahead *ahead)
{
	if (options.run.host_files)
		host_recall_get(recall, files, options.run.arguments, options.run.argument_count, options.run.workdir,
		                &ahead->before);
	options.run.memory_low = recall->memory.low;
	options.run.memory_high = recall->memory.low + recall->memory.bytes;
	if (options.argv0) /* set after host_recall_get, which finds the list by the program and not by its argv[0] */
		options.run.arguments[0] = options.argv0;
}

/* Leaves the trace of a run that is not made. */
static int leave_inputs(const struct root *root, struct run_result *result)
{
	struct host_files *files = options.run.host_files;
	options.run.root = root;
	options.run.changes = NULL;
	result->engine = "none";
	if (files && host_files_begin(files))
		die("%s", files->error);
	trace_run_end(traced, &options, result);
	if (result->end == RUN_ERROR)
		die("%s", result->message);
	return 0;
}

static void say_result(struct run_result *result)
{
	run_say_describe(&options, result);
	say_changes(result);
	run_say_end(&options, result);
}

/* Lets the run report its end, and that it has stalled, to the user. */
static void report_to_user(void)
{
	options.run.report = run_say_report;
	if (options.epoch_taken && options.verbosity >= 0)
		time_option_say(&options);
	run_say_replaced(&options);
	options.run.stalled = options.verbosity >= 0 ? run_say_stalled : NULL;
	options.run.extended = options.verbosity >= 0 ? run_say_extended : NULL;
	options.run.report_context = &options;
	tsan_library_report(&options);
	options.net.crowded = options.verbosity >= 0 ? run_say_crowded : NULL;
}

/* Checks that the root and the image did not change. The result does not belong to changed ones. */
static void check_inputs(const struct root *root, struct run_result *result)
{
	char error[256];
	if (!root_check(root, error) && (!options.sealed || !sealed_run_check(options.sealed, error)))
		return;
	result->end = RUN_ERROR;
	snprintf(result->message, sizeof(result->message), "%s", error);
}

static void make_run(struct run_result *result)
{
	if (options.verify)
		verify_run(&options.run, options.engine, result);
	else if (traced && (traced->purpose == TRACE_EVENTS || traced->purpose == TRACE_EVENTS_STEADY))
		trace_run_compare(traced, &options, result);
	else
		run_image(&options.run, options.engine, result);
}

static void begin_outs(const struct save *schedule_out)
{
	options.run.schedule_out = schedule_out->to;
	if (traced)
		trace_run_record(traced, &options);
	shared_out_begin(&options);
	if (traced)
		trace_run_note(traced, &options);
}

/* Reports a program of the host that cannot run. Returns the exit status. */
static int refuse_run(int status)
{
	static struct run_result result = {.end = RUN_ERROR, .engine = "none"};
	struct save summary = {0};
	if (traced)
		return EXIT_EREMITE;
	open_summary(&summary);
	if (options.summary != SUMMARY_NONE)
		write_summary(&summary, &result);
	return status;
}

int cmd_run(int argc, char **argv)
{
	static struct run_result result;
	struct root root = {0};
	static struct host_files host_files;
	static struct host_ahead host_ahead;
	static struct input input;
	struct host_recall recall = {0};
	struct save summary = {0}, schedule_out = {0}, files_out = {0}, shared_out = {0};
	signal(SIGPIPE, SIG_IGN); /* a write to a closed pipe then fails with EPIPE, in every thread */
	options_parse(&options, argc, argv);
	if (traced)
		trace_run_begin(traced, &options, &input);
	if (options.no_fsgsbase)
		bases_forgo_fsgsbase();
	code_service_say_slow(options.verbosity >= 0 && isatty(STDERR_FILENO));
	if (options.jitter)
		jitter_begin(options.jitter_seed);
	const int refused = program_option_choose(&options, traced);
	if (refused)
		return refuse_run(refused);
	choose_cpu();
	option_defaults_complete(&options);
	check_files();
	schedule_option_read(&options);
	open_root(&root);
	open_summary(&summary);
	record_run_open(&options);
	open_host_files(&host_files, &host_ahead);
	open_changes();
	run_say_unread_input(&options, traced != NULL);
	recall_inputs(&recall, &host_files, &host_ahead);
	open_save(&schedule_out, options.schedule_out, "schedule");
	open_save(&files_out, options.files_out, "list of files");
	open_save(&shared_out, options.shared_out, "list of accesses");
	if (traced && traced->no_run)
		return leave_inputs(&root, &result);
	struct save *const saves[KEEPER_SAVES] = {&summary,    &schedule_out,          &files_out,
	                                          &shared_out, &options.grown.capture, &options.grown.log};
	choose_engine();
	if (traced)
		trace_run_log(traced, &options);
	record_run_begin();
	start_keeper(saves);
	begin_outs(&schedule_out);
	options.run.root = &root;
	report_to_user();
	make_run(&result);
	check_inputs(&root, &result);
	if (!traced || traced->purpose == TRACE_RESULT) /* otherwise its events have been compared */
		record_run_close(&options, &result);
	if (traced)
		trace_run_end(traced, &options, &result);
	save_changes(&result);
	close_outs(&schedule_out, &shared_out, &result);
	record_run_grow(&options, &result);
	if (options.files_out)
		close_files_out(&files_out, &host_files, &result);
	say_result(&result);
	if (options.summary != SUMMARY_NONE)
		write_summary(&summary, &result);
	root_close(&root);
	trace_run_close();
	options.engine->close();
	/* A run that was cut short made fewer requests than the next one will make. */
	if (options.run.host_files && (result.end == RUN_EXIT || result.end == RUN_SIGNAL))
		keep_recall(&recall, &host_ahead, &result);
	keeper_dismiss();
	host_ahead_close(&host_ahead);
	host_files_close(&host_files);
	close_changes();
	keeper_end();
	if (result.end == RUN_INTERRUPTED)
		end_by(result.status);
	return exit_status(&result);
}

int cmd_run_traced(int argc, char **argv, const struct trace_run *trace)
{
	traced = trace;
	return cmd_run(argc, argv);
}
