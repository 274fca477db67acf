/* SPDX-License-Identifier: MIT */
/* The uncompressed bytes of a file of an image. Only one level of gzip or zstd is undone, so that a small file cannot
 * take long. */
#ifndef HYPERVISOR_OCI_STREAM_H
#define HYPERVISOR_OCI_STREAM_H

#include "oci/oci_source.h"

struct oci_stream {
	struct oci_blob *blob;
	const struct oci_limits *limits;
	struct archive *archive; /**< what uncompresses; NULL: the blob is not compressed */
	const void *first;       /**< the blob's first bytes, while they are not taken */
	size_t first_bytes;
	uint64_t bytes; /**< uncompressed bytes returned already */
	struct digest_sum sum;
	int failed;          /**< a negative errno of reading the blob; its line is in error */
	struct error *error; /**< the caller's */
};

/** Begins to read an open blob, which must stay open. Returns 0 or a negative errno with one line in *error. */
int oci_stream_open(struct oci_stream *stream, struct oci_blob *blob, const struct oci_limits *limits,
                    struct error *error);

/**
 * Returns how many of the next uncompressed bytes are at *data, which are valid until the next call; 0 at the end; or a
 * negative errno with one line in the *error of oci_stream_open.
 */
ssize_t oci_stream_next(struct oci_stream *stream, const void **data);

/**
 * Reads the rest, and compares the digest of the uncompressed bytes with `digest`, unless that is NULL. Returns 0 or a
 * negative errno with one line in the *error of oci_stream_open.
 */
int oci_stream_check(struct oci_stream *stream, const char *digest);

void oci_stream_close(struct oci_stream *stream); /**< Closes an open one, but not its blob. */

/** Whether a layer of `from` bytes may expand to `to` bytes. */
bool oci_stream_may_expand(const struct oci_limits *limits, uint64_t from, uint64_t to);

/** Whether bytes begin as those of gzip or zstd do: the number of libarchive's filter, or ARCHIVE_FILTER_NONE. */
int oci_stream_filter(const uint8_t *data, size_t bytes);

#endif
