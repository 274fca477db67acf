/* SPDX-License-Identifier: MIT */
/* A file that appears only when it is complete. Until then an older file of its name stays. */
#ifndef HYPERVISOR_SAVE_H
#define HYPERVISOR_SAVE_H

#include <stdbool.h>
#include <stdio.h>

struct save {
	FILE *to;      /**< NULL: not open */
	char *path;    /**< path whose last component is not a symbolic link */
	int dir;       /**< its directory; -1: not a regular file, written directly */
	char name[64]; /**< name of the unfinished file in `dir`; empty: none */
};

/**
 * Opens a file for writing, save->to, that will be at `path`. If `path` is a symbolic link, it stays, and its target is
 * created or replaced. A file that is not regular, such as a terminal or a pipe, or is in /dev, is written directly.
 * Returns 0 or a negative errno.
 */
int save_open(struct save *save, const char *path);

/**
 * Opens a file as save_open() does, so that a bad path is noticed before a long run, and leaves a regular file as it
 * was. One that is not regular stays open for save_reopen(): the reader of a FIFO would take a close for its end.
 * Returns 0 or a negative errno.
 */
int save_try(struct save *save, const char *path);

/** Opens the file as save_open() does, unless save_try() has left it open. Returns 0 or a negative errno. */
int save_reopen(struct save *save, const char *path);

/**
 * Completes and closes the file, and moves it to its path. Returns 0, or a negative errno; the file is then discarded.
 */
int save_commit(struct save *save);

/** As save_commit(), after the contents are on the disk: a host that goes down leaves the older file or the new one. */
int save_commit_durably(struct save *save);

/**
 * Completes the contents and closes the file in this process, so that a copy of this process, which has the same file
 * open, can commit it. Returns 0 or a negative errno.
 */
int save_hand_over(struct save *save);

/** Whether two paths name the same regular file, or would name it if it were created. */
bool save_is_same(const char *a, const char *b);

/** Closes and removes the unfinished file. Accepts an all-zero structure, and one that was committed. */
void save_abandon(struct save *save);

#endif
