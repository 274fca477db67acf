/* SPDX-License-Identifier: MIT */
/* The contents of a regular file that the guest sees: of the host, of an image, or supplied by --data. */
#ifndef HYPERVISOR_HOST_SOURCE_H
#define HYPERVISOR_HOST_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "eri/eri_image.h"
#include "hostfs/tree/host_tree.h"

struct host_files;

struct host_source {
	bool is_open;
	bool is_sealed;  /**< the contents cannot change */
	bool in_image;   /**< they are in the image */
	bool is_checked; /**< another process hashes them there (struct host_sealed) */
	int fd;          /**< the file, or the image, owned; -1: `content` */
	uint64_t start;  /**< offset of the contents in it */
	struct eri_content content;
	uint8_t hash[DIGEST_BYTES]; /**< with in_image: their SHA-256, as the image says */
};

/**
 * Opens the contents of a known object, which must be unchanged. Takes its stamp. Returns 0, or a negative errno;
 * files->error says whether the run can go on.
 */
int host_source_open(struct host_files *files, uint32_t handle, struct host_source *source, struct host_stamp *stamp);

/** Opens the same contents again. Returns 0 or a negative errno. */
int host_source_copy(const struct host_source *from, struct host_source *to);

/** Reads exactly `bytes` bytes from an offset. Returns 0, -ENODATA if the file is shorter, or another negative errno.
 */
int host_source_read(const struct host_source *source, uint8_t *to, uint64_t bytes, uint64_t offset);

/**
 * Checks that open contents are unchanged since the object was looked up, and are no longer. Takes the stamp. Returns
 * 0, -ENODATA if they have changed, or another negative errno.
 */
int host_source_check(const struct host_source *source, const struct host_stamp *was, struct host_stamp *now);

/** Ends the run because contents could not be read (-ENODATA: have changed). Returns the answer to the guest. */
int64_t host_source_report(struct host_files *files, uint32_t handle, const struct host_source *source, int error);

/** Closes it; accepts an all-zero structure. */
void host_source_close(struct host_source *source);

#endif
