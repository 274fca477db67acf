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
const struct option_row option_table_profile[] = {PROFILE_OPTIONS(ROW){0}};
const struct option_row option_table_pack[] = {PACK_OPTIONS(ROW){0}};
const struct option_row option_table_verify[] = {VERIFY_OPTIONS(ROW){0}};
const struct option_row option_table_info[] = {INFO_OPTIONS(ROW){0}};
const struct option_row option_table_sign[] = {SIGN_OPTIONS(ROW){0}};
const struct option_row option_table_provenance[] = {PROVENANCE_OPTIONS(ROW){0}};
const struct option_row option_table_diff[] = {DIFF_OPTIONS(ROW){0}};
const struct option_row option_table_none[] = {{0}};

/* In the order in which a user meets them. */
static const struct option_verb_rows verbs[] = {
	{"run", option_table_run, true},
	{"search", option_table_search, false},
	{"analyze", option_table_analyze, false},
	{"profile", option_table_profile, false},
	{"pack", option_table_pack, false},
	{"verify", option_table_verify, true},
	{"info", option_table_info, true},
	{"sign", option_table_sign, true},
	{"provenance", option_table_provenance, true},
	{"diff", option_table_diff, true},
	{"extract", option_table_none, true},
	{"compare", option_table_none, true},
};

#define VERBS (sizeof(verbs) / sizeof(verbs[0]))

const struct option_row *option_table_find(const struct option_row *rows, const char *name, size_t length)
{
	for (; rows->name; rows++)
		if (strlen(rows->name) == length && !strncmp(rows->name, name, length))
			return rows;
	return NULL;
}

const struct option_verb_rows *option_table_verb(const char *name)
{
	for (unsigned i = 0; i < VERBS; i++)
		if (!strcmp(verbs[i].verb, name))
			return &verbs[i];
	return NULL;
}

const char *option_table_owner(const char *name, size_t length)
{
	for (unsigned i = 0; i < VERBS; i++) {
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
