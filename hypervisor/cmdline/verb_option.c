/* SPDX-License-Identifier: MIT */
#include "cmdline/verb_option.h"

#include <string.h>

#include "base/commit.h"
#include "base/die.h"
#include "base/exit_status.h"
#include "cmdline/option_argp.h"
#include "cmdline/option_names.h"

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
