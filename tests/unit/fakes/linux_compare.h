/* SPDX-License-Identifier: MIT */
/* The same system call on Linux and on the kernel's own code, for comparing.
 *
 * Both sides see a root directory of their own: Linux a fresh one on its tmpfs, by chroot; the kernel its own root. */
#ifndef TESTS_UNIT_LINUX_COMPARE_H
#define TESTS_UNIT_LINUX_COMPARE_H

#include <stdbool.h>

/** The two sides. */
enum side { SIDE_LINUX, SIDE_KERNEL };

/**
 * Enters a root on both sides: empty, or with what the directory `tree` holds, which the kernel sees in an EROFS image
 * of tree's parent directory. Descriptors 0 to 2 open and no others, working directory "/", umask 022.
 * False when this host does not let us. The calling process cannot leave the root again.
 */
bool linux_compare_init(const char *tree);

/** Makes one call by its Linux number: what the raw call returns. */
long linux_compare_call(enum side side, long number, const long args[6]);

/** The name of an errno value, for messages. */
const char *linux_compare_errno(long result);

#endif
