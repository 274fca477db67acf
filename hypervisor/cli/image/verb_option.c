/* SPDX-License-Identifier: MIT */
#include "cli/image/verb_option.h"

#include <string.h>

#include "base/commit.h"
#include "base/die.h"
#include "base/exit_status.h"
#include "cli/option_names.h"

static error_t parse_help(int key, char *argument, struct argp_state *state)
{
	(void)argument;
	if (key != 'h')
		return ARGP_ERR_UNKNOWN;
	argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
	return 0;
}

void verb_option_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	static const struct argp_option options[] = {{NULL, 'h', NULL, OPTION_HIDDEN, NULL, 1}, {0}};
	static const struct argp help = {.options = options, .parser = parse_help};
	static const struct argp_child children[] = {{&help, 0, NULL, 0}, {0}};
	struct argp whole = *argp;
	whole.children = children;
	static const char *const own[] = {"help", "usage", "version", NULL}; /* argp's */
	static const struct argp_option none[] = {{0}};
	const struct option_verb verb = {argv[0] + strlen("eremite "), own, true, true};
	option_names_check(&verb, argp->options ? argp->options : none, argc, argv);
	argp_program_version = commit_version;
	argp_err_exit_status = EXIT_EREMITE;
	error_t error = argp_parse(&whole, argc, argv, 0, NULL, input);
	if (error)
		die("cannot read the command line: %s", strerror(error));
}
