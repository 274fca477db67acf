/* SPDX-License-Identifier: MIT */
#include "cmdline/verb_option.h"

#include <string.h>

#include "base/commit.h"
#include "base/die.h"
#include "base/exit_status.h"
#include "cmdline/option_argp.h"
#include "cmdline/option_names.h"

/* A line that is parsed. */
struct parsed_line {
	const struct verb_line *line;
	void *input;
	char **words;
};

static error_t parse_line_word(int key, char *text, struct argp_state *state)
{
	const struct parsed_line *parsed = state->input;
	const struct verb_line *line = parsed->line;
	const struct option_row *row = option_argp_row(line->rows, key);
	if (row) {
		line->take(parsed->input, (size_t)(row - line->rows), text);
		return 0;
	}
	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (state->arg_num >= line->most)
		die(line->too_many, text);
	parsed->words[state->arg_num] = text;
	return 0;
}

void verb_option_line(const struct verb_line *line, int argc, char **argv, void *input, char **words)
{
	const struct argp argp = {.parser = parse_line_word, .args_doc = line->args_doc, .doc = line->doc};
	verb_option_parse(&argp, line->rows, argc, argv, &(struct parsed_line){line, input, words});
}

void verb_option_parse(const struct argp *argp, const struct option_row *rows, int argc, char **argv, void *input)
{
	struct argp whole = *argp;
	static const char *const own[] = {"help", "usage", "version", NULL}; /* argp's */
	const struct option_verb verb = {argv[0] + strlen("eremite "), own, true, true};
	whole.options = option_argp_list(rows);
	whole.children = option_argp_help;
	option_names_check(&verb, rows, argc, argv);
	argp_program_version = commit_version;
	argp_err_exit_status = EXIT_EREMITE;
	error_t error = argp_parse(&whole, argc, argv, 0, NULL, input);
	if (error)
		die("cannot read the command line: %s", strerror(error));
}
