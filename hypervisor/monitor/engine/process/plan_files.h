/* SPDX-License-Identifier: MIT */
/* The files of which the guest's processes map regions (struct plan), and which of them they may write to. */
#ifndef ENGINE_PROCESS_PLAN_FILES_H
#define ENGINE_PROCESS_PLAN_FILES_H

#include <stdbool.h>

#include "engine/process/channel.h"

/** Starts with no file that may be written to. Files stay in the plan, because zygotes that start late read them. */
void plan_files_begin(struct plan *plan);

/** Adds a file, unless the processes know it. Returns false if that is impossible: if the plan is full, or, unless
 * `may_add`, the file is new. */
bool plan_files_know(struct plan *plan, int file, bool writable, bool may_add);

#endif
