/* SPDX-License-Identifier: MIT */
#include "base/clean_path.h"

#include <limits.h>
#include <string.h>

bool clean_path(const char *path)
{
	for (const char *at = path;; at++) {
		size_t length = strcspn(at, "/");
		if (length == 0 || length > NAME_MAX)
			return false;
		if (!strncmp(at, ".", length) || (length == 2 && !strncmp(at, "..", 2)))
			return false;
		at += length;
		if (!*at)
			return true;
	}
}
