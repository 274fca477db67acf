/* SPDX-License-Identifier: MIT */
/* Console: the program's standard streams, through whichever host the boot door named. */
#ifndef KERNEL_DEV_CONSOLE_H
#define KERNEL_DEV_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>

/** Writes all bytes to stream 1 (output) or 2 (error). A bad program pointer is -EFAULT; else 0. */
int console_write(int stream, const void *from, size_t bytes);

/**
 * Reads standard input into kernel memory: at most to the end of a line, 0 at the end of input, or a negative
 * errno. Blocks the whole guest until the host has input. How much comes depends on the contents alone: to the
 * end of the line, the end of input, or `bytes`, whichever is first.
 */
long console_read(void *to, size_t bytes);

/** Whether stream 0, 1 or 2 is a terminal outside. */
bool console_is_tty(int stream);

#endif
