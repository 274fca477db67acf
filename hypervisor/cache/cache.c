/* SPDX-License-Identifier: MIT */
/* Files appear in the cache complete, by rename(2), so any number of runs may use it at once. */
#include "cache/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/hold_stops.h"
#include "cache/cache_path.h"
#include "cache/volume.h"

#define TRIES 100
#define NAMELESS "." /* stands for the name of a file that has no name until it is complete */

static int held = -1;
static bool is_held; /* cache_open uses only `held`, also if that is -1 */

static const char *used;         /* path set by cache_use */
static struct cache_path chosen; /* where cache_open has found it last */

void cache_use(const char *path)
{
	used = path;
}

void cache_hold(void)
{
	if (!is_held)
		held = cache_open();
	is_held = true;
	cache_secret();
	volume_begin();
}

int cache_held(void)
{
	return held;
}

/* Opens a cache, unless other users may write to it: they would choose what runs. */
static int open_own(const struct cache_path *place)
{
	struct stat st;
	/* In a directory of temporary files, another user may have made a link of this name. */
	int dir = open(place->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (place->is_temporary ? O_NOFOLLOW : 0));
	if (dir < 0)
		return dir;
	bool is_own = !fstat(dir, &st) && (st.st_uid == geteuid() || st.st_uid == 0);
	bool is_shared = (st.st_mode & S_IWOTH) || ((st.st_mode & S_IWGRP) && st.st_gid != getegid());
	if (is_own && !is_shared)
		return dir;
	close(dir);
	static bool is_said;
	if (used && !is_said)
		say("the cache %s %s, who could choose what runs; it is not used: give another one by --cache",
		    place->path, is_own ? "can be changed by other users" : "belongs to another user");
	is_said = true;
	errno = EACCES;
	return -1;
}

/* Opens the cache at a place, and creates it if needed; but not the directory of temporary files. */
static int open_at(struct cache_path *place)
{
	char *path = place->path;
	int dir = open_own(place);
	if (dir >= 0 || errno != ENOENT)
		return dir;
	for (char *slash = strchr(path + 1, '/'); slash && !place->is_temporary; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(path, 0700); /* the open below reports a failure */
		*slash = '/';
	}
	mkdir(path, 0700);
	return open_own(place);
}

int cache_open(void)
{
	int dir = -1;
	if (is_held)
		return held < 0 ? -1 : fcntl(held, F_DUPFD_CLOEXEC, 0);
	for (unsigned nth = 0; dir < 0 && cache_path_find(used, nth, &chosen); nth++)
		dir = open_at(&chosen);
	return dir;
}

/* Makes an unnamed file, which vanishes with its process (open(2), O_TMPFILE). Returns -1 if the file system has none.
 */
static int make_nameless(int cache)
{
	int fd = cache < 0 ? -1 : openat(cache, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	if (fd < 0 || (!access("/proc/self/fd", X_OK) && !flock(fd, LOCK_EX | LOCK_NB)))
		return fd;
	close(fd);
	return -1;
}

int cache_temporary(int cache, char name[CACHE_TEMPORARY_BYTES])
{
	int nameless = make_nameless(cache);
	if (nameless >= 0) {
		strcpy(name, NAMELESS);
		return nameless;
	}
	for (unsigned try = 0; cache >= 0 && try < TRIES; try++) {
		struct stat st;
		snprintf(name, CACHE_TEMPORARY_BYTES, CACHE_TEMPORARY "%ld-%u", (long)getpid(), try);
		int fd = openat(cache, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			break;
		if (fd < 0)
			continue;
		/* A pruning process may have locked or removed the file before this lock. */
		if ((flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) || fstat(fd, &st) || !st.st_nlink) {
			close(fd);
			continue;
		}
		return fd;
	}
	name[0] = 0;
	const char *base = getenv("TMPDIR");
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s/eremite-XXXXXX", base && *base ? base : "/tmp");
	if (length >= (int)sizeof(path))
		return -ENAMETOOLONG;
	sigset_t before;
	hold_stops_begin(&before);
	int fd = mkostemp(path, O_CLOEXEC), error = errno;
	if (fd >= 0)
		unlink(path);
	hold_stops_end(&before);
	return fd < 0 ? -error : fd;
}

/* Names a file. If the name exists, links a temporary name and renames it. */
static int name_file(int cache, int fd, const char *name)
{
	char from[40], temporary[CACHE_TEMPORARY_BYTES];
	snprintf(from, sizeof(from), "/proc/self/fd/%d", fd);
	if (!linkat(AT_FDCWD, from, cache, name, AT_SYMLINK_FOLLOW))
		return 0;
	for (unsigned try = 0; errno == EEXIST && try < TRIES; try++) {
		snprintf(temporary, sizeof(temporary), CACHE_TEMPORARY "%ld-%u", (long)getpid(), try);
		if (linkat(AT_FDCWD, from, cache, temporary, AT_SYMLINK_FOLLOW))
			continue;
		int result = renameat(cache, temporary, cache, name) ? -errno : 0;
		if (result)
			unlinkat(cache, temporary, 0);
		return result;
	}
	return -errno;
}

int cache_rename(int cache, const char *temporary, int fd, const char *name)
{
	if (!strcmp(temporary, NAMELESS)) {
		sigset_t before;
		hold_stops_begin(&before); /* a temporary name must not stay */
		int result = name_file(cache, fd, name);
		hold_stops_end(&before);
		return result;
	}
	return renameat(cache, temporary, cache, name) ? -errno : 0;
}

void cache_remove(int cache, const char *temporary)
{
	if (temporary[0] && strcmp(temporary, NAMELESS))
		unlinkat(cache, temporary, 0);
}

#define SECRET "secret"

static bool read_secret(int cache, uint8_t secret[CACHE_SECRET_BYTES])
{
	int fd = openat(cache, SECRET, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool done = fd >= 0 && read(fd, secret, CACHE_SECRET_BYTES) == CACHE_SECRET_BYTES;
	if (fd >= 0)
		close(fd);
	return done;
}

static void make_secret(int cache, const uint8_t secret[CACHE_SECRET_BYTES])
{
	char temporary[CACHE_TEMPORARY_BYTES];
	int fd = cache_temporary(cache, temporary);
	if (fd < 0)
		return;
	if (!temporary[0] || write(fd, secret, CACHE_SECRET_BYTES) != CACHE_SECRET_BYTES ||
	    cache_rename(cache, temporary, fd, SECRET))
		cache_remove(cache, temporary);
	close(fd);
}

const uint8_t *cache_secret(void)
{
	static uint8_t secret[CACHE_SECRET_BYTES];
	static bool known;
	if (known)
		return secret;
	known = true;
	int cache = cache_open();
	if (cache >= 0 && read_secret(cache, secret)) {
		close(cache);
		return secret;
	}
	if (getrandom(secret, sizeof(secret), 0) != sizeof(secret))
		abort(); /* Linux gives up to 256 bytes at once (getrandom(2)) */
	if (cache >= 0) {
		make_secret(cache, secret);
		read_secret(cache, secret); /* another process may have made it first */
		close(cache);
	}
	return secret;
}

const char *cache_place(struct stat *secret)
{
	static char real[PATH_MAX];
	cache_secret();
	int cache = cache_open();
	*secret = (struct stat){0};
	*real = 0;
	if (cache < 0)
		return real;
	if (!realpath(chosen.path, real))
		*real = 0;
	if (fstatat(cache, SECRET, secret, AT_SYMLINK_NOFOLLOW))
		*secret = (struct stat){0};
	close(cache);
	return real;
}
