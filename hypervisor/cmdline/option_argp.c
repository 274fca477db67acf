/* SPDX-License-Identifier: MIT */
#include "cmdline/option_argp.h"

#include <assert.h>
#include <stdio.h>

#define ROWS_MAX 64U
#define KEY_FIRST 0x100 /* of options without a letter: argp takes a key that is a character for a letter */

static int row_key(const struct option_row *rows, unsigned i)
{
	return rows[i].letter ? rows[i].letter : KEY_FIRST + (int)i;
}

const struct argp_option *option_argp_list(const struct option_row *rows)
{
	static struct argp_option list[ROWS_MAX + 1];
	unsigned count = 0;
	for (; rows[count].name; count++) {
		const struct option_row *row = &rows[count];
		const int optional = row->traits & OPTION_VALUE_OPTIONAL ? OPTION_ARG_OPTIONAL : 0;
		const int hidden = row->traits & OPTION_IS_HIDDEN ? OPTION_HIDDEN : 0;
		assert(count < ROWS_MAX);
		list[count] = (struct argp_option){
			row->name, row_key(rows, count), row->argument, optional | hidden, row->help, row->group};
	}
	list[count] = (struct argp_option){0};
	return list;
}

const struct option_row *option_argp_row(const struct option_row *rows, int key)
{
	for (unsigned i = 0; rows[i].name; i++)
		if (row_key(rows, i) == key)
			return &rows[i];
	return NULL;
}

static error_t parse_help(int key, char *, struct argp_state *state)
{
	if (key != 'h')
		return ARGP_ERR_UNKNOWN;
	argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
	return 0;
}

static const struct argp help = {
	.options = (const struct argp_option[]){{NULL, 'h', NULL, OPTION_HIDDEN, NULL, 1}, {0}},
	.parser = parse_help,
};

const struct argp_child option_argp_help[] = {{&help, 0, NULL, 0}, {0}};
