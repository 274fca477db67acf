/* SPDX-License-Identifier: MIT */
/* The file format is private to this machine: a header with a checksum, then the sorted entries. A damaged file counts
 * as missing. */
#include "root/stat_index.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/write_all.h"
#include "cache/cache.h"
#include "cache/volume.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MAGIC 0x3278646e69657265UL /* "ereindx2" */
#define ENTRIES_MAX (1UL << 24)
/* Resolution of file times: up to two seconds (FAT); 10 ms in Linux's own file systems. */
#define SETTLED_NS 2000000000L

struct header {
	uint64_t magic, count, checksum;
};

static void stat_name(const struct stat *of, char name[64])
{
	snprintf(name, 64, "%lx-%lx.index", (unsigned long)of->st_dev, (unsigned long)of->st_ino);
}

static int64_t ns_of(const struct timespec *ts)
{
	return ts->tv_sec * 1000000000L + ts->tv_nsec;
}

static struct stat_index_entry stat_entry(const struct stat_index *index, const struct stat *st)
{
	return (struct stat_index_entry){
		.dev = st->st_dev ^ index->volume,
		.ino = st->st_ino,
		.size = (uint64_t)st->st_size,
		.mtime_ns = ns_of(&st->st_mtim),
		.ctime_ns = ns_of(&st->st_ctim),
		.mode = st->st_mode,
	};
}

static int compare_stats(const void *a, const void *b)
{
	const struct stat_index_entry *x = a, *y = b;
	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return x->ino == y->ino ? 0 : x->ino < y->ino ? -1 : 1;
}

/* Reads the entries into allocated memory. Returns NULL if they cannot be used. */
static struct stat_index_entry *read_entries(int fd, size_t *count)
{
	struct header header;
	struct stat st;
	if (fstat(fd, &st) || read(fd, &header, sizeof(header)) != sizeof(header))
		return NULL;
	if (header.magic != MAGIC || header.count > ENTRIES_MAX)
		return NULL;
	size_t bytes = header.count * sizeof(struct stat_index_entry);
	if ((uint64_t)st.st_size != sizeof(header) + bytes)
		return NULL;
	struct stat_index_entry *entries = malloc(bytes + 1);
	if (!entries)
		return NULL;
	if (read(fd, entries, bytes) != (ssize_t)bytes || XXH3_64bits(entries, bytes) != header.checksum) {
		free(entries);
		return NULL;
	}
	*count = header.count;
	return entries;
}

void stat_index_load(struct stat_index *index, int cache, const struct stat *of)
{
	char name[64];
	memset(index, 0, sizeof(*index));
	stat_name(of, name);
	int fd = cache < 0 ? -1 : openat(cache, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	index->old = read_entries(fd, &index->old_count);
	if (!index->old)
		index->old_count = 0;
	cache_touch(fd);
	close(fd);
}

/* Adds an entry. Without memory it is left out, which only costs time later. */
static void remember(struct stat_index *index, const struct stat_index_entry *entry)
{
	if (index->seen_count < ENTRIES_MAX && array_reserve(index->seen, index->seen_room, index->seen_count + 1))
		index->seen[index->seen_count++] = *entry;
}

/* Finds the file system of a file, which is the last one's as a rule. */
static void find_volume(struct stat_index *index, int at, const struct stat *st)
{
	struct statx of;
	if (index->dev == st->st_dev)
		return;
	index->tells = !statx(at, "", AT_EMPTY_PATH, VOLUME_STATX, &of) &&
	               makedev(of.stx_dev_major, of.stx_dev_minor) == st->st_dev && volume_of(at, &of, &index->volume);
	index->dev = st->st_dev;
}

const uint8_t *stat_index_find(struct stat_index *index, int at, const struct stat *st)
{
	find_volume(index, at, st);
	struct stat_index_entry key = stat_entry(index, st);
	const struct stat_index_entry *found = NULL;
	if (index->old_count && index->tells)
		found = bsearch(&key, index->old, index->old_count, sizeof(key), compare_stats);
	if (!found || memcmp(found, &key, offsetof(struct stat_index_entry, hash)))
		return NULL;
	remember(index, found);
	return found->hash;
}

void stat_index_add(struct stat_index *index, const struct stat *st, const uint8_t hash[DIGEST_BYTES])
{
	struct stat_index_entry entry = stat_entry(index, st);
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (!index->tells || entry.ctime_ns > ns_of(&now) - SETTLED_NS) /* every change of a file sets its ctime */
		return;
	memcpy(entry.hash, hash, sizeof(entry.hash));
	index->changed = true;
	remember(index, &entry);
}

void stat_index_again(struct stat_index *index)
{
	if (index->seen_count)
		qsort(index->seen, index->seen_count, sizeof(*index->seen), compare_stats);
	free(index->old);
	index->old = index->seen;
	index->old_count = index->seen_count;
	index->seen = NULL;
	index->seen_count = index->seen_room = 0;
}

void stat_index_store(struct stat_index *index, int cache, const struct stat *of)
{
	char name[64], temporary[CACHE_TEMPORARY_BYTES];
	if (cache < 0 || !index->changed || !index->seen_count)
		return;
	qsort(index->seen, index->seen_count, sizeof(*index->seen), compare_stats);
	int fd = cache_temporary(cache, temporary);
	if (fd < 0)
		return;
	size_t bytes = index->seen_count * sizeof(*index->seen);
	struct header header = {MAGIC, index->seen_count, XXH3_64bits(index->seen, bytes)};
	int result = write_all(fd, &header, sizeof(header), 0) || write_all(fd, index->seen, bytes, sizeof(header));
	stat_name(of, name);
	if (temporary[0] && (result || cache_rename(cache, temporary, fd, name)))
		cache_remove(cache, temporary);
	close(fd);
}

void stat_index_fini(struct stat_index *index)
{
	free(index->old);
	free(index->seen);
	memset(index, 0, sizeof(*index));
}
