/* SPDX-License-Identifier: MIT */
/* An entry replaces what has its path, except that a directory keeps its contents. Whiteouts hide only lower layers.
 * Names are bytes: eremite sets no locale (setlocale(3)), so libarchive converts none. */
#include "oci/oci_layer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/write_all.h"
#include "oci/oci_remove.h"

#define WHITEOUT ".wh."
#define OPAQUE ".wh..wh..opq"
#define READABLE 0400   /* of files, for the owner, who makes an image of them */
#define SEARCHABLE 0500 /* of directories */
#define AUFS ".wh..wh." /* aufs's own files, which docker's old archives have */

struct layer {
	struct oci_tree *tree;
	struct oci_stream *stream;
	struct oci_config *config;
	struct archive *archive;
	uint64_t bytes; /* of its files so far */
	int failed;     /* a negative errno of the stream */

	/* The entry. */
	struct archive_entry *entry;
	char name[PATH_MAX]; /* its path, then, while it is unpacked, the directory part of that */
	const char *leaf;    /* the last name of its path; empty: the root */
	char path[PATH_MAX]; /* where it is in the tree, without symbolic links */
	char target[PATH_MAX];
};

/* --- names --- */

/* Writes a path without leading slashes and empty and "." names. Returns 0, -ENAMETOOLONG, or -EINVAL if it has "..".
 */
static int clean_layer_name(const char *from, char to[PATH_MAX])
{
	size_t at = 0;
	while (*from) {
		size_t length = strcspn(from, "/");
		if (length == 2 && !strncmp(from, "..", 2))
			return -EINVAL;
		if (length > NAME_MAX || at + length + 2 > PATH_MAX)
			return -ENAMETOOLONG;
		if (length && !(length == 1 && *from == '.')) {
			if (at)
				to[at++] = '/';
			memcpy(to + at, from, length);
			at += length;
		}
		from += length + (from[length] == '/');
	}
	to[at] = 0;
	return 0;
}

static int take_layer_name(struct layer *layer, const char *from, char to[PATH_MAX], const char *what)
{
	int result = from ? clean_layer_name(from, to) : -EINVAL;
	if (result == -EINVAL)
		return error_set(layer->tree->error, EINVAL, "%s %.100s is not allowed, because it leads upwards by ..",
		                 what, from ? from : "without a name");
	return result ? error_set(layer->tree->error, -result, "%s %.100s... is too long", what, from) : 0;
}

/* Cuts a path into directory, which stays, and last name. */
static const char *cut_last_name(char path[PATH_MAX])
{
	char *slash = strrchr(path, '/');
	if (slash) {
		*slash = 0;
		return slash + 1;
	}
	size_t length = strlen(path);
	memmove(path + 1, path, length + 1);
	path[0] = 0;
	return path + 1;
}

/* Whether a name of the path is one of aufs's; the last may be that of an opaque directory. */
static bool is_of_aufs(const char *path)
{
	for (const char *at = path; at; at = strchr(at, '/')) {
		at += *at == '/';
		if (!strncmp(at, AUFS, strlen(AUFS)) && strcmp(at, OPAQUE))
			return true;
	}
	return false;
}

/* --- entries --- */

static struct timespec entry_time(struct archive_entry *entry)
{
	long nanoseconds = libarchive.entry_mtime_nsec(entry);
	bool is_sound = nanoseconds >= 0 && nanoseconds < 1000000000;
	return (struct timespec){libarchive.entry_mtime(entry), is_sound ? nanoseconds : 0};
}

static uint32_t entry_mode(struct archive_entry *entry)
{
	return libarchive.entry_perm(entry) & 07777;
}

static struct oci_attribute entry_attribute(struct archive_entry *entry)
{
	const struct timespec time = entry_time(entry);
	return (struct oci_attribute){
		.seconds = time.tv_sec,
		.nanoseconds = (uint32_t)time.tv_nsec,
		.mode = entry_mode(entry),
		.user = (uint32_t)libarchive.entry_uid(entry),
		.group = (uint32_t)libarchive.entry_gid(entry),
	};
}

static bool is_owner(la_int64_t number)
{
	return number >= 0 && number < UINT32_MAX;
}

/* Keeps the attributes of the object at the entry's path. */
static int put_attribute(struct layer *layer, const struct oci_attribute *attribute)
{
	struct oci_tree *tree = layer->tree;
	if (!is_owner(libarchive.entry_uid(layer->entry)) || !is_owner(libarchive.entry_gid(layer->entry)))
		return error_set(tree->error, EINVAL,
		                 "%.100s has an owner or group that is no number from 0 to 4294967294", layer->path);
	return oci_attributes_put(tree->attributes, layer->path, *attribute) ? 0
	                                                                     : oci_tree_fail(tree, layer->path, ENOMEM);
}

static int damaged(struct layer *layer)
{
	if (layer->failed)
		return layer->failed;
	return error_set(layer->tree->error, EINVAL, "it is not a tar archive, or a damaged one: %.120s",
	                 libarchive.error_string(layer->archive));
}

/* Writes the contents of the entry, which libarchive gives as pieces in order. */
static int write_layer_file(struct layer *layer, int fd, uint64_t bytes)
{
	for (;;) {
		const void *data;
		size_t piece;
		la_int64_t offset;
		int result = libarchive.read_data_block(layer->archive, &data, &piece, &offset);
		if (result == ARCHIVE_EOF)
			return ftruncate(fd, (off_t)bytes) ? oci_tree_fail(layer->tree, layer->path, errno) : 0;
		if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
			return damaged(layer);
		if (offset < 0 || (uint64_t)offset > bytes || piece > bytes - (uint64_t)offset)
			return error_set(layer->tree->error, EINVAL, "%.100s has more bytes than its size says",
			                 layer->path);
		result = write_all(fd, data, piece, offset);
		if (result)
			return oci_tree_fail(layer->tree, layer->path, -result);
	}
}

static int put_layer_file(struct layer *layer)
{
	const struct timespec time = entry_time(layer->entry), times[] = {time, time};
	int64_t bytes = libarchive.entry_size(layer->entry);
	if (bytes < 0)
		return error_set(layer->tree->error, EINVAL, "%.100s has a negative size", layer->path);
	int result = oci_tree_count(layer->tree, 0, (uint64_t)bytes);
	if (result)
		return result;
	layer->bytes += (uint64_t)bytes; /* of sparse files, too, which are small in the archive */
	if (!oci_stream_may_expand(layer->stream->limits, layer->stream->blob->bytes, layer->bytes))
		return error_set(layer->tree->error, EFBIG,
		                 "its files have %llu bytes, which is too much for %llu in it",
		                 (unsigned long long)layer->bytes, (unsigned long long)layer->stream->blob->bytes);
	int fd = openat(layer->tree->parent, layer->leaf, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return oci_tree_fail(layer->tree, layer->path, errno);
	result = write_layer_file(layer, fd, (uint64_t)bytes);
	if (!result && (fchmod(fd, entry_mode(layer->entry) | READABLE) || futimens(fd, times)))
		result = oci_tree_fail(layer->tree, layer->path, errno);
	close(fd);
	return result;
}

static int put_directory(struct layer *layer)
{
	const struct timespec time = entry_time(layer->entry);
	if (mkdirat(layer->tree->parent, layer->leaf, 0700) && errno != EEXIST)
		return oci_tree_fail(layer->tree, layer->path, errno);
	return oci_tree_note(layer->tree, layer->path, entry_mode(layer->entry) | SEARCHABLE, time.tv_sec,
	                     (uint32_t)time.tv_nsec);
}

static int put_symlink(struct layer *layer)
{
	const struct timespec time = entry_time(layer->entry), times[] = {time, time};
	const char *target = libarchive.entry_symlink(layer->entry);
	if (!target || !*target)
		return error_set(layer->tree->error, EINVAL, "%.100s is a symbolic link without a target", layer->path);
	if (symlinkat(target, layer->tree->parent, layer->leaf) ||
	    utimensat(layer->tree->parent, layer->leaf, times, AT_SYMLINK_NOFOLLOW))
		return oci_tree_fail(layer->tree, layer->path, errno);
	return 0;
}

/* Removes what is at the entry's path, and enters its directory again. */
static int make_layer_room(struct layer *layer, bool is_directory)
{
	struct stat stat;
	if (fstatat(layer->tree->parent, layer->leaf, &stat, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : oci_tree_fail(layer->tree, layer->path, errno);
	if (is_directory && S_ISDIR(stat.st_mode))
		return 0;
	int result = oci_remove(layer->tree, layer->path);
	return result ? result : oci_tree_enter(layer->tree, layer->name, true);
}

/* A hard link. Its target is opened before the link's place is cleared, and is never a symbolic link on the way. */
static int put_link(struct layer *layer, const char *hard)
{
	struct oci_tree *tree = layer->tree;
	char *to = layer->target;
	int result = take_layer_name(layer, hard, to, "the target of a hard link");
	if (result)
		return result;
	const char *leaf = cut_last_name(to);
	result = oci_tree_enter(tree, to, false);
	if (result == -ENOENT || (!result && faccessat(tree->parent, leaf, F_OK, AT_SYMLINK_NOFOLLOW)))
		return error_set(tree->error, EINVAL, "%.80s is a hard link to %.80s, which is missing", layer->path,
		                 hard);
	if (result)
		return result;
	int from = dup(tree->parent);
	char path[PATH_MAX];
	result = from < 0 ? oci_tree_fail(tree, layer->path, errno) : oci_tree_path(tree, leaf, path);
	if (!result)
		result = oci_tree_enter(tree, layer->name, true);
	if (!result && strcmp(path, layer->path)) { /* a link to itself stays */
		const struct oci_attribute *of_target = oci_attributes_get(tree->attributes, path);
		const struct oci_attribute copy = of_target ? *of_target : (struct oci_attribute){0};
		result = make_layer_room(layer, false);
		if (!result && linkat(from, leaf, tree->parent, layer->leaf, 0))
			result = oci_tree_fail(tree, layer->path, errno);
		if (!result)
			result = put_attribute(layer, &copy);
	}
	if (from >= 0)
		close(from);
	return result;
}

static int put_object(struct layer *layer)
{
	const char *hard = libarchive.entry_hardlink(layer->entry);
	unsigned type = libarchive.entry_filetype(layer->entry);
	if (hard)
		return put_link(layer, hard);
	const struct oci_attribute attribute = entry_attribute(layer->entry);
	int result = make_layer_room(layer, type == AE_IFDIR);
	if (!result)
		result = put_attribute(layer, &attribute);
	if (result)
		return result;
	switch (type) {
	case AE_IFREG:
		return put_layer_file(layer);
	case AE_IFDIR:
		return put_directory(layer);
	case AE_IFLNK:
		return put_symlink(layer);
	default:
		layer->config->skipped++;
		return 0;
	}
}

static int put_root(struct layer *layer)
{
	if (libarchive.entry_filetype(layer->entry) != AE_IFDIR || libarchive.entry_hardlink(layer->entry))
		return error_set(layer->tree->error, EINVAL, "its root is not a directory");
	const struct oci_attribute attribute = entry_attribute(layer->entry);
	layer->path[0] = 0;
	return put_attribute(layer, &attribute);
}

/* --- whiteouts --- */

static int apply_whiteout(struct layer *layer)
{
	struct oci_tree *tree = layer->tree;
	const char *hidden = layer->leaf + strlen(WHITEOUT);
	bool is_opaque = !strcmp(layer->leaf, OPAQUE);
	if (!is_opaque && (!*hidden || !strcmp(hidden, ".") || !strcmp(hidden, "..")))
		return error_set(tree->error, EINVAL, "the whiteout %.100s hides no file", layer->leaf);
	int result = oci_tree_enter(tree, layer->name, false);
	if (result == -ENOENT)
		return 0;
	if (!result && is_opaque)
		strcpy(layer->path, tree->parent_path);
	else if (!result)
		result = oci_tree_path(tree, hidden, layer->path);
	return result ? result : oci_remove_lower(tree, layer->path, is_opaque);
}

static int take_entry(struct layer *layer)
{
	struct oci_tree *tree = layer->tree;
	int result = take_layer_name(layer, libarchive.entry_pathname(layer->entry), layer->name, "the path");
	if (!result)
		result = oci_tree_count(tree, 1, 0);
	if (result || is_of_aufs(layer->name))
		return result;
	if (!layer->name[0])
		return put_root(layer);
	layer->leaf = cut_last_name(layer->name);
	if (!strncmp(layer->name, WHITEOUT, strlen(WHITEOUT)) || strstr(layer->name, "/" WHITEOUT))
		return error_set(tree->error, EINVAL, "a directory has the name of a whiteout: %.100s", layer->name);
	if (!strncmp(layer->leaf, WHITEOUT, strlen(WHITEOUT)))
		return apply_whiteout(layer);
	result = oci_tree_enter(tree, layer->name, true);
	if (!result)
		result = oci_tree_path(tree, layer->leaf, layer->path);
	if (!result)
		result = put_object(layer);
	return result ? result : oci_tree_mark(tree, layer->path);
}

/* --- the archive --- */

/* libarchive asks for the stream's bytes (archive_read_callback(3)). */
static la_ssize_t feed_layer(struct archive *archive, void *client, const void **data)
{
	struct layer *layer = client;
	ssize_t taken = oci_stream_next(layer->stream, data);
	if (taken >= 0)
		return taken;
	layer->failed = (int)taken;
	libarchive.set_error(archive, EIO, "the layer cannot be read");
	return -1;
}

static int read_archive(struct layer *layer)
{
	libarchive.read_support_format_tar(layer->archive);
	libarchive.read_support_format_empty(layer->archive);
	if (libarchive.read_open(layer->archive, layer, NULL, feed_layer, NULL) != ARCHIVE_OK)
		return damaged(layer);
	for (;;) {
		int result = libarchive.read_next_header(layer->archive, &layer->entry);
		if (result == ARCHIVE_EOF)
			return layer->failed;
		if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
			return damaged(layer);
		result = take_entry(layer);
		if (result)
			return result;
	}
}

int oci_layer_unpack(struct oci_tree *tree, struct oci_stream *stream, struct oci_config *config)
{
	struct layer *layer = calloc(1, sizeof(*layer));
	int result = -ENOMEM;
	if (layer) {
		*layer = (struct layer){.tree = tree, .stream = stream, .config = config};
		layer->archive = libarchive.read_new();
	}
	oci_tree_begin_layer(tree);
	if (layer && layer->archive) {
		result = read_archive(layer);
		libarchive.read_free(layer->archive);
	} else {
		error_set(tree->error, ENOMEM, "there is not enough memory to unpack a layer");
	}
	free(layer);
	return result;
}
