/* SPDX-License-Identifier: MIT */
/* Errors in words, for messages about a program that cannot be started. */
#ifndef KERNEL_LINUX_PROCESS_ERROR_TEXT_H
#define KERNEL_LINUX_PROCESS_ERROR_TEXT_H

/** The meaning of a negative errno of execve(2), as a constant string for a line that names the file. */
const char *error_text(int error);

#endif
