/* SPDX-License-Identifier: MIT */
/* Searches the host's files only in places where the guest sees the same files. */
#include "session/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "session/environment.h"
#include "guest/program.h"

static bool is_file(const char *path)
{
	struct stat st;
	return !stat(path, &st) && S_ISREG(st.st_mode);
}

bool command_is_searched(const char *name)
{
	if (!*name || strchr(name, '/'))
		return false;
	return !is_file(name) || (access(name, X_OK) && program_kind(name) == PROGRAM_OTHER);
}

bool command_find(const struct run_config *run, const struct binds *binds, const char *name, char path[PATH_MAX])
{
	const char *at = environment_get(run, "PATH");
	while (at && *at) {
		size_t length = strcspn(at, ":");
		bool fits = *at == '/' && snprintf(path, PATH_MAX, "%.*s/%s", (int)length, at, name) < PATH_MAX;
		if (fits && binds_hide(binds, path))
			return false; /* the guest may find another file there */
		if (fits && is_file(path) && !access(path, X_OK))
			return true;
		at += length + (at[length] == ':');
	}
	return false;
}

/* Whether two paths lead to one file. */
static bool is_same_file(const char *a, const char *b)
{
	struct stat of_a, of_b;
	return !stat(a, &of_a) && !stat(b, &of_b) && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

/* Whether a path is of a virtual environment of Python: a link to the system's Python, which finds other modules
 * because of a file beside the link or above it (PEP 405). */
static bool is_virtual(const char *path)
{
	static char marker[PATH_MAX + 16]; /* too large for a stack */
	const char *slash = strrchr(path, '/');
	bool found = false;
	for (unsigned i = 0; slash && i < 2 && !found; i++) {
		snprintf(marker, sizeof(marker), "%.*s/%spyvenv.cfg", (int)(slash - path), path, i ? "../" : "");
		found = is_file(marker);
	}
	return found;
}

/* Whether two paths start one program that does the same. */
static bool is_same_program(const char *a, const char *b)
{
	return !strcmp(a, b) || (is_same_file(a, b) && !is_virtual(a));
}

/* Whether the user says where programs are. */
static bool gives_path(const struct record_given *given)
{
	for (unsigned i = 0; i < given->input_count; i++)
		if (!strncmp(given->inputs[i], "--env=PATH=", 11))
			return true;
	return false;
}

void command_say_other(const struct record_given *given, const char *name, const char *found)
{
	char path[PATH_MAX];
	const char *at = getenv("PATH");
	while (at && *at && !gives_path(given)) {
		size_t length = strcspn(at, ":");
		bool fits = *at == '/' && snprintf(path, sizeof(path), "%.*s/%s", (int)length, at, name) < PATH_MAX;
		if (fits && is_file(path) && !access(path, X_OK)) {
			if (!is_same_program(path, found))
				say("%s is %s here, and %s in your PATH; type the path of the one that you want, or "
				    "give --env PATH",
				    name, found, path);
			return;
		}
		at += length + (at[length] == ':');
	}
}
