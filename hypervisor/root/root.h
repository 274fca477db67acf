/* SPDX-License-Identifier: MIT */
/* The root file system of a guest: an EROFS file, mapped, or made from a directory and then cached. */
#ifndef HYPERVISOR_ROOT_H
#define HYPERVISOR_ROOT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "guest/digest.h"

struct root {
	void *data;      /**< mapped read-only for the guest, never read by the monitor; NULL: no root */
	uint64_t bytes;  /**< whole pages */
	int fd;          /**< of the mapped file; valid when data is not NULL */
	struct stat was; /**< what it was when it was mapped */
	char path[4096]; /**< as the user gave it */
	int stopped;     /**< the signal that made root_open fail with -EINTR */
	bool has_identity;
	uint8_t identity[DIGEST_BYTES]; /**< where it has one: see root_identity */
};

/**
 * Opens a directory or an EROFS file. A directory is turned into an EROFS image by mkfs.erofs, which depends only on
 * names, types, permission bits, links and contents, and is cached (cache.h). 0, or a negative errno with one line
 * for the user in error[]; root_close is then allowed and not needed. A signal that is to end the process, while an
 * image is made, gives -EINTR when all is cleaned up, and root->stopped.
 */
int root_open(struct root *root, const char *path, char error[256]);

/**
 * Gives the root its identity, for --summary: the same on every machine for the same content. Of a directory it is the
 * tree key, which root_open has found; of an EROFS file the SHA-256 of its bytes, which are read only when the cache
 * does not know the file. 0, also without a root, or a negative errno and a line.
 */
int root_identity(struct root *root, char error[256]);

/**
 * Whether the mapped file is still what it was. To be asked after a run, and when an engine broke down: if somebody
 * truncates the file meanwhile, the guest's access to what is missing makes KVM_RUN fail with EFAULT. (There is no
 * SIGBUS: the monitor itself never reads the mapping.) 0, or -ESTALE with a line in error[]; 0 without a root.
 */
int root_check(const struct root *root, char error[256]);

/** Unmaps; takes one that is all zero. */
void root_close(struct root *root);

#endif
