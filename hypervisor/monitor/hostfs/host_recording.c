/* SPDX-License-Identifier: MIT */
/* A recording is found by its marker, the first bytes of input.log. Another file beside those of a recording makes
 * the directory visible: it is then a directory of the user's, in which --record was told to write. */
#include "hostfs/host_recording.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/recording_files.h"

static int open_in(int dir, const char *path, int flags)
{
	const struct open_how how = {
		.flags = (uint64_t)(flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	return (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

/* Whether an open directory has an input.log with the marker. */
static bool has_marker(int dir)
{
	char begin[sizeof(RECORDING_MARKER) - 1];
	struct stat st;
	int fd = open_in(dir, RECORDING_LOG, O_RDONLY);
	bool is_marked = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	                 pread(fd, begin, sizeof(begin), 0) == (ssize_t)sizeof(begin) &&
	                 !memcmp(begin, RECORDING_MARKER, sizeof(begin));
	if (fd >= 0)
		close(fd);
	return is_marked;
}

static bool is_of_recording(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..") || !strcmp(name, RECORDING_LOG) ||
	       !strcmp(name, RECORDING_CAPTURE) || !strcmp(name, RECORDING_KERNEL) || host_tree_is_own(name);
}

/* Whether an open directory has files of a recording only. */
static bool has_nothing_else(int dir)
{
	static _Alignas(struct dirent64) char buffer[4096]; /* too large for a stack */
	ssize_t got;
	while ((got = getdents64(dir, buffer, sizeof(buffer))) > 0)
		for (ssize_t at = 0; at < got; at += ((struct dirent64 *)(buffer + at))->d_reclen)
			if (!is_of_recording(((struct dirent64 *)(buffer + at))->d_name))
				return false;
	return !got;
}

/* Whether the program's working directory is a path below a tree, or below that. */
static bool holds_workdir(const struct host_files *files, uint32_t handle, const char *name)
{
	char path[PATH_MAX];
	const char *at = files->workdir;
	int64_t root = host_objects_path(&files->objects, handle, name, path);
	if (root < 0 || !at)
		return false;
	const char *top = files->trees[root].guest;
	const size_t length = top[1] ? strlen(top) : 0, below = strlen(path);
	if (strncmp(at, top, length) || at[length] != '/' || strncmp(at + length + 1, path, below))
		return false;
	return !at[length + 1 + below] || at[length + 1 + below] == '/';
}

bool host_recording_is(const struct host_files *files, uint32_t handle, const char *name, int fd, const char *at)
{
	static char path[PATH_MAX], log[PATH_MAX + sizeof(RECORDING_LOG) + 1]; /* too large for a stack */
	struct stat st;
	if (fd < 0) { /* its directory was read ahead, and is not open */
		const int64_t root = host_objects_path(&files->objects, handle, name, path);
		if (root < 0)
			return false;
		fd = files->trees[root].dir;
		at = path;
	}
	if (snprintf(log, sizeof(log), "%s/" RECORDING_LOG, at) >= (int)sizeof(log) ||
	    fstatat(fd, log, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode) || holds_workdir(files, handle, name))
		return false;
	int dir = open_in(fd, at, O_RDONLY | O_DIRECTORY);
	bool is_recording = dir >= 0 && has_marker(dir) && has_nothing_else(dir);
	if (dir >= 0)
		close(dir);
	return is_recording;
}
