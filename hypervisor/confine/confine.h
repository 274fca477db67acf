/* SPDX-License-Identifier: MIT */
/* Confinement of the monitor's processes: an attacker who takes one over gains nothing beyond its plan. */
#ifndef HYPERVISOR_CONFINE_H
#define HYPERVISOR_CONFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/** Which process it is. */
enum confine_role {
	CONFINE_MONITOR, /**< serves the guest: all of its threads */
	CONFINE_KEEPER,  /**< does for it what it must not do itself (keeper.h) */
};

/** What a run needs beside what all need; bits. */
enum confine_need {
	CONFINE_ALWAYS = 0,
	CONFINE_READ = 1,       /**< files that are opened for reading alone */
	CONFINE_OUT = 2,        /**< a folder for /out; then CONFINE_READ is not given */
	CONFINE_HOST_FILES = 4, /**< the host's files */
	CONFINE_KVM = 8,        /**< the engine is KVM */
	CONFINE_KVM_AGAIN = 16, /**< the same, and further guests follow the first one */
	CONFINE_PROCESS = 32,   /**< the engine is processes of Linux */
};

#define CONFINE_KEPT_MAX 144 /* descriptors: streams, files to be saved, trees, engine, cache, keeper */

/** What may be done at a place and beneath it. */
enum confine_reach {
	CONFINE_TO_READ,  /**< read files, list folders */
	CONFINE_TO_WRITE, /**< write files that are there */
	CONFINE_TO_SAVE,  /**< write, make and remove files */
	CONFINE_TO_FILL,  /**< the same, and make folders and symbolic links */
	CONFINE_TO_ALTER, /**< the same, remove folders, and give files further names */
};

#define CONFINE_GROUPS_MAX 6

#define CONFINE_PLACES_MAX 80 /* trees, the image, the cache, --out */

struct confine_plan {
	enum confine_role role;
	unsigned needs;             /**< of enum confine_need */
	int keeper;                 /**< the descriptor that leads to the keeper, or to the monitor; -1: none */
	int kept[CONFINE_KEPT_MAX]; /**< descriptors that stay open, beside the standard streams */
	unsigned kept_count;
	pid_t groups[CONFINE_GROUPS_MAX]; /**< process groups that the caller may signal */
	unsigned group_count;
	struct confine_place {
		int fd; /**< a folder or a file, open in any way */
		enum confine_reach reach;
	} places[CONFINE_PLACES_MAX]; /**< files elsewhere are out of reach, where the kernel can see to that */
	unsigned place_count;
};

/** Adds a descriptor that stays open; -1 is none. */
void confine_keep(struct confine_plan *plan, int fd);

/** Adds a place; -1 is none. */
void confine_allow(struct confine_plan *plan, int fd, enum confine_reach reach);

/**
 * Puts the calling process, which has one thread, behind the walls, for good: other descriptors are closed, memory of
 * the process is its own (PR_SET_DUMPABLE), and a call of the system that the plan's list does not have ends the
 * process with one line and EXIT_EREMITE. 0, or a negative errno with a line in error[]: then it may be half-way.
 */
int confine(const struct confine_plan *plan, char error[256]);

#endif
