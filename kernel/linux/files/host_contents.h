/* SPDX-License-Identifier: MIT */
/* Contents of the host's files in memory. Files of medium size are shown by the monitor (HOST_FILE_SHOW), and take none
 * of the guest's memory. Of the others, a file up to HOST_FILE_WHOLE_MAX bytes is loaded at once, a larger one in
 * chunks as they are used. When all that is loaded exceeds a quarter of memory, or what is loaded of whole files 64
 * MiB, the chunks that were not used for the longest time are freed; they are loaded again when they are used again.
 * Loading and freeing depend on nothing but the program's own accesses. The monitor ends the run if a file has changed.
 */
#ifndef KERNEL_LINUX_FILES_HOST_CONTENTS_H
#define KERNEL_LINUX_FILES_HOST_CONTENTS_H

#include "kernel/vfs/inode.h"

struct host_chunk;

/** The contents of one file, with which what inode->backing points to begins. The owner sets the first three members;
 * the rest is zero at first. */
struct host_contents {
	struct inode *inode;
	uint32_t handle;
	uint64_t bytes;             /**< size on the host */
	uint64_t shown;             /**< guest-physical address where the monitor shows it; 0: it does not */
	struct host_chunk **chunks; /**< in order, NULL where not loaded; itself NULL before the first one is loaded */
};

/** Loads the first chunk, so that a file which the host denies is an error of open(2). Returns 0 or a negative errno.
 */
int host_contents_open(struct inode *inode);

/** Finds the byte at offset, which is inside the file, and loads its chunk if needed. Sets *data, and reduces *bytes to
 * what is contiguous there. The data stay valid while at most two other chunks are used. Returns 0 or a negative
 * errno. */
int host_contents_map(struct inode *inode, uint64_t offset, const void **data, size_t *bytes);

/** Set while a debugger reads the program's memory, which is no use of the contents. */
extern bool host_contents_is_observed;

/** Whether the byte at offset is loaded. */
bool host_contents_resident(const struct inode *inode, uint64_t offset);

/** Frees everything. */
void host_contents_free(struct host_contents *contents);

#endif
