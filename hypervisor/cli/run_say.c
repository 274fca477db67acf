/* SPDX-License-Identifier: MIT */
#include "cli/run_say.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "cli/net_option.h"
#include "report/info_calls.h"
#include "report/report.h"
#include "report/report_threads.h"

/* Where --timeout has stopped a run; empty: unknown, or -v lists the threads. */
static char stopped_in[301];

void run_say_report(void *context, const struct run_result *result, const struct guest_memory *memory,
                    const struct image *image)
{
	const struct options *options = context;
	const bool is_stopped = result->end == RUN_TIMEOUT || result->end == RUN_INTERRUPTED;
	*stopped_in = 0;
	if (options->verbosity == 0 && result->end == RUN_TIMEOUT && result->has_report)
		report_place(stopped_in, sizeof(stopped_in), image, &result->report, memory);
	if (options->verbosity <= 0 && is_stopped) /* the user who stops a run knows why */
		return;
	if (result->threads.count)
		report_threads(stderr, image, &result->threads, memory);
	else if (result->end == RUN_SCHEDULE || result->end == RUN_REPLAYED || result->end == RUN_DIFFER)
		report_position(stderr, image, &result->report, memory);
	else
		report_fault(stderr, image, &result->report, memory);
}

/* Whether a Linux program is in code made at run time, which has no points of --preempt. */
static bool is_in_made_code(const struct fault_report *place, const struct guest_memory *memory,
                            const struct image *image)
{
	struct linux_view view;
	uint64_t registers[17];
	memcpy(registers, place->registers, sizeof(registers));
	if (!linux_view_read(&view, memory))
		return false;
	linux_view_registers(&view, memory, image, registers);
	return linux_view_is_made(&view, memory, image, registers[16]);
}

/* What ends a wait in a loop of a Linux program: the options that add switches there and were not given. */
static const char *advice_for(const struct code_points *points, bool is_made)
{
	if (is_made)
		return "no option of --preempt reaches code made at run time, so only --timeout SEC ends such a wait";
	if (!points->atomics)
		return "--preempt atomics also switches threads at atomic operations, --preempt sites:1000,1 at "
		       "stores, --sched fifo:slice=1us sooner";
	return !points->stores ? "--preempt sites:1000,1 also switches threads at stores, --sched fifo:slice=1us sooner"
	                       : "--sched fifo:slice=1us switches threads sooner";
}

/* What waits meanwhile. */
static void name_others(char *to, size_t size, const struct linux_others *others)
{
	if (others->ready)
		snprintf(to, size, "; if it waits for another thread, of which %u could run: ", others->ready);
	else
		snprintf(to, size, "; if it waits for %s, whose time does not come while it computes: ",
		         others->timed ? "a thread that sleeps" : "a timer");
}

void run_say_stalled(void *context, enum progress_verdict verdict, const struct linux_others *others,
                     const struct fault_report *place, const struct guest_memory *memory, const struct image *image)
{
	const struct options *options = context;
	char where[400], waits[120] = "";
	const char *advice = "";
	report_place(where, sizeof(where), image, place, memory);
	if (others) {
		name_others(waits, sizeof(waits), others);
		advice = advice_for(&options->run.sched.points, is_in_made_code(place, memory, image));
	}
	say("thread %u has passed no decision point%s for %d seconds%s; it is in %s%s%s", place->thread,
	    verdict == PROGRESS_NONE ? " and no tick" : "", PROGRESS_STALL_S,
	    verdict == PROGRESS_NONE ? "" : ", and this policy switches threads nowhere else", where, waits, advice);
}

void run_say_crowded(unsigned sockets)
{
	say("%u connections with the outside are open, as many as the limit of open files permits: further ones wait "
	    "until one is closed; raise the limit with 'ulimit -Hn'",
	    sockets);
}

void run_say_describe(const struct options *options, struct run_result *result)
{
	char *to = result->message;
	size_t size = sizeof(result->message);
	switch (result->end) {
	case RUN_SIGNAL:
		snprintf(to, size, "the program died of signal %d (%s)%s%s", result->status, strsignal(result->status),
		         result->has_report ? ": " : "", result->has_report ? result->report.message : "");
		break;
	case RUN_DEADLOCK:
		if (!*to)
			snprintf(to, size, "deadlock: nothing can ever wake the program, which waits for %s",
			         result->has_report ? result->report.message : "what it did not say");
		break;
	case RUN_TIMEOUT:
		snprintf(to, size, "stopped after --timeout %g seconds%s%.300s%s", options->run.timeout_s,
		         *stopped_in ? " in " : "", stopped_in, options->verbosity > 0 ? "" : "; -v shows all threads");
		break;
	case RUN_INTERRUPTED:
		snprintf(to, size, "stopped by signal %d (%s)", result->status, strsignal(result->status));
		break;
	case RUN_REPLAYED:
		if (!*to)
			snprintf(to, size, "the recorded run was stopped here, so its schedule ends here");
		break;
	case RUN_EXIT:
	case RUN_ERROR:
	case RUN_DIFFER:
	case RUN_STOPPED:
	case RUN_SCHEDULE:
		break; /* has its message already, or needs none */
	}
}

/* Says that a list of --preempt names files that the program did not use. The points in them are lost. */
static void say_unused(const struct options *options, const struct run_result *result)
{
	if (!result->unused_files || options->verbosity < 0 || result->end == RUN_ERROR || result->not_started ||
	    result->end == RUN_INTERRUPTED)
		return;
	say("warning: %" PRIu64 " of %" PRIu64 " file%s in the list of --preempt %s not used in this run; if the "
	    "program was built again, make a new list",
	    result->unused_files, result->listed_files, result->listed_files == 1 ? "" : "s",
	    result->unused_files == 1 ? "was" : "were");
}

/* Names files whose absence of permission is an input of the run. */
static void say_denied(const struct options *options, const struct run_result *result)
{
	char names[256];
	if (!options->run.host_files || options->verbosity < 0 || result->end == RUN_ERROR)
		return;
	size_t count = host_notes_denied(&options->run.host_files->notes, names, sizeof(names));
	if (count && options->sealed)
		say("the image lacks %zu of the files that the program asked for, because the user who made it was not "
		    "permitted to read them: %s%s; --strict-files ends such a run",
		    count, names, count > HOST_NOTES_DENIED_NAMES ? ", ..." : "");
	else if (count)
		say("this user may not read %zu of the host's files that the program asked for: %s%s; another user may "
		    "get another result, and --strict-files ends such a run",
		    count, names, count > HOST_NOTES_DENIED_NAMES ? ", ..." : "");
}

void run_say_end(const struct options *options, const struct run_result *result)
{
	static char calls[8192];
	/* The guest says how much it has used. */
	const uint64_t peak = result->stats.memory_peak_bytes, all = options->run.memory_bytes,
		       used = peak < all ? peak : all;
	if (result->warning[0] && options->verbosity >= 0)
		say("%s", result->warning);
	say_unused(options, result);
	net_option_say_unreachable(&options->net, result, options->verbosity);
	net_option_say_missed(&result->misses);
	if (result->reader_gone) /* other programs print nothing in this case either */
		return;
	say_denied(options, result);
	if (result->message[0])
		say("%s", result->message);
	else if (options->verbosity > 0)
		say("the program ended with status %d", result->status);
	if (options->verify && options->verbosity >= 0 &&
	    (result->end == RUN_EXIT || result->end == RUN_SIGNAL || result->end == RUN_DEADLOCK)) {
		char digest[DIGEST_TEXT_BYTES];
		digest_text(result->digest.all, digest);
		say("two runs, equal: %s", digest);
	}
	if (result->stats.memory_refused && options->verbosity >= 0)
		say("the program ran out of memory with %lu of its %lu MiB in use: give it more, such as --memory %luM",
		    used >> 20, all >> 20, all >> 19);
	info_calls_name(result->stats.failed_calls, calls, sizeof(calls));
	if (options->verbosity > 0 && calls[0])
		say("the program tried system calls that failed with ENOSYS: %s", calls);
}
