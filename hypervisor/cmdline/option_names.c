/* SPDX-License-Identifier: MIT */
#include "cmdline/option_names.h"

#include <string.h>

#include "base/die.h"
#include "base/value.h"
#include "cmdline/other_words.h"

#define NAMES_MAX 128

static const struct option_row *list;
static const struct option_verb *verb;

/* Returns the option with that name, or whose name begins with it; or NULL. */
static const struct option_row *find_option(const char *name, size_t length)
{
	const struct option_row *found = NULL;
	for (const struct option_row *option = list; option->name && length; option++) {
		if (strncmp(option->name, name, length))
			continue;
		if (!found || !option->name[length])
			found = option;
	}
	return found;
}

static bool is_own(const char *name, size_t length)
{
	for (unsigned i = 0; verb->own[i]; i++)
		if (length && !strncmp(verb->own[i], name, length) &&
		    (verb->takes_abbreviation || !verb->own[i][length]))
			return true;
	return false;
}

static _Noreturn void refuse_name(const char *name, size_t length)
{
	const char *names[NAMES_MAX + 1];
	const struct option_row *abbreviated = find_option(name, length);
	unsigned count = 0;
	for (unsigned i = 0; verb->own[i] && count < NAMES_MAX; i++)
		names[count++] = verb->own[i];
	for (unsigned i = 0; list[i].name && count < NAMES_MAX; i++)
		if (!(list[i].traits & OPTION_IS_HIDDEN))
			names[count++] = list[i].name;
	names[count] = NULL;
	char *copy = strndup(name, length);
	const char *instead = abbreviated ? NULL : other_words_option(verb->name, name, length);
	const char *nearest = abbreviated ? abbreviated->name : copy ? value_nearest(copy, names) : NULL;
	if (length > 200)
		length = 200;
	if (instead)
		die("%s: there is no option --%.*s; %s", verb->name, (int)length, name, instead);
	if (nearest)
		die("%s: there is no option --%.*s; did you mean --%s? See 'eremite %s --help'", verb->name,
		    (int)length, name, nearest, verb->name);
	die("%s: there is no option --%.*s; see 'eremite %s --help'", verb->name, (int)length, name, verb->name);
}

/* Returns the option with a letter, or NULL. */
static const struct option_row *find_letter(char letter)
{
	const struct option_row *option = list;
	while (option->name && option->letter != letter)
		option++;
	return option->name ? option : NULL;
}

static _Noreturn void refuse_letter(char letter)
{
	const char *instead = other_words_letter(verb->name, letter);
	if (instead)
		die("%s: there is no option -%c; %s", verb->name, letter, instead);
	die("%s: there is no option -%c; see 'eremite %s --help'", verb->name, letter, verb->name);
}

/* Checks letters. Returns whether the last one takes the next word as its value. */
static bool check_letters(const char *letters, bool last)
{
	for (; *letters; letters++) {
		const struct option_row *option = find_letter(*letters);
		if (!option && !strchr("?Vh", *letters))
			refuse_letter(*letters);
		if (!option || !option->argument)
			continue;
		if (!letters[1] && last)
			die("%s: -%c needs a value: -%c %s", verb->name, *letters, *letters, option->argument);
		return !letters[1];
	}
	return false;
}

/* Refuses an abbreviation of several names. */
static void check_unique(const char *name, size_t length)
{
	const char *first = NULL, *second = NULL;
	for (const struct option_row *option = list; option->name; option++) {
		if (strncmp(option->name, name, length))
			continue;
		if (!option->name[length])
			return; /* a whole name, wherever it is in the list */
		if (first && !second)
			second = option->name;
		first = first ? first : option->name;
	}
	if (second)
		die("%s: --%.*s can be --%s or --%s", verb->name, (int)length, name, first, second);
}

/* Refuses a missing value, or a value for an option without one. */
static void check_value(const struct option_row *option, bool given, bool last)
{
	bool needed = option->argument && !(option->traits & OPTION_VALUE_OPTIONAL);
	if (given && !option->argument)
		die("%s: --%s takes no value", verb->name, option->name);
	if (needed && !given && last)
		die("%s: --%s needs a value: --%s %s", verb->name, option->name, option->name, option->argument);
}

void option_names_check(const struct option_verb *of, const struct option_row *options, int argc, char **argv)
{
	list = options;
	verb = of;
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if ((argv[i][0] != '-' || !argv[i][1]) && !verb->is_mixed)
			break;
		if (argv[i][0] != '-' || !argv[i][1])
			continue;
		if (argv[i][1] != '-') {
			i += check_letters(argv[i] + 1, i + 1 == argc);
			continue;
		}
		const char *name = argv[i] + 2;
		size_t length = strcspn(name, "=");
		const struct option_row *found = find_option(name, length);
		const bool is_short = found && found->name[length];
		if ((!found || (is_short && !verb->takes_abbreviation)) && !is_own(name, length))
			refuse_name(name, length);
		if (!found)
			continue;
		check_unique(name, length);
		check_value(found, name[length], i + 1 == argc);
		if (found->argument && !(found->traits & OPTION_VALUE_OPTIONAL) && !name[length])
			i++; /* skips its value */
	}
}
