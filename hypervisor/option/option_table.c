/* SPDX-License-Identifier: MIT */
#include "option/option_table.h"

#include <string.h>

#include "option/run_options.h"
#include "option/runs_options.h"
#include "option/verb_options.h"

#define ROW(name, letter, argument, traits, values, take, group, help) \
	{name, letter, argument, traits, values, group, help},

const struct option_row option_table_run[] = {RUN_OPTIONS(ROW){0}};
const struct option_row option_table_search[] = {SEARCH_OPTIONS(ROW){0}};
const struct option_row option_table_analyze[] = {ANALYZE_OPTIONS(ROW){0}};
const struct option_row option_table_pack[] = {PACK_OPTIONS(ROW){0}};
const struct option_row option_table_verify[] = {VERIFY_OPTIONS(ROW){0}};
const struct option_row option_table_info[] = {INFO_OPTIONS(ROW){0}};
const struct option_row option_table_sign[] = {SIGN_OPTIONS(ROW){0}};
const struct option_row option_table_provenance[] = {PROVENANCE_OPTIONS(ROW){0}};
const struct option_row option_table_diff[] = {DIFF_OPTIONS(ROW){0}};
const struct option_row option_table_none[] = {{0}};

/* In the order in which a user meets them. */
static const struct {
	const char *verb;
	const struct option_row *rows;
} verbs[] = {
	{"run", option_table_run},   {"search", option_table_search},         {"analyze", option_table_analyze},
	{"pack", option_table_pack}, {"verify", option_table_verify},         {"info", option_table_info},
	{"sign", option_table_sign}, {"provenance", option_table_provenance}, {"diff", option_table_diff},
};

const struct option_row *option_table_find(const struct option_row *rows, const char *name, size_t length)
{
	for (; rows->name; rows++)
		if (strlen(rows->name) == length && !strncmp(rows->name, name, length))
			return rows;
	return NULL;
}

const char *option_table_owner(const char *name, size_t length)
{
	for (unsigned i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		const struct option_row *row = option_table_find(verbs[i].rows, name, length);
		if (row && !(row->traits & OPTION_IS_HIDDEN))
			return verbs[i].verb;
	}
	return NULL;
}

bool option_table_is_input(const struct option_row *row)
{
	return row->traits & OPTION_KEPT_IN_RECORDINGS;
}

bool option_table_is_sealed(const struct option_row *row)
{
	return (row->traits & OPTION_KEPT_IN_IMAGES) == OPTION_KEPT_IN_IMAGES;
}
