/* SPDX-License-Identifier: MIT */
/* How runs end: by the reports of guests, which are untrusted, or by errors and stops of the monitor. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "abi/linux_signal.h"
#include "run/place.h"
#include "run/run_state.h"
#include "sched/from_option.h"
#include "sched/schedule.h"

void run_fail(struct run *run, const char *fmt, ...)
{
	va_list args;
	if (run->ended && run->result->end == RUN_ERROR)
		return;
	run->ended = true;
	run->result->end = RUN_ERROR;
	run->result->status = 0;
	va_start(args, fmt);
	vsnprintf(run->result->message, sizeof(run->result->message), fmt, args);
	va_end(args);
}

void run_take_report(struct run *run, gpa_t address)
{
	struct run_result *result = run->result;
	if (guest_memory_read(&run->memory, address, &result->report, sizeof(result->report))) {
		run_fail(run, "the guest gave a fault report outside its memory");
		return;
	}
	result->report.message[sizeof(result->report.message) - 1] = 0;
	for (char *c = result->report.message; *c; c++)
		if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
			*c = '?';
	run->report_given = true;
}

void run_take_thread(struct run *run, gpa_t address)
{
	int result = thread_reports_take(&run->threads, &run->memory, address);
	if (result == -ENOMEM)
		run_fail(run, "not enough memory for the states of the guest's threads");
	else if (result == -EFAULT)
		run_fail(run, "the guest gave a thread's state outside its memory");
	else if (result)
		run_fail(run, "the guest gave impossible states of threads");
}

/* The schedule does not fit the program. The message has the line in the schedule's file and the guest's reason. */
static void take_misfit(struct run *run, uint64_t record)
{
	const struct run_config *config = run->config;
	struct run_result *result = run->result;
	if (!config->schedule) {
		run_fail(run, "the guest says that its schedule does not fit, but it has none");
		return;
	}
	result->end = RUN_SCHEDULE;
	result->status = 0;
	snprintf(result->message, sizeof(result->message), "%.150s:%u: %s", config->schedule_name,
	         schedule_line(config->schedule, record),
	         run->report_given ? result->report.message : "the schedule does not fit the program");
}

bool run_take_recorded_stop(struct run *run)
{
	struct sched_shared shared;
	if (!schedule_window_ends_by_stop(&run->schedule))
		return false;
	uint64_t ticks = place_shared(&run->memory, &run->image, &shared);
	if (!schedule_window_is_at_stop(&run->schedule, &shared, ticks))
		return false;
	run->ended = true;
	run->result->end = RUN_REPLAYED;
	run->result->status = 0;
	return true;
}

void run_stop_replay(struct run *run, enum run_end end, const char *message)
{
	if (run->ended)
		return;
	run->ended = true;
	run->result->end = end;
	run->result->status = 0;
	snprintf(run->result->message, sizeof(run->result->message), "%s", message);
}

/* Whether the guest has stopped where the recording that it replays was cut off. */
static bool is_end_of_recording(const struct run *run)
{
	struct event_state state;
	return run->config->replay_stop &&
	       !guest_memory_read(&run->memory, gpa(LAYOUT_EVENTS), &state, sizeof(state)) && !state.differs &&
	       state.stopped == run->config->replay_stop;
}

/* Takes the end of a run. Ignores the guest's report if the program exited or the guest refused to continue. */
void run_take_end(struct run *run, uint64_t reason, uint64_t status)
{
	struct run_result *result = run->result;
	run->ended = true;
	result->status = (int)(status & 0xff);
	result->has_report = run->report_given && reason != END_EXIT && reason != END_REFUSED;
	switch (reason) {
	case END_EXIT:
		result->end = RUN_EXIT;
		result->not_started = status & END_NOT_STARTED;
		return;
	case END_SIGNAL:
		result->end = RUN_SIGNAL;
		if (status < 1 || status > LINUX_NSIG)
			run_fail(run, "the guest says that it died of signal %lu, which does not exist", status);
		return;
	case END_DEADLOCK:
		result->end = RUN_DEADLOCK;
		thread_reports_name_objects(&run->threads, &run->memory);
		result->threads = run->threads;
		if (run->threads.count)
			thread_reports_describe(&run->threads, result->message, sizeof(result->message));
		return;
	case END_SCHEDULE:
		take_misfit(run, status);
		return;
	case END_REPLAYED:
		if (!run_take_recorded_stop(run))
			run_fail(run, "the guest says that its schedule ends with a stop, but it does not");
		return;
	case END_STOPPED:
		if (is_end_of_recording(run)) {
			run->ended = false;
			run_stop_replay(run, RUN_REPLAYED, "the recording was cut off here");
			return;
		}
		result->end = RUN_STOPPED;
		if (!run->config->event_log || run->config->event_log->wanted.mode != EVENT_LOG_COMPARE)
			run_fail(run, "the guest says that it was stopped, but nobody asked for that");
		return;
	case END_REFUSED:
		run->ended = false;
		run_fail(run, "the run cannot go on: %s",
		         run->report_given ? result->report.message : "the guest gave no reason");
		return;
	default:
		run->ended = false;
		result->report.in_kernel = 1;
		run_fail(run, "the guest's kernel failed: %s",
		         result->has_report ? result->report.message : "it gave no reason");
	}
}

void run_check_from(struct run *run)
{
	const struct sched_from *from = &run->config->sched.from;
	char text[FROM_TEXT];
	const enum run_end end = run->result->end;
	const bool ended_by_itself = end == RUN_EXIT || end == RUN_SIGNAL || end == RUN_DEADLOCK;
	if (from->kind == SCHED_FROM_START || run->result->sched.from.kind == SCHED_FROM_START || !ended_by_itself)
		return;
	from_option_describe(from, text);
	run_fail(run, "the program ended before --from %s, so its policy never started; give a point that it reaches",
	         text);
}
