/* SPDX-License-Identifier: MIT */
#include "oci/oci_stream.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"

bool oci_stream_may_expand(const struct oci_limits *limits, uint64_t from, uint64_t to)
{
	uint64_t most;
	if (__builtin_mul_overflow(from, limits->ratio, &most) || most > limits->bytes)
		most = limits->bytes;
	return to <= limits->bytes && (to <= limits->free_bytes || to <= most);
}

int oci_stream_filter(const uint8_t *data, size_t bytes)
{
	if (bytes < 4)
		return ARCHIVE_FILTER_NONE;
	if (data[0] == 0x1f && data[1] == 0x8b) /* RFC 1952 */
		return ARCHIVE_FILTER_GZIP;
	static const uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd}, skipped[] = {0x2a, 0x4d, 0x18}; /* RFC 8878 */
	if (!memcmp(data, frame, 4) || (data[0] >> 4 == 5 && !memcmp(data + 1, skipped, 3)))
		return ARCHIVE_FILTER_ZSTD;
	return ARCHIVE_FILTER_NONE;
}

/* Returns the blob's next bytes, beginning with those that were looked at. */
static ssize_t take_blob(struct oci_stream *stream, const void **data)
{
	if (!stream->first)
		return oci_blob_next(stream->blob, data, stream->error);
	*data = stream->first;
	stream->first = NULL;
	return (ssize_t)stream->first_bytes;
}

/* libarchive asks for the blob's bytes (archive_read_callback(3)). */
static la_ssize_t feed_stream(struct archive *archive, void *client, const void **data)
{
	struct oci_stream *stream = client;
	ssize_t taken = take_blob(stream, data);
	if (taken >= 0)
		return taken;
	stream->failed = (int)taken;
	libarchive.set_error(archive, EIO, "the blob cannot be read");
	return -1;
}

static int begin_uncompressing(struct oci_stream *stream, int filter)
{
	struct archive_entry *entry;
	struct archive *archive = stream->archive = libarchive.read_new();
	if (!archive)
		return error_set(stream->error, ENOMEM, "there is not enough memory to uncompress %.60s",
		                 stream->blob->name);
	libarchive.read_support_format_raw(archive);
	if (libarchive.read_append_filter(archive, filter) < ARCHIVE_WARN)
		return error_set(stream->error, ELIBACC, "libarchive cannot uncompress %.60s: %.80s",
		                 stream->blob->name, libarchive.error_string(archive));
	int result = libarchive.read_open(archive, stream, NULL, feed_stream, NULL);
	if (result == ARCHIVE_OK)
		result = libarchive.read_next_header(archive, &entry);
	if (result == ARCHIVE_OK || stream->failed)
		return stream->failed;
	return error_set(stream->error, EINVAL, "the compressed data of %.60s is damaged: %.80s", stream->blob->name,
	                 libarchive.error_string(archive));
}

int oci_stream_open(struct oci_stream *stream, struct oci_blob *blob, const struct oci_limits *limits,
                    struct error *error)
{
	*stream = (struct oci_stream){.blob = blob, .limits = limits, .error = error};
	digest_begin(&stream->sum);
	ssize_t first = oci_blob_next(blob, &stream->first, error);
	if (first <= 0)
		stream->first = NULL;
	if (first < 0)
		return (int)first;
	stream->first_bytes = (size_t)first;
	int filter = oci_stream_filter(stream->first, stream->first_bytes);
	int result = filter == ARCHIVE_FILTER_NONE ? 0 : begin_uncompressing(stream, filter);
	if (result)
		oci_stream_close(stream);
	return result;
}

/* The next bytes that libarchive uncompressed. */
static ssize_t take_uncompressed(struct oci_stream *stream, const void **data)
{
	size_t bytes = 0;
	la_int64_t offset;
	int result;
	do
		result = libarchive.read_data_block(stream->archive, data, &bytes, &offset);
	while (result == ARCHIVE_OK && !bytes);
	if (result == ARCHIVE_OK || result == ARCHIVE_EOF)
		return result == ARCHIVE_OK ? (ssize_t)bytes : 0;
	if (stream->failed)
		return stream->failed;
	return error_set(stream->error, EINVAL, "the compressed data of %.60s is damaged: %.80s", stream->blob->name,
	                 libarchive.error_string(stream->archive));
}

ssize_t oci_stream_next(struct oci_stream *stream, const void **data)
{
	ssize_t taken = stream->archive ? take_uncompressed(stream, data) : take_blob(stream, data);
	if (taken <= 0)
		return taken;
	stream->bytes += (uint64_t)taken;
	if (!oci_stream_may_expand(stream->limits, stream->blob->bytes, stream->bytes))
		return error_set(stream->error, EFBIG,
		                 "%.60s has %llu bytes and expands to more than %llu, which is too much for an image",
		                 stream->blob->name, (unsigned long long)stream->blob->bytes,
		                 (unsigned long long)stream->bytes);
	digest_add(&stream->sum, *data, (size_t)taken);
	return taken;
}

int oci_stream_check(struct oci_stream *stream, const char *digest)
{
	uint8_t sum[DIGEST_BYTES];
	char text[DIGEST_TEXT_BYTES];
	const void *data;
	ssize_t taken;
	do
		taken = oci_stream_next(stream, &data);
	while (taken > 0);
	if (taken < 0)
		return (int)taken;
	digest_end(&stream->sum, sum);
	digest_text(sum, text);
	if (digest && strcmp(digest, text))
		return error_set(
			stream->error, EBADMSG,
			"the image is damaged: the uncompressed layer has the digest %.19s..., and the configuration "
			"says %.19s...",
			text, digest);
	return 0;
}

void oci_stream_close(struct oci_stream *stream)
{
	if (stream->archive)
		libarchive.read_free(stream->archive);
	stream->archive = NULL;
}
