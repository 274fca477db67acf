/* SPDX-License-Identifier: MIT */
/* Copies of pages of host files that the monitor shows (HOST_FILE_SHOW). Many pages are copied by one request to the
 * monitor. */
#ifndef KERNEL_LINUX_CONTENT_COPIES_H
#define KERNEL_LINUX_CONTENT_COPIES_H

#include <stdbool.h>
#include <stdint.h>

/** personality.copy_later: notes that a frame is to become a copy of a page. Returns false if the caller is to copy it.
 */
bool content_copies_add(uint64_t frame, uint64_t original);

/** personality.copy_now: makes the copies, unless they are held back. */
void content_copies_end(void);

/** Holds copies back until content_copies_release, which makes them. */
void content_copies_hold(void);
void content_copies_release(void);

#endif
