/* SPDX-License-Identifier: MIT */
#include "base/own_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/types.h>
#include <unistd.h>

#define BUNDLED "/lib/eremite/bundle/"

/* In a bundle (make bundle), the path of the launcher, which takes the place of the program. */
static void name_launcher(char path[PATH_MAX])
{
	char *slash = strrchr(path, '/'), name[NAME_MAX + 1];
	const size_t length = sizeof(BUNDLED) - 1;
	if (!slash || (size_t)(slash + 1 - path) < length || memcmp(slash + 1 - length, BUNDLED, length))
		return;
	snprintf(name, sizeof(name), "%s", slash + 1);
	sprintf(slash + 1 - length, "/bin/%s", name);
}

int own_path(char path[PATH_MAX])
{
	/* A program that the loader was told to start has no interpreter, and /proc/self/exe is the loader. */
	ssize_t length = getauxval(AT_BASE) ? readlink("/proc/self/exe", path, PATH_MAX - 1) : -1;
	if (length > 0) {
		path[length] = 0;
		return 0;
	}
	/* The path by which eremite was started. It stays valid because the working directory does not change. */
	const char *started = (const char *)getauxval(AT_EXECFN);
	if (!started || !realpath(started, path))
		return -ENOENT;
	name_launcher(path);
	return 0;
}

int own_program(const char *name, char path[PATH_MAX])
{
	static const char *const places[] = {"", "../libexec/eremite/"};
	char self[PATH_MAX];
	char *slash = own_path(self) ? NULL : strrchr(self, '/');
	if (!slash)
		return -ENOENT;
	slash[1] = 0;
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		int bytes = snprintf(path, PATH_MAX, "%s%s%s", self, places[i], name);
		if (bytes < PATH_MAX && !access(path, X_OK))
			return 0;
	}
	return -ENOENT;
}
