/* SPDX-License-Identifier: MIT */
#include "cli/verb_names.h"

#include <string.h>

#include "option/option_table.h"

/* A verb has either a list or a text. The order is that in which a user meets them. */
static const struct {
	const char *verb;
	const struct option_row *list;
	const char *help;
} verbs[] = {
	{"run", option_table_run, NULL},        {"search", NULL, search_option_help},
	{"analyze", NULL, analyze_option_help}, {"pack", NULL, pack_option_help},
	{"verify", option_table_verify, NULL},  {"info", option_table_info, NULL},
	{"sign", option_table_sign, NULL},      {"provenance", option_table_provenance, NULL},
	{"diff", option_table_diff, NULL},
};

bool verb_names_has(const char *help, const char *name, size_t length)
{
	for (const char *line = help; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		const size_t blanks = strspn(line, " ");
		const char *at = line[blanks] == '-' ? strstr(line, "--") : NULL;
		if (at && blanks >= 2 && blanks <= 6 && strcspn(at + 2, "=[ \n") == length &&
		    !strncmp(at + 2, name, length))
			return true;
	}
	return false;
}

static bool list_has(const struct option_row *list, const char *name, size_t length)
{
	const struct option_row *row = option_table_find(list, name, length);
	return row && !(row->traits & OPTION_IS_HIDDEN);
}

const char *verb_names_owner(const char *name, size_t length)
{
	for (unsigned i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (verbs[i].list ? list_has(verbs[i].list, name, length) : verb_names_has(verbs[i].help, name, length))
			return verbs[i].verb;
	return NULL;
}
