/* SPDX-License-Identifier: MIT */
/* Room in pipes as on Linux (fs/pipe.c): a ring of pages. Only the part of a write beyond whole pages may go into the
 * last page, if it fits. A page is free again when all of it was read. */
#ifndef KERNEL_LINUX_FILES_PIPE_PAGES_H
#define KERNEL_LINUX_FILES_PIPE_PAGES_H

#include "kernel/personality.h"

/** personality.pipe_rules. */
extern const struct pipe_rules pipe_pages_rules;

/** personality.file_vector: writes of vectors to pipes are one unit. */
file_io_vector *pipe_pages_vector(const struct file *file, bool writing);

#endif
