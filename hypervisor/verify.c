/* SPDX-License-Identifier: MIT */
/* --verify. Two runs are compared by their digests. When they differ, watched runs find the first kernel call that
 * does: by records at intervals, then of every call between two of them, then by stopping after it.
 *
 * Only the first run's output is shown. Later runs read what the first has read of standard input. */
#include "verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "die.h"
#include "summary.h"

#define INTERVAL 1024

struct comparison {
	const struct run_config *config;
	const struct engine_ops *ops;
	struct input input;
	struct events events[2]; /* of the two watched runs made last */
};

static void run_again(struct comparison *c, const struct boot_events *watch, struct events *events,
                      void (*report)(const struct run_result *, const struct guest_memory *), struct run_result *result)
{
	struct run_config again = *c->config;
	again.discard_output = true;
	again.out_dir = NULL;
	again.want_digest = !watch;
	again.report = report;
	again.input = &c->input;
	if (watch)
		again.watch = *watch;
	again.events = events;
	input_rewind(&c->input);
	run_image(&again, c->ops, result);
}

/* Runs twice, watched; index of the first record that differs, or -1. */
static long watch_twice(struct comparison *c, const struct boot_events *watch)
{
	static struct run_result result;
	for (int i = 0; i < 2; i++) {
		events_fini(&c->events[i]);
		run_again(c, watch, &c->events[i], NULL, &result);
	}
	return events_difference(&c->events[0], &c->events[1]);
}

/* Number of the first event that differs, 0 when repeated runs do not differ in their kernel calls. */
static uint64_t find_event(struct comparison *c)
{
	struct boot_events watch = {.interval = INTERVAL};
	long checkpoint = watch_twice(c, &watch);
	uint64_t first = checkpoint < 0 ? c->events[0].count * INTERVAL : (uint64_t)checkpoint * INTERVAL;
	watch = (struct boot_events){.first = first + 1, .last = first + INTERVAL + 1};
	long index = watch_twice(c, &watch);
	return index < 0 ? 0 : watch.first + (uint64_t)index;
}

static void describe(const struct events *events, uint64_t number, char *to, size_t size)
{
	for (size_t i = 0; i < events->count; i++) {
		if (events->records[i].number == number) {
			snprintf(to, size, "%s = %" PRId64, summary_call_name((unsigned)events->records[i].call),
			         events->records[i].result);
			return;
		}
	}
	snprintf(to, size, "no such call");
}

/* Says what both runs did at the event, with their stacks. */
static void report_event(struct comparison *c, uint64_t number, struct run_result *result)
{
	static struct run_result stopped;
	const struct boot_events watch = {.stop = number};
	char first[64], second[64];
	describe(&c->events[0], number, first, sizeof(first));
	describe(&c->events[1], number, second, sizeof(second));
	snprintf(result->message, sizeof(result->message),
	         "two runs of the same inputs differ, first in kernel call %" PRIu64 ": %s in one, %s in the other",
	         number, first, second);
	for (int i = 0; i < 2 && c->config->report; i++) {
		struct events ignored = {0};
		say("stack of run %d at kernel call %" PRIu64 ":", i + 1, number);
		run_again(c, &watch, &ignored, c->config->report, &stopped);
		events_fini(&ignored);
	}
}

/* The part of the digest that differs, or NULL. */
static const char *differing_part(const struct run_result *a, const struct run_result *b)
{
	if (a->end != b->end || a->status != b->status)
		return "in how they end";
	if (memcmp(a->stats.chain, b->stats.chain, sizeof(a->stats.chain)))
		return "in their kernel calls";
	if (memcmp(a->digest.streams[1], b->digest.streams[1], DIGEST_BYTES))
		return "in standard output";
	if (memcmp(a->digest.streams[2], b->digest.streams[2], DIGEST_BYTES))
		return "in standard error";
	if (memcmp(a->digest.out, b->digest.out, DIGEST_BYTES))
		return "in what they leave in /out";
	if (memcmp(a->digest.memory, b->digest.memory, DIGEST_BYTES))
		return "in the guest's memory at the end";
	return memcmp(a->digest.all, b->digest.all, DIGEST_BYTES) ? "in the virtual clock" : NULL;
}

/* Whether a run came to no end of its own. */
static bool cannot_compare(const struct run_result *result)
{
	return result->end == RUN_ERROR || result->end == RUN_TIMEOUT || result->end == RUN_INTERRUPTED;
}

void verify_run(const struct run_config *config, const struct engine_ops *ops, struct run_result *result)
{
	static struct run_result second;
	struct comparison c = {.config = config, .ops = ops, .input = {.keep = true}};
	struct run_config shown = *config;
	shown.input = &c.input;
	run_image(&shown, ops, result);
	if (cannot_compare(result))
		goto out;
	run_again(&c, NULL, NULL, NULL, &second);
	if (cannot_compare(&second)) {
		*result = second;
		goto out;
	}
	const char *part = differing_part(result, &second);
	if (!part)
		goto out;
	result->end = RUN_DIFFER;
	uint64_t number = find_event(&c);
	if (number)
		report_event(&c, number, result);
	else
		snprintf(result->message, sizeof(result->message),
		         "two runs of the same inputs differ %s; no kernel call differed when they were repeated",
		         part);
out:
	for (int i = 0; i < 2; i++)
		events_fini(&c.events[i]);
	input_fini(&c.input);
}
