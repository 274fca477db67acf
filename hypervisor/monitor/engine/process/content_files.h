/* SPDX-License-Identifier: MIT */
/* The files with contents of host files, which the monitor sends to the guest's processes. */
#ifndef ENGINE_PROCESS_CONTENT_FILES_H
#define ENGINE_PROCESS_CONTENT_FILES_H

#include "channel.h"
#include "engine/engine.h"
#include "guest/host_memory.h"

/** Decides how many files a process has room for: by the hard limit of descriptors, which the zygotes raise. */
void content_files_make_room(void);

/** Makes the sockets of the next guest. Returns the end for its processes, or -1 with errno. */
int content_files_pair(void);

/** Copies the monitor's ends. Returns their number. */
unsigned content_files_sockets(int to[ENGINE_RUNS_MAX]);

/** Closes the monitor's ends. */
void content_files_close(void);

/** Begins a guest, which has no contents yet. */
void content_files_begin(struct plan *plan);

/** Does what engine_ops.map does for contents, for the guest number `run`, from 1 on. */
int content_files_map(struct plan *plan, unsigned run, uint64_t address, const struct host_memory *memory,
                      uint64_t offset, uint64_t bytes);

#endif
