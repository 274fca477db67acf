/* SPDX-License-Identifier: MIT */
/* How much memory a process takes, with those that it has started. */
#ifndef HYPERVISOR_COST_MEMORY_H
#define HYPERVISOR_COST_MEMORY_H

#include <stdint.h>
#include <sys/types.h>

/** Bytes that a process and its descendants have now, or a part of them if some are just ending: their own memory,
 * and what they share, once. Pages of files are left out, because the host can take them away. */
uint64_t cost_memory_tree(pid_t pid);

/** The same of one process alone. */
uint64_t cost_memory_own(pid_t pid);

#endif
