/* SPDX-License-Identifier: MIT */
/* The table of options: a row for each option of each verb. The rows are lists X(...), one for each verb
 * (run_options.h), so that the command that takes an option adds its function to the row, and folders below the
 * commands read the same rows. */
#ifndef HYPERVISOR_OPTION_TABLE_H
#define HYPERVISOR_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>

/** What a row says about an option, besides its texts. */
enum option_trait {
	OPTION_VALUE_OPTIONAL = 1 << 0, /**< --NAME and --NAME=VALUE */
	OPTION_TAKES_VALUES = 1 << 1,   /**< only `values`; others are those of the option of eremite run */
	OPTION_IS_FOLLOWED = 1 << 2,    /**< has no value: `argument` shows the arguments of the verb */
	OPTION_IS_HIDDEN = 1 << 3,      /**< neither in --help nor in suggestions */
	/* Options of eremite run that no run of another verb can have: */
	OPTION_NOT_OF_SEARCH = 1 << 4,
	OPTION_NOT_OF_ANALYZE = 1 << 5,
	/* Inputs of a run: */
	OPTION_KEPT_IN_RECORDINGS = 1 << 6,
	OPTION_KEPT_IN_IMAGES = OPTION_KEPT_IN_RECORDINGS | 1 << 7, /**< and in recordings */
	OPTION_KEPT_BY_ITSELF = 1 << 8,                             /**< its function notes its value */
	OPTION_KEPT_ADDS = 1 << 9,         /**< a given one adds to the kept ones, and replaces none */
	OPTION_KEPT_AS_SCHEDULE = 1 << 10, /**< a given one replaces all kept ones with this trait */
	/* No inputs: */
	OPTION_KEPT_NOWHERE = 1 << 11, /**< not even on the command line that is made of a recording or an image */
};

/** An option of a verb. */
struct option_row {
	const char *name;     /**< without dashes; NULL: the end of the rows */
	char letter;          /**< 0: none */
	const char *argument; /**< as --help shows it; NULL: none */
	unsigned traits;      /**< bits of enum option_trait */
	const char *values;   /**< that completion offers, separated by blanks; NULL: none */
	int group;            /**< of --help */
	const char *help;
};

/** The options of a verb. */
struct option_verb_rows {
	const char *verb;
	const struct option_row *rows;
	bool has_argp; /**< argp(3) parses them, and has --help, --usage and --version */
};

/** The function of a row, for an array of the functions of a list. */
#define OPTION_TAKE(name, letter, argument, traits, values, take, group, help) take,

/** Define the function of an option that sets a member of `type` to an expression, which may have its value as `text`,
 * or gives a member and its value to another function. */
#define OPTION_SETS(take, type, member, expression) \
	static void take(type *options, __attribute__((unused)) char *text) \
	{ \
		options->member = expression; \
	}
#define OPTION_PASSES(take, type, member, function) \
	static void take(type *options, char *text) \
	{ \
		function(&options->member, text); \
	}

/** The options of each verb. */
extern const struct option_row option_table_run[], option_table_search[], option_table_analyze[],
	option_table_profile[], option_table_pack[], option_table_verify[], option_table_info[], option_table_sign[],
	option_table_provenance[], option_table_diff[], option_table_none[];

/** Returns the row with exactly that name of `length` bytes, or NULL. */
const struct option_row *option_table_find(const struct option_row *rows, const char *name, size_t length);

/** Returns the options of a verb, or NULL if there is no such verb. */
const struct option_verb_rows *option_table_verb(const char *name);

/** The first verb with an option of that name, which is not hidden; NULL: no verb has it. */
const char *option_table_owner(const char *name, size_t length);

/** Whether an option is an input of a run, so that a recording keeps it. */
bool option_table_is_input(const struct option_row *row);

/** Whether an option is an input that a sealed image keeps. */
bool option_table_is_sealed(const struct option_row *row);

#endif
