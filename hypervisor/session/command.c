/* SPDX-License-Identifier: MIT */
/* Finds the program that a name means, and says when the user's own PATH has another program of that name. Searches the
 * host's files only in places where the guest sees the same files. */
#include "session/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "session/environment.h"
#include "guest/program.h"
#include "hostfs/host_files.h"
#include "hostfs/host_look.h"

#define DIRECTORIES_MAX 32
#define SAID_MAX 3 /* lines about programs: more would hide what the program says */

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

/* Finds the program of a name in the user's own PATH. Returns whether it is another one than was found. */
static bool find_other(const char *name, const char *found, char path[PATH_MAX])
{
	for (const char *at = getenv("PATH"); at && *at;) {
		size_t length = strcspn(at, ":");
		bool fits = *at == '/' && snprintf(path, PATH_MAX, "%.*s/%s", (int)length, at, name) < PATH_MAX;
		if (fits && is_file(path) && !access(path, X_OK))
			return !is_same_program(path, found);
		at += length + (at[length] == ':');
	}
	return false;
}

void command_say_other(const struct record_given *given, const char *name, const char *found)
{
	char path[PATH_MAX];
	if (!gives_path(given) && find_other(name, found, path))
		say("%s is %s here, and %s in your PATH; type the path of the one that you want, or give --env PATH",
		    name, found, path);
}

/* --- programs that the program has started --- */

/* Whether the program has read an object of the host, as its kernel does to start it. */
static bool was_read(const struct host_files *files, const struct stat *st)
{
	for (uint32_t i = 0; i < files->objects.count; i++) {
		const struct host_object *object = &files->objects.objects[i];
		if (object->is_noted && object->stamp.ino == st->st_ino && object->stamp.dev == st->st_dev)
			return true;
	}
	return false;
}

/* Whether the program has not found a name in a directory of its PATH: it searched there, or there is no directory. */
static bool was_missing(const struct host_files *files, const char *dir, const char *name)
{
	uint32_t handle;
	return host_files_find(files, dir, &handle) ? host_look_is_absent(files, handle, name) : access(dir, F_OK) != 0;
}

/* Whether the program has found an object in a directory of its PATH by searching: a path that it gave, such as that of
 * a script's first line, leads to the same file natively. */
static bool was_searched(const struct host_files *files, const char *paths, const char *dir, const char *name)
{
	static char before[PATH_MAX]; /* too large for a stack */
	for (const char *at = paths; at && *at; at += *at == ':') {
		const size_t length = strcspn(at, ":");
		snprintf(before, sizeof(before), "%.*s", (int)length, at);
		if (!strcmp(before, dir))
			return true;
		if (!was_missing(files, before, name))
			return false;
		at += length;
	}
	return false;
}

/* Whether an object was started by its name, and is not what the user's PATH has: sets its path and the other one. */
static bool is_another(const struct host_files *files, uint32_t handle, const char *paths, char found[PATH_MAX],
                       char other[PATH_MAX])
{
	static char below[PATH_MAX]; /* too large for a stack */
	struct stat st;
	const int64_t root = host_objects_path(&files->objects, handle, "", below);
	if (root < 0 || host_notes_path(found, PATH_MAX, &files->trees[root], below) >= PATH_MAX)
		return false;
	char *slash = strrchr(found, '/');
	*slash = 0;
	const bool is_searched = was_searched(files, paths, found, slash + 1);
	*slash = '/';
	return is_searched && find_other(slash + 1, found, other) && !stat(found, &st) && S_ISREG(st.st_mode) &&
	       was_read(files, &st);
}

/* Finds the directories of PATH that the program has looked at. Returns how many. */
static unsigned find_directories(const struct host_files *files, const char *paths, uint32_t dirs[DIRECTORIES_MAX])
{
	static char path[PATH_MAX]; /* too large for a stack */
	unsigned count = 0;
	for (const char *at = paths; at && *at && count < DIRECTORIES_MAX; at += *at == ':') {
		const size_t length = strcspn(at, ":");
		snprintf(path, sizeof(path), "%.*s", (int)length, at);
		count += *at == '/' && host_files_find(files, path, &dirs[count]);
		at += length;
	}
	return count;
}

/* Whether an object is a file or a link in one of the directories. */
static bool is_in(const struct host_files *files, uint32_t handle, const uint32_t *dirs, unsigned count)
{
	const struct host_object *object = &files->objects.objects[handle];
	for (unsigned i = 0; i < count && !S_ISDIR(object->stamp.mode); i++)
		if (object->parent == dirs[i])
			return true;
	return false;
}

void command_say_others(const struct record_given *given, const struct run_config *run)
{
	static char found[PATH_MAX], other[PATH_MAX]; /* too large for a stack */
	const struct host_files *files = run->host_files;
	const char *paths = environment_get(run, "PATH");
	uint32_t dirs[DIRECTORIES_MAX];
	if (!files || !run->show_host || gives_path(given))
		return;
	const unsigned count = find_directories(files, paths, dirs);
	for (uint32_t i = 0, said = 0; said < SAID_MAX && i < files->objects.count; i++) {
		if (!is_in(files, i, dirs, count) || !is_another(files, i, paths, found, other))
			continue;
		const char *name = strrchr(found, '/') + 1;
		if (!strcmp(name, run->program)) /* command_say_other has said it */
			continue;
		say("the program has started %s, and %s in your PATH is %s; give --env PATH for that one", found, name,
		    other);
		said++;
	}
}
