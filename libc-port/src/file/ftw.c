/* SPDX-License-Identifier: MIT */
/* Walking a file tree (nftw(3)). Entries are visited in the order of their names, so that a walk is the same on
 * every file system. */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int visit_function(const char *, const struct stat *, int, struct FTW *);
typedef int old_visit_function(const char *, const struct stat *, int);

struct walk {
	char path[PATH_MAX];
	visit_function *visit;
	old_visit_function *old_visit; /* for ftw; then visit is null */
	int flags;
	dev_t device;
};

static int call(struct walk *walk, const struct stat *st, int type, struct FTW *where)
{
	return walk->visit ? walk->visit(walk->path, st, type, where) : walk->old_visit(walk->path, st, type);
}

static int classify(const struct walk *walk, struct stat *st)
{
	if ((walk->flags & FTW_PHYS ? lstat : stat)(walk->path, st) < 0) {
		if (walk->flags & FTW_PHYS || lstat(walk->path, st) < 0 || !S_ISLNK(st->st_mode))
			return FTW_NS;
		return FTW_SLN;
	}
	if (S_ISLNK(st->st_mode))
		return FTW_SL;
	return S_ISDIR(st->st_mode) ? FTW_D : FTW_F;
}

static int step(struct walk *walk, int level);

static int not_dots(const struct dirent *entry)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int step_children(struct walk *walk, struct dirent **entries, int count, int level)
{
	size_t length = strlen(walk->path);
	int result = 0;
	for (int i = 0; i < count; i++) {
		size_t slash = length && walk->path[length - 1] != '/';
		if (result == 0 && length + slash + strlen(entries[i]->d_name) >= PATH_MAX) {
			errno = ENAMETOOLONG;
			result = -1;
		}
		if (result == 0) {
			if (slash)
				walk->path[length] = '/';
			strcpy(walk->path + length + slash, entries[i]->d_name);
			result = step(walk, level + 1);
			walk->path[length] = 0;
		}
		free(entries[i]);
	}
	free(entries);
	return result;
}

static int step(struct walk *walk, int level)
{
	struct stat st;
	struct dirent **entries = NULL;
	char *name = strrchr(walk->path, '/');
	struct FTW where = {name && name[1] ? (int)(name - walk->path) + 1 : 0, level};
	int type = classify(walk, &st), count = 0;
	if (level == 0) {
		walk->device = st.st_dev;
		if (type == FTW_NS)
			return -1;
	}
	if (type != FTW_NS && walk->flags & FTW_MOUNT && st.st_dev != walk->device)
		return 0;
	if (type == FTW_D) {
		count = scandir(walk->path, &entries, not_dots, by_name);
		if (count < 0)
			type = FTW_DNR;
	}
	if (type != FTW_D || !(walk->flags & FTW_DEPTH)) {
		int result = call(walk, &st, type, &where);
		if (result || type != FTW_D) {
			for (int i = 0; i < count; i++)
				free(entries[i]);
			free(entries);
			return result;
		}
	}
	int result = step_children(walk, entries, count, level);
	return result == 0 && walk->flags & FTW_DEPTH ? call(walk, &st, FTW_DP, &where) : result;
}

static int start_walk(const char *path, visit_function *visit, old_visit_function *old_visit, int flags)
{
	size_t length = strlen(path);
	struct walk *walk;
	if (length >= PATH_MAX || flags & FTW_CHDIR) {
		errno = length >= PATH_MAX ? ENAMETOOLONG : EINVAL;
		return -1;
	}
	walk = malloc(sizeof(*walk));
	if (!walk)
		return -1;
	*walk = (struct walk){.visit = visit, .old_visit = old_visit, .flags = flags};
	while (length > 1 && path[length - 1] == '/')
		length--;
	memcpy(walk->path, path, length);
	int result = step(walk, 0);
	free(walk);
	return result;
}

int nftw(const char *path, visit_function *visit, int, int flags)
{
	return start_walk(path, visit, NULL, flags);
}

int ftw(const char *path, old_visit_function *visit, int)
{
	return start_walk(path, NULL, visit, 0);
}
