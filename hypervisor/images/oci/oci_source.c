/* SPDX-License-Identifier: MIT */
/* A tar archive is searched from its start for each file, because few are read; what is compressed is uncompressed once
 * for that. Sizes and links are untrusted. */
#include "oci/oci_source.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clean_path.h"
#include "base/error.h"
#include "base/write_all.h"
#include "oci/oci_stream.h"

enum {
	BUFFER_BYTES = 1 << 17,
	MEMBERS_MAX = 20000, /* of an archive; images have at most some hundreds of files */
	LINKS_MAX = 8,       /* from a name to a file; docker save has 1 */
};

static int cannot_read(const char *name, struct error *error)
{
	return error_set(error, errno, "%.100s cannot be read: %s", name, strerror(errno));
}

/* Uncompresses the archive `from` into an unnamed file, which becomes that of the source. */
static int spool_archive(struct oci_source *source, int from, int spool, const struct oci_limits *limits,
                         struct error *error)
{
	struct oci_blob whole = {.source = source, .name = "the archive", .fd = from, .bytes = source->bytes};
	struct oci_stream stream;
	const void *data;
	ssize_t taken;
	digest_begin(&whole.sum);
	int result = oci_stream_open(&stream, &whole, limits, error);
	if (result)
		return result;
	source->file = openat(spool, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	if (source->file < 0)
		source->file = memfd_create("image", MFD_CLOEXEC);
	if (source->file < 0)
		result = cannot_read("a temporary file", error);
	while (!result && (taken = oci_stream_next(&stream, &data)) != 0) {
		off_t at = (off_t)(stream.bytes - (uint64_t)taken);
		result = taken < 0 ? (int)taken : write_all(source->file, data, (size_t)taken, at);
		if (result && taken > 0)
			error_set(error, -result, "the uncompressed archive cannot be stored: %s", strerror(-result));
	}
	source->bytes = stream.bytes;
	oci_stream_close(&stream);
	return result;
}

/* Opens a tar archive that is the open file `fd`, and takes that over. */
static int open_archive(struct oci_source *source, int fd, int spool, const struct oci_limits *limits,
                        struct error *error)
{
	uint8_t first[4];
	ssize_t bytes = pread(fd, first, sizeof(first), 0);
	int result = bytes < 0 ? cannot_read("the archive", error) : libarchive_load(error);
	if (!result && oci_stream_filter(first, (size_t)bytes) != ARCHIVE_FILTER_NONE) {
		result = spool_archive(source, fd, spool, limits, error);
		close(fd);
		return result;
	}
	source->file = fd;
	return result;
}

int oci_source_open(struct oci_source *source, const char *path, int spool, const struct oci_limits *limits,
                    struct error *error)
{
	struct stat stat;
	*source = (struct oci_source){.dir = -1, .file = -1, .limit = limits->bytes};
	source->buffer = malloc(BUFFER_BYTES);
	if (!source->buffer)
		return error_set(error, ENOMEM, "there is not enough memory");
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &stat)) {
		int result = error_set(error, errno, "it cannot be opened: %s", strerror(errno));
		if (fd >= 0)
			close(fd);
		return result;
	}
	if (S_ISDIR(stat.st_mode)) {
		source->dir = fd;
		return 0;
	}
	if (!S_ISREG(stat.st_mode)) {
		close(fd);
		return error_set(error, EINVAL, "it is neither a directory nor a file");
	}
	source->bytes = (uint64_t)stat.st_size;
	return open_archive(source, fd, spool, limits, error);
}

void oci_source_close(struct oci_source *source)
{
	if (source->dir >= 0)
		close(source->dir);
	if (source->file >= 0)
		close(source->file);
	free(source->buffer);
	*source = (struct oci_source){.dir = -1, .file = -1};
}

static int open_blob_file(struct oci_blob *blob, struct error *error)
{
	const struct open_how how = {
		.flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	struct stat stat;
	blob->fd = (int)syscall(SYS_openat2, blob->source->dir, blob->name, &how, sizeof(how));
	if (blob->fd < 0 && errno == ENOENT)
		return error_set(error, ENOENT, "it has no file %.100s", blob->name);
	if (blob->fd < 0 && errno == EXDEV)
		return error_set(error, EXDEV, "%.100s is a symbolic link to a file outside the image", blob->name);
	if (blob->fd < 0 || fstat(blob->fd, &stat))
		return cannot_read(blob->name, error);
	if (!S_ISREG(stat.st_mode))
		return error_set(error, EINVAL, "%.100s is not a file", blob->name);
	blob->bytes = (uint64_t)stat.st_size;
	return 0;
}

/* Removes from a member's name what writers of tar put before it: "./" and "/". */
static const char *plain_name(const char *name)
{
	while (name && (name[0] == '/' || (name[0] == '.' && name[1] == '/')))
		name++;
	return name;
}

/* Reads on up to the archive's member of that name. If the archive has no such member, returns NULL, and *error says
 * so. */
static struct archive_entry *find_archive_member(struct oci_blob *blob, const char *name, int *reason,
                                                 struct error *error)
{
	struct archive_entry *entry;
	if (blob->archive)
		libarchive.read_free(blob->archive);
	blob->archive = libarchive.read_new();
	*reason = -ENOMEM;
	if (!blob->archive || lseek(blob->source->file, 0, SEEK_SET) < 0) {
		error_set(error, ENOMEM, "there is not enough memory to read the archive");
		return NULL;
	}
	libarchive.read_support_format_tar(blob->archive);
	libarchive.read_support_format_empty(blob->archive);
	int result = libarchive.read_open_fd(blob->archive, blob->source->file, BUFFER_BYTES);
	for (unsigned i = 0; result == ARCHIVE_OK || result == ARCHIVE_WARN; i++) {
		result = libarchive.read_next_header(blob->archive, &entry);
		if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
			break;
		const char *found = plain_name(libarchive.entry_pathname(entry));
		if (found && !strcmp(found, name))
			return entry;
		if (i == MEMBERS_MAX) {
			*reason = error_set(error, EFBIG, "its archive has more than %d members", MEMBERS_MAX);
			return NULL;
		}
	}
	*reason = result == ARCHIVE_EOF ? error_set(error, ENOENT, "it has no file %.100s", blob->name)
	                                : error_set(error, EINVAL, "it is not a tar archive, or a damaged one: %.120s",
	                                            libarchive.error_string(blob->archive));
	return NULL;
}

/* The name of the member that a link leads to: `target`, for a symbolic link from the directory of `name`. */
static bool follow_member(char name[PATH_MAX], const char *target, bool is_symbolic)
{
	char *end = is_symbolic ? strrchr(name, '/') : NULL;
	end = end ? end + 1 : name;
	if (!is_symbolic)
		target = plain_name(target);
	for (; !strncmp(target, "../", 3); target += 3) {
		if (end == name)
			return false;
		for (end--; end > name && end[-1] != '/';)
			end--;
	}
	if (strlen(target) >= (size_t)(name + PATH_MAX - end))
		return false;
	strcpy(end, target);
	return clean_path(name);
}

static int open_member(struct oci_blob *blob, struct error *error)
{
	char name[PATH_MAX];
	int reason;
	snprintf(name, sizeof(name), "%s", blob->name);
	for (unsigned i = 0; i <= LINKS_MAX; i++) {
		struct archive_entry *entry = find_archive_member(blob, name, &reason, error);
		if (!entry)
			return reason;
		const char *hard = libarchive.entry_hardlink(entry);
		const char *target = hard ? hard : libarchive.entry_symlink(entry);
		if (!target && libarchive.entry_filetype(entry) != AE_IFREG)
			return error_set(error, EINVAL, "%.100s is not a file", blob->name);
		if (!target) {
			blob->bytes = (uint64_t)libarchive.entry_size(entry);
			return 0;
		}
		if (!follow_member(name, target, !hard))
			break;
	}
	return error_set(error, EINVAL, "%.60s is a link that does not lead to a file of the image", blob->name);
}

int oci_blob_open(struct oci_source *source, const char *name, struct oci_blob *blob, struct error *error)
{
	*blob = (struct oci_blob){.source = source, .name = name, .fd = -1};
	digest_begin(&blob->sum);
	int result = !clean_path(name)  ? error_set(error, EINVAL, "it names a file %.100s", name)
	             : source->dir >= 0 ? open_blob_file(blob, error)
	                                : open_member(blob, error);
	if (!result && blob->bytes > source->limit)
		result = error_set(error, EFBIG, "%.100s has %llu bytes, which is too much for an image", name,
		                   (unsigned long long)blob->bytes);
	if (result)
		oci_blob_close(blob);
	return result;
}

/* Reads until the buffer is full or the file ends. */
static ssize_t fill_blob(struct oci_blob *blob)
{
	size_t bytes = 0;
	while (bytes < BUFFER_BYTES) {
		uint8_t *to = blob->source->buffer + bytes;
		ssize_t taken = blob->archive ? libarchive.read_data(blob->archive, to, BUFFER_BYTES - bytes)
		                              : read(blob->fd, to, BUFFER_BYTES - bytes);
		if (taken < 0 && !blob->archive && errno == EINTR)
			continue;
		if (taken < 0)
			return -1;
		if (taken == 0)
			break;
		bytes += (size_t)taken;
	}
	return (ssize_t)bytes;
}

ssize_t oci_blob_next(struct oci_blob *blob, const void **data, struct error *error)
{
	ssize_t taken = fill_blob(blob);
	if (taken < 0 && blob->archive)
		return error_set(error, EINVAL, "%.100s cannot be read: %.100s", blob->name,
		                 libarchive.error_string(blob->archive));
	if (taken < 0)
		return cannot_read(blob->name, error);
	blob->taken += (uint64_t)taken;
	if (blob->taken > blob->bytes)
		return error_set(error, EBADMSG, "%.100s grows while it is read", blob->name);
	digest_add(&blob->sum, blob->source->buffer, (size_t)taken);
	*data = blob->source->buffer;
	return taken;
}

int oci_blob_check(struct oci_blob *blob, const struct oci_descriptor *descriptor, char digest[DIGEST_TEXT_BYTES],
                   struct error *error)
{
	uint8_t sum[DIGEST_BYTES];
	char text[DIGEST_TEXT_BYTES];
	const void *data;
	ssize_t taken;
	do
		taken = oci_blob_next(blob, &data, error);
	while (taken > 0);
	if (taken < 0)
		return (int)taken;
	digest_end(&blob->sum, sum);
	digest_text(sum, text);
	if (digest)
		memcpy(digest, text, sizeof(text));
	if (descriptor->bytes >= 0 && blob->taken != (uint64_t)descriptor->bytes)
		return error_set(error, EBADMSG, "the image is damaged: %.100s has %llu bytes instead of %lld",
		                 blob->name, (unsigned long long)blob->taken, (long long)descriptor->bytes);
	if (descriptor->digest[0] && strcmp(descriptor->digest, text))
		return error_set(error, EBADMSG, "the image is damaged: %.100s has the digest %.19s..., not %.19s...",
		                 blob->name, text, descriptor->digest);
	return 0;
}

void oci_blob_close(struct oci_blob *blob)
{
	if (blob->archive)
		libarchive.read_free(blob->archive);
	if (blob->fd >= 0)
		close(blob->fd);
	blob->archive = NULL;
	blob->fd = -1;
}

static int read_blob_text(struct oci_blob *blob, char *text, struct error *error)
{
	const void *data;
	ssize_t taken;
	while ((taken = oci_blob_next(blob, &data, error)) > 0) { /* at most blob->bytes in all */
		memcpy(text, data, (size_t)taken);
		text += taken;
	}
	return (int)taken;
}

int oci_source_text(struct oci_source *source, const struct oci_descriptor *descriptor, char **text, size_t *bytes,
                    char digest[DIGEST_TEXT_BYTES], struct error *error)
{
	struct oci_blob blob;
	*text = NULL;
	int result = oci_blob_open(source, descriptor->path, &blob, error);
	if (result)
		return result;
	if (blob.bytes > OCI_JSON_BYTES_MAX)
		result = error_set(error, EFBIG, "%.100s has %llu bytes, which is too much for a JSON file", blob.name,
		                   (unsigned long long)blob.bytes);
	if (!result && !(*text = malloc(blob.bytes + 1)))
		result = error_set(error, ENOMEM, "there is not enough memory for %.100s", blob.name);
	if (!result)
		result = read_blob_text(&blob, *text, error);
	if (!result)
		result = oci_blob_check(&blob, descriptor, digest, error);
	*bytes = blob.taken;
	oci_blob_close(&blob);
	if (result) {
		free(*text);
		*text = NULL;
	}
	return result;
}
