/* SPDX-License-Identifier: MIT */
/* Room in pipes as Linux has it (fs/pipe.c): a ring of pages. A write goes into the last one only when what it has
 * beyond whole pages fits there, and a page is free again when all of it was read. */
#ifndef KERNEL_LINUX_FILES_PIPE_PAGES_H
#define KERNEL_LINUX_FILES_PIPE_PAGES_H

/** From now on there are pages in all pipes: before the first one is made. */
void pipe_pages_init(void);

#endif
