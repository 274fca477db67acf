/* SPDX-License-Identifier: MIT */
/* Frames with several owners: processes share code of files after fork(2), instead of copying it, until one of them
 * changes its page. */
#ifndef KERNEL_LINUX_MEMORY_SHARED_FRAMES_H
#define KERNEL_LINUX_MEMORY_SHARED_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

/** Adds an owner to a frame; each owner frees it. False without memory, or when the frame has too many owners. */
bool shared_frames_add(uint64_t frame);

/** personality.frame_has_other. */
bool shared_frames_has_other(uint64_t frame);

/** Whether the frame has more than one owner. */
bool shared_frames_has(uint64_t frame);

#endif
