/* SPDX-License-Identifier: MIT */
/* Keeps the cache within its limits. The modification time of a file is the time of its last use. For a root image,
 * whose times must not change, its seal has this time (root_cache.c). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/value.h"
#include "cache/cache.h"

#define STAMP ".pruned"
#define STAMP_AGE_S 3600
#define TOUCH_AGE_S 86400
#define PRUNE_SHARE 64

static const struct cache_limits usual_limits = {.bytes = 4UL << 30, .age_s = 30L * 86400};

struct entry {
	char *name;
	time_t used;
	uint64_t bytes;
};

struct entries {
	struct entry *at;
	size_t count, room;
	uint64_t bytes;
};

bool cache_is_to_be_touched(int fd)
{
	struct stat st;
	return !fstat(fd, &st) && st.st_mtime < time(NULL) - TOUCH_AGE_S;
}

void cache_touch(int fd)
{
	if (cache_is_to_be_touched(fd))
		futimens(fd, NULL);
}

/* Whether the name is one that eremite gives: hexadecimal numbers, and an ending. */
static bool is_ours(const char *name, const char *ending)
{
	size_t length = strspn(name, "0123456789abcdef-");
	return length && !strcmp(name + length, ending);
}

/* Removes a temporary file unless a process still locks it. */
static void remove_left_behind(int cache, const char *name)
{
	int fd = openat(cache, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (!flock(fd, LOCK_EX | LOCK_NB))
		unlinkat(cache, name, 0);
	close(fd);
}

/* Makes the name of an image's seal, or of a seal's image. */
static void other_name(const char *name, const char *ending, char other[NAME_MAX + 1])
{
	size_t length = strspn(name, "0123456789abcdef-");
	memcpy(other, name, length);
	strcpy(other + length, ending);
}

/* Adds an entry. Without memory it is not pruned. */
static void add_cached(struct entries *entries, const char *name, time_t used, uint64_t bytes)
{
	char *copy = array_reserve(entries->at, entries->room, entries->count + 1) ? strdup(name) : NULL;
	if (!copy)
		return;
	entries->at[entries->count++] = (struct entry){copy, used, bytes};
	entries->bytes += bytes;
}

static void look_at_cached(int cache, const char *name, struct entries *entries)
{
	struct stat st, other;
	char other_is[NAME_MAX + 1];
	if (!strncmp(name, CACHE_TEMPORARY, strlen(CACHE_TEMPORARY))) {
		remove_left_behind(cache, name);
		return;
	}
	if (strlen(name) > NAME_MAX - 8 || fstatat(cache, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
		return;
	uint64_t bytes = (uint64_t)st.st_blocks * 512;
	if (is_ours(name, ".index") || is_ours(name, ".sites") || is_ours(name, ".patches") ||
	    is_ours(name, ".analysis") || is_ours(name, ".asked") || is_ours(name, ".sums")) {
		add_cached(entries, name, st.st_mtime, bytes);
	} else if (is_ours(name, ".erofs")) {
		other_name(name, ".seal", other_is);
		bool sealed = !fstatat(cache, other_is, &other, AT_SYMLINK_NOFOLLOW);
		add_cached(entries, name, sealed ? other.st_mtime : st.st_mtime, bytes);
	} else if (is_ours(name, ".seal")) {
		other_name(name, ".erofs", other_is);
		if (fstatat(cache, other_is, &other, AT_SYMLINK_NOFOLLOW))
			unlinkat(cache, name, 0);
	}
}

static int compare_use(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->used != y->used)
		return x->used < y->used ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void remove_entry(int cache, const char *name)
{
	char seal[NAME_MAX + 1];
	if (is_ours(name, ".erofs")) {
		other_name(name, ".seal", seal);
		unlinkat(cache, seal, 0);
	}
	unlinkat(cache, name, 0);
}

/* Whether the last pruning is long ago. If so, stamps this one. */
static bool is_time(int cache)
{
	struct stat st;
	if (!fstatat(cache, STAMP, &st, AT_SYMLINK_NOFOLLOW) && st.st_mtime > time(NULL) - STAMP_AGE_S)
		return false;
	int fd = openat(cache, STAMP, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	if (fd < 0)
		return false;
	futimens(fd, NULL);
	close(fd);
	return true;
}

void cache_prune(int cache, const struct cache_limits *limits, bool now)
{
	struct entries entries = {0};
	if (cache < 0 || (!now && !is_time(cache)))
		return;
	int copy = openat(cache, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = copy < 0 ? NULL : fdopendir(copy);
	if (!stream) {
		if (copy >= 0)
			close(copy);
		return;
	}
	for (struct dirent *found; (found = readdir(stream));)
		look_at_cached(cache, found->d_name, &entries);
	closedir(stream);
	if (entries.count)
		qsort(entries.at, entries.count, sizeof(*entries.at), compare_use);
	time_t oldest = time(NULL) - limits->age_s;
	for (size_t i = 0; i < entries.count; i++) {
		struct entry *entry = &entries.at[i];
		bool last = i + 1 == entries.count; /* the newest entry stays, whatever its size */
		if (entry->used < oldest || (entries.bytes > limits->bytes && !last)) {
			remove_entry(cache, entry->name);
			entries.bytes -= entry->bytes;
		}
		free(entry->name);
	}
	free(entries.at);
}

static uint64_t limited_bytes;

int cache_limit(const char *size)
{
	uint64_t bytes;
	if (value_size(size, &bytes) || !bytes)
		return -EINVAL;
	limited_bytes = bytes;
	return 0;
}

void cache_keep_limits(int cache, uint64_t bytes)
{
	static uint64_t added; /* since this process has pruned */
	struct cache_limits limits = usual_limits;
	if (limited_bytes)
		limits.bytes = limited_bytes;
	added = bytes > UINT64_MAX - added ? UINT64_MAX : added + bytes;
	const bool now = added > limits.bytes / PRUNE_SHARE;
	if (now)
		added = 0;
	cache_prune(cache, &limits, now);
}
