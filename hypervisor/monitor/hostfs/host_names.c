/* SPDX-License-Identifier: MIT */
#include "hostfs/host_names.h"

#include <stddef.h>
#include <string.h>

#include "abi/host_file.h"

bool host_names_is_one(const char *name)
{
	return strcmp(name, ".") && strcmp(name, "..") && !strchr(name, '/');
}

unsigned host_names_split(char *path)
{
	unsigned count = 1;
	for (char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/'), count++) {
		if (slash == path || !slash[-1] || !slash[1])
			return 0;
		*slash = 0;
	}
	return count;
}

bool host_names_take(const uint8_t **at, const uint8_t *end, char name[NAME_MAX + 1])
{
	struct host_file_name head;
	if (end - *at < (ptrdiff_t)sizeof(head))
		return false;
	memcpy(&head, *at, sizeof(head));
	*at += sizeof(head);
	if (!head.length || end - *at < head.length || memchr(*at, 0, head.length))
		return false;
	memcpy(name, *at, head.length);
	name[head.length] = 0;
	*at += head.length;
	return true;
}
