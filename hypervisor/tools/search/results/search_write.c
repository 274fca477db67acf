/* SPDX-License-Identifier: MIT */
/* The files come first, and each is tried whatever becomes of the others: a search may have taken hours, and the reader
 * of standard output may have gone, which ends eremite by SIGPIPE. */
#include "search/results/search_write.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/output_failed.h"
#include "base/save.h"
#include "search/results/search_sarif.h"
#include "search/search_input.h"
#include "search/search_program.h"
#include "search/search_stop.h"
#include "search/shards/search_shard.h"

/* Said of a file: its earlier tries and its later ones are not of one program. */
#define CHANGED "search: %s has changed since the search began; its results are not kept, search again"

static struct {
	struct save results, sarif, state; /* open from the start if they are not regular */
	struct stat kept;                  /* the file of --state, as this search has written it */
} files;

static void try_file(struct save *save, const char *path)
{
	const int result = path ? save_try(save, path) : 0;
	if (result)
		die("search: cannot write the results to %s: %s", path, strerror(-result));
}

/* Ends eremite if a file that is written is one that is read. `what` it is: a part of a sentence. */
static void check_input(const char *output, const char *name, const char *input, const char *what)
{
	if (output && input && !access(input, F_OK) && save_is_same(output, input))
		die("search: %s would replace %s, %s; give it another file", name, input, what);
}

static void check_inputs(const struct search_option *option, const char *output, const char *name)
{
	/* Results may replace those with which they go on, which they contain. */
	const bool is_results = output == option->results_file || output == option->state;
	char path[PATH_MAX];
	check_input(output, name, option->prepared, "the file of --prepared");
	check_input(output, name, is_results ? NULL : option->resume, "the file of --resume");
	for (int i = 0; i < option->learnt_count; i++)
		check_input(output, name, option->learnt[i].text ? NULL : option->learnt[i].name, "a file of --learnt");
	check_input(output, name, search_input_file(), "the standard input of the tries");
	for (int i = 0; i < option->program_count; i++)
		check_input(output, name, search_program_file(option, (unsigned)i, path),
		            option->merges ? "a file of --merge"
		            : i            ? "which an argument of the program names"
		                           : "the program");
}

static void check_outputs(const struct search_option *option)
{
	static const char *const names[] = {"--results", "--races=sarif", "--prepare", "--state"};
	const char *const outputs[] = {option->results_file, option->sarif_file, option->prepare, option->state};
	const unsigned count = sizeof(names) / sizeof(names[0]);
	for (unsigned i = 0; i < count; i++) {
		check_inputs(option, outputs[i], names[i]);
		for (unsigned j = i + 1; j < count; j++)
			if (outputs[i] && outputs[j] && save_is_same(outputs[i], outputs[j]))
				die("search: %s and %s are given the same file, %s; give two files", names[i], names[j],
				    outputs[i]);
	}
}

void search_write_check(const struct search_option *option)
{
	check_outputs(option);
	if (option->prepare && option->has_results)
		die("search: --prepare has no results to write; leave out --results");
	try_file(&files.results, option->results_file);
	try_file(&files.sarif, option->sarif_file);
	try_file(&files.state, option->state);
}

/* Whether a file has more of this search, and says so if `is_end`: a batch system may make a shard twice, and the older
 * copy of it, on a node that was lost for a while, is not to replace what the newer one has found. */
static bool has_more(const struct search_option *option, const struct search_results *results, const char *path,
                     bool is_end)
{
	if (!search_shard_is_behind(option, results, path))
		return false;
	if (!is_end)
		return true;
	if (search_stop_by_file())
		say("search: %s has more tries of this shard, from before --stop-file was there; it stays as it is",
		    path);
	else
		say("search: %s has more tries than this search; another copy of it has made them, and the file stays "
		    "as it is",
		    path);
	return true;
}

/* Whether the file of --state is the one that this search has written. */
static bool is_state_own(const char *path)
{
	struct stat st;
	return !stat(path, &st) && st.st_ino == files.kept.st_ino && st.st_dev == files.kept.st_dev &&
	       st.st_ctim.tv_sec == files.kept.st_ctim.tv_sec && st.st_ctim.tv_nsec == files.kept.st_ctim.tv_nsec;
}

int search_write_state(const struct search_option *option, const struct search_results *results, bool is_end,
                       struct error *error)
{
	const char *changed = search_program_changed(option);
	if (changed)
		return error_set(error, ESTALE, CHANGED, changed);
	if (!is_state_own(option->state) && has_more(option, results, option->state, is_end))
		return 0;
	int result = save_reopen(&files.state, option->state);
	if (!result) {
		search_results_put(files.state.to, RESULTS_JSON, results, option);
		result = save_commit_durably(&files.state);
	}
	if (result)
		return error_set(error, -result, "search: cannot keep the results in %s: %s", option->state,
		                 strerror(-result));
	if (stat(option->state, &files.kept))
		files.kept = (struct stat){0};
	return 0;
}

static bool write_results_file(const struct search_option *where, const struct search_results *results,
                               const struct search_option *option)
{
	if (where == option && where->format == RESULTS_JSON && option->shard.shard &&
	    has_more(option, results, where->results_file, true))
		return true;
	int result = save_reopen(&files.results, where->results_file);
	if (!result) {
		search_results_put(files.results.to, where->format, results, option);
		result = save_commit_durably(&files.results);
	}
	if (result)
		say("search: cannot write the results to %s: %s", where->results_file, strerror(-result));
	return !result;
}

static bool write_sarif_file(const struct search_option *where, const struct search_results *results,
                             const struct search_option *option)
{
	int result = save_reopen(&files.sarif, where->sarif_file);
	if (!result) {
		search_sarif_put(files.sarif.to, &results->races, option->program[0]);
		result = save_commit(&files.sarif);
	}
	if (result)
		say("search: cannot write the races to %s: %s", where->sarif_file, strerror(-result));
	return !result;
}

bool search_write(const struct search_option *where, const struct search_results *results,
                  const struct search_option *option)
{
	const char *changed = search_program_changed(where);
	if (changed) {
		if (!results->error) /* else that is said */
			say(CHANGED, changed);
		return false;
	}
	const sighandler_t before = signal(SIGPIPE, SIG_IGN); /* one of the files may be a pipe */
	bool fits = !where->results_file || write_results_file(where, results, option);
	fits = (!where->sarif_file || write_sarif_file(where, results, option)) && fits;
	signal(SIGPIPE, before);
	search_results_put(stdout, where->results_file ? RESULTS_TEXT : where->format, results, option);
	return say_if_output_failed("search") && fits;
}
