/* SPDX-License-Identifier: MIT */
/* Removes a temporary directory however eremite ends, also by SIGKILL. */
#ifndef HYPERVISOR_JANITOR_H
#define HYPERVISOR_JANITOR_H

/**
 * Starts a process that removes the directory with all that is in it, when this process and its children have closed
 * the descriptor that is returned; they do so at the latest when they end. Returns a descriptor or a negative errno.
 */
int janitor_start(const char *path);

/** Removes a directory with all that is in it, except other file systems. Ignores errors. */
void janitor_remove(const char *path);

#endif
