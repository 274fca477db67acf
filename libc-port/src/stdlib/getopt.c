/* SPDX-License-Identifier: MIT */
/* getopt and its long forms as on Linux: order, abbreviations, messages. Replaces newlib's.
 *
 * Operands passed over are argv[skipped_from..skipped_to); they move behind the options that follow them. */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

enum order { PERMUTE, STOP_AT_OPERAND, RETURN_OPERANDS };

static struct {
	bool started;
	enum order order;
	char *rest; /* the rest of a cluster of short options */
	int skipped_from, skipped_to;
} state;

/* One call's arguments. */
struct call {
	int argc;
	char **argv;
	const char *shorts;
	const struct option *longs;
	int *index;
	bool long_only, report;
};

static const char *start_scan(const char *shorts)
{
	if (optind == 0 || !state.started) {
		if (optind == 0)
			optind = 1;
		state.started = true;
		state.rest = NULL;
		state.skipped_from = state.skipped_to = optind;
		if (*shorts == '-')
			state.order = RETURN_OPERANDS;
		else if (*shorts == '+' || getenv("POSIXLY_CORRECT"))
			state.order = STOP_AT_OPERAND;
		else
			state.order = PERMUTE;
	}
	return shorts + (*shorts == '-' || *shorts == '+');
}

static void reverse(char **first, char **last)
{
	while (first < --last) {
		char *word = *first;
		*first++ = *last;
		*last = word;
	}
}

/* Moves the operands passed over behind the options read since. */
static void move_operands(char **argv)
{
	reverse(argv + state.skipped_from, argv + state.skipped_to);
	reverse(argv + state.skipped_to, argv + optind);
	reverse(argv + state.skipped_from, argv + optind);
	state.skipped_from += optind - state.skipped_to;
	state.skipped_to = optind;
}

static bool is_operand(const char *word)
{
	return word[0] != '-' || word[1] == '\0';
}

static int missing_argument(const struct call *call)
{
	return *call->shorts == ':' ? ':' : '?';
}

static bool begins_with(const char *name, const char *text, size_t size)
{
	return strncmp(name, text, size) == 0;
}

static bool differ(const struct option *a, const struct option *b)
{
	return a->has_arg != b->has_arg || a->flag != b->flag || a->val != b->val;
}

/* Finds the option that text names or abbreviates. Returns NULL and sets *ambiguous if it abbreviates several. */
static const struct option *find_long(const struct call *call, const char *text, size_t size, bool *ambiguous)
{
	const struct option *found = NULL;
	*ambiguous = false;
	for (const struct option *option = call->longs; option->name; option++)
		if (begins_with(option->name, text, size) && option->name[size] == '\0')
			return option;
	for (const struct option *option = call->longs; option->name; option++) {
		if (!begins_with(option->name, text, size))
			continue;
		if (!found)
			found = option;
		else if (call->long_only || differ(found, option))
			*ambiguous = true;
	}
	return *ambiguous ? NULL : found;
}

static void report_ambiguous(const struct call *call, const char *text, size_t size, const char *dashes)
{
	flockfile(stderr);
	fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", call->argv[0], dashes, text);
	for (const struct option *option = call->longs; option->name; option++)
		if (begins_with(option->name, text, size))
			fprintf(stderr, " '%s%s'", dashes, option->name);
	fprintf(stderr, "\n");
	funlockfile(stderr);
}

/* Completes an option: its argument and its result. */
static int take_long(const struct call *call, const struct option *option, char *value, const char *dashes)
{
	if (value && option->has_arg == no_argument) {
		if (call->report)
			fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", call->argv[0], dashes,
			        option->name);
		optopt = option->val;
		return '?';
	}
	if (!value && option->has_arg == required_argument) {
		if (optind >= call->argc) {
			if (call->report)
				fprintf(stderr, "%s: option '%s%s' requires an argument\n", call->argv[0], dashes,
				        option->name);
			optopt = option->val;
			return missing_argument(call);
		}
		value = call->argv[optind++];
	}
	optarg = value;
	if (call->index)
		*call->index = (int)(option - call->longs);
	if (!option->flag)
		return option->val;
	*option->flag = option->val;
	return 0;
}

/* Takes the long option at text. Returns -1 if getopt_long_only must read it as short options. */
static int long_option(const struct call *call, char *text, const char *dashes)
{
	size_t size = strcspn(text, "=");
	bool ambiguous;
	const struct option *option = find_long(call, text, size, &ambiguous);
	if (!option && !ambiguous && call->long_only && call->argv[optind][1] != '-' && strchr(call->shorts, *text))
		return -1;
	state.rest = NULL;
	optind++;
	if (option)
		return take_long(call, option, text[size] ? text + size + 1 : NULL, dashes);
	if (call->report && ambiguous)
		report_ambiguous(call, text, size, dashes);
	else if (call->report)
		fprintf(stderr, "%s: unrecognized option '%s%s'\n", call->argv[0], dashes, text);
	optopt = 0;
	return '?';
}

/* Takes the argument of the short option c: the rest of its word, or the next word. Without one, reports it and returns
 * false. */
static bool short_argument(const struct call *call, int c)
{
	if (*state.rest) {
		optarg = state.rest;
		optind++;
	} else if (optind == call->argc) {
		if (call->report)
			fprintf(stderr, "%s: option requires an argument -- '%c'\n", call->argv[0], c);
		optopt = c;
		state.rest = NULL;
		return false;
	} else {
		optarg = call->argv[optind++];
	}
	state.rest = NULL;
	return true;
}

static int short_option(const struct call *call)
{
	int c = (unsigned char)*state.rest++;
	const char *found = c == ':' || c == ';' ? NULL : strchr(call->shorts, c);
	if (*state.rest == '\0')
		optind++;
	if (!found) {
		if (call->report)
			fprintf(stderr, "%s: invalid option -- '%c'\n", call->argv[0], c);
		optopt = c;
		return '?';
	}
	if (c == 'W' && found[1] == ';' && call->longs) { /* -W name is --name */
		struct call plain = *call;
		plain.long_only = false;
		if (!short_argument(call, c))
			return missing_argument(call);
		char *name = optarg;
		optarg = NULL;
		optind--;
		return long_option(&plain, name, "-W ");
	}
	if (found[1] != ':')
		return c;
	if (found[2] == ':' && *state.rest == '\0') {
		state.rest = NULL;
		return c;
	}
	return short_argument(call, c) ? c : missing_argument(call);
}

/* Moves over operands to the next option, at argv[optind]. Returns 0, or the result of getopt if there is none. */
static int next_word(const struct call *call)
{
	if (state.skipped_to > optind)
		state.skipped_to = optind;
	if (state.skipped_from > optind)
		state.skipped_from = optind;
	if (state.order == PERMUTE) {
		if (state.skipped_from == state.skipped_to)
			state.skipped_from = state.skipped_to = optind;
		else
			move_operands(call->argv);
		while (optind < call->argc && is_operand(call->argv[optind]))
			optind++;
		state.skipped_to = optind;
	}
	if (optind < call->argc && strcmp(call->argv[optind], "--") == 0) {
		optind++;
		if (state.skipped_from == state.skipped_to)
			state.skipped_from = optind;
		else
			move_operands(call->argv);
		optind = state.skipped_to = call->argc;
	}
	if (optind >= call->argc) {
		if (state.skipped_from != state.skipped_to)
			optind = state.skipped_from;
		return -1;
	}
	if (!is_operand(call->argv[optind]))
		return 0;
	if (state.order == STOP_AT_OPERAND)
		return -1;
	optarg = call->argv[optind++];
	return 1;
}

static int next_option(struct call call)
{
	if (call.argc < 1)
		return -1;
	optarg = NULL;
	call.shorts = start_scan(call.shorts);
	call.report = opterr && *call.shorts != ':';
	if (state.rest && *state.rest)
		return short_option(&call);

	int result = next_word(&call);
	if (result != 0)
		return result;
	char *word = call.argv[optind];
	if (call.longs && word[1] == '-')
		return long_option(&call, word + 2, "--");
	if (call.longs && call.long_only && (word[2] || !strchr(call.shorts, word[1]))) {
		result = long_option(&call, word + 1, "-");
		if (result != -1)
			return result;
	}
	state.rest = word + 1;
	return short_option(&call);
}

int getopt(int argc, char *const argv[], const char *shorts)
{
	return next_option((struct call){.argc = argc, .argv = (char **)argv, .shorts = shorts});
}

int getopt_long(int argc, char *const argv[], const char *shorts, const struct option *longs, int *index)
{
	return next_option((struct call){argc, (char **)argv, shorts, longs, index, false, false});
}

int getopt_long_only(int argc, char *const argv[], const char *shorts, const struct option *longs, int *index)
{
	return next_option((struct call){argc, (char **)argv, shorts, longs, index, true, false});
}
