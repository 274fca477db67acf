/* SPDX-License-Identifier: MIT */
#include "save/save_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/own_paths.h"
#include "hostfs/tree/host_part.h"

static bool is_beneath_top(const char *path, const char *top, size_t *below)
{
	size_t length = strlen(top);
	if (length == 1)
		length = 0;
	if (strncmp(path, top, length) || path[length] != '/' || !path[length + 1])
		return false;
	*below = length + 1;
	return true;
}

bool save_dir_has(const struct save_dir *dir, const char *path, size_t *below)
{
	return is_beneath_top(path, dir->real, below);
}

/* Undoes the octal escapes of /proc/self/mountinfo (proc(5)). */
static void unescape(char *text)
{
	char *to = text;
	for (const char *from = text; *from;) {
		unsigned code;
		if (*from == '\\' && sscanf(from + 1, "%3o", &code) == 1) {
			*to++ = (char)code;
			from += 4;
		} else {
			*to++ = *from++;
		}
	}
	*to = 0;
}

/* Whether a file system is mounted below the directory; sets `at` to its place. Without /proc it is unknown here, and
 * found when it is entered. */
static bool has_mount(const struct save_dir *dir, char at[PATH_MAX])
{
	FILE *from = fopen("/proc/self/mountinfo", "re");
	char *line = NULL;
	size_t room = 0, below;
	bool found = false;
	while (from && !found && getline(&line, &room, from) > 0) {
		char *path = calloc(1, strlen(line) + 1);
		if (path && sscanf(line, "%*s %*s %*s %*s %s", path) == 1) {
			unescape(path);
			found = save_dir_has(dir, path, &below);
			if (found)
				snprintf(at, PATH_MAX, "%s", path);
		}
		free(path);
	}
	free(line);
	if (from)
		fclose(from);
	return found;
}

/* Opens the spool: on the disk of the directory if that supports unnamed files, or else in memory. */
static int open_spool(const char *real)
{
	int fd = open(real, O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	return fd >= 0 ? fd : memfd_create("save", MFD_CLOEXEC);
}

int save_dir_open(struct save_dir *dir, const char *path, struct error *error)
{
	char at[PATH_MAX];
	*dir = (struct save_dir){.fd = -1, .spool = -1};
	dir->real = realpath(path, NULL);
	if (dir->real)
		dir->fd = open(dir->real, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dir->fd < 0)
		return error_set(error, errno, "run: --save=%.120s: cannot open the directory: %s", path,
		                 strerror(errno));
	if (!dir->real[1])
		return error_set(error, EINVAL, "run: --save does not take /: give a directory below it");
	if (has_mount(dir, at))
		return error_set(
			error, EXDEV,
			"run: --save=%.80s: another file system is mounted below it, at %.80s; give a directory "
			"without one",
			path, at);
	dir->spool = open_spool(dir->real);
	if (dir->spool < 0 || access(dir->real, W_OK))
		return error_set(error, errno, "run: --save=%.120s: cannot write there: %s", path, strerror(errno));
	return 0;
}

/* Whether the guest has something of its own at a path. Applies only to the tree at the guest's root. */
static bool is_hidden_from_guest(const struct host_tree *tree, const char *path)
{
	static const char *const own[] = {
#define OWN_PATH(name, of_host, closed, early) "/" #name,
		OWN_PATH_LIST(OWN_PATH)
#undef OWN_PATH
	};
	for (unsigned i = 0; i < sizeof(own) / sizeof(own[0]) && !tree->guest[1]; i++)
		if (!strncmp(path, own[i], strlen(own[i])) && strchr("/", path[strlen(own[i])]))
			return true; /* strchr finds the NUL, too */
	return false;
}

static bool shows(const struct host_tree *tree, const struct save_dir *dir)
{
	size_t below;
	if (save_dir_has(dir, tree->real, &below) || !strcmp(tree->real, dir->real))
		return true;
	return is_beneath_top(dir->real, tree->real, &below) && !is_hidden_from_guest(tree, dir->real + below - 1) &&
	       (!tree->part || host_part_shows_all(tree->part, dir->real + below));
}

bool save_dir_is_shown(const struct save_dir *dir, const struct host_files *files)
{
	for (unsigned i = 0; files && i < files->tree_count; i++)
		if (!files->trees[i].read_only && shows(&files->trees[i], dir))
			return true;
	return false;
}

void save_dir_close(struct save_dir *dir)
{
	if (!dir->real)
		return;
	free(dir->real);
	close(dir->fd);
	close(dir->spool);
	dir->real = NULL;
}

int save_dir_open_parent(const struct save_dir *dir, const char *path, const char **leaf)
{
	const struct open_how how = {
		.flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
	};
	char parent[PATH_MAX];
	const char *slash = strrchr(path, '/');
	*leaf = slash ? slash + 1 : path;
	if (slash && (size_t)(slash - path) >= sizeof(parent))
		return -ENAMETOOLONG;
	snprintf(parent, sizeof(parent), "%.*s", slash ? (int)(slash - path) : 1, slash ? path : ".");
	int fd = (int)syscall(SYS_openat2, dir->fd, parent, &how, sizeof(how));
	return fd < 0 ? -errno : fd;
}
