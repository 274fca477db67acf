/* SPDX-License-Identifier: MIT */
/* An existing object is replaced by rename(2) from a temporary name. */
#include "base/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEMPORARY_TRIES 100

/* What the functions that make an object need. */
struct making {
	const char *prefix;
	struct new_file *file;
	uint32_t mode;
	const char *from;
	int from_dir;
};

static int make_new_regular(const struct making *making, int parent, const char *name)
{
	making->file->fd = openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, making->mode);
	return making->file->fd < 0 ? -1 : 0;
}

static int make_new_symlink(const struct making *making, int parent, const char *name)
{
	return symlinkat(making->from, parent, name);
}

static int make_new_link(const struct making *making, int parent, const char *name)
{
	return linkat(making->from_dir, making->from, parent, name, 0);
}

static int make_named(const struct making *making, int parent, const char *name)
{
	return linkat(AT_FDCWD, making->from, parent, name, AT_SYMLINK_FOLLOW);
}

/* Makes the object under an unused temporary name. Returns 0 or a negative errno. */
static int make_temporary(const struct making *making, int (*make)(const struct making *, int, const char *),
                          int parent, char name[NEW_FILE_NAME_BYTES])
{
	for (unsigned try = 0; try < TEMPORARY_TRIES; try++) {
		snprintf(name, NEW_FILE_NAME_BYTES, "%s-%ld-%u", making->prefix, (long)getpid(), try);
		if (!make(making, parent, name))
			return 0;
		if (errno != EEXIST)
			break;
	}
	name[0] = 0;
	return -errno;
}

/* Renames. If both names are links to one file, rename(2) does nothing, so the temporary name is removed here. */
static int replace(int parent, const char *temporary, const char *leaf)
{
	int result = renameat(parent, temporary, parent, leaf) ? -errno : 0;
	unlinkat(parent, temporary, 0);
	return result;
}

static int make_at(const struct making *making, int (*make)(const struct making *, int, const char *), int parent,
                   const char *leaf, bool replaces)
{
	char temporary[NEW_FILE_NAME_BYTES];
	if (!make(making, parent, leaf))
		return 0;
	if (errno != EEXIST || !replaces)
		return -errno;
	int result = make_temporary(making, make, parent, temporary);
	return result ? result : replace(parent, temporary, leaf);
}

bool new_file_can_link(void)
{
	return !access("/proc/self/fd", X_OK);
}

int new_file_make(struct new_file *file, int parent, uint32_t mode, bool can_link, const char *prefix)
{
	const struct making making = {.prefix = prefix, .file = file, .mode = mode & 0777};
	*file = (struct new_file){.parent = parent, .fd = -1, .prefix = prefix};
	if (can_link)
		file->fd = openat(parent, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, making.mode);
	return file->fd >= 0 ? 0 : make_temporary(&making, make_new_regular, parent, file->temporary);
}

int new_file_put(struct new_file *file, const char *leaf, bool replaces)
{
	char from[40];
	const struct making making = {.prefix = file->prefix, .from = from};
	int result = 0;
	snprintf(from, sizeof(from), "/proc/self/fd/%d", file->fd);
	if (!file->temporary[0])
		result = make_at(&making, make_named, file->parent, leaf, replaces);
	if (close(file->fd) && !result)
		result = -errno;
	file->fd = -1;
	if (!result && file->temporary[0])
		result = replace(file->parent, file->temporary, leaf);
	new_file_drop(file);
	return result;
}

void new_file_drop(struct new_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	if (file->temporary[0])
		unlinkat(file->parent, file->temporary, 0);
	file->fd = -1;
	file->temporary[0] = 0;
}

int new_file_symlink(int parent, const char *target, const char *prefix, const char *leaf, bool replaces)
{
	const struct making making = {.prefix = prefix, .from = target};
	return make_at(&making, make_new_symlink, parent, leaf, replaces);
}

int new_file_link(int from, const char *from_leaf, int parent, const char *prefix, const char *leaf, bool replaces)
{
	const struct making making = {.prefix = prefix, .from = from_leaf, .from_dir = from};
	return make_at(&making, make_new_link, parent, leaf, replaces);
}
