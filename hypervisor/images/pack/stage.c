/* SPDX-License-Identifier: MIT */
/* Everything in the staging directory is created beneath it without following links, because the names come from the
 * guest. */
#include "pack/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/janitor.h"
#include "base/write_all.h"
#include "eri/eri_manifest.h"
#include "pack/stage_inputs.h"
#include "root/mkfs.h"

#define COPY_BYTES (1UL << 18)
#define SUPERBLOCK_AT 1024       /* of EROFS, whose first member is its magic number */
#define DEFAULT_TIME "946684800" /* 2000-01-01 */

/* --- the directory --- */

/* Makes a directory whose permissions do not depend on the umask, so that the image does not either. Returns 0, or -1
 * with errno set. */
static int make_stage_directory(int dir, const char *name)
{
	return mkdirat(dir, name, 0755) ? -1 : fchmodat(dir, name, 0755, 0);
}

static int open_child(const struct stage *stage, const char *name, int *fd)
{
	if (make_stage_directory(stage->dir, name))
		return -errno;
	*fd = openat(stage->dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return *fd < 0 ? -errno : 0;
}

/* Whether a file is an EROFS image, which a new image may replace. Others are somebody's data. */
static bool is_image_path(const char *path)
{
	uint32_t magic = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is = fd >= 0 && pread(fd, &magic, sizeof(magic), SUPERBLOCK_AT) == sizeof(magic) &&
	          magic == EROFS_SUPER_MAGIC_V1;
	if (fd >= 0)
		close(fd);
	return is;
}

int stage_open(struct stage *stage, const char *output, struct error *error)
{
	struct stat st;
	*stage = (struct stage){.dir = -1, .tree = -1, .out = -1, .janitor = -1};
	const char *slash = strrchr(output, '/');
	int length = slash ? (int)(slash - output) + 1 : 0;
	if (strlen(output) + 32 > sizeof(stage->path))
		return error_set(error, ENAMETOOLONG, "pack: -o %.100s...: the name is too long", output);
	if (!*output || (slash && !slash[1]) || (!stat(output, &st) && !S_ISREG(st.st_mode)))
		return error_set(error, EINVAL, "pack: -o %.160s: give the name of a regular file, such as run.eri",
		                 output);
	if (!stat(output, &st) && st.st_size && !is_image_path(output))
		return error_set(error, EEXIST,
		                 "pack: -o %.160s: it exists and is no image; give another name, or remove it", output);
	strcpy(stage->output, output);
	snprintf(stage->path, sizeof(stage->path), "%.*s.eremite-pack-XXXXXX", length, output);
	stage->janitor = janitor_start(stage->path);
	if (stage->janitor < 0) {
		const int reason = -stage->janitor;
		stage->janitor = -1;
		*stage->path = 0;
		return error_set(error, reason, "pack: cannot write the image %.160s: %s", output, strerror(reason));
	}
	stage->dir = open(stage->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int result = stage->dir < 0 ? -errno : 0;
	if (!result)
		result = open_child(stage, "tree", &stage->tree);
	if (!result)
		result = open_child(stage, "out", &stage->out);
	if (!result)
		return 0;
	stage_close(stage);
	return error_set(error, -result, "pack: cannot write the image %.160s: %s", output, strerror(-result));
}

void stage_close(struct stage *stage)
{
	int *const fds[] = {&stage->tree, &stage->out, &stage->dir};
	if (*stage->path)
		janitor_remove(stage->path);
	*stage->path = 0;
	for (unsigned i = 0; i < sizeof(fds) / sizeof(fds[0]); i++) {
		if (*fds[i] >= 0)
			close(*fds[i]);
		*fds[i] = -1;
	}
	janitor_end(stage->janitor);
	stage->janitor = -1;
	for (unsigned i = 0; i < stage->external_count; i++) {
		free((char *)stage->external[i].path);
		free((char *)stage->external[i].sha256);
	}
	for (size_t i = 0; i < stage->link_count; i++)
		free(stage->links[i]);
	stage_inputs_fini(stage);
	free(stage->links);
	stage->links = NULL;
	stage->link_count = 0;
	free(stage->external);
	free(stage->lacking);
	stage->external = NULL;
	stage->external_count = 0;
}

/* --- objects --- */

static int open_beneath_stage(int dir, const char *path, int flags, uint32_t mode)
{
	const struct open_how how = {
		.flags = (uint64_t)(flags | O_CLOEXEC | O_NOFOLLOW),
		.mode = flags & O_CREAT ? mode : 0,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
	};
	int fd = (int)syscall(SYS_openat2, dir, *path ? path : ".", &how, sizeof(how));
	return fd < 0 ? -errno : fd;
}

int stage_parents(const struct stage *stage, const char *path)
{
	char above[PATH_MAX];
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(above, sizeof(above), "%.*s", (int)(slash - path), path);
		char *name = strrchr(above, '/');
		if (name)
			*name++ = 0;
		int dir = open_beneath_stage(stage->tree, name ? above : "", O_PATH | O_DIRECTORY, 0);
		int result = dir < 0 ? dir : make_stage_directory(dir, name ? name : above) ? -errno : 0;
		if (dir >= 0)
			close(dir);
		if (result && result != -EEXIST)
			return result;
	}
	return 0;
}

/* Removes a file that could not be written completely. */
static void remove_part(const struct stage *stage, const char *path)
{
	char above[PATH_MAX];
	const char *slash = strrchr(path, '/');
	snprintf(above, sizeof(above), "%.*s", slash ? (int)(slash - path) : 0, path);
	int dir = open_beneath_stage(stage->tree, above, O_PATH | O_DIRECTORY, 0);
	if (dir < 0)
		return;
	unlinkat(dir, slash ? slash + 1 : path, 0);
	close(dir);
}

int stage_copy(struct stage *stage, int from, uint64_t offset, uint64_t bytes, const char *path, uint32_t mode,
               char hex[STAGE_HEX_BYTES])
{
	static uint8_t buffer[COPY_BYTES]; /* too large for a stack */
	struct digest_sum sum;
	uint8_t hash[DIGEST_BYTES];
	char text[DIGEST_TEXT_BYTES];
	int result = stage_parents(stage, path);
	int to = result ? -1 : open_beneath_stage(stage->tree, path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	digest_begin(&sum);
	if (!result && to < 0)
		result = to;
	for (uint64_t at = 0; at < bytes && !result;) {
		size_t part = bytes - at < sizeof(buffer) ? bytes - at : sizeof(buffer);
		ssize_t got = pread(from, buffer, part, (off_t)(offset + at));
		if (got < 0 && errno == EINTR)
			continue;
		result = got < 0 ? -errno : !got ? -ENODATA : write_all(to, buffer, (size_t)got, (off_t)at);
		digest_add(&sum, buffer, got > 0 ? (size_t)got : 0);
		at += got > 0 ? (uint64_t)got : 0;
	}
	digest_end(&sum, hash);
	digest_text(hash, text);
	strcpy(hex, strchr(text, ':') + 1);
	if (!result && fchmod(to, (mode & 0777) | 0400))
		result = -errno;
	if (to >= 0 && close(to) && !result)
		result = -errno;
	if (to >= 0 && result)
		remove_part(stage, path);
	if (!result) {
		stage->files++;
		stage->bytes += bytes;
	}
	return result;
}

int stage_add(struct stage *stage, const char *from, const char *path, char hex[STAGE_HEX_BYTES], struct error *error)
{
	struct stat st;
	int fd = open(from, O_RDONLY | O_CLOEXEC);
	int result = fd < 0 || fstat(fd, &st) ? -errno : 0;
	if (!result)
		result = stage_copy(stage, fd, 0, (uint64_t)st.st_size, path, st.st_mode, hex);
	if (fd >= 0)
		close(fd);
	return result ? error_set(error, -result, "cannot copy %.160s for the image: %s", from, strerror(-result)) : 0;
}

int stage_text(struct stage *stage, const char *text, size_t bytes, const char *path, char hex[STAGE_HEX_BYTES])
{
	int fd = memfd_create("eremite pack", MFD_CLOEXEC);
	int result = fd < 0 ? -errno : write_all(fd, text, bytes, 0);
	if (!result)
		result = stage_copy(stage, fd, 0, bytes, path, 0644, hex);
	if (fd >= 0)
		close(fd);
	return result;
}

int stage_link(struct stage *stage, const char *target, const char *path)
{
	if (!array_reserve(stage->links, stage->link_room, stage->link_count + 2))
		return -ENOMEM;
	char **to = &stage->links[stage->link_count];
	to[0] = strdup(target);
	to[1] = strdup(path);
	stage->link_count += 2;
	return to[0] && to[1] ? 0 : -ENOMEM;
}

/* Makes the links. A link whose path is taken, or has no room, is left out: only those who mount the image miss it. */
static void make_links(struct stage *stage)
{
	for (size_t i = 0; i < stage->link_count; i += 2) {
		char *path = stage->links[i + 1], *slash = path ? strrchr(path, '/') : NULL;
		if (!path || !stage->links[i] || stage_parents(stage, path))
			continue;
		if (slash)
			*slash = 0;
		int dir = open_beneath_stage(stage->tree, slash ? path : "", O_PATH | O_DIRECTORY, 0);
		if (dir >= 0 && symlinkat(stage->links[i], dir, slash ? slash + 1 : path))
			errno = 0;
		if (dir >= 0)
			close(dir);
	}
}

/* --- the image --- */

static int write_manifest(struct stage *stage, char *text)
{
	char digits[DIGEST_TEXT_BYTES];
	uint8_t sum[DIGEST_BYTES];
	size_t at;
	int result = stage_parents(stage, ERI_MANIFEST);
	if (result || !eri_manifest_identity(text, strlen(text), &at, sum))
		return result ? result : -EPROTO;
	digest_text(sum, digits);
	memcpy(text + at, strchr(digits, ':') + 1, 2 * DIGEST_BYTES);
	int fd = open_beneath_stage(stage->tree, ERI_MANIFEST, O_WRONLY | O_CREAT | O_EXCL, 0644);
	if (fd < 0)
		return fd;
	result = fchmod(fd, 0644) ? -errno : write_all(fd, text, strlen(text), 0);
	return close(fd) && !result ? -errno : result;
}

/* Reads a manifest as the readers of the image will: an image that none of them opens is not made. */
static int check_manifest(const char *text, struct error *error)
{
	struct eri_manifest manifest;
	const int result = eri_manifest_read(&manifest, text, strlen(text), error);
	eri_manifest_fini(&manifest);
	return result ? error_prefix(error, -result, "the image could not be opened: ") : 0;
}

/* The time of all files in the image: SOURCE_DATE_EPOCH (reproducible-builds.org), if it is a number. */
static const char *image_time(void)
{
	const char *given = getenv("SOURCE_DATE_EPOCH");
	return given && *given && strlen(given) < 12 && strspn(given, "0123456789") == strlen(given) ? given
	                                                                                             : DEFAULT_TIME;
}

static int make_stage_image(struct stage *stage, const char *identity, bool compress, struct mkfs_stops *stops,
                            struct error *error)
{
	char uuid[64], when[32], extended[] = "-Enoinline_data", compressed[] = "-Enoinline_data,legacy-compress";
	char *arguments[] = {
		"mkfs.erofs",      "-x-1", when,        uuid, "--all-root", "--quiet", compress ? compressed : extended,
		"/proc/self/fd/3", ".",    "-zlz4hc,9", NULL,
	};
	if (!compress)
		arguments[9] = NULL;
	/* A UUID of version 8, which leaves its contents to us (RFC 9562). */
	snprintf(uuid, sizeof(uuid), "-U%.8s-%.4s-8%.3s-8%.3s-%.12s", identity, identity + 8, identity + 12,
	         identity + 15, identity + 18);
	snprintf(when, sizeof(when), "-T%s", image_time());
	int image = openat(stage->dir, "image", O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int result =
		image < 0 ? error_set(error, errno, "cannot make the image %.160s: %s", stage->output, strerror(errno))
			  : mkfs_run(stage->tree, image, arguments, stage->output, stops, error);
	mode_t mask = umask(0);
	umask(mask);
	if (!result &&
	    (fchmod(image, 0666 & ~mask) || fsync(image) || renameat(stage->dir, "image", AT_FDCWD, stage->output)))
		result = error_set(error, errno, "cannot make the image %.160s: %s", stage->output, strerror(errno));
	if (image >= 0)
		close(image);
	return result;
}

int stage_finish(struct stage *stage, char *text, bool compress, int *sig, struct error *error)
{
	struct mkfs_stops stops;
	size_t at;
	uint8_t sum[DIGEST_BYTES];
	make_links(stage);
	int result = write_manifest(stage, text);
	if (result)
		return error_set(error, -result, "cannot write the manifest of %.160s: %s", stage->output,
		                 strerror(-result));
	result = check_manifest(text, error);
	if (result)
		return result;
	eri_manifest_identity(text, strlen(text), &at, sum);
	mkfs_hold_stops(&stops);
	result = make_stage_image(stage, text + at, compress, &stops, error);
	if (mkfs_release_stops(&stops))
		result = error_set(error, EINTR, "stopped by signal %d (%s)", stops.signal, strsignal(stops.signal));
	*sig = stops.signal;
	return result;
}
