/* SPDX-License-Identifier: MIT */
#include "analyze/analyze_progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"

#define STEPS 5

static void clear_line(struct analyze *analyze)
{
	if (analyze->progress.is_on_line)
		fputs("\r\033[K", stderr);
	analyze->progress.is_on_line = false;
}

void analyze_progress_step(struct analyze *analyze, unsigned number, const char *step)
{
	analyze->progress.step = step;
	analyze->progress.unit = NULL;
	if (analyze->option.runs.is_quiet || analyze_is_stopped(analyze))
		return;
	clear_line(analyze);
	if (number)
		say("analyze: step %u of %u: %s", number, STEPS, step);
	else
		say("analyze: %s", step);
	clock_gettime(CLOCK_MONOTONIC, &analyze->progress.shown);
}

void analyze_progress_left(struct analyze *analyze, uint64_t left, const char *unit)
{
	analyze->progress.left = left;
	analyze->progress.unit = unit;
}

void analyze_progress_show(struct analyze *analyze)
{
	struct analyze_progress *progress = &analyze->progress;
	const bool is_terminal = isatty(STDERR_FILENO);
	struct timespec now;
	if (analyze->option.runs.is_quiet || analyze_is_stopped(analyze) || !progress->unit)
		return;
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec - progress->shown.tv_sec < (is_terminal ? 1 : 10))
		return;
	progress->shown = now;
	clear_line(analyze);
	if (!is_terminal) {
		say("analyze: %s: %lu %s left, %zu tries so far", progress->step, progress->left, progress->unit,
		    analyze->note_count);
		return;
	}
	fprintf(stderr, "analyze: %lu %s left, %zu tries so far", progress->left, progress->unit, analyze->note_count);
	fflush(stderr);
	progress->is_on_line = true;
}

void analyze_progress_replaced(const struct analyze *analyze)
{
	const struct analyze_option *option = &analyze->option;
	const bool replaces[] = {analyze->failing.is_known && !option->has_failing && !access(option->failing, F_OK),
	                         analyze->passing.is_known && !option->has_passing && !access(option->passing, F_OK)};
	if (option->runs.is_quiet || (!replaces[0] && !replaces[1]))
		return;
	say("analyze: replacing %s%s%s of an earlier analysis; to keep both, give other files by --failing and "
	    "--passing",
	    replaces[0] ? option->failing : option->passing, replaces[0] && replaces[1] ? " and " : "",
	    replaces[0] && replaces[1] ? option->passing : "");
}

void analyze_progress_stale(const struct analyze *analyze, const struct try_outcome *outcome)
{
	if (outcome->unused_files && !analyze->option.runs.is_quiet)
		say("analyze: warning: %" PRIu64 " of %" PRIu64
		    " file%s in the list of --preempt %s not used; if the program "
		    "was built again, search again",
		    outcome->unused_files, outcome->listed_files, outcome->listed_files == 1 ? "" : "s",
		    outcome->unused_files == 1 ? "was" : "were");
}
