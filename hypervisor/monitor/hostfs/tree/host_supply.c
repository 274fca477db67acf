/* SPDX-License-Identifier: MIT */
#include "hostfs/tree/host_supply.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hostfs/host_files.h"
#include "hostfs/host_stop.h"

#define READ_BYTES (1UL << 18)

/* Hashes an open file. Returns 0 or a negative errno. */
static int hash_supplied(struct host_supplied *file)
{
	static uint8_t buffer[READ_BYTES]; /* too large for a stack */
	struct digest_sum sum;
	struct stat st;
	off_t at = 0;
	ssize_t got;
	if (fstat(file->fd, &st))
		return -errno;
	file->stamp = host_stamp_of(&st);
	digest_begin(&sum);
	while ((got = pread(file->fd, buffer, sizeof(buffer), at)) > 0 || (got < 0 && errno == EINTR)) {
		digest_add(&sum, buffer, got > 0 ? (size_t)got : 0);
		at += got > 0 ? got : 0;
	}
	digest_end(&sum, file->hash);
	file->bytes = (uint64_t)at;
	return got < 0 ? -errno : 0;
}

static bool is_size_wanted(const struct eri_manifest *manifest, uint64_t bytes)
{
	for (unsigned i = 0; i < manifest->external_count; i++)
		if (manifest->externals[i].bytes == bytes)
			return true;
	return false;
}

static const struct host_supplied *find_supplied(const struct host_supply *supply, const char *sha256)
{
	char text[DIGEST_TEXT_BYTES];
	for (unsigned i = 0; i < supply->count; i++) {
		digest_text(supply->files[i].hash, text);
		if (!strcmp(strchr(text, ':') + 1, sha256))
			return &supply->files[i];
	}
	return NULL;
}

/* Adds a file. Returns 0 or a negative errno. */
static int add_supplied(struct host_supply *supply, const char *path)
{
	struct host_supplied file = {.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
	struct host_supplied *grown = realloc(supply->files, (supply->count + 1) * sizeof(*grown));
	char text[DIGEST_TEXT_BYTES];
	int result = file.fd < 0 ? -errno : !grown ? -ENOMEM : hash_supplied(&file);
	if (grown)
		supply->files = grown;
	if (!result)
		digest_text(file.hash, text);
	if (!result && !find_supplied(supply, strchr(text, ':') + 1))
		grown[supply->count++] = file;
	else if (file.fd >= 0)
		close(file.fd);
	return result;
}

static int search_supply(struct host_supply *supply, const struct eri_manifest *manifest, const char *dir,
                         struct error *error)
{
	char *const roots[] = {(char *)dir, NULL};
	FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_COMFOLLOW, NULL);
	int result = walk ? 0 : error_set(error, errno, "--data %.160s: %s", dir, strerror(errno));
	for (FTSENT *entry; !result && (entry = fts_read(walk));) {
		bool is_file = entry->fts_info == FTS_F || entry->fts_info == FTS_SL;
		struct stat st;
		if (entry->fts_info == FTS_NS && !entry->fts_level)
			result = error_set(error, entry->fts_errno, "--data %.160s: %s", dir,
			                   strerror(entry->fts_errno));
		if (!is_file || stat(entry->fts_accpath, &st) || !S_ISREG(st.st_mode) ||
		    !is_size_wanted(manifest, (uint64_t)st.st_size))
			continue;
		int failed = add_supplied(supply, entry->fts_accpath);
		if (failed)
			result = error_set(error, -failed, "--data: cannot read %.160s: %s", entry->fts_path,
			                   strerror(-failed));
	}
	if (walk)
		fts_close(walk);
	return result;
}

int host_supply_open(struct host_supply *supply, const struct eri_manifest *manifest, const char *dir,
                     struct error *error)
{
	*supply = (struct host_supply){0};
	int result = search_supply(supply, manifest, dir, error);
	for (unsigned i = 0; !result && i < manifest->external_count; i++) {
		const struct eri_external *wanted = &manifest->externals[i];
		if (!find_supplied(supply, wanted->sha256))
			result = error_set(error, ENOENT,
			                   "--data %.80s: no file there has the contents of %.80s (%lu bytes, SHA-256 "
			                   "%.16s...); eremite info lists what must be supplied",
			                   dir, wanted->path, wanted->bytes, wanted->sha256);
	}
	if (result)
		host_supply_close(supply);
	return result;
}

void host_supply_close(struct host_supply *supply)
{
	for (unsigned i = 0; i < supply->count; i++)
		close(supply->files[i].fd);
	free(supply->files);
	*supply = (struct host_supply){0};
}

int host_supply_find(struct host_files *files, const struct host_supply *supply, uint32_t handle,
                     const struct eri_name *name, struct host_source *source)
{
	char text[DIGEST_TEXT_BYTES];
	struct stat st;
	digest_text(name->hash, text);
	const struct host_supplied *file = supply ? find_supplied(supply, strchr(text, ':') + 1) : NULL;
	if (!file)
		return (int)host_stop(files, ENODATA,
		                      "the image does not contain %s; give the directory that has it by --data DIR",
		                      host_stop_describe(files, handle, ""));
	if (file->bytes != name->size)
		return (int)host_stop(files, EUCLEAN, "the image is damaged: what it has of %s is not valid",
		                      host_stop_describe(files, handle, ""));
	if (fstat(file->fd, &st))
		return (int)host_stop(files, errno, "cannot read %s: %s", host_stop_describe(files, handle, ""),
		                      strerror(errno));
	struct host_stamp now = host_stamp_of(&st);
	if (!host_stamp_is_untouched(&file->stamp, &now))
		return (int)host_stop_at_change(files, handle, "");
	source->fd = fcntl(file->fd, F_DUPFD_CLOEXEC, 0);
	return source->fd < 0 ? (int)host_stop(files, errno, "cannot open %s: %s",
	                                       host_stop_describe(files, handle, ""), strerror(errno))
	                      : 0;
}
