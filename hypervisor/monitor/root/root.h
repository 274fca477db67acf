/* SPDX-License-Identifier: MIT */
/* The root file system of a guest: a mapped EROFS file, given by the user, or made from a directory and cached. */
#ifndef HYPERVISOR_ROOT_H
#define HYPERVISOR_ROOT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/digest.h"
#include "base/error.h"

struct root {
	void *data;      /**< mapped read-only for the guest, never read by the monitor; NULL: no root */
	uint64_t bytes;  /**< whole pages */
	uint64_t at;     /**< offset of the root in its file */
	int fd;          /**< the mapped file; valid if data is not NULL */
	struct stat was; /**< attributes of the file when it was mapped */
	char path[4096]; /**< as the user gave it */
	int stopped;     /**< the signal that made root_open fail with -EINTR */
	bool has_identity;
	uint8_t identity[DIGEST_BYTES]; /**< valid with has_identity; see root_identity */
};

/**
 * Opens a directory or an EROFS file. mkfs.erofs turns a directory into an EROFS image, which depends only on names,
 * types, permission bits, links and contents, and is cached (cache.h). Returns 0, or a negative errno with one line for
 * the user in *error; root_close is then allowed but not needed. If a terminating signal comes while an image is made,
 * cleans up, returns -EINTR and sets root->stopped.
 */
int root_open(struct root *root, const char *path, struct error *error);

/** Opens a part of an open file as the root, such as one in an image. Whole pages. Returns 0, or a negative errno with
 * one line in *error. */
int root_open_part(struct root *root, const char *path, int fd, uint64_t at, uint64_t bytes, struct error *error);

/**
 * Sets the root's identity for --summary, which is the same on every machine for the same content. For a directory it
 * is the tree key, which root_open has computed. For an EROFS file it is the SHA-256 of its bytes, which are read only
 * if the cache does not know the file. Returns 0, also without a root, or a negative errno with one line in *error.
 */
int root_identity(struct root *root, struct error *error);

/**
 * Checks that the mapped file is unchanged. Called after a run, and after an engine failed: if the file is truncated
 * during a run, the guest's access to the missing part makes KVM_RUN fail with EFAULT. (There is no SIGBUS, because the
 * monitor never reads the mapping.) Returns 0, also without a root, or -ESTALE with a line in *error.
 */
int root_check(const struct root *root, struct error *error);

/** Unmaps the root; accepts an all-zero structure. */
void root_close(struct root *root);

#endif
