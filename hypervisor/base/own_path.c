/* SPDX-License-Identifier: MIT */
#include "base/own_path.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/types.h>
#include <unistd.h>

int own_path(char path[PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
	if (length > 0) {
		path[length] = 0;
		return 0;
	}
	/* The path by which eremite was started. It stays valid because the working directory does not change. */
	const char *started = (const char *)getauxval(AT_EXECFN);
	return started && realpath(started, path) ? 0 : -ENOENT;
}
