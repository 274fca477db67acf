/* SPDX-License-Identifier: MIT */
/* The contents of a regular file that the guest sees: of the host, of an image, or supplied by --data. */
#ifndef HYPERVISOR_HOST_SOURCE_H
#define HYPERVISOR_HOST_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "eri/eri_image.h"
#include "hostfs/tree/host_tree.h"

struct content_part;
struct content_sums;
struct host_files;
struct host_source;

/** The functions in which kinds of contents differ: a file of the live host (host_live_contents.c), contents in an
 * image, and contents that --data supplies for an image (both in host_sealed_contents.c). */
struct host_source_ops {
	/** As host_source_check. */
	int (*check)(const struct host_source *source, const struct host_stamp *was, struct host_stamp *now);

	/** As host_source_report. */
	int64_t (*report)(struct host_files *files, uint32_t handle, const struct host_source *source, int error);

	/** As host_source_verify. NULL: there is no SHA-256 to compare with. */
	int (*verify)(struct host_files *files, uint32_t handle, const uint8_t hash[DIGEST_BYTES]);

	/** Whether the guest may see the contents where they are: a change of them will be noticed. Takes the
	 * attributes of source->fd. NULL: it sees a copy. */
	bool (*may_show)(const struct host_source *source, uint64_t bytes, struct stat *st);

	/** With may_show: finds the hashes without reading the contents. Returns false if they have to be read. */
	bool (*find_sums)(struct host_files *files, uint32_t handle, const struct host_source *source,
	                  const struct content_part *part, struct content_sums *sums);
};

struct host_source {
	bool is_open;
	bool is_checked;                   /**< in an image: another process hashes them there (struct host_sealed) */
	const struct host_source_ops *ops; /**< NULL: never opened */
	int fd;                            /**< the file, or the image, owned; -1: `content` */
	uint64_t start;                    /**< offset of the contents in it */
	struct eri_content content;
	uint8_t hash[DIGEST_BYTES]; /**< in an image: their SHA-256, as the image says */
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

/** Whether contents are hashed: for the run, or to verify them. */
bool host_source_is_hashed(const struct host_files *files, const struct host_source *source);

/** Checks the SHA-256 of all contents against the one that was sealed, if one was. Returns 0, or a negative errno with
 * a line in files->error. */
int host_source_verify(struct host_files *files, uint32_t handle, const struct host_source *source,
                       const uint8_t hash[DIGEST_BYTES]);

/** Finds the hashes of contents in the cache. Returns false if it does not have them. */
bool host_source_recall(const struct content_part *part, struct content_sums *sums);

/** Ends the run because contents could not be read (-ENODATA: have changed). Returns the answer to the guest. */
int64_t host_source_report(struct host_files *files, uint32_t handle, const struct host_source *source, int error);

/** Closes it; accepts an all-zero structure. */
void host_source_close(struct host_source *source);

#endif
