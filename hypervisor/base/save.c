/* SPDX-License-Identifier: MIT */
/* Writes an unnamed file (O_TMPFILE) or, if the file system does not support that, one with a temporary name, and moves
 * it into place.
 */
#include "base/save.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/hold_stops.h"

#define NAMES 100
#define LINKS 40

static const char *leaf_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Returns the directory part of a path, for the caller to free, or NULL without memory. */
static char *directory_of(const char *path)
{
	const char *leaf = leaf_of(path);
	return leaf == path ? strdup(".") : strndup(path, (size_t)(leaf - path));
}

/* Follows symbolic links at the end of a path, whose target need not exist. Returns the path, for the caller to free,
 * or NULL with errno. */
static char *followed(const char *path)
{
	char target[PATH_MAX], *at = realpath(path, NULL);
	if (at || errno != ENOENT)
		return at;
	at = strdup(path);
	for (unsigned links = 0; at && links < LINKS; links++) {
		ssize_t length = readlink(at, target, sizeof(target) - 1);
		if (length < 0)
			return at;
		char *next = NULL;
		target[length] = 0;
		if (asprintf(&next, "%.*s%s", *target == '/' ? 0 : (int)(leaf_of(at) - at), at, target) < 0)
			next = NULL;
		free(at);
		at = next;
	}
	errno = at ? ELOOP : ENOMEM;
	free(at);
	return NULL;
}

/* Makes a temporary name in the directory of the file. In a container each process may have the same number, and those
 * that were killed may have left their names, so the time is in it, too. */
static void propose_name(struct save *save, unsigned number)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	snprintf(save->name, sizeof(save->name), ".eremite-save-%ld-%lu", (long)getpid(),
	         (unsigned long)now.tv_nsec + number);
}

/* Opens an unfinished file in the directory. Returns the descriptor or -1 with errno. */
static int open_unfinished(struct save *save, mode_t mode)
{
	int fd = openat(save->dir, ".", O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
	if (fd >= 0 && !access("/proc/self/fd", X_OK))
		return fd;
	if (fd >= 0)
		close(fd);
	else if (errno != EOPNOTSUPP && errno != EISDIR && errno != ENOENT)
		return -1;
	for (unsigned i = 0; i < NAMES; i++) {
		propose_name(save, i);
		fd = openat(save->dir, save->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd >= 0 || errno != EEXIST)
			break;
	}
	if (fd < 0)
		save->name[0] = 0;
	return fd;
}

/* Opens the directory of save->path. Returns a descriptor, or -1 with errno. */
static int open_save_directory(const struct save *save)
{
	char *directory = directory_of(save->path);
	int dir = directory ? open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	int error = directory ? errno : ENOMEM;
	free(directory);
	errno = error;
	return dir;
}

static bool is_same_inode(const char *a, const char *b, mode_t type)
{
	struct stat x, y;
	return !stat(a, &x) && !stat(b, &y) && (x.st_mode & S_IFMT) == type && x.st_dev == y.st_dev &&
	       x.st_ino == y.st_ino;
}

bool save_is_same(const char *a, const char *b)
{
	if (!access(a, F_OK) || !access(b, F_OK))
		return is_same_inode(a, b, S_IFREG);
	char *to_a = followed(a), *to_b = followed(b);
	char *in_a = to_a ? directory_of(to_a) : NULL, *in_b = to_b ? directory_of(to_b) : NULL;
	bool same = in_a && in_b && is_same_inode(in_a, in_b, S_IFDIR) && !strcmp(leaf_of(to_a), leaf_of(to_b));
	free(to_a);
	free(to_b);
	free(in_a);
	free(in_b);
	return same;
}

/* Whether a path is /dev/stdout or similar, which may lead to a file that other processes write, too. */
static bool is_device(const char *path)
{
	return !strncmp(path, "/dev/", 5) || !strncmp(path, "/proc/", 6);
}

/* Opens what save->path names. Returns a descriptor or -1 with errno. */
static int open_path(struct save *save)
{
	struct stat st;
	mode_t mode = 0666;
	bool exists = !stat(save->path, &st);
	if (exists && (!S_ISREG(st.st_mode) || is_device(save->path)))
		return open(save->path, O_WRONLY | O_APPEND | O_CLOEXEC);
	if (exists && access(save->path, W_OK))
		return -1;
	if (!exists && !*leaf_of(save->path)) {
		errno = *save->path ? EISDIR : ENOENT;
		return -1;
	}
	save->dir = open_save_directory(save);
	int fd = save->dir < 0 ? -1 : open_unfinished(save, mode);
	if (fd >= 0 && exists)
		fchmod(fd, st.st_mode & 0777); /* keep the old mode; after a failure the file has the default mode */
	return fd;
}

int save_open(struct save *save, const char *path)
{
	*save = (struct save){.dir = -1, .path = is_device(path) ? strdup(path) : followed(path)};
	int fd = save->path ? open_path(save) : -1;
	if (fd >= 0)
		save->to = fdopen(fd, "w");
	if (save->to)
		return 0;
	int error = errno;
	if (fd >= 0)
		close(fd);
	save_abandon(save);
	return -error;
}

int save_try(struct save *save, const char *path)
{
	const int result = save_open(save, path);
	if (!result && save->dir >= 0)
		save_abandon(save);
	return result;
}

int save_reopen(struct save *save, const char *path)
{
	return save->to ? 0 : save_open(save, path);
}

static int link_as(const struct save *save, const char *name)
{
	char from[40];
	snprintf(from, sizeof(from), "/proc/self/fd/%d", fileno(save->to));
	return linkat(AT_FDCWD, from, save->dir, name, AT_SYMLINK_FOLLOW);
}

/* Gives a complete unnamed file its name or, if that exists, a temporary one to rename. A process that is killed before
 * the rename leaves the temporary name behind. */
static int give_name(struct save *save)
{
	if (!link_as(save, leaf_of(save->path)))
		return 0;
	for (unsigned i = 0; errno == EEXIST && i < NAMES; i++) {
		propose_name(save, i);
		if (!link_as(save, save->name))
			return 0;
	}
	save->name[0] = 0;
	return -errno;
}

/* Flushes the stream. Returns 0 or a negative errno. */
static int complete_save(struct save *save)
{
	return fflush(save->to) ? -errno : ferror(save->to) ? -EIO : 0;
}

int save_hand_over(struct save *save)
{
	int result = complete_save(save);
	save->name[0] = 0; /* the copy of `save` removes the temporary file */
	save_abandon(save);
	return result;
}

/* Moves the contents of a regular file to the disk. Returns 0 or a negative errno. */
static int settle(struct save *save)
{
	const int result = complete_save(save);
	if (result || save->dir < 0)
		return result;
	/* Some file systems cannot, and say so by EINVAL or ENOTSUP. */
	return fdatasync(fileno(save->to)) && errno != EINVAL && errno != ENOTSUP ? -errno : 0;
}

int save_commit_durably(struct save *save)
{
	const int result = settle(save);
	if (!result)
		return save_commit(save);
	save_abandon(save);
	return result;
}

int save_commit(struct save *save)
{
	sigset_t before;
	int result = complete_save(save);
	hold_stops_begin(&before); /* a temporary name must not stay */
	if (!result && save->dir >= 0 && !save->name[0])
		result = give_name(save);
	if (fclose(save->to) && !result)
		result = -errno;
	save->to = NULL;
	if (!result && save->dir >= 0 && save->name[0]) {
		if (renameat(save->dir, save->name, save->dir, leaf_of(save->path)))
			result = -errno;
		else
			save->name[0] = 0;
	}
	save_abandon(save);
	hold_stops_end(&before);
	return result;
}

void save_abandon(struct save *save)
{
	if (!save->path)
		return;
	if (save->to)
		fclose(save->to);
	if (save->name[0])
		unlinkat(save->dir, save->name, 0);
	if (save->dir >= 0)
		close(save->dir);
	free(save->path);
	*save = (struct save){.dir = -1};
}
