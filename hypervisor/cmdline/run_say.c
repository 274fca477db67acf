/* SPDX-License-Identifier: MIT */
#include "cmdline/run_say.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/printable.h"
#include "cmdline/net_option.h"
#include "cmdline/time_option.h"
#include "cmdline/tsan_library.h"
#include "code/code_stores.h"
#include "code/service/code_service.h"
#include "report/info_calls.h"
#include "report/report.h"
#include "report/report_threads.h"
#include "debug/debug.h"
#include "save/core_out.h"
#include "session/command.h"

/* Where --timeout has stopped a run; empty: unknown, or -v lists the threads. */
static char stopped_in[301];

static void say_report(void *context, const struct run_result *result, const struct guest_memory *memory,
                       const struct image *image)
{
	const struct session *options = context;
	const bool is_stopped = result->end == RUN_TIMEOUT || result->end == RUN_INTERRUPTED;
	*stopped_in = 0;
	if (options->verbosity == 0 && result->end == RUN_TIMEOUT && result->has_report)
		report_place(stopped_in, sizeof(stopped_in), image, &result->report, memory);
	/* The user who stops a run knows why. */
	if (options->verbosity <= 0 && (is_stopped || (result->end == RUN_REPLAYED && options->run.replay)))
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
	bool is_made = false;
	memcpy(registers, place->registers, sizeof(registers));
	if (!linux_view_read(&view, memory))
		return false;
	linux_view_registers(&view, memory, image, registers);
	return !linux_view_made(&view, memory, image, &registers[16], 1, &is_made) && is_made;
}

#define NONE_HELPS "so only --timeout SEC ends such a wait"

/* What ends a wait in a loop of a Linux program: the option whose points the loop has. Those that were given have none
 * in it, but a sample that is too small. */
static const char *advice_for(const struct code_points *points, unsigned contents)
{
	const bool draws_all = points->stores == CODE_STORES_MAX;
	if (!(contents & STALL_FILE) && contents)
		return "no option of --preempt reaches code made at run time, " NONE_HELPS;
	if (contents & STALL_ATOMIC && !points->atomics)
		return "--preempt atomics switches threads, and lets time pass, at atomic operations, which its loop "
		       "has";
	if (contents & STALL_STORE && !(draws_all && !points->own))
		return "--preempt sites:65536,1 switches threads, and lets time pass, at stores, which its loop has";
	const bool lacks_loads = contents & STALL_LOAD && !(draws_all && points->loads);
	if (contents && !points->atomics)
		return lacks_loads ? "--preempt atomics --sched fifo:slice=1us switches threads if a loop around it "
		                     "takes a "
		                     "lock, --preempt accesses:65536,1 at loads, which its loop has"
		                   : "--preempt atomics --sched fifo:slice=1us switches threads if a loop around it "
		                     "takes a "
		                     "lock, otherwise only --timeout SEC ends such a wait";
	if (lacks_loads)
		return "--sched fifo:slice=1us switches threads sooner, --preempt accesses:65536,1 also at loads, "
		       "which its loop "
		       "has";
	if (contents)
		return "no option of --preempt switches threads in its loop, " NONE_HELPS;
	if (points->atomics && draws_all)
		return "--sched fifo:slice=1us switches threads sooner, otherwise only --timeout SEC ends such a wait";
	return "--preempt atomics --preempt sites:65536,1 switches threads, and lets time pass, at atomic operations "
	       "and stores, if its loop has any";
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

/* A thread passes no point. */
static void say_computing(const struct session *options, const struct run_stall *stall, const char *where,
                          const struct guest_memory *memory, const struct image *image)
{
	char waits[120] = "";
	const char *advice = "";
	unsigned contents = stall->contents;
	if (!contents && is_in_made_code(&stall->place, memory, image))
		contents = STALL_MADE;
	if (stall->others) {
		name_others(waits, sizeof(waits), stall->others);
		advice = advice_for(&options->run.sched.points, contents);
	}
	say("thread %u has passed no decision point%s for %d seconds%s; it is in %s%s%s", stall->place.thread,
	    stall->verdict == PROGRESS_NONE ? " and no tick" : "", PROGRESS_STALL_S,
	    stall->verdict == PROGRESS_NONE ? "" : ", and this policy switches threads nowhere else", where, waits,
	    advice);
}

/* Threads pass points of loops that wait, so other threads run, and the time of those that sleep comes. */
static void say_waiting(const struct session *options, const struct run_stall *stall, const char *where)
{
	const uint32_t policy = options->run.sched.boot.policy;
	const bool is_fixed = policy == SCHED_fifo || policy == SCHED_rr;
	char others[120];
	if (stall->others->ready)
		snprintf(others, sizeof(others), "%u more can run; %s", stall->others->ready,
		         is_fixed ? "--sched random runs them in another order; " : "");
	else
		snprintf(others, sizeof(others), "time passes there, and %s whose time has not come; ",
		         stall->others->timed ? "a thread sleeps" : "there is a timer");
	say("thread %u has only waited in a loop for %d seconds, and no thread has made a system call; it is in %s; "
	    "%s--timeout SEC -v shows where all threads are",
	    stall->place.thread, PROGRESS_STALL_S, where, others);
}

static void say_stalled(void *context, const struct run_stall *stall, const struct guest_memory *memory,
                        const struct image *image)
{
	char where[400];
	report_place(where, sizeof(where), image, &stall->place, memory);
	switch (stall->verdict) {
	case PROGRESS_WAITS:
		say_waiting(context, stall, where);
		break;
	case PROGRESS_HANDLES:
		say("thread %u has only handled signals for %d seconds; it is in %s; if a timer sends them, its "
		    "interval is shorter than its handler takes: make it longer, or end the run by --timeout SEC",
		    stall->place.thread, PROGRESS_STALL_S, where);
		break;
	default:
		say_computing(context, stall, where, memory, image);
	}
}

static void say_extended(void *context, const struct instruction_extension *extension, const struct fault_report *place,
                         const struct guest_memory *memory, const struct image *image)
{
	const struct session *options = context;
	char where[400], other[40] = "";
	report_place(where, sizeof(where), image, place, memory);
	if (extension->model < CPU_MODELS)
		snprintf(other, sizeof(other), ", give it one that has them (--cpu v%u)", extension->model + 2U);
	say("thread %u executes %s instructions, which its processor model (v%u) does not have, in %s: on another "
	    "processor it may end there, or get another result; compile it for x86-64-v%u%s, or see 'eremite info "
	    "--portable FILE'",
	    place->thread, extension->name, options->run.cpu.model + 2U, where, options->run.cpu.model + 2U, other);
}

static void say_crowded(unsigned sockets)
{
	say("%u connections with the outside are open, as many as the limit of open files permits: further ones wait "
	    "until one is closed; raise the limit with 'ulimit -Hn'",
	    sockets);
}

void run_say_describe(const struct session *options, struct run_result *result)
{
	char *to = result->message;
	size_t size = sizeof(result->message);
	switch (result->end) {
	case RUN_SIGNAL:
		snprintf(to, size, "the program died of signal %d (%s)%s%s", result->status, strsignal(result->status),
		         result->has_report ? ": " : "", result->has_report ? result->report.message : "");
		break;
	case RUN_DEADLOCK:
		if (!*to && result->has_report && strstr(result->report.message, "reads in a loop"))
			snprintf(to, size, "endless loop: the program reads memory that nothing can ever change");
		else if (!*to)
			snprintf(to, size, "deadlock: nothing can ever wake the program, which waits for %s",
			         result->has_report ? result->report.message : "what it did not say");
		break;
	case RUN_TIMEOUT:
		snprintf(to, size, "stopped after --timeout %g seconds%s%.300s%s", options->run.timeout_s,
		         *stopped_in ? " in " : "", stopped_in, options->verbosity > 0 ? "" : "; -v shows all threads");
		break;
	case RUN_INTERRUPTED:
		if (options->run.debug && options->run.debug->verdict == DEBUG_KILLED)
			snprintf(to, size, "the debugger has ended the run");
		else
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
static void say_unused(const struct session *options, const struct run_result *result)
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
static void say_denied(const struct session *options, const struct run_result *result)
{
	char names[256];
	if (!options->run.host_files || options->verbosity < 0 || result->end == RUN_ERROR)
		return;
	size_t count = host_notes_name(&options->run.host_files->notes, HOST_NOTE_DENIED, names, sizeof(names));
	if (count && options->sealed)
		say("the image lacks %zu of the files that the program asked for, because the user who made it was not "
		    "permitted to read them: %s%s; --strict-files ends such a run",
		    count, names, count > HOST_NOTES_NAMES ? ", ..." : "");
	else if (count)
		say("this user may not read %zu of the host's files that the program asked for: %s%s; another user may "
		    "get another result, and --strict-files ends such a run",
		    count, names, count > HOST_NOTES_NAMES ? ", ..." : "");
}

/* Names files of which an image does not say whether they exist. */
static void say_assumed(const struct session *options, const struct run_result *result)
{
	char names[256];
	if (!options->sealed || !options->run.host_files || options->verbosity < 0 || result->end == RUN_ERROR)
		return;
	size_t count = host_notes_name(&options->run.host_files->notes, HOST_NOTE_ASSUMED, names, sizeof(names));
	const bool was_run = options->sealed->step->was_run,
		   is_good = result->end == RUN_EXIT && !result->status && options->verbosity <= 0;
	if (count && !was_run && !is_good)
		say("the image was packed without a run, and the program looked for %zu name%s that it does not have: "
		    "%s%s; if it needs one, pack it with --include",
		    count, count == 1 ? "" : "s", names, count > HOST_NOTES_NAMES ? ", ..." : "");
	if (count && was_run)
		say("this is not the sealed run, and the image does not say whether %zu name%s that the program looked "
		    "for exist%s; taken for missing: %s%s; if %s, pack it with --include",
		    count, count == 1 ? "" : "s", count == 1 ? "s" : "", names, count > HOST_NOTES_NAMES ? ", ..." : "",
		    count == 1 ? "it exists" : "one exists");
}

static void say_replaced(const struct session *options)
{
	char text[1024];
	size_t length = 0;
	unsigned left = 0;
	for (unsigned i = 0; i < options->given.input_count; i++) {
		const char *input = options->given.inputs[i];
		if (strncmp(input, "--bind=", 7) && strncmp(input, "--replace=", 10))
			continue;
		int added = snprintf(text + length, sizeof(text) - length, "%s%s", length ? ", " : "", input);
		if (length + (size_t)added < sizeof(text))
			length += (size_t)added;
		else
			left++;
		text[length] = 0;
	}
	if (options->sealed && options->binds.count && options->verbosity >= 0)
		say("this is not the sealed run: it has other files by %s%s", text, left ? ", ..." : "");
}

static void say_core(const struct session *options, const struct run_result *result)
{
	const struct core_out *core = options->run.core;
	if (!core || result->end == RUN_ERROR)
		return;
	if (core->why_not[0])
		say("there is no core file: %s", core->why_not);
	if (!core->is_complete || options->verbosity < 0)
		return;
	char *program = printable_line(core->program, strlen(core->program));
	say("core file %s%s: gdb %s %s", options->core_path,
	    result->end == RUN_TIMEOUT ? " of a place that wall time has decided (--timeout)" : "",
	    *program ? program : options->run.program, options->core_path);
	free(program);
	if (core->missing)
		say("warning: the core file has zeros in place of %" PRIu64 " KiB of mapped files, for which the guest "
		    "had no memory left: raise --memory",
		    core->missing >> 10);
}

void run_say_end(const struct session *options, const struct run_result *result)
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
	if (options->verbosity >= 0 && !options->is_quiet_about_program && !options->sealed && result->end != RUN_ERROR)
		command_say_others(&options->given, &options->run);
	say_denied(options, result);
	say_assumed(options, result);
	if (result->message[0])
		say("%s", result->message);
	else if (options->verbosity > 0)
		say("the program ended with status %d", result->status);
	say_core(options, result);
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

void run_say_unread_input(const struct session *options)
{
	struct stat st;
	if (options->sealed && options->run.input && !options->live_input && options->verbosity >= 0 &&
	    !fstat(STDIN_FILENO, &st) && (S_ISFIFO(st.st_mode) || (S_ISREG(st.st_mode) && st.st_size)))
		say("the program reads the standard input that the image has, and not this one; --stdin=live gives it "
		    "this one");
}

void run_say_observe(struct session *session)
{
	struct observer *observer = &session->run.observer;
	const bool tells = session->verbosity >= 0;
	code_service_say_slow(tells && isatty(STDERR_FILENO));
	if (session->epoch_taken && tells)
		time_option_say(session);
	say_replaced(session);
	if (session->verbosity > 0)
		say("the engine is %s", session->engine->name);
	observer->context = session;
	observer->fault = say_report;
	observer->stalled = tells ? say_stalled : NULL;
	observer->extended = tells ? say_extended : NULL;
	tsan_library_report(session);
	session->net.crowded = tells ? say_crowded : NULL;
}
