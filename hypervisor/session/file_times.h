/* SPDX-License-Identifier: MIT */
/* --file-times: the modification times of the host's files that a Linux program sees. */
#ifndef HYPERVISOR_FILE_TIMES_H
#define HYPERVISOR_FILE_TIMES_H

#include <stdbool.h>

#include "run/run.h"

/* Without the option, and of a given `content` without a time. 1990-01-01 is before the epoch, so that make(1) finds
 * files older than what it makes, and after 1980, because ZIP archives can name no year before. Many programs take 0
 * for no time. Images and recordings keep this text, so it may change. */
#define DEFAULT_FILE_TIMES "content:1990-01-01T00:00:00Z"

/* The time of all other files with `bytecode` and `host`. Images and recordings have these words, and no time: it is
 * 1990-01-01T00:00:00Z for good. */
#define FILE_TIMES_FIXED_NS (631152000L * 1000000000L)

/** Sets the times. `text` stays the caller's, and must outlive the run. Returns false if it is not a value of the
 * option. */
bool file_times_take(struct run_config *run, const char *text);

#endif
