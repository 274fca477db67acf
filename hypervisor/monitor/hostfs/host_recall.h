/* SPDX-License-Identifier: MIT */
/* Programs' requests for the host's files, kept in the cache by command line and by program. */
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

/** Data of an earlier run, except its list of requests, and its keys in the cache. */
struct host_recall {
	struct scan_key command, program;
	bool has_command,
		has_program; /**< which entry was found in the cache: by the command line, otherwise by the program */
	struct host_recall_memory memory;
};

/**
 * Computes the keys of a command line, from its working directory, the files that it is shown and their times. Reads
 * the list of an earlier run into `list`, if there is one.
 */
void host_recall_get(struct host_recall *recall, const struct host_files *files, char *const *arguments, unsigned count,
                     const char *workdir, struct host_asked_list *list);

/**
 * Keeps the requests `now` of a run and the memory that it used. The list `before` foresaw `foreseen` requests and
 * missed `missed`; `vain` objects were looked up for requests that the run did not make. Writes nothing if `missed` and
 * `vain` are small and no memory was expected in vain, unless nothing was known before. Not for runs that were cut
 * short.
 */
void host_recall_put(const struct host_recall *recall, const struct host_asked_list *before,
                     const struct host_asked_list *now, const struct host_recall_memory *memory, uint64_t foreseen,
                     uint64_t missed, uint64_t vain);

#endif
