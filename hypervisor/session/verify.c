/* SPDX-License-Identifier: MIT */
/* --verify. The first run writes a log of its kernel calls and thread switches. The second compares each of its own
 * with the log, and stops at the first difference. So these two runs themselves locate a difference, even if it is
 * rare.
 *
 * Only the first run's output is shown. Later runs get the standard input that the first has read. */
#include "session/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/error.h"
#include "record/recording.h"
#include "report/event_text.h"
#include "run/event_log.h"

/* Limit of further runs to show where the first run was. */
#define FURTHER_RUNS 4

struct comparison {
	const struct run_config *config;
	const struct engine_ops *ops;
	struct input input;
	struct event_log log;        /* log of the first run */
	bool shown;                  /* the first run's stack has been shown */
	const char *names[2];        /* of the first run and of the second, for messages */
	const char *begin;           /* of the message that names the place */
	struct recording *recording; /* with a network outside: what came from there in the first run; or NULL */
	struct replay replay;        /* of it */
	struct net_config net;       /* of further runs, which replay it */
	const char *unit; /* name of what the log counts: kernel calls, or events if the program has threads */
};

/* Where two runs differ first: in one of the events [first, last]. That is one event unless the log was full. */
struct place {
	uint64_t first, last;
	char did[2][EVENT_TEXT_BYTES]; /* what each run did at event `last` */
};

/* The standard input of all runs: of an image, or what the first run has read. */
static struct input *input_of(struct comparison *c)
{
	return c->config->input ? c->config->input : &c->input;
}

static void run_again(struct comparison *c,
                      void (*report)(void *, const struct run_result *, const struct guest_memory *,
                                     const struct image *),
                      struct run_result *result)
{
	struct run_config again = *c->config;
	again.discard_output = true;
	again.out_dir = NULL;
	again.changes = NULL;
	again.core = NULL;
	again.schedule_out = NULL;
	again.shared_notes = NULL;
	again.race_log = NULL;
	again.sched.boot.flags = 0; /* records and accounts must leave no trace */
	again.observer = (struct observer){.context = c, .fault = c->config->observer.fault ? report : NULL};
	again.event_log = &c->log;
	again.recording = NULL;
	again.replay = c->recording ? &c->replay : c->config->replay;
	if (c->recording)
		again.net = &c->net;
	again.input = input_of(c);
	input_rewind(again.input);
	run_image(&again, c->ops, result);
}

static void report_second(void *context, const struct run_result *result, const struct guest_memory *memory,
                          const struct image *image)
{
	const struct comparison *c = context;
	if (result->end == RUN_STOPPED)
		say("%s at %s %" PRIu64 ", where it differs:", c->names[1], c->unit, result->events.stopped);
	else
		say("%s at its end:", c->names[1]);
	c->config->observer.fault(c->config->observer.context, result, memory, image);
}

/* Shows a further run if it did the same as the first run, including the call after which it was stopped. */
static void report_first(void *context, const struct run_result *result, const struct guest_memory *memory,
                         const struct image *image)
{
	struct comparison *c = context;
	if (result->end != RUN_STOPPED || result->events.differs || result->events.stopped != c->log.wanted.stop)
		return;
	say("%s at %s %" PRIu64 ", from a further run that did the same until then:", c->names[0], c->unit,
	    result->events.stopped);
	c->config->observer.fault(c->config->observer.context, result, memory, image);
	c->shown = true;
}

/* Shows where both runs were before they differed. */
static void report_both(void *context, const struct run_result *result, const struct guest_memory *memory,
                        const struct image *image)
{
	struct comparison *c = context;
	if (result->end != RUN_STOPPED || result->events.differs)
		return;
	say("both runs at %s %" PRIu64 ", up to which they are the same:", c->unit, result->events.stopped);
	c->config->observer.fault(c->config->observer.context, result, memory, image);
}

/* Returns the part of the digest that differs, or NULL. */
static const char *differing_part(const struct run_result *a, const struct run_result *b)
{
	if (a->end != b->end || a->status != b->status)
		return "in how they end";
	if (memcmp(a->stats.chain, b->stats.chain, sizeof(a->stats.chain)))
		return "in what they do";
	if (memcmp(a->digest.streams[1], b->digest.streams[1], DIGEST_BYTES))
		return "in standard output";
	if (memcmp(a->digest.streams[2], b->digest.streams[2], DIGEST_BYTES))
		return "in standard error";
	if (memcmp(a->digest.out, b->digest.out, DIGEST_BYTES))
		return "in what they leave in /out";
	if (memcmp(a->digest.files, b->digest.files, DIGEST_BYTES))
		return "in the host's files that they read";
	if (memcmp(a->digest.memory, b->digest.memory, DIGEST_BYTES))
		return "in the guest's memory at the end";
	return memcmp(a->digest.all, b->digest.all, DIGEST_BYTES) ? "in the virtual clock" : NULL;
}

/* Whether a run did not end by itself. */
static bool cannot_compare(const struct run_result *result)
{
	return result->end == RUN_ERROR || result->end == RUN_SCHEDULE || result->end == RUN_TIMEOUT ||
	       result->end == RUN_INTERRUPTED || result->end == RUN_REPLAYED;
}

static bool same_calls(const struct run_result *a, const struct run_result *b)
{
	return a->events.returned == b->events.returned &&
	       !memcmp(a->stats.chain, b->stats.chain, sizeof(a->stats.chain));
}

/* Finds where the calls of two runs differ. The second run was stopped there, or ended after fewer calls. Or it differs
 * in one of the last calls, which a log with strides lacks. */
static void find_place(const struct event_log *log, const struct run_result *first, const struct run_result *second,
                       struct place *place)
{
	struct event_record record;
	bool stopped = second->end == RUN_STOPPED;
	uint64_t stride = log->wanted.stride, last = second->events.returned;
	if (!stopped && last < first->events.returned)
		last++;
	place->last = last;
	place->first = last ? (last - 1) / stride * stride + 1 : 0;
	if (event_log_find(log, last, &record))
		event_text(&record, place->did[0]);
	else
		strcpy(place->did[0], last > first->events.returned ? "already ended" : "another");
	if (stopped)
		event_text(&second->events.last, place->did[1]);
	else
		strcpy(place->did[1], last > second->events.returned ? "already ended" : "another");
}

/* Writes where the runs differ. */
static void describe_place(const struct comparison *c, const struct place *place, struct run_result *result)
{
	char where[80];
	if (place->first == place->last)
		snprintf(where, sizeof(where), "%s %" PRIu64, c->unit, place->last);
	else
		snprintf(where, sizeof(where), "one of the %ss %" PRIu64 " to %" PRIu64, c->unit, place->first,
		         place->last);
	if (strcmp(place->did[0], place->did[1]))
		snprintf(result->message, sizeof(result->message), "%s%s: %s in %s, %s in %s", c->begin, where,
		         place->did[0], c->names[0], place->did[1], c->names[1]);
	else /* all records before are the same: the moment of the switch differs */
		snprintf(result->message, sizeof(result->message), "%s%s: %s in both, but at different moments",
		         c->begin, where, place->did[0]);
}

/* Shows where the first run was, if a further run repeats it. */
static void show_first(struct comparison *c, const struct event_state *recorded, const struct place *place)
{
	static struct run_result further;
	if (!c->config->observer.fault || place->last > recorded->returned ||
	    event_log_compare(&c->log, recorded, place->last))
		return;
	for (unsigned i = 0; i < FURTHER_RUNS && !c->shown; i++) {
		run_again(c, report_first, &further);
		if (cannot_compare(&further))
			break;
	}
	if (!c->shown)
		say("cannot show the stack of %s: no further run did the same", c->names[0]);
}

/* Makes the second run and compares. */
static void compare(struct comparison *c, struct run_result *result)
{
	static struct run_result second;
	struct place place;
	const struct event_state recorded = result->events;
	c->unit = result->sched.youngest > 1 ? "event" : "kernel call";
	if (event_log_compare(&c->log, &recorded, 0)) {
		result->end = RUN_ERROR;
		snprintf(result->message, sizeof(result->message), "the guest has corrupted its log of kernel calls");
		return;
	}
	run_again(c, report_second, &second);
	if (cannot_compare(&second) || second.end == RUN_DIFFER) { /* it asks other things of the outside */
		free(result->accounts);
		free(result->account_processes);
		*result = second;
		return;
	}
	const char *part = second.end == RUN_STOPPED ? "in what they do" : differing_part(result, &second);
	if (!part)
		return;
	bool in_calls = second.end == RUN_STOPPED || !same_calls(result, &second);
	if (in_calls)
		find_place(&c->log, result, &second, &place);
	result->end = RUN_DIFFER;
	if (in_calls) {
		describe_place(c, &place, result);
		show_first(c, &recorded, &place);
	} else
		snprintf(result->message, sizeof(result->message),
		         "two runs of the same inputs differ %s; all %" PRIu64 " %ss are the same", part,
		         recorded.returned, c->unit);
}

/* With a network outside, the first run is recorded in memory, and the others replay it. */
static int begin_recording(struct comparison *c, struct run_config *shown, struct net_config *net, struct error *error)
{
	int fds[2];
	if (!shown->net || shown->net->has_peers) /* the peers of --replay-net do the same in each run */
		return 0;
	int result = recording_create_in_memory(&c->recording, shown->epoch_ns, error);
	if (result)
		return result;
	recording_descriptors(c->recording, fds);
	shown->kept[shown->kept_count++] = fds[0];
	shown->kept[shown->kept_count++] = fds[1];
	*net = c->net = *shown->net;
	net->recording = shown->recording = c->recording;
	c->net.replay = &c->replay;
	shown->net = net;
	return 0;
}

static int end_recording(struct comparison *c, struct error *error)
{
	if (!c->recording)
		return 0;
	recording_end(c->recording, "verify\n");
	int result = recording_flush(c->recording);
	if (result)
		return error_set(error, -result, "cannot record the network for --verify: %s", strerror(-result));
	return replay_open_in_memory(&c->replay, c->recording, error);
}

static void fail(struct run_result *result, const char *error)
{
	memset(result, 0, sizeof(*result));
	result->end = RUN_ERROR;
	snprintf(result->message, sizeof(result->message), "%s", error);
}

static bool init_log(struct comparison *c, struct run_result *result)
{
	struct error line;
	int error = event_log_init(&c->log, c->ops->reserve);
	if (!error)
		return true;
	error_set(&line, -error, "cannot reserve %lu MiB of address space for the log of events: %s",
	          LAYOUT_EVENT_LOG_SIZE >> 20, strerror(-error));
	fail(result, line.text);
	return false;
}

void verify_run(const struct run_config *config, const struct engine_ops *ops, struct run_result *result)
{
	static struct comparison c; /* too large for the stack */
	static struct net_config net;
	struct error line;
	c = (struct comparison){.config = config,
	                        .ops = ops,
	                        .input = {.keep = true},
	                        .replay = {.capture = -1},
	                        .names = {"run 1", "run 2"},
	                        .begin = "two runs of the same inputs differ, first in "};
	struct run_config shown = *config;
	_Static_assert(2 + FURTHER_RUNS <= ENGINE_RUNS_MAX, "the engine is ready for all runs");
	ops->open(2 + FURTHER_RUNS);
	if (!init_log(&c, result))
		return;
	shown.input = input_of(&c);
	shown.event_log = &c.log;
	if (begin_recording(&c, &shown, &net, &line)) {
		fail(result, line.text);
	} else {
		run_image(&shown, ops, result);
		if (!cannot_compare(result) && end_recording(&c, &line))
			fail(result, line.text);
		else if (!cannot_compare(result))
			compare(&c, result);
	}
	replay_close(&c.replay);
	recording_close(c.recording, NULL, 0, NULL);
	event_log_fini(&c.log);
	input_fini(&c.input);
}

/* Finds where a run differs from the sealed one, whose events are in the log, and shows the stacks. */
static void compare_sealed(struct comparison *c, const struct event_state *recorded, bool is_steady,
                           struct run_result *result)
{
	static struct run_result further;
	const struct run_result packed = {.events = *recorded};
	struct place place;
	run_again(c, report_second, result);
	if (cannot_compare(result) || result->end == RUN_DIFFER ||
	    (result->end != RUN_STOPPED && result->events.returned == recorded->returned))
		return;
	find_place(&c->log, &packed, result, &place);
	result->end = RUN_DIFFER;
	describe_place(c, &place, result);
	if (c->config->replay || !c->config->observer.fault) /* what was recorded is read once */
		return;
	if (!is_steady)
		show_first(c, recorded, &place);
	if (!c->shown && place.first > 1 && !event_log_compare(&c->log, recorded, place.first - 1))
		run_again(c, report_both, &further);
}

void verify_sealed_run(const struct run_config *config, const struct engine_ops *ops,
                       const struct verify_sealed *sealed, struct run_result *result)
{
	static struct comparison c; /* too large for the stack */
	struct event_state recorded;
	c = (struct comparison){.config = config,
	                        .ops = ops,
	                        .replay = {.capture = -1},
	                        .unit = "event",
	                        .input = {.keep = true},
	                        .names = {sealed->path ? "the other run" : "the packed run", "this run"},
	                        .begin = sealed->path ? "the runs differ, first in " : ""};
	ops->open(2 + FURTHER_RUNS);
	if (!init_log(&c, result))
		return;
	if (event_log_read(&c.log, sealed->events, sealed->bytes, &recorded) || event_log_compare(&c.log, &recorded, 0))
		fail(result, sealed->path ? "the file of --events is damaged"
		                          : "the image is damaged: its list of events is not valid");
	else
		compare_sealed(&c, &recorded, sealed->is_steady, result);
	event_log_fini(&c.log);
	input_fini(&c.input);
}
