/* SPDX-License-Identifier: MIT */
/* The files of an image, which are members of a directory or of a tar archive. */
#ifndef HYPERVISOR_OCI_SOURCE_H
#define HYPERVISOR_OCI_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/digest.h"
#include "library/libarchive.h"
#include "oci/oci.h"

#define OCI_JSON_BYTES_MAX (4UL << 20) /* of a JSON file: the limit of registries, and cJSON takes 40 times as much */

/** A file of the image, as another file describes it. */
struct oci_descriptor {
	char *path;                     /**< its name in the source */
	char digest[DIGEST_TEXT_BYTES]; /**< "sha256:...", or empty: not given */
	int64_t bytes;                  /**< -1: not given */
	bool is_index;                  /**< its media type is that of an index of images */
};

struct oci_source {
	int dir;         /**< the directory, O_PATH; -1: a tar archive */
	int file;        /**< the tar archive, uncompressed; or -1 */
	uint64_t bytes;  /**< of the tar archive */
	uint64_t limit;  /**< of bytes in one file */
	uint8_t *buffer; /**< of the open blob */
};

/** A file of the image that is being read. One at a time is open in a source. */
struct oci_blob {
	struct oci_source *source;
	const char *name;        /**< for messages */
	struct archive *archive; /**< the tar archive, at its data; NULL: a file */
	int fd;
	uint64_t bytes; /**< its size, by the file system or the archive */
	uint64_t taken; /**< bytes returned already */
	struct digest_sum sum;
};

/**
 * Opens a directory or a tar archive. One that is compressed is uncompressed into an unnamed file in the directory
 * `spool`. Returns 0 or a negative errno with one line in *error.
 */
int oci_source_open(struct oci_source *source, const char *path, int spool, const struct oci_limits *limits,
                    struct error *error);

/** Closes it; accepts one that did not open. */
void oci_source_close(struct oci_source *source);

/**
 * Opens a file of the source by its name, a clean path. Symbolic and hard links to other files of the source are
 * followed. Returns 0, or a negative errno with one line in *error; -ENOENT if there is no such file. `name` must
 * stay valid.
 */
int oci_blob_open(struct oci_source *source, const char *name, struct oci_blob *blob, struct error *error);

/**
 * Returns how many of its next bytes are at *data, which are valid until the next call; 0 at the end; or a negative
 * errno with one line in *error.
 */
ssize_t oci_blob_next(struct oci_blob *blob, const void **data, struct error *error);

/**
 * Reads the rest and compares size and digest with those of the descriptor. Sets `digest` unless it is NULL. Returns 0
 * or a negative errno with one line in *error.
 */
int oci_blob_check(struct oci_blob *blob, const struct oci_descriptor *descriptor, char digest[DIGEST_TEXT_BYTES],
                   struct error *error);

void oci_blob_close(struct oci_blob *blob); /**< Closes an open one. */

/**
 * Reads a whole JSON file, of at most OCI_JSON_BYTES_MAX bytes, and checks it like oci_blob_check. Stores it at *text,
 * for the caller to free. Returns 0 or a negative errno with one line in *error.
 */
int oci_source_text(struct oci_source *source, const struct oci_descriptor *descriptor, char **text, size_t *bytes,
                    char digest[DIGEST_TEXT_BYTES], struct error *error);

#endif
