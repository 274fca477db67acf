/* SPDX-License-Identifier: MIT */
/* Errors in words, for what the kernel says of a program that it cannot start. */
#ifndef KERNEL_LINUX_PROCESS_ERROR_TEXT_H
#define KERNEL_LINUX_PROCESS_ERROR_TEXT_H

/** What a negative errno of execve(2) means, for a line that names the file; a constant. */
const char *error_text(int error);

#endif
