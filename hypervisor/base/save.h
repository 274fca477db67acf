/* SPDX-License-Identifier: MIT */
/* A file that is there when it is complete, and not before: until then the one that was there stays. */
#ifndef HYPERVISOR_SAVE_H
#define HYPERVISOR_SAVE_H

#include <stdbool.h>
#include <stdio.h>

struct save {
	FILE *to;      /**< NULL: not open */
	char *path;    /**< without symbolic links at its end */
	int dir;       /**< its directory, or -1: it is no regular file, and written where it is */
	char name[64]; /**< of the unfinished file there; empty: it has none */
};

/**
 * Opens a file for writing, to->to, that is to be at `path`. A symbolic link there stays, and what it names
 * is made or replaced. What is no regular file, such as a terminal or a pipe, or
 * lies in /dev, is written at once. 0, or a negative errno.
 */
int save_open(struct save *save, const char *path);

/** Completes and closes it, and puts it where it belongs. 0, or a negative errno: then nothing is there. */
int save_commit(struct save *save);

/**
 * Completes its contents and closes it here, so that a copy of this process, which has the same open file, can
 * commit it. 0, or a negative errno.
 */
int save_hand_over(struct save *save);

/** Whether two names are of one regular file, or would be if it were made. */
bool save_is_same(const char *a, const char *b);

/** Leaves nothing behind. Takes one that is all zero, or was committed. */
void save_abandon(struct save *save);

#endif
