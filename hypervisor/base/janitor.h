/* SPDX-License-Identifier: MIT */
/* Makes a temporary directory, and removes it however eremite ends, also by SIGKILL. */
#ifndef HYPERVISOR_JANITOR_H
#define HYPERVISOR_JANITOR_H

/**
 * Makes a directory as mkdtemp(3) does: the template ends in XXXXXX and becomes the name. A process of its own removes
 * the directory, with all that is in it, when the returned descriptor is closed in this process and in each child that
 * inherited it. A process that ends closes it, too. Returns a descriptor or a negative errno.
 */
int janitor_start(char *template);

/** Closes the descriptor. */
void janitor_end(int janitor);

#define JANITORS_MAX 4

/**
 * Lists the descriptors of this process's directories, and returns their number. A child that closes what it inherited
 * must leave these open. It may write to the directories as long as it runs, and what it writes while they are removed
 * would stay.
 */
unsigned janitor_held(int janitors[JANITORS_MAX]);

/** Removes a directory with all that is in it, except other file systems. Ignores errors. */
void janitor_remove(const char *path);

#endif
