/* SPDX-License-Identifier: MIT */
/* Boot by the monitor: fills the boot area of guest memory. */
#ifndef HYPERVISOR_BOOT_H
#define HYPERVISOR_BOOT_H

#include "abi/boot.h"
#include "base/error.h"
#include "guest/guest_memory.h"
#include "guest/image.h"
#include "hostfs/tree/host_tree.h"

/** The inputs of a run; strings belong to the caller. */
struct boot_config {
	uint64_t seed;
	int64_t epoch_ns;
	uint64_t uptime_s;
	uint64_t layout_seed; /**< with BOOT_FLAG_LAYOUT_SEED */
	uint32_t flags;       /**< BOOT_FLAG_* */
	char **arguments;
	unsigned argument_count;
	char **environment; /**< K=V */
	unsigned environment_count;
	uint64_t root_bytes; /**< size of the root image; 0: no root image */
	struct boot_events events;
	struct boot_sched sched;
	struct sched_from from;
	struct boot_faults faults;
	const struct trap_site *trap_sites;
	uint64_t trap_site_count;
	const struct host_tree *trees; /**< the host's files that are shown */
	unsigned tree_count;
	uint32_t processors;                      /**< number of processors that a Linux program sees */
	uint16_t terminal_rows, terminal_columns; /**< as in struct boot_info */
	uint64_t ram_shown;                       /**< as in struct boot_info */
	uint64_t set_base, translation;           /**< as in struct boot_info */
	struct boot_user user;                    /**< of a Linux program */
	const char *workdir;                      /**< working directory of a Linux program; NULL: / */
	const char *program;                      /**< path of a Linux program; NULL: its first argument */
};

/** Builds tables, boot information and arguments. Returns 0, or -E2BIG with one line in *error. */
int boot_prepare(const struct guest_memory *memory, const struct image *image, const struct boot_config *config,
                 struct error *error);

#endif
