/* SPDX-License-Identifier: MIT */
#include "option/option_complete.h"

#include "option/option_table.h"

/* argp(3) shows an optional value in brackets, so a user expects no "=" there. */
static bool shows_equals(const struct option_verb_rows *verb, const struct option_row *row)
{
	return row->argument && !(row->traits & OPTION_IS_FOLLOWED) &&
	       !(verb->has_argp && row->traits & OPTION_VALUE_OPTIONAL);
}

bool option_complete_print(FILE *to, const char *name)
{
	const struct option_verb_rows *verb = option_table_verb(name);
	if (!verb)
		return false;
	for (const struct option_row *row = verb->rows; row->name; row++)
		if (!(row->traits & OPTION_IS_HIDDEN))
			fprintf(to, "--%s%s%s%s\n", row->name, shows_equals(verb, row) ? "=" : "",
			        row->values ? " " : "", row->values ? row->values : "");
	if (verb->has_argp)
		fputs("--help\n--usage\n--version\n", to);
	return true;
}
