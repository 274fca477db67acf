/* SPDX-License-Identifier: MIT */
/* Makes a temporary directory, and removes it however eremite ends, also by SIGKILL. */
#ifndef HYPERVISOR_JANITOR_H
#define HYPERVISOR_JANITOR_H

/**
 * Starts a process that makes a directory, as mkdtemp(3) does of a template that ends in XXXXXX, and removes it with
 * all that is in it when this process and its children have closed the descriptor that is returned; they do so at the
 * latest when they end. The template becomes the name. Returns a descriptor or a negative errno.
 */
int janitor_start(char *template);

/** Closes the descriptor. */
void janitor_end(int janitor);

#define JANITORS_MAX 4

/**
 * Copies the descriptors of this process's directories, and returns their number. A process that closes what it
 * inherited keeps them open: it may write to these directories as long as it runs, and what it writes while they are
 * removed would stay.
 */
unsigned janitor_held(int janitors[JANITORS_MAX]);

/** Removes a directory with all that is in it, except other file systems. Ignores errors. */
void janitor_remove(const char *path);

#endif
