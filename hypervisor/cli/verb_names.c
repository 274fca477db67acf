/* SPDX-License-Identifier: MIT */
#include "cli/verb_names.h"

#include <stdbool.h>
#include <string.h>

#include "cli/option_list.h"

/* A verb has either a list or a text. The order is that in which a user meets them. */
static const struct {
	const char *verb;
	const struct argp_option *list;
	const char *help;
} verbs[] = {
	{"run", option_list, NULL},
	{"search", NULL, search_option_help},
	{"analyze", NULL, analyze_option_help},
	{"pack", NULL, pack_option_help},
	{"verify", verify_option_list, NULL},
	{"info", cmd_info_options, NULL},
	{"sign", cmd_sign_options, NULL},
	{"provenance", cmd_provenance_options, NULL},
	{"diff", cmd_diff_options, NULL},
};

/* Whether a text of --help has the option --NAME of `length` bytes: as the first word with -- in a line that begins
 * with two to six blanks. */
static bool help_has(const char *help, const char *name, size_t length)
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

static bool list_has(const struct argp_option *list, const char *name, size_t length)
{
	for (; list->name || list->key; list++)
		if (list->name && !(list->flags & OPTION_HIDDEN) && strlen(list->name) == length &&
		    !strncmp(list->name, name, length))
			return true;
	return false;
}

const char *verb_names_owner(const char *name, size_t length)
{
	for (unsigned i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (verbs[i].list ? list_has(verbs[i].list, name, length) : help_has(verbs[i].help, name, length))
			return verbs[i].verb;
	return NULL;
}
