/* SPDX-License-Identifier: MIT */
/* run->environment is NULL or ends with a NULL; its strings live as long as the process. */
#include "session/environment.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/environment.h"
#include "base/error.h"

#define TABLE_FROM 64   /* variables: fewer are found as fast without a table */
#define TABLE_LEAST 512 /* slots */

#define DEFAULT_STRING(string) (char *)string, /* never written to */

/* Whether a setting sets that variable. */
static bool is_of(const char *setting, const char *name, size_t length)
{
	return !strncmp(setting, name, length) && setting[length] == '=';
}

/* A table of the variables, because an image or a recording may have 100,000 of them. */
static struct {
	const struct run_config *run;
	unsigned count;    /* of variables that are in it: the first ones of the run */
	unsigned *slots;   /* 1 + index of a variable; 0: free */
	size_t slot_count; /* a power of two, more than twice `count` */
} table;

static size_t slot_of(const char *name, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325UL; /* FNV-1a */
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (uint8_t)name[i]) * 0x100000001b3UL;
	return (size_t)(hash ^ hash >> 32) & (table.slot_count - 1);
}

/* Finds a variable in the table. Returns its slot, or the free one for it. */
static unsigned *find_slot(const struct run_config *run, const char *name, size_t length)
{
	size_t at = slot_of(name, length);
	while (table.slots[at] && !is_of(run->environment[table.slots[at] - 1], name, length))
		at = (at + 1) & (table.slot_count - 1);
	return &table.slots[at];
}

/* Enters the variables that are not in the table yet. Returns false if there is no memory. */
static bool fill_table(const struct run_config *run)
{
	const bool is_other = table.run != run || table.count > run->environment_count;
	if (is_other || 2UL * run->environment_count >= table.slot_count) {
		size_t wanted = TABLE_LEAST;
		while (wanted < 4UL * run->environment_count)
			wanted *= 2;
		free(table.slots);
		table.slots = calloc(wanted, sizeof(*table.slots));
		table.slot_count = table.slots ? wanted : 0;
		table.count = 0;
		table.run = run;
	}
	for (; table.slots && table.count < run->environment_count; table.count++) {
		const char *setting = run->environment[table.count];
		unsigned *slot = find_slot(run, setting, strcspn(setting, "="));
		*slot = *slot ? *slot : table.count + 1;
	}
	return table.slots;
}

/* Returns the index of a variable, or environment_count. */
static unsigned find(const struct run_config *run, const char *name, size_t length)
{
	unsigned i = 0;
	if (run->environment_count <= TABLE_FROM)
		table.run = NULL; /* another command line may have begun */
	else if (fill_table(run)) {
		const unsigned found = *find_slot(run, name, length);
		return found ? found - 1 : run->environment_count;
	}
	while (i < run->environment_count && !is_of(run->environment[i], name, length))
		i++;
	return i;
}

/* Makes room for more strings and the NULL at the end. */
static int grow(struct run_config *run, unsigned more)
{
	char **grown = realloc(run->environment, (run->environment_count + more + 1UL) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	run->environment = grown;
	grown[run->environment_count + more] = NULL;
	return 0;
}

/* Makes NAME=VALUE with the host's value. */
static int copy_from_host(const char *name, char **setting, struct error *error)
{
	const char *value = getenv(name);
	if (!value)
		return error_set(error, ENOENT,
		                 "--env '%.100s': the host's environment has no such variable; give it as NAME=VALUE",
		                 name);
	if (asprintf(setting, "%s=%s", name, value) < 0)
		return error_set(error, ENOMEM, "out of memory");
	return 0;
}

int environment_set(struct run_config *run, char *setting, struct error *error)
{
	size_t length = strcspn(setting, "=");
	if (!length)
		return error_set(error, EINVAL, "--env '%.100s': give it as NAME=VALUE, or NAME for the host's value",
		                 setting);
	int result = setting[length] ? 0 : copy_from_host(setting, &setting, error);
	if (result)
		return result;
	unsigned at = find(run, setting, length);
	if (at == run->environment_count) {
		if (grow(run, 1))
			return error_set(error, ENOMEM, "out of memory");
		run->environment_count++;
	}
	run->environment[at] = setting;
	return 0;
}

int environment_add_defaults(struct run_config *run)
{
	static char *const defaults[] = {ENVIRONMENT_DEFAULT_LIST(DEFAULT_STRING)};
	const unsigned most = sizeof(defaults) / sizeof(defaults[0]);
	char *wanted[sizeof(defaults) / sizeof(defaults[0])];
	unsigned count = 0;
	for (unsigned i = 0; i < most; i++)
		if (find(run, defaults[i], strcspn(defaults[i], "=")) == run->environment_count)
			wanted[count++] = defaults[i];
	if (grow(run, count))
		return -ENOMEM;
	table.run = NULL; /* they get other indices */
	memmove(run->environment + count, run->environment, run->environment_count * sizeof(*wanted));
	memcpy(run->environment, wanted, count * sizeof(*wanted));
	run->environment_count += count;
	return 0;
}

const char *environment_get(const struct run_config *run, const char *name)
{
	size_t length = strlen(name);
	unsigned at = find(run, name, length);
	return at < run->environment_count ? run->environment[at] + length + 1 : NULL;
}
