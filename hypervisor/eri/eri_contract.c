/* SPDX-License-Identifier: MIT */
#include "eri/eri_contract.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "abi/image.h"

/* What versions after the first published one have added to options that images keep. A new option has a row with its
 * name, and a new form of a value one with what such a value has, too. */
static const struct added {
	unsigned version;
	const char *option;    /* --NAME, or --NAME= with a value */
	const char *parameter; /* of the value, such as reads=; NULL: the whole value */
	const char *mark;      /* what this parameter has in the new form; NULL: anything */
} all_added[] = {
	{25, "--sched=", "reads=", "+"},        /* A+B: the order of two accesses */
	{25, "--file-times=", NULL, "content"}, /* times of sources by their contents */
	{25, "--clock=", NULL, NULL},
};

#define ADDED (sizeof(all_added) / sizeof(all_added[0]))

/* The parameter of a policy or the member of a list that begins so, up to the next comma; without a name, all of the
 * value. Returns its bytes, 0 if it is not there. */
static size_t find_parameter(const char *value, const char *name, const char **found)
{
	*found = value;
	if (!name)
		return strlen(value);
	for (; **found; *found += strcspn(*found, ":,"), *found += **found != 0)
		if (!strncmp(*found, name, strlen(name)))
			return strcspn(*found, ",");
	return 0;
}

static bool is_used(const struct added *added, const char *option)
{
	const char *parameter;
	if (strncmp(option, added->option, strlen(added->option)))
		return false;
	const size_t bytes = find_parameter(option + strlen(added->option), added->parameter, &parameter);
	return added->mark ? bytes && memmem(parameter, bytes, added->mark, strlen(added->mark))
	                   : !added->parameter || bytes;
}

unsigned eri_contract_of(char *const *options, unsigned count)
{
	unsigned least = IMAGE_ABI_FIRST_PUBLISHED;
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; k < ADDED; k++)
			if (all_added[k].version > least && is_used(&all_added[k], options[i]))
				least = all_added[k].version;
	return least;
}
