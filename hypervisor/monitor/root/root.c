/* SPDX-License-Identifier: MIT */
/* Root images. What the guest sees depends on the content of the tree alone: mkfs.erofs sorts each directory, numbers
 * inodes in that order, and all its other inputs are fixed. An image enters the cache only if the tree was the same
 * before and after it was made. The monitor does not read the mapping, so the time to open an image does not depend on
 * its size. */
#include "root/root.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/layout.h"
#include "cache/cache.h"
#include "cache/volume.h"
#include "root/mkfs.h"
#include "root/root_cache.h"
#include "root/stat_index.h"
#include "root/tree_key.h"

/* The on-disk superblock (Linux, Documentation/filesystems/erofs.rst). */
#define SUPERBLOCK_OFFSET 1024
#define SUPERBLOCK_MAGIC 0xe0f5e1e2U

struct superblock {
	uint32_t magic, checksum, compatible;
	uint8_t block_bits, slots;
	uint16_t root;
	uint64_t inodes, built;
	uint32_t built_ns, blocks;
};

_Static_assert(sizeof(struct superblock) == 40, "superblock");

/* When these change, RECIPE in root_cache.c must change, too. */
static char *const mkfs_arguments[] = {
	"mkfs.erofs",      "-x-1", "-T946684800", "-U00000000-0000-0000-0000-000000000000", "--all-root", "--quiet",
	"/proc/self/fd/3", ".",    NULL,
};

static int refuse_kind(const char *path, struct error *error)
{
	return error_set(error, EINVAL,
	                 "%.120s is neither an EROFS image nor a directory; give a directory, or an image made by "
	                 "mkfs.erofs",
	                 path);
}

/* Whether the file begins as an EROFS image does, and is as long as it says. */
static int check_root_image(const struct root *root, struct error *error)
{
	struct superblock sb;
	const uint64_t bytes = root->bytes;
	if (pread(root->fd, &sb, sizeof(sb), (off_t)root->at + SUPERBLOCK_OFFSET) != sizeof(sb) ||
	    sb.magic != SUPERBLOCK_MAGIC)
		return refuse_kind(root->path, error);
	if (sb.block_bits != 12)
		return error_set(error, EINVAL,
		                 "%.120s has blocks of 2^%u bytes, not 4096; make it with mkfs.erofs -b 4096",
		                 root->path, sb.block_bits);
	if ((uint64_t)sb.blocks << sb.block_bits > bytes)
		return error_set(error, EINVAL, "%.140s is a truncated EROFS image; make or copy it again", root->path);
	if (bytes > LAYOUT_ROOT_MAX)
		return error_set(error, EFBIG, "%.140s is larger than %lu GiB; give a root of fewer files", root->path,
		                 LAYOUT_ROOT_MAX >> 30);
	return 0;
}

/* Maps an image, which is a part of a file. Takes over the descriptor. */
static int map_part(struct root *root, int fd, uint64_t at, uint64_t bytes, struct error *error)
{
	root->fd = fd;
	root->at = at;
	root->bytes = bytes;
	int result = check_root_image(root, error);
	if (!result) {
		root->bytes = (bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
		root->data = mmap(NULL, root->bytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, fd, (off_t)at);
		if (root->data != MAP_FAILED)
			return 0;
		result = error_set(error, errno, "cannot map %.180s: %s", root->path, strerror(errno));
		root->data = NULL;
	}
	close(fd);
	root->fd = -1;
	root->bytes = 0;
	return result;
}

static int map_image(struct root *root, int fd, struct error *error)
{
	if (!fstat(fd, &root->was))
		return map_part(root, fd, 0, (uint64_t)root->was.st_size, error);
	int result = error_set(error, errno, "%.180s: %s", root->path, strerror(errno));
	close(fd);
	root->fd = -1;
	return result;
}

int root_open_part(struct root *root, const char *path, int fd, uint64_t at, uint64_t bytes, struct error *error)
{
	memset(root, 0, sizeof(*root));
	root->fd = -1;
	snprintf(root->path, sizeof(root->path), "%s", path);
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	if (copy < 0 || fstat(copy, &root->was)) {
		int reason = errno;
		if (copy >= 0)
			close(copy);
		return error_set(error, reason, "cannot open the root in %.160s: %s", path, strerror(reason));
	}
	return map_part(root, copy, at, bytes, error);
}

/* A directory from which a root image is made. */
struct source {
	int dir, cache;
	struct stat st;
	struct stat_index index;
};

/* Reopens a file read-only and returns the new descriptor: the process engine gives it to a guest. */
static int read_only(int fd)
{
	char name[40];
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	int again = open(name, O_RDONLY | O_CLOEXEC);
	if (again < 0) /* without /proc only the system call filter prevents writes */
		return fd;
	close(fd);
	return again;
}

/* Makes the image and checks that the directory did not change meanwhile. Returns its descriptor or a negative errno.
 */
static int make_image(struct root *root, struct source *source, struct error *error)
{
	char temporary[CACHE_TEMPORARY_BYTES];
	uint8_t key[DIGEST_BYTES];
	struct mkfs_stops stops;
	int fd = cache_temporary(source->cache, temporary);
	if (fd < 0)
		return error_set(error, -fd,
		                 "cannot make a temporary file for the root image in the cache, $TMPDIR or /tmp: %s",
		                 strerror(-fd));
	mkfs_hold_stops(&stops);
	int result = mkfs_run(source->dir, fd, mkfs_arguments, root->path, &stops, error);
	stat_index_again(&source->index);
	if (!result)
		result = tree_key(source->dir, root->path, &source->index, key, error);
	if (!result && memcmp(key, root->identity, sizeof(key)))
		result = error_set(error, EAGAIN,
		                   "%.120s changed while an image was made of it; run again while nothing writes to it",
		                   root->path);
	if (!result && temporary[0] && !root_cache_add(source->cache, temporary, fd, key))
		temporary[0] = 0;
	cache_remove(source->cache, temporary);
	if (mkfs_release_stops(&stops)) { /* the temporary file is removed by now */
		root->stopped = stops.signal;
		result = error_set(error, EINTR, "stopped by signal %d (%s)", stops.signal, strsignal(stops.signal));
	}
	if (!result)
		return read_only(fd);
	close(fd);
	return result;
}

static int open_tree(struct root *root, struct source *source, struct error *error)
{
	int result = tree_key(source->dir, root->path, &source->index, root->identity, error);
	if (result)
		return result;
	root->has_identity = true;
	int fd = root_cache_find(source->cache, root->identity);
	if (fd >= 0 && !map_image(root, fd, error))
		return 0;
	fd = make_image(root, source, error);
	return fd < 0 ? fd : map_image(root, fd, error);
}

static int open_root_directory(struct root *root, int dir, const struct stat *st, struct error *error)
{
	struct source source = {.dir = dir, .cache = cache_open(), .st = *st};
	stat_index_load(&source.index, source.cache, st);
	int result = open_tree(root, &source, error);
	if (!result)
		stat_index_store(&source.index, source.cache, st);
	stat_index_fini(&source.index);
	if (source.cache >= 0)
		close(source.cache);
	return result;
}

int root_open(struct root *root, const char *path, struct error *error)
{
	struct stat st;
	memset(root, 0, sizeof(*root));
	root->fd = -1;
	if ((size_t)snprintf(root->path, sizeof(root->path), "%s", path) >= sizeof(root->path))
		return error_set(error, ENAMETOOLONG, "the path of the root is too long");
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		int reason = errno;
		if (fd >= 0)
			close(fd);
		if (reason == ENXIO) /* a socket */
			return refuse_kind(path, error);
		return error_set(error, reason, "cannot open the root '%.180s': %s", path, strerror(reason));
	}
	if (S_ISREG(st.st_mode))
		return map_image(root, fd, error);
	int result = S_ISDIR(st.st_mode) ? open_root_directory(root, fd, &st, error) : refuse_kind(path, error);
	close(fd);
	return result;
}

int root_identity(struct root *root, struct error *error)
{
	struct stat_index index;
	int result = 0;
	if (!root->data || root->has_identity)
		return 0;
	int cache = cache_open();
	stat_index_load(&index, cache, &root->was);
	const uint8_t *known = stat_index_find(&index, root->fd, &root->was);
	if (known)
		memcpy(root->identity, known, DIGEST_BYTES);
	const bool is_settled = known || volume_settle(root->fd, NULL);
	if (!known)
		result = tree_key_file(root->fd, &root->was, root->path, root->identity, error);
	if (!known && !result && is_settled) {
		stat_index_add(&index, &root->was, root->identity);
		stat_index_store(&index, cache, &root->was);
	}
	stat_index_fini(&index);
	if (cache >= 0)
		close(cache);
	root->has_identity = !result;
	return result;
}

int root_check(const struct root *root, struct error *error)
{
	struct stat now;
	if (!root->data)
		return 0;
	if (fstat(root->fd, &now))
		return error_set(error, ESTALE, "cannot check the root %.180s for changes: %s", root->path,
		                 strerror(errno));
	/* Each write changes ctime. Adding or removing a hard link also changes it, but does no harm, and changes the
	 * link count. */
	bool changed = memcmp(&now.st_ctim, &root->was.st_ctim, sizeof(now.st_ctim)) != 0;
	if (now.st_size != root->was.st_size || memcmp(&now.st_mtim, &root->was.st_mtim, sizeof(now.st_mtim)) ||
	    (changed && now.st_nlink == root->was.st_nlink))
		return error_set(error, ESTALE,
		                 "the root %.120s changed during the run; run again while nothing writes to it",
		                 root->path);
	return 0;
}

void root_close(struct root *root)
{
	if (root->data) {
		munmap(root->data, root->bytes);
		close(root->fd);
	}
	memset(root, 0, sizeof(*root));
	root->fd = -1;
}
