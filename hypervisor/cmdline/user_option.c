/* SPDX-License-Identifier: MIT */
#include "cmdline/user_option.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* Reads the number of a user or a group, and moves the text behind it. Refuses UINT32_MAX, which chown(2) takes for "no
 * change".
 */
static bool take_number(const char **text, uint32_t *number)
{
	char *end;
	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	const unsigned long value = strtoul(*text, &end, 10);
	*text = end;
	*number = (uint32_t)value;
	return !errno && value < UINT32_MAX;
}

/* Puts a group where it belongs in the ascending list. */
static void add_group(struct boot_user *user, uint32_t group)
{
	uint32_t at = 0;
	while (at < user->group_count && user->groups[at] < group)
		at++;
	if (at < user->group_count && user->groups[at] == group)
		return;
	memmove(user->groups + at + 1, user->groups + at, (user->group_count - at) * sizeof(group));
	user->groups[at] = group;
	user->group_count++;
}

int user_option_read(const char *text, struct boot_user *user, struct error *error)
{
	const char *at = text;
	uint32_t group;
	*user = (struct boot_user){0};
	bool is_sound = take_number(&at, &user->user) && *at++ == ':' && take_number(&at, &user->group);
	while (is_sound && *at == ',') {
		at++;
		is_sound = take_number(&at, &group);
		if (is_sound && user->group_count == BOOT_GROUPS_MAX)
			return error_set(error, E2BIG, "--user '%.100s': a program can have %u supplementary groups",
			                 text, BOOT_GROUPS_MAX);
		if (is_sound)
			add_group(user, group);
	}
	if (is_sound && !*at)
		return 0;
	return error_set(error, EINVAL, "--user '%.100s': give numbers below 4294967295 as UID:GID or UID:GID,GID...",
	                 text);
}
