/* SPDX-License-Identifier: MIT */
/* Processing of output: one byte. */
#ifndef KERNEL_VFS_LINE_OUTPUT_H
#define KERNEL_VFS_LINE_OUTPUT_H

#include "kernel/vfs/line.h"

/** Processes one byte as c_oflag says, whether or not it has OPOST. Returns the number of bytes put at `to`, at most
 * LINE_OUTPUT_FACTOR. */
size_t line_output_byte(struct line *line, uint8_t byte, uint8_t *to);

#endif
