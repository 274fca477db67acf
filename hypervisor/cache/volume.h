/* SPDX-License-Identifier: MIT */
/* Whether the attributes of a file tell that its contents are as they were. That depends on its file system. */
#ifndef HYPERVISOR_VOLUME_H
#define HYPERVISOR_VOLUME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#define VOLUME_STATX (STATX_BASIC_STATS | STATX_MNT_ID | 0x4000U) /* the last is STATX_MNT_ID_UNIQUE, Linux 6.8 */

/** Reads what is not readable any more when the process is confined. */
void volume_begin(void);

/**
 * Finds the file system of an open file, whose attributes statx(2) has given for VOLUME_STATX. *number is one that no
 * file system of another machine has, and on a disk of this machine it stays the same. Otherwise the device's number
 * may be another file system's later, and *number is one that no other mount has. Returns false if times of files on
 * this file system do not tell that contents have changed: those whose server sets them as it likes, and those in
 * memory, where stores through a shared mapping leave the times as they are.
 */
bool volume_of(int fd, const struct statx *st, uint64_t *number);

/**
 * Writes back what others have stored through shared mappings of a file. The next store changes the file's times
 * (mmap(2), MAP_SHARED). `st` has the attributes for which volume_of was asked, or is NULL. Returns false if it cannot.
 */
bool volume_settle(int fd, const struct statx *st);

#endif
