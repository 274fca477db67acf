/* SPDX-License-Identifier: MIT */
/* run->environment is NULL or ends with a NULL; its strings live as long as the process. */
#include "session/environment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/environment.h"
#include "base/die.h"

#define DEFAULT_STRING(string) (char *)string, /* never written to */

/* Whether a setting sets that variable. */
static bool is_of(const char *setting, const char *name, size_t length)
{
	return !strncmp(setting, name, length) && setting[length] == '=';
}

/* Returns the index of a variable, or environment_count. */
static unsigned find(const struct run_config *run, const char *name, size_t length)
{
	unsigned i = 0;
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
static int copy_from_host(const char *name, char **setting, char error[256])
{
	const char *value = getenv(name);
	if (!value)
		return refuse(error, ENOENT,
		              "--env '%.100s': the host's environment has no such variable; give it as NAME=VALUE",
		              name);
	if (asprintf(setting, "%s=%s", name, value) < 0)
		return refuse(error, ENOMEM, "out of memory");
	return 0;
}

int environment_set(struct run_config *run, char *setting, char error[256])
{
	size_t length = strcspn(setting, "=");
	if (!length)
		return refuse(error, EINVAL, "--env '%.100s': give it as NAME=VALUE, or NAME for the host's value",
		              setting);
	int result = setting[length] ? 0 : copy_from_host(setting, &setting, error);
	if (result)
		return result;
	unsigned at = find(run, setting, length);
	if (at == run->environment_count) {
		if (grow(run, 1))
			return refuse(error, ENOMEM, "out of memory");
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
