/* SPDX-License-Identifier: MIT */
/* How a try ended: what its process has left is read, judged, and given an identity, which tells failures apart. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/sched_plan.h"
#include "base/clean_text.h"
#include "base/die.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "report/symbolizer.h"
#include "search/results/search_junit.h"
#include "search/search_try.h"

#define SAME_STACK "  (the same stack as thread " /* report_threads.c */
#define PREFIX "eremite: "
#define MESSAGES_MAX (1L << 20)
#define LOOKS_MAX (1L << 24)

/* Returns the first `max` bytes of a file, and a NUL. */
static char *contents(int fd, off_t max, size_t *bytes)
{
	off_t all = lseek(fd, 0, SEEK_END);
	if (all < 0 || all > max)
		all = all < 0 ? 0 : max;
	char *text = memory_or_die(malloc((size_t)all + 1));
	if (pread(fd, text, (size_t)all, 0) != all)
		die("cannot read what a try has left: %s", strerror(errno));
	text[all] = 0;
	*bytes = (size_t)all;
	return text;
}

bool search_slot_outcome(const struct search_slot *slot, const struct search_option *option, struct try_outcome *ended)
{
	const bool is_told = pread(slot->fds.text, ended, sizeof(*ended), 0) == (ssize_t)sizeof(*ended);
	if (is_told && ended->end == RUN_TIMEOUT && !slot->schedule &&
	    search_try_limit(option, slot->number) < option->timeout_s)
		ended->end = RUN_STOPPED;
	return is_told;
}

/* Returns the frame in a line of a stack, without its number and address: "main+0x1a (x.c:3)". NULL: another line. */
static const char *frame_of(const char *line)
{
	line += strspn(line, " ");
	if (*line != '#')
		return NULL;
	line += strcspn(line, " ");
	line += strspn(line, " ");
	line += strcspn(line, " ");
	return line + strspn(line, " ");
}

char *search_outcome_identity(const char *end, const char *stacks, const char *key)
{
	struct text_made made;
	FILE *to = text_open(&made);
	fprintf(to, "%s\n", end);
	if (*key)
		fprintf(to, "%s\n", key);
	if (!strcmp(end, "timeout"))
		stacks = ""; /* where a thread was when the time was over depends on the host */
	for (const char *line = stacks, *next; (next = strchr(line, '\n')); line = next + 1) {
		const char *frame = frame_of(line);
		if (frame && frame < next)
			fprintf(to, "%.*s\n", (int)strcspn(frame, "+\n"), frame);
	}
	return text_close(&made);
}

/* Returns what eremite said of the end: the stacks, and its lines without its name. */
static char *take_stacks(char *text)
{
	struct text_made made;
	FILE *to = text_open(&made);
	for (char *line; (line = strsep(&text, "\n"));) {
		clean_text(line, strlen(line));
		if (frame_of(line) || !strncmp(line, SAME_STACK, strlen(SAME_STACK)))
			fprintf(to, "%s\n", line);
		else if (!strncmp(line, PREFIX, strlen(PREFIX)))
			fprintf(to, "%s\n", line + strlen(PREFIX));
	}
	return text_close(&made);
}

static char *name_end(const struct try_outcome *outcome)
{
	switch (outcome->end) {
	case RUN_EXIT:
		return text_of("exit %d", outcome->status);
	case RUN_SIGNAL:
		return text_of("signal %d (%s)", outcome->status, strsignal(outcome->status));
	case RUN_DEADLOCK:
		return text_of("deadlock");
	case RUN_STOPPED:
		return text_of("cut short");
	default:
		return text_of("timeout");
	}
}

bool search_slot_matches(const struct search_slot *slot, const struct search_failures *failures, unsigned stream)
{
	size_t bytes;
	if (!failures->has_regex[stream])
		return false;
	char *text = contents(slot->fds.streams[stream], SEARCH_OUTPUT_MAX, &bytes);
	for (size_t i = 0; i < bytes; i++)
		if (!text[i])
			text[i] = ' '; /* regexec(3) would end there */
	const bool found = !regexec(&failures->regex[stream], text, 0, NULL, 0);
	free(text);
	return found;
}

char *search_slot_looks(const struct search_slot *slot)
{
	size_t bytes;
	char *text = contents(slot->looks, LOOKS_MAX, &bytes);
	return text;
}

void search_slot_output(const struct search_slot *slot, uint64_t hash[2], uint64_t bytes[2])
{
	struct try_outcome ended = {0};
	if (pread(slot->fds.text, &ended, sizeof(ended), 0) != (ssize_t)sizeof(ended))
		die("cannot read what a try has left: %s", strerror(errno));
	for (unsigned i = 0; i < 2; i++) {
		hash[i] = ended.output[i].hash;
		bytes[i] = ended.output[i].bytes;
	}
}

/* Whether standard output differs from that of the first try. */
static bool has_other_output(const struct search_slot *slot, const struct search_failures *failures,
                             const struct try_outcome *ended, uint64_t first[2])
{
	const uint64_t now[2] = {ended->output[0].hash, ended->output[0].bytes};
	if (!failures->output)
		return false;
	if (slot->number == 1)
		memcpy(first, now, sizeof(now));
	return memcmp(first, now, sizeof(now));
}

/* Returns the last line of eremite's own. Changes the text. */
static char *last_line(char *text)
{
	char *last = NULL;
	for (char *line; (line = strsep(&text, "\n"));)
		if (!strncmp(line, PREFIX, strlen(PREFIX)))
			last = line + strlen(PREFIX);
	return last;
}

char *search_slot_last_line(const struct search_slot *slot)
{
	size_t bytes;
	char *text = contents(slot->messages, MESSAGES_MAX, &bytes), *last = last_line(text);
	last = last ? strdup(last) : NULL;
	free(text);
	return last;
}

static int explain(char *text, int status, uint64_t number, struct error *error)
{
	char *last = last_line(text);
	if (last)
		return error_set(error, EIO, "%s", last);
	if (WIFSIGNALED(status))
		return error_set(error, EIO, "try %lu was ended by signal %d (%s)", number, WTERMSIG(status),
		                 strsignal(WTERMSIG(status)));
	return error_set(error, EIO, "try %lu ended early with status %d", number, WEXITSTATUS(status));
}

/* Says why a program was not started, in the words of the guest if they were kept. */
static int explain_start(const struct search_slot *slot, const struct try_outcome *ended, struct error *error)
{
	size_t bytes;
	char *text = contents(slot->fds.streams[2], MESSAGES_MAX, &bytes), *last = text ? last_line(text) : NULL;
	int result =
		last ? error_set(error, ENOENT, "%s", last)
		     : error_set(error, ENOENT,
	                         "the guest cannot start the program, and ends with status %d; 'eremite run' says why",
	                         ended->status);
	free(text);
	return result;
}

/* What became of the entries of a plan. */
static void read_uses(const struct search_slot *slot)
{
	const struct search_schedule *special = slot->schedule;
	uint8_t uses[4096];
	for (size_t i = 0, got; special && i < special->plan_count; i += got) {
		const size_t left = special->plan_count - i, wanted = left < sizeof(uses) ? left : sizeof(uses);
		const ssize_t bytes = pread(slot->fds.text, uses, wanted, (off_t)(sizeof(struct try_outcome) + i));
		if (bytes <= 0)
			return;
		got = (size_t)bytes;
		for (size_t j = 0; j < got; j++)
			special->plan[i + j].use = uses[j];
	}
}

void search_outcome_judge(struct search_outcome *outcome, const struct search_failures *failures, bool output_fails)
{
	const struct try_outcome *ended = &outcome->outcome;
	outcome->failed =
		(failures->exit_other && ended->end == RUN_EXIT && ended->status) ||
		(failures->signal && ended->end == RUN_SIGNAL) || (failures->deadlock && ended->end == RUN_DEADLOCK) ||
		(failures->timeout && ended->end == RUN_TIMEOUT) || (output_fails && ended->end != RUN_STOPPED);
	outcome->end = name_end(ended);
}

void search_slot_text(const struct search_slot *slot, struct search_text *text)
{
	for (unsigned i = 0; i < 2; i++)
		text->text[i] = contents(slot->fds.streams[1 + i], SEARCH_SAID_MAX, &text->bytes[i]);
	search_text_clean(text);
}

/* Takes the failed tests of a JUnit file in place of what the try has written. */
static void take_report(const struct search_slot *slot, struct search_outcome *outcome)
{
	size_t bytes;
	char *file = contents(slot->report, SEARCH_JUNIT_MAX + 1, &bytes);
	search_said_report(&outcome->said, file, bytes);
	free(file);
}

/* Finds what a failing try has written. It tells failures apart, but not timeouts, because how far a try gets until
 * then depends on the host, and not deadlocks, which the stacks of their threads tell apart. */
static void take_said(const struct search_slot *slot, const struct search_option *option,
                      struct search_outcome *outcome)
{
	struct search_text text;
	if (!outcome->failed) {
		outcome->said.key = text_of("%s", "");
		return;
	}
	search_slot_text(slot, &text);
	search_said_find(&outcome->said, &text, option->fail_by.has_regex ? &option->fail_by.regex : NULL);
	if (option->fail_by.junit)
		take_report(slot, outcome);
	if (outcome->outcome.end == RUN_TIMEOUT || outcome->outcome.end == RUN_DEADLOCK)
		*outcome->said.key = 0;
	if (option->passing && option->passing->text[0])
		outcome->differs = search_said_differs(&text, option->passing);
	search_text_fini(&text);
}

int search_slot_read(struct search_slot *slot, const struct search_option *option, uint64_t first_output[2],
                     struct search_outcome *outcome, struct error *error)
{
	const struct search_failures *failures = &option->failures;
	struct try_outcome *ended = &outcome->outcome;
	size_t bytes;
	*outcome = (struct search_outcome){0};
	char *text = contents(slot->messages, MESSAGES_MAX, &bytes);
	const bool is_told = search_slot_outcome(slot, option, ended);
	if (ended->end == RUN_REPLAYED)
		ended->end = RUN_TIMEOUT; /* the recorded run was stopped there: here, too, the program did not end */
	if (!is_told || ended->is_complete != TRY_COMPLETE ||
	    (ended->end != RUN_EXIT && ended->end != RUN_SIGNAL && ended->end != RUN_DEADLOCK &&
	     ended->end != RUN_TIMEOUT && ended->end != RUN_STOPPED)) {
		int result = explain(text, slot->status, slot->number, error);
		free(text);
		return result;
	}
	if (ended->not_started) {
		free(text);
		return explain_start(slot, ended, error);
	}
	read_uses(slot);
	bool has_other = has_other_output(slot, failures, ended, first_output);
	bool matches = search_slot_matches(slot, failures, 1) || search_slot_matches(slot, failures, 2);
	search_outcome_judge(outcome, failures, matches || has_other);
	outcome->lost_names = strstr(text, PREFIX SYMBOLIZER_MISSING SYMBOLIZER);
	outcome->stacks = take_stacks(text);
	take_said(slot, option, outcome);
	outcome->identity = search_outcome_identity(outcome->end, outcome->stacks, outcome->said.key);
	free(text);
	return 0;
}

bool search_slot_is_again(struct search_slot *slot, struct search_outcome *outcome)
{
	if (!outcome->failed || !outcome->lost_names || slot->again == slot->number)
		return false;
	slot->again = slot->number;
	search_outcome_fini(outcome);
	return true;
}

void search_outcome_fini(struct search_outcome *outcome)
{
	free(outcome->end);
	free(outcome->stacks);
	free(outcome->identity);
	free(outcome->differs);
	search_said_fini(&outcome->said);
}
