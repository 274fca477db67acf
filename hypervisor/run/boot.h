/* SPDX-License-Identifier: MIT */
/* The monitor's boot door: fills the boot area of guest memory. */
#ifndef HYPERVISOR_BOOT_H
#define HYPERVISOR_BOOT_H

#include "abi/boot.h"
#include "guest/guest_memory.h"
#include "guest/image.h"
#include "hostfs/host_tree.h"

/** What a run is made of; strings belong to the caller. */
struct boot_config {
	uint64_t seed;
	int64_t epoch_ns;
	uint32_t flags; /**< BOOT_FLAG_* */
	char **arguments;
	unsigned argument_count;
	char **environment; /**< K=V */
	unsigned environment_count;
	uint64_t root_bytes; /**< of the root image, 0 when there is none */
	struct boot_events events;
	struct boot_sched sched;
	const struct trap_site *trap_sites;
	uint64_t trap_site_count;
	const struct host_tree *trees; /**< what of the host's files is shown */
	unsigned tree_count;
	uint32_t processors; /**< that a Linux program is told of */
	uint64_t ram_shown;  /**< see struct boot_info */
	uint64_t set_base;   /**< likewise */
	const char *workdir; /**< where a Linux program starts, or NULL: at / */
	const char *program; /**< path of a Linux program, NULL: its first argument */
};

/** Builds tables, boot information and arguments. 0, or -E2BIG with one line in error[]. */
int boot_prepare(const struct guest_memory *memory, const struct image *image, const struct boot_config *config,
                 char error[256]);

#endif
