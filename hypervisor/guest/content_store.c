/* SPDX-License-Identifier: MIT */
/* A copy is two files of one name: KEY.content, and KEY.stored, which describes it and is written last. A cache whose
 * mount forbids execution has no copies, because a process of the process engine could not execute them. */
#include "guest/content_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "abi/host_file.h"
#include "base/write_all.h"
#include "cache/cache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MAGIC 0x3165726f74736572UL /* "restore1" */
#define COPY_BYTES (1UL << 18)
#define YOUNG_S 2 /* a file system may count time in such steps */

/* What is known of the original without reading it. */
struct original {
	uint64_t dev, ino, size;
	int64_t mtime_s, mtime_ns, ctime_s, ctime_ns;
	uint64_t mount; /* of a file system whose device number another one can get later; otherwise 0 */
};

struct description {
	uint64_t magic;
	struct original original;
	uint8_t hash[DIGEST_BYTES];
	uint64_t keyed[2];
	struct cache_seal copy;
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

void content_sums_end(uint8_t hash[DIGEST_BYTES], uint64_t keyed[2])
{
	const XXH128_hash_t sum = XXH3_128bits_digest(&keyed_sum);
	if (is_hash_wanted)
		digest_end(&hash_sum, hash);
	keyed[0] = sum.low64;
	keyed[1] = sum.high64;
}

/* Describes an open file. Returns false if it cannot be named by its attributes. */
static bool describe_original(int fd, struct original *original)
{
	struct statx st;
	memset(original, 0, sizeof(*original)); /* also its padding, because it is hashed */
	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_MNT_ID, &st) || !S_ISREG(st.stx_mode))
		return false;
	original->dev = makedev(st.stx_dev_major, st.stx_dev_minor);
	original->ino = st.stx_ino;
	original->size = st.stx_size;
	original->mtime_s = st.stx_mtime.tv_sec;
	original->mtime_ns = st.stx_mtime.tv_nsec;
	original->ctime_s = st.stx_ctime.tv_sec;
	original->ctime_ns = st.stx_ctime.tv_nsec;
	if (!st.stx_dev_major)
		original->mount = st.stx_mask & STATX_MNT_ID ? st.stx_mnt_id : 0;
	return st.stx_dev_major || original->mount;
}

static bool is_same_original(const struct original *a, const struct original *b)
{
	return !memcmp(a, b, sizeof(*a));
}

static void name_copy(const struct original *original, const char *ending, char name[CONTENT_NAME_BYTES])
{
	XXH128_hash_t key = XXH3_128bits_withSecret(original, sizeof(*original), cache_secret(), CACHE_SECRET_BYTES);
	snprintf(name, CONTENT_NAME_BYTES, "%016lx%016lx.%s", key.high64, key.low64, ending);
}

static uint64_t sum_description(const struct description *description)
{
	return XXH3_64bits_withSecret(description, offsetof(struct description, checksum), cache_secret(),
	                              CACHE_SECRET_BYTES);
}

static int open_part(int cache, const struct original *original, const char *ending)
{
	char name[CONTENT_NAME_BYTES];
	name_copy(original, ending, name);
	return openat(cache, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

/* Reads a description. Returns false if it is not one of this original. */
static bool read_description(int fd, const struct original *original, struct description *description)
{
	return read(fd, description, sizeof(*description)) == (ssize_t)sizeof(*description) &&
	       description->magic == MAGIC && description->checksum == sum_description(description) &&
	       is_same_original(&description->original, original);
}

static bool is_copy_sealed(const struct stat *st, const struct cache_seal *seal)
{
	const struct cache_seal now = cache_seal_of(st);
	return cache_is_mine(st) && !memcmp(&now, seal, sizeof(now));
}

static int find_copy(int cache, const struct original *original, struct stored_content *found)
{
	struct description description;
	struct stat st;
	int fd = open_part(cache, original, "stored");
	if (fd < 0)
		return -1;
	bool is_good = read_description(fd, original, &description);
	found->is_to_be_touched = cache_is_to_be_touched(fd);
	close(fd);
	found->fd = is_good ? open_part(cache, original, "content") : -1;
	if (found->fd < 0)
		return -1;
	memcpy(found->hash, description.hash, sizeof(found->hash));
	memcpy(found->keyed, description.keyed, sizeof(found->keyed));
	found->copy.seal = description.copy;
	name_copy(original, "content", found->copy.name);
	if (!fstat(found->fd, &st) && is_copy_sealed(&st, &description.copy) && description.copy.size == original->size)
		return 0;
	close(found->fd);
	return -1;
}

int content_store_find(int original_fd, struct stored_content *found)
{
	struct original original;
	int cache = cache_may_execute() && describe_original(original_fd, &original) ? cache_open() : -1;
	if (cache < 0)
		return -1;
	int result = find_copy(cache, &original, found);
	close(cache);
	return result;
}

bool content_store_is_whole(const struct content_seal *copy)
{
	struct stat st;
	int cache = cache_open();
	if (cache < 0)
		return false;
	int result = fstatat(cache, copy->name, &st, AT_SYMLINK_NOFOLLOW);
	bool is_gone = result ? errno == ENOENT : st.st_ino != copy->seal.ino;
	close(cache);
	return is_gone || (!result && is_copy_sealed(&st, &copy->seal));
}

/* Copies and hashes an open file. Returns whether all of it was there and written. */
static bool copy_original(int from, int to, struct description *description)
{
	static uint8_t bytes[COPY_BYTES]; /* too large for a stack */
	content_sums_begin(true);
	for (uint64_t at = 0; at < description->original.size;) {
		ssize_t got = pread(from, bytes, sizeof(bytes), (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0 || write_all(to, bytes, (size_t)got, (off_t)at))
			return false;
		content_sums_add(bytes, (size_t)got);
		at += (uint64_t)got;
	}
	content_sums_end(description->hash, description->keyed);
	return true;
}

/* Writes a file's description. */
static void put_description(int cache, int copy_fd, struct description *description)
{
	char name[CONTENT_NAME_BYTES], temporary[CACHE_TEMPORARY_BYTES];
	struct stat st;
	int fd = fstat(copy_fd, &st) ? -1 : cache_temporary(cache, temporary);
	if (fd < 0)
		return;
	description->copy = cache_seal_of(&st);
	description->checksum = sum_description(description);
	name_copy(&description->original, "stored", name);
	bool is_written = write(fd, description, sizeof(*description)) == (ssize_t)sizeof(*description);
	if (temporary[0] && (!is_written || cache_rename(cache, temporary, fd, name)))
		cache_remove(cache, temporary);
	close(fd);
}

static bool is_original_young(const struct original *original)
{
	const time_t now = time(NULL);
	return original->mtime_s > now - YOUNG_S || original->ctime_s > now - YOUNG_S;
}

static void add_copy(int cache, int original_fd, struct description *description)
{
	char name[CONTENT_NAME_BYTES], temporary[CACHE_TEMPORARY_BYTES];
	struct original now;
	int fd = cache_temporary(cache, temporary);
	if (fd < 0)
		return;
	/* After a crash of the machine, no description may be of a copy whose blocks did not reach the disk. */
	bool is_done = temporary[0] && copy_original(original_fd, fd, description) &&
	               describe_original(original_fd, &now) && is_same_original(&now, &description->original) &&
	               !fchmod(fd, 0400) && !fdatasync(fd);
	name_copy(&description->original, "content", name);
	if (is_done && !cache_rename(cache, temporary, fd, name))
		put_description(cache, fd, description); /* last, because adding a name changes ctime */
	else if (temporary[0])
		cache_remove(cache, temporary);
	close(fd);
}

void content_store_add(int original_fd)
{
	static struct description description; /* all of it is hashed: its padding is zero */
	struct stored_content found;
	int cache = cache_may_execute() ? cache_open() : -1;
	memset(&description, 0, sizeof(description));
	description.magic = MAGIC;
	if (cache >= 0 && describe_original(original_fd, &description.original) &&
	    description.original.size <= HOST_FILE_SHOWN_MAX && !is_original_young(&description.original)) {
		if (!find_copy(cache, &description.original, &found)) {
			close(found.fd); /* another run was first */
		} else {
			add_copy(cache, original_fd, &description);
			cache_keep_limits(cache, description.original.size);
		}
	}
	if (cache >= 0)
		close(cache);
}

void content_store_touch(int original_fd)
{
	struct original original;
	int cache = describe_original(original_fd, &original) ? cache_open() : -1;
	int fd = cache < 0 ? -1 : open_part(cache, &original, "stored");
	if (fd >= 0) {
		cache_touch(fd);
		close(fd);
	}
	if (cache >= 0)
		close(cache);
}
