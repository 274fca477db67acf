/* SPDX-License-Identifier: MIT */
/* A sealed image (*.eri): an EROFS file with everything that runs need (docs/images.md). Its contents may be hostile.
 */
#ifndef HYPERVISOR_ERI_IMAGE_H
#define HYPERVISOR_ERI_IMAGE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/error.h"
#include "eri/erofs_file.h"
#include "eri/eri_manifest.h"
#include "eri/eri_names.h"

/** An opened image. */
struct eri_image {
	char path[PATH_MAX];
	int fd;
	struct stat was; /**< when it was opened */
	uint8_t *data;   /**< all of it, mapped read-only */
	uint64_t bytes;
	struct erofs_file files;
	struct eri_manifest manifest;
	char identity[2 * DIGEST_BYTES + 1]; /**< of the manifest, in hexadecimal digits */
};

/** Contents of a regular file in an image. */
struct eri_content {
	const struct erofs_file *files;
	struct erofs_node node;
};

/** A memory block with the contents of a file. */
struct eri_block {
	const char *data;
	size_t bytes;
	char *copy; /**< the same, for free(3); NULL: it is where it lies in the image */
};

/** Whether a path names a regular file that begins like an EROFS image, and has a manifest unless it is truncated or
 * damaged, or that is called *.eri and is no program. Reports no errors. */
bool eri_image_is(const char *path);

/** Opens an image and reads its manifest. Returns 0, or a negative errno with one line in *error that names it. */
int eri_image_open(struct eri_image *image, const char *path, struct error *error);

/** Closes it; accepts an all-zero structure. */
void eri_image_close(struct eri_image *image);

/** Whether the file is unchanged since it was opened. Returns 0, or a negative errno with one line in *error. */
int eri_image_check(const struct eri_image *image, struct error *error);

/** Finds a regular file by its path without a leading slash; follows no links. Returns 0 or a negative errno. */
int eri_image_find(const struct eri_image *image, const char *path, struct eri_content *content);

/** Reads exactly `bytes` bytes from an offset. Returns 0 or a negative errno. */
int eri_content_read(const struct eri_content *content, void *to, uint64_t bytes, uint64_t offset);

/** Copies a whole file of at most `max` bytes and checks the SHA-256 of the copy, given in digits; NULL: unknown. So
 * what was checked is what is used, although another process may write to the image meanwhile. The caller frees
 * block->copy. Returns 0, or a negative errno with one line in *error. */
int eri_image_load(const struct eri_image *image, const char *path, uint64_t max, const char *sha256,
                   struct eri_block *block, struct error *error);

/** As eri_image_load, but without a copy of what lies in the image in one piece: for outputs, which may be larger than
 * the memory. The caller calls eri_image_check when it has used them. */
int eri_image_see(const struct eri_image *image, const char *path, uint64_t max, const char *sha256,
                  struct eri_block *block, struct error *error);

/** Finds where the contents of a file lie in the image. Returns false if they do not lie there in one piece. */
bool eri_content_part(const struct eri_image *image, const struct eri_content *content, uint64_t *offset);

/** As eri_content_part, and finds the size. Returns false also if the file is missing. */
bool eri_image_part(const struct eri_image *image, const char *path, uint64_t *offset, uint64_t *bytes);

/** Copies a file of the image into a new unnamed file in memory, and checks its SHA-256. Returns a descriptor, or a
 * negative errno with one line in *error. */
int eri_image_memfd(const struct eri_image *image, const char *path, const char *sha256, struct error *error);

/** Finds a step by its name; NULL: the first step. Returns NULL if the image has no step of that name. */
const struct eri_step *eri_image_step(const struct eri_image *image, const char *name);

/** Writes the path of a step's file, such as "names", to path[]. */
void eri_image_step_path(const struct eri_step *step, const char *file, char path[PATH_MAX]);

#endif
