/* SPDX-License-Identifier: MIT */
#include "cmdline/terminal_option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/error.h"
#include "base/raw_mode.h"
#include "cmdline/record_option.h"
#include "session/environment.h"

void terminal_option_set(struct run_config *run, const char *text)
{
	char after;
	unsigned columns, rows;
	run->tty = true;
	run->tty_columns = run->tty_rows = 0;
	if (!text)
		return;
	if (sscanf(text, "%5ux%5u%c", &columns, &rows, &after) != 2 || columns < 1 || columns > UINT16_MAX ||
	    rows < 1 || rows > UINT16_MAX)
		die("--tty=%s: give a size such as 80x24, columns and rows, or leave it out for your terminal's", text);
	run->tty_columns = (uint16_t)columns;
	run->tty_rows = (uint16_t)rows;
}

/* Whether TERM belongs to the default environment. An image spells that by --no-env and the variables. */
static bool has_term(const struct session *options)
{
	static const char no_env[] = "--no-env";
	bool is_default = false, is_given = false;
	const struct sealed_run *sealed = options->sealed;
	for (unsigned i = 0; sealed && i < sealed->step->default_count; i++)
		is_default = is_default || !strcmp(sealed->step->defaults[i], no_env);
	for (unsigned i = 0; sealed && i < sealed->mark.override_count; i++)
		is_given = is_given || !strcmp(sealed->overrides[i], no_env);
	return !options->no_env || (is_default && !is_given);
}

/* The terminal's properties are inputs of the run: its size and TERM. A replay takes them from the recording, and needs
 * no terminal. */
void terminal_option_open(struct session *options)
{
	static char term[] = "TERM";
	struct run_config *run = &options->run;
	uint16_t rows = 0, columns = 0;
	struct error error;
	char size[16];
	if (!options->replay_path && raw_mode_open(&rows, &columns, &error))
		die("%s", error.text);
	if (!run->tty_rows) {
		run->tty_rows = rows ? rows : 24;
		run->tty_columns = columns ? columns : 80;
		snprintf(size, sizeof(size), "%ux%u", run->tty_columns, run->tty_rows);
		session_given_add(&options->given, "tty", size);
	}
	if (has_term(options) && !environment_get(run, term) && getenv(term) && !options->replay_path) {
		if (environment_set(run, term, &error))
			die("%s", error.text);
		session_given_add(&options->given, "env", run->environment[run->environment_count - 1]);
	}
	run->tty_term = environment_get(run, term);
}
