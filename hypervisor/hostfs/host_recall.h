/* SPDX-License-Identifier: MIT */
/* What programs asked for of the host's files, kept in the cache by command line and by program. */
#ifndef HYPERVISOR_HOST_RECALL_H
#define HYPERVISOR_HOST_RECALL_H

#include <stdbool.h>
#include <stdint.h>

#include "hostfs/host_asked.h"
#include "hostfs/host_files.h"
#include "scan/scan_cache.h"

/** Guest-physical memory that a run used. */
struct host_recall_memory {
	uint64_t low, bytes; /**< 0: not known */
};

/** What an earlier run left, but for the list, and under which keys. */
struct host_recall {
	struct scan_key command, program;
	bool has_command, has_program; /**< that was found in the cache: by the command line, else by the program */
	struct host_recall_memory memory;
};

/** Finds the keys of a command line, by where it runs and what it is shown of files and their times, and the list to
 * begin with, if there is one. */
void host_recall_get(struct host_recall *recall, const struct host_files *files, char *const *arguments, unsigned count,
                     const char *workdir, struct host_asked_list *list);

/**
 * Keeps what a run asked for `now`, which had to ask `missed` times for what was not foreseen by the list `before`, and
 * what memory it used; `vain` objects were looked at for what it did not ask for. Nothing is written if both are few
 * and no memory was expected in vain, unless nothing was known. Not for runs that were cut short.
 */
void host_recall_put(const struct host_recall *recall, const struct host_asked_list *before,
                     const struct host_asked_list *now, const struct host_recall_memory *memory, uint64_t foreseen,
                     uint64_t missed, uint64_t vain);

#endif
