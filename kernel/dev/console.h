/* SPDX-License-Identifier: MIT */
/* Console: the program's standard streams, passed to the host of the boot door. */
#ifndef KERNEL_DEV_CONSOLE_H
#define KERNEL_DEV_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

/** Writes all bytes to stream 1 (output) or 2 (error). Returns 0, or -EFAULT for a bad program pointer. */
int console_write(int stream, const void *from, size_t bytes);

/** Reads standard input into kernel memory. Blocks the whole guest until the host has input. The result depends only on
 * the contents: reading stops at the end of a line, at the end of input, or after `bytes`. Returns 0 at the end of
 * input, or a negative errno. */
long console_read(void *to, size_t bytes);

/** Whether stream 0, 1 or 2 is a terminal on the host. */
bool console_is_tty(int stream);

#endif
