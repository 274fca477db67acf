/* SPDX-License-Identifier: MIT */
/* Paths are resolved name by name, as the guest will resolve them, because the guest needs each symbolic link on the
 * way. The result depends only on the command line, in the order of its arguments, and on the host's files. */
#include "hostfs/tree/host_tmp.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40 /* in one path, as on Linux (path_resolution(7)) */

/* State of resolving a path. */
struct walk {
	struct binds *binds;
	const char *workdir; /* where relative paths begin */
	char at[PATH_MAX];   /* the resolved part, without links; empty is the root */
	char rest[PATH_MAX]; /* the part still to be resolved */
	char next[PATH_MAX]; /* buffer for a link's target followed by the rest */
	unsigned links;
	struct stat st; /* of `at` */
};

static bool is_below_tmp(const char *path)
{
	return !strncmp(path, BINDS_TMP "/", sizeof(BINDS_TMP));
}

/* Goes up by one name. */
static void go_up_component(struct walk *walk)
{
	char *slash = strrchr(walk->at, '/');
	if (slash)
		*slash = 0;
}

/* Takes the next name from `rest`. Returns false if there is none. */
static bool take_component(struct walk *walk, char name[NAME_MAX + 1])
{
	const char *from = walk->rest + strspn(walk->rest, "/");
	size_t length = strcspn(from, "/");
	if (!length || length > NAME_MAX)
		return false;
	memcpy(name, from, length);
	name[length] = 0;
	memmove(walk->rest, from + length, strlen(from + length) + 1);
	return true;
}

/* Appends a name to `at` and reads its attributes. Follows /tmp if it is a link, because /tmp is always a directory in
 * the guest. Returns false if the guest cannot see the object. */
static bool enter(struct walk *walk, const char *name)
{
	size_t length = strlen(walk->at), room = sizeof(walk->at) - length;
	if ((size_t)snprintf(walk->at + length, room, "/%s", name) >= room || binds_hide(walk->binds, walk->at))
		return false;
	if (strcmp(walk->at, BINDS_TMP) ? lstat(walk->at, &walk->st) : stat(walk->at, &walk->st))
		return false;
	return host_tree_shows_type(walk->st.st_mode);
}

/* Puts the target of the link `at` in front of `rest`. Returns false after too many links, or if there is no room. */
static bool follow_component(struct walk *walk)
{
	ssize_t length = readlink(walk->at, walk->next, sizeof(walk->next) - 1);
	size_t rest = strlen(walk->rest) + 1;
	if (length <= 0 || ++walk->links > LINKS_MAX || (size_t)length + rest > sizeof(walk->next))
		return false;
	memcpy(walk->next + length, walk->rest, rest);
	memcpy(walk->rest, walk->next, (size_t)length + rest);
	if (*walk->rest == '/')
		*walk->at = 0;
	else
		go_up_component(walk);
	return true;
}

/* Resolves `rest` as far as it exists, and adds the objects below /tmp on the way. Returns 0 or -ENOMEM. */
static int add_way(struct walk *walk)
{
	char name[NAME_MAX + 1];
	while (take_component(walk, name)) {
		if (!strcmp(name, "."))
			continue;
		if (!strcmp(name, "..")) {
			go_up_component(walk);
			continue;
		}
		if (!enter(walk, name))
			return 0;
		if (is_below_tmp(walk->at) && host_part_add(&walk->binds->tmp, walk->at + sizeof(BINDS_TMP), false))
			return -ENOMEM;
		if (S_ISLNK(walk->st.st_mode) && !follow_component(walk))
			return 0;
	}
	bool whole = is_below_tmp(walk->at) && !lstat(walk->at, &walk->st) && S_ISDIR(walk->st.st_mode);
	return whole ? host_part_add(&walk->binds->tmp, walk->at + sizeof(BINDS_TMP), true) : 0;
}

/* Adds the first `length` bytes of a path, if an object of this name exists. */
static int add_component(struct walk *walk, const char *path, size_t length)
{
	size_t room = sizeof(walk->rest);
	const char *start = *path == '/' ? "" : walk->workdir;
	*walk->at = 0;
	walk->links = 0;
	bool fits = (size_t)snprintf(walk->rest, room, "%s%s%.*s", start, *start ? "/" : "", (int)length, path) < room;
	return length && fits && !lstat(walk->rest, &walk->st) ? add_way(walk) : 0;
}

/* Adds a program, the directory of its file, and the directory of its name. */
static int add_program_name(struct walk *walk, const char *name)
{
	const char *slash = strrchr(name, '/');
	int error = add_component(walk, name, strlen(name));
	go_up_component(walk);
	strcpy(walk->rest, walk->at);
	*walk->at = 0;
	if (!error)
		error = add_way(walk);
	return error || !slash ? error : add_component(walk, name, (size_t)(slash - name));
}

int host_tmp_find(struct binds *binds, char *const *arguments, unsigned count, const char *workdir)
{
	struct walk *walk = calloc(1, sizeof(*walk));
	if (!walk)
		return -ENOMEM;
	walk->binds = binds;
	walk->workdir = workdir;
	int error = add_component(walk, workdir, strlen(workdir));
	if (!error)
		error = add_program_name(walk, arguments[0]);
	for (unsigned i = 1; !error && i < count; i++) {
		error = add_component(walk, arguments[i], strlen(arguments[i]));
		for (const char *at = strchr(arguments[i], '='); !error && at; at = strchr(at + 1, '='))
			error = add_component(walk, at + 1, strlen(at + 1));
	}
	free(walk);
	return error;
}
