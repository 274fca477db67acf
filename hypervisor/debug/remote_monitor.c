/* SPDX-License-Identifier: MIT */
/* gdb's `monitor` commands. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "debug/debug_place.h"
#include "debug/remote.h"

#define TEXT_MAX (PACKET_MAX / 2 - 1)

static void say_where(struct debug *debug, FILE *to)
{
	struct debug_position position = {0};
	debug->target->position(debug->target->context, &position);
	fprintf(to, "decision %" PRIu64 ", virtual time %" PRIu64 ".%09" PRIu64 " s, thread %u\n", position.decision,
	        position.now_ns / 1000000000, position.now_ns % 1000000000, debug->stop.tid);
}

static void say_threads(struct debug *debug, FILE *to)
{
	unsigned count;
	const struct debug_thread *threads = remote_threads(debug, &count);
	for (unsigned i = 0; i < count; i++) {
		char line[REMOTE_THREAD_LINE];
		remote_describe_thread(debug, &threads[i], line);
		fprintf(to, "thread %u: %s\n", threads[i].tid, line);
	}
}

static void say_schedule(struct debug *debug, FILE *to)
{
	debug->target->describe(debug->target->context, DEBUG_SAY_SCHEDULE, to);
}

static void say_decisions(struct debug *debug, FILE *to)
{
	debug->target->describe(debug->target->context, DEBUG_SAY_DECISIONS, to);
}

static void say_digest(struct debug *debug, FILE *to)
{
	debug->target->describe(debug->target->context, DEBUG_SAY_DIGEST, to);
}

static void begin_again(struct debug *debug, FILE *to)
{
	debug->restarts = debug->may_restart;
	if (debug->restarts)
		fputs("the next continue begins the run again, and stops at its start\n", to);
	else
		fputs("this run cannot begin again, because it replays, or leaves files, changes or a recording, has "
		      "a network or a terminal, or has begun too often; start eremite debug again\n",
		      to);
}

static void say_help(struct debug *debug, FILE *to);

static const struct {
	const char *name, *text;
	void (*say)(struct debug *debug, FILE *to);
} commands[] = {
	{"help", "this text", say_help},
	{"when", "where the run is: decision, virtual time, thread", say_where},
	{"threads", "the threads, and what they wait for", say_threads},
	{"schedule", "how threads are scheduled", say_schedule},
	{"decisions", "the decisions before and after this place, as far as a schedule has them", say_decisions},
	{"digest", "the digest of what the program has done so far", say_digest},
	{"restart", "the next continue begins the run again, with the breakpoints", begin_again},
};

static void say_help(struct debug *debug, FILE *to)
{
	(void)debug;
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		fprintf(to, "%-11s%s\n", commands[i].name, commands[i].text);
	fputs("exit       ends the run, as 'kill' does\n", to);
	fputs("at PLACE   the next continue stops there: " DEBUG_PLACES "\n", to);
}

/* Whether the run is beyond a place. */
static bool is_passed(struct debug *debug, const struct debug_place *place, uint64_t calls)
{
	struct debug_position position = {0};
	debug->target->position(debug->target->context, &position);
	return (place->kind == DEBUG_PLACE_DECISION && position.decision >= place->number) ||
	       (place->kind == DEBUG_PLACE_TIME && position.now_ns >= place->number) ||
	       (place->kind == DEBUG_PLACE_CALL && calls >= place->number);
}

static void go_to(struct debug *debug, const char *text, FILE *to)
{
	struct debug_place place;
	struct error error;
	if (debug_place_parse(text, &place, &error)) {
		fprintf(to, "%s\n", error.text);
		return;
	}
	debug->wanted.place = DEBUG_PLACE_NONE;
	const int64_t calls = remote_want(debug);
	if (calls >= 0 && is_passed(debug, &place, (uint64_t)calls)) {
		fprintf(to, "%s has passed: ", text);
		say_where(debug, to);
		return;
	}
	debug->wanted.place = place.kind;
	debug->wanted.number = place.number;
	memcpy(debug->marker, place.marker, sizeof(debug->marker));
	if (calls < 0 || remote_want(debug) < 0)
		fputs("the kernel of this run cannot stop there\n", to);
}

static void perform(struct debug *debug, const char *command, FILE *to)
{
	if (!strncmp(command, "at ", 3)) {
		go_to(debug, command + 3, to);
		return;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		if (strcmp(command, commands[i].name))
			continue;
		commands[i].say(debug, to);
		return;
	}
	fputs("there is no command of that name; there are:\n", to);
	say_help(debug, to);
}

void remote_monitor(struct debug *debug, const char *digits)
{
	static char text[TEXT_MAX];
	char command[128] = "";
	text[0] = 0;
	for (size_t i = 0; i + 1 < sizeof(command) && packet_digit(digits[0]) >= 0 && packet_digit(digits[1]) >= 0;
	     i++) {
		command[i] = (char)(packet_digit(digits[0]) << 4 | packet_digit(digits[1]));
		digits += 2;
	}
	FILE *to = fmemopen(text, sizeof(text), "w");
	if (!to)
		return;
	perform(debug, command, to);
	fclose(to);
	if (*text)
		remote_add_hex(debug, text, strnlen(text, sizeof(text)));
	else
		remote_add(debug, "OK"); /* an empty answer means that there are no commands */
}

/* A line for the user before a stop that gdb has no word for. */
void remote_tell_stop(struct debug *debug)
{
	char text[512] = "";
	FILE *to = fmemopen(text, sizeof(text), "w");
	debug->reply_bytes = 0;
	if (!to)
		return;
	if (debug->stop.reason == DEBUG_AT_DEADLOCK)
		fputs("eremite: deadlock: no thread can continue ('monitor threads')\n", to);
	if (debug->stop.reason == DEBUG_AT_PLACE) {
		fputs("eremite: stopped at ", to);
		say_where(debug, to);
	}
	fclose(to);
	if (!*text)
		return;
	remote_add(debug, "O");
	remote_add_hex(debug, text, strlen(text));
}
