/* SPDX-License-Identifier: MIT */
/* Confines the monitor's processes: an attacker who takes one over gains only what its plan allows. */
#ifndef HYPERVISOR_CONFINE_H
#define HYPERVISOR_CONFINE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/** The process to confine. */
enum confine_role {
	CONFINE_MONITOR, /**< the monitor with all of its threads, which serves the guest */
	CONFINE_KEEPER,  /**< the keeper, which acts for the confined monitor (keeper.h) */
};

/** What a run needs in addition to CONFINE_ALWAYS; bits. */
enum confine_need {
	CONFINE_ALWAYS = 0,
	CONFINE_READ = 1,       /**< files that are only opened for reading */
	CONFINE_OUT = 2,        /**< a directory for /out; excludes CONFINE_READ */
	CONFINE_HOST_FILES = 4, /**< the host's files */
	CONFINE_KVM = 8,        /**< the engine is KVM */
	CONFINE_KVM_AGAIN = 16, /**< the engine is KVM, and further guests follow the first one */
	CONFINE_PROCESS = 32,   /**< the engine is the process engine */
	CONFINE_TTY = 64,       /**< the guest has the terminal */
	CONFINE_NET = 128,      /**< the guest has a network outside */
	CONFINE_NET_OUT = 256,  /**< it opens connections there */
	CONFINE_EVENTS = 512,   /**< it gets events of the network or of standard input */
};

#define CONFINE_KEPT_MAX \
	228 /* descriptors: streams, files to be saved, trees, engine, cache, keeper, published ports */

/** What the process may do at a place and beneath it. */
enum confine_reach {
	CONFINE_TO_READ,  /**< read files, list directories */
	CONFINE_TO_WRITE, /**< write existing files */
	CONFINE_TO_SAVE,  /**< write, create and remove files */
	CONFINE_TO_FILL,  /**< CONFINE_TO_SAVE, and create directories and symbolic links */
	CONFINE_TO_ALTER, /**< CONFINE_TO_FILL, remove directories, and link files to further names */
};

#define CONFINE_GROUPS_MAX 6

#define CONFINE_PLACES_MAX 80 /* trees, the image, the cache, --out */

struct confine_plan {
	enum confine_role role;
	unsigned needs;             /**< enum confine_need bits */
	int keeper;                 /**< the descriptor that leads to the keeper, or to the monitor; -1: none */
	int kept[CONFINE_KEPT_MAX]; /**< descriptors that stay open, in addition to the standard streams */
	unsigned kept_count;
	pid_t groups[CONFINE_GROUPS_MAX]; /**< process groups that the caller may signal */
	unsigned group_count;
	int sockets[CONFINE_GROUPS_MAX]; /**< through which the caller may send, in addition to the keeper's */
	unsigned socket_count;
	struct confine_place {
		int fd; /**< a directory or a file, opened in any mode */
		enum confine_reach reach;
	} places[CONFINE_PLACES_MAX]; /**< files elsewhere are out of reach, if the kernel can enforce that */
	unsigned place_count;
};

/** Adds a descriptor that stays open; ignores -1. */
void confine_keep(struct confine_plan *plan, int fd);

/** Adds a place; ignores -1. */
void confine_allow(struct confine_plan *plan, int fd, enum confine_reach reach);

/**
 * Confines the calling process, which has one thread, for the rest of its life. Closes all other descriptors, denies
 * other processes access to its memory (PR_SET_DUMPABLE), and filters its system calls. A system call that the plan's
 * list lacks ends the process with one line and EXIT_EREMITE. Returns 0, or a negative errno with a line in *error;
 * the process may then be partly confined.
 */
int confine(const struct confine_plan *plan, struct error *error);

#endif
