/* SPDX-License-Identifier: MIT */
/* A small file beside an image seals it: it has the inode, size and times of the complete image. Writing to the image,
 * truncating or replacing it changes its ctime, which no program can set. So checking an image takes the same time for
 * any size. An image without its seal is made again, which only costs time. */
#include "root/root_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/cache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Changes with the arguments of mkfs.erofs in root.c, so that no older image is taken from the cache. */
#define RECIPE "2"
#define NAME_BYTES (2 * DIGEST_BYTES + 16)
#define MAGIC 0x316c616573657265UL /* "ereseal1" */

struct seal {
	uint64_t magic;
	uint64_t ino, size;
	int64_t mtime_s, mtime_ns, ctime_s, ctime_ns;
	uint64_t checksum;
};

static void root_cache_name(const uint8_t key[DIGEST_BYTES], const char *ending, char name[NAME_BYTES])
{
	for (unsigned i = 0; i < DIGEST_BYTES; i++)
		name += sprintf(name, "%02x", key[i]);
	sprintf(name, "-" RECIPE "%s", ending);
}

static struct seal seal_of(const struct stat *st)
{
	struct seal seal = {
		.magic = MAGIC,
		.ino = st->st_ino,
		.size = (uint64_t)st->st_size,
		.mtime_s = st->st_mtim.tv_sec,
		.mtime_ns = st->st_mtim.tv_nsec,
		.ctime_s = st->st_ctim.tv_sec,
		.ctime_ns = st->st_ctim.tv_nsec,
	};
	seal.checksum = XXH3_64bits(&seal, offsetof(struct seal, checksum));
	return seal;
}

static bool is_mine(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_uid == geteuid() && !(st->st_mode & 0022);
}

/* Whether the open image is unchanged since it was sealed. */
static bool is_sealed(int cache, int fd, const char *seal_name)
{
	struct stat st, seal_st;
	struct seal found, expected;
	int seal = openat(cache, seal_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (seal < 0)
		return false;
	bool good = read(seal, &found, sizeof(found)) == (ssize_t)sizeof(found) && !fstat(seal, &seal_st) &&
	            !fstat(fd, &st) && is_mine(&seal_st) && is_mine(&st);
	if (good) {
		expected = seal_of(&st);
		good = !memcmp(&found, &expected, sizeof(found));
	}
	if (good)
		cache_touch(seal);
	close(seal);
	return good;
}

int root_cache_find(int cache, const uint8_t key[DIGEST_BYTES])
{
	char name[NAME_BYTES], seal[NAME_BYTES];
	if (cache < 0)
		return -1;
	root_cache_name(key, ".erofs", name);
	root_cache_name(key, ".seal", seal);
	int fd = openat(cache, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || is_sealed(cache, fd, seal))
		return fd;
	close(fd);
	return -1;
}

/* Writes the seal. After a failure the image is made again next time. */
static void put_seal(int cache, int fd, const char *seal_name)
{
	char temporary[CACHE_TEMPORARY_BYTES];
	struct stat st;
	if (fstat(fd, &st))
		return;
	int seal_fd = cache_temporary(cache, temporary);
	if (seal_fd < 0)
		return;
	const struct seal seal = seal_of(&st);
	bool written = write(seal_fd, &seal, sizeof(seal)) == (ssize_t)sizeof(seal);
	if (temporary[0] && (!written || cache_rename(cache, temporary, seal_fd, seal_name)))
		cache_remove(cache, temporary);
	close(seal_fd);
}

int root_cache_add(int cache, const char *temporary, int fd, const uint8_t key[DIGEST_BYTES])
{
	char name[NAME_BYTES], seal[NAME_BYTES];
	root_cache_name(key, ".erofs", name);
	root_cache_name(key, ".seal", seal);
	/* After a crash of the machine, no name may refer to an image whose blocks did not reach the disk. */
	if (fchmod(fd, 0400) || fdatasync(fd))
		return -errno;
	int result = cache_rename(cache, temporary, fd, name);
	if (result)
		return result;
	put_seal(cache, fd, seal); /* last, because adding a name changes ctime */
	cache_keep_limits(cache, UINT64_MAX);
	return 0;
}
