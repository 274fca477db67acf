/* SPDX-License-Identifier: MIT */
#include "option/option_table.h"

#include <string.h>

#include "option/run_options.h"
#include "option/verb_options.h"

#define ROW(name, letter, argument, traits, take, group, help) {name, letter, argument, traits, group, help},

const struct option_row option_table_run[] = {RUN_OPTIONS(ROW){0}};
const struct option_row option_table_verify[] = {VERIFY_OPTIONS(ROW){0}};
const struct option_row option_table_info[] = {INFO_OPTIONS(ROW){0}};
const struct option_row option_table_sign[] = {SIGN_OPTIONS(ROW){0}};
const struct option_row option_table_provenance[] = {PROVENANCE_OPTIONS(ROW){0}};
const struct option_row option_table_diff[] = {DIFF_OPTIONS(ROW){0}};
const struct option_row option_table_none[] = {{0}};

const struct option_row *option_table_find(const struct option_row *rows, const char *name, size_t length)
{
	for (; rows->name; rows++)
		if (strlen(rows->name) == length && !strncmp(rows->name, name, length))
			return rows;
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
