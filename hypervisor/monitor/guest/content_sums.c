/* SPDX-License-Identifier: MIT */
/* KEY.sums has the hashes of a part of a host file; KEY is a sum of what stat(2) says of the file, and of the part. */
#include "guest/content_sums.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "abi/host_file.h"
#include "cache/cache.h"
#include "cache/volume.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MAGIC 0x33736d7573657265UL /* "eresums3" */
#define NAME_BYTES 48
#define READ_BYTES (1UL << 18)
#define YOUNG_S 2 /* a file system may count time in such steps */

/* What is known of a part of a file without reading it. */
struct original {
	uint64_t dev, ino, size;
	int64_t mtime_s, mtime_ns, ctime_s, ctime_ns;
	uint64_t volume; /* volume_of */
	uint64_t start, bytes;
};

struct entry {
	uint64_t magic;
	struct original original;
	uint8_t hash[DIGEST_BYTES];
	uint64_t keyed[2];
	uint64_t checksum;
};

static XXH3_state_t keyed_sum; /* must be aligned */
static struct digest_sum hash_sum;
static bool is_hash_wanted;

void content_sums_begin(bool wants_hash)
{
	is_hash_wanted = wants_hash;
	digest_begin(&hash_sum);
	XXH3_128bits_reset_withSecret(&keyed_sum, cache_secret(), CACHE_SECRET_BYTES);
}

void content_sums_add(const void *data, size_t bytes)
{
	if (is_hash_wanted)
		digest_add(&hash_sum, data, bytes);
	XXH3_128bits_update(&keyed_sum, data, bytes);
}

void content_sums_end(struct content_sums *sums)
{
	const XXH128_hash_t sum = XXH3_128bits_digest(&keyed_sum);
	if (is_hash_wanted)
		digest_end(&hash_sum, sums->hash);
	sums->has_keyed = true;
	sums->keyed[0] = sum.low64;
	sums->keyed[1] = sum.high64;
}

/* Describes a part. Returns false if its file cannot be named by its attributes, or does not have it. */
static bool describe_original(const struct content_part *part, struct original *original)
{
	struct statx st;
	memset(original, 0, sizeof(*original)); /* also its padding, because it is hashed */
	if (statx(part->file, "", AT_EMPTY_PATH, VOLUME_STATX, &st) || !S_ISREG(st.stx_mode))
		return false;
	original->dev = makedev(st.stx_dev_major, st.stx_dev_minor);
	original->ino = st.stx_ino;
	original->size = st.stx_size;
	original->mtime_s = st.stx_mtime.tv_sec;
	original->mtime_ns = st.stx_mtime.tv_nsec;
	original->ctime_s = st.stx_ctime.tv_sec;
	original->ctime_ns = st.stx_ctime.tv_nsec;
	original->start = part->start;
	original->bytes = part->bytes;
	return volume_of(part->file, &st, &original->volume) && part->start <= original->size &&
	       part->bytes <= original->size - part->start;
}

static bool is_same_original(const struct original *a, const struct original *b)
{
	return !memcmp(a, b, sizeof(*a));
}

static void name_entry(const struct original *original, char name[NAME_BYTES])
{
	XXH128_hash_t key = XXH3_128bits_withSecret(original, sizeof(*original), cache_secret(), CACHE_SECRET_BYTES);
	snprintf(name, NAME_BYTES, "%016lx%016lx.sums", key.high64, key.low64);
}

static uint64_t sum_entry(const struct entry *entry)
{
	return XXH3_64bits_withSecret(entry, offsetof(struct entry, checksum), cache_secret(), CACHE_SECRET_BYTES);
}

static int open_entry(int cache, const struct original *original)
{
	char name[NAME_BYTES];
	name_entry(original, name);
	return openat(cache, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

/* Reads an entry. Returns false if it is not one of this file. */
static bool read_sum_entry(int fd, const struct original *original, struct entry *entry)
{
	return read(fd, entry, sizeof(*entry)) == (ssize_t)sizeof(*entry) && entry->magic == MAGIC &&
	       entry->checksum == sum_entry(entry) && is_same_original(&entry->original, original);
}

static bool find_entry(int cache, const struct original *original, struct content_sums *sums, bool *is_to_be_touched)
{
	struct entry entry;
	int fd = open_entry(cache, original);
	if (fd < 0)
		return false;
	bool is_good = read_sum_entry(fd, original, &entry);
	*is_to_be_touched = cache_is_to_be_touched(fd);
	close(fd);
	if (!is_good)
		return false;
	memcpy(sums->hash, entry.hash, sizeof(sums->hash));
	sums->has_keyed = true;
	memcpy(sums->keyed, entry.keyed, sizeof(sums->keyed));
	return true;
}

bool content_sums_find(const struct content_part *part, struct content_sums *sums, bool *is_to_be_touched)
{
	struct original original;
	int cache = describe_original(part, &original) ? cache_open() : -1;
	if (cache < 0)
		return false;
	bool is_found = find_entry(cache, &original, sums, is_to_be_touched);
	close(cache);
	return is_found;
}

bool content_is_young(const struct stat *st)
{
	const time_t now = time(NULL);
	return st->st_mtim.tv_sec > now - YOUNG_S || st->st_ctim.tv_sec > now - YOUNG_S;
}

/* Hashes a part of an open file. Returns whether all of it was there. */
static bool hash_part(const struct content_part *part, struct content_sums *sums)
{
	static uint8_t bytes[READ_BYTES]; /* too large for a stack */
	content_sums_begin(true);
	for (uint64_t at = 0; at < part->bytes;) {
		const uint64_t left = part->bytes - at;
		ssize_t got = pread(part->file, bytes, left < sizeof(bytes) ? left : sizeof(bytes),
		                    (off_t)(part->start + at));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		content_sums_add(bytes, (size_t)got);
		at += (uint64_t)got;
	}
	content_sums_end(sums);
	return true;
}

static void put_entry(int cache, struct entry *entry)
{
	char name[NAME_BYTES], temporary[CACHE_TEMPORARY_BYTES];
	int fd = cache_temporary(cache, temporary);
	if (fd < 0)
		return;
	entry->checksum = sum_entry(entry);
	name_entry(&entry->original, name);
	bool is_written = write(fd, entry, sizeof(*entry)) == (ssize_t)sizeof(*entry);
	if (temporary[0] && (!is_written || cache_rename(cache, temporary, fd, name)))
		cache_remove(cache, temporary);
	close(fd);
}

/* Whether the cache may have an entry of a part, which it describes. */
static bool may_keep(const struct content_part *part, struct original *original)
{
	struct stat st;
	return volume_settle(part->file, NULL) && !fstat(part->file, &st) && !content_is_young(&st) &&
	       describe_original(part, original) && part->bytes <= HOST_FILE_SHOWN_MAX;
}

static void keep_entry(int cache, const struct content_part *part, struct entry *entry)
{
	struct original now;
	if (!describe_original(part, &now) || !is_same_original(&now, &entry->original))
		return;
	put_entry(cache, entry);
	cache_keep_limits(cache, sizeof(*entry));
}

/* Finds the hashes of a part in the cache, where another run may have put them. Otherwise computes them, if the cache
 * gets them or `is_wanted`. Returns whether it has them. */
static bool find_or_keep(const struct content_part *part, bool is_wanted, struct content_sums *sums)
{
	struct entry entry;
	bool unused;
	memset(&entry, 0, sizeof(entry));
	entry.magic = MAGIC;
	int cache = cache_open();
	const bool is_kept = cache >= 0 && may_keep(part, &entry.original);
	bool has = is_kept && find_entry(cache, &entry.original, sums, &unused);
	if (!has && (is_kept || is_wanted) && hash_part(part, sums)) {
		has = true;
		memcpy(entry.hash, sums->hash, sizeof(entry.hash));
		memcpy(entry.keyed, sums->keyed, sizeof(entry.keyed));
		if (is_kept)
			keep_entry(cache, part, &entry);
	}
	if (cache >= 0)
		close(cache);
	return has;
}

void content_sums_keep(const struct content_part *part)
{
	struct content_sums sums;
	find_or_keep(part, false, &sums);
}

int content_sums_check(const struct content_part *part, const uint8_t hash[DIGEST_BYTES])
{
	struct content_sums sums;
	if (part->bytes > HOST_FILE_SHOWN_MAX || !find_or_keep(part, true, &sums))
		return -EIO;
	return memcmp(sums.hash, hash, DIGEST_BYTES) ? -EUCLEAN : 0;
}

void content_sums_touch(const struct content_part *part)
{
	struct original original;
	int cache = describe_original(part, &original) ? cache_open() : -1;
	int fd = cache < 0 ? -1 : open_entry(cache, &original);
	if (fd >= 0) {
		cache_touch(fd);
		close(fd);
	}
	if (cache >= 0)
		close(cache);
}
