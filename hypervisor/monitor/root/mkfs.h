/* SPDX-License-Identifier: MIT */
/* Runs mkfs.erofs (erofs-utils). */
#ifndef HYPERVISOR_MKFS_H
#define HYPERVISOR_MKFS_H

#include <signal.h>
#include <stdbool.h>

#include "base/error.h"

/** Signals that end eremite. They are blocked while an image is made, so that eremite can clean up first. */
struct mkfs_stops {
	sigset_t set, old; /**< `set` also contains SIGCHLD */
	int signal;        /**< the signal that arrived, or 0 */
};

/** Blocks the signals. */
void mkfs_hold_stops(struct mkfs_stops *stops);

/** Unblocks the signals. Returns whether one of them has arrived. */
bool mkfs_release_stops(struct mkfs_stops *stops);

/** Checks that mkfs.erofs is installed, or in the bundle. Returns 0, or -ENOENT with one line in *error. */
int mkfs_check(struct error *error);

/**
 * Runs mkfs.erofs in the directory `dir`, with the file `image` as its descriptor 3, and kills it when a signal
 * arrives. `path` names the directory in messages. Returns 0, or a negative errno with one line in *error.
 */
int mkfs_run(int dir, int image, char *const arguments[], const char *path, struct mkfs_stops *stops,
             struct error *error);

#endif
