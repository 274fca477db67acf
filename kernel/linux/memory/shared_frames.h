/* SPDX-License-Identifier: MIT */
/* Frames that several processes have, until one of them changes its page: code of files, which fork(2) would else copy.
 */
#ifndef KERNEL_LINUX_MEMORY_SHARED_FRAMES_H
#define KERNEL_LINUX_MEMORY_SHARED_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

/** Has a frame one more owner, each of which frees it. False without memory, or when it has too many. */
bool shared_frames_add(uint64_t frame);

/** Whether it has more than one. */
bool shared_frames_has(uint64_t frame);

#endif
