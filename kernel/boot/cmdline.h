/* SPDX-License-Identifier: MIT */
/* The multiboot command line: options of the run, then the program's arguments.
 *
 *     [PATH] [eremite.OPTION...] [-- ARG...]
 *
 * Blanks separate words. A double quote starts or ends a part whose blanks belong to the word; a backslash makes the
 * next character literal (GRUB's quoting). PATH is argv[0]; QEMU passes it, and GRUB does not. */
#ifndef KERNEL_BOOT_CMDLINE_H
#define KERNEL_BOOT_CMDLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/environment.h"

/** Maximum length of a command line, including its NUL. */
#define CMDLINE_BYTES 4096
#define CMDLINE_ARGUMENTS_BYTES (CMDLINE_BYTES + 8) /* room for the name "image" */

struct cmdline {
	uint64_t seed;         /**< eremite.seed=N, decimal or 0x; default 0 */
	int64_t epoch_ns;      /**< eremite.epoch=NS since 1970; default 2000-01-01T00:00:00Z */
	uint64_t uptime_s;     /**< eremite.uptime=SECONDS, at most UPTIME_MAX_S; default UPTIME_DEFAULT_S */
	uint64_t memory_bytes; /**< eremite.memory=SIZE, whole 2 MiB; default 512M */
	bool memory_given;
	uint32_t flags; /**< eremite.tty and eremite.summary: BOOT_FLAG_* */
	/** Consecutive strings, each ended by a NUL. Without a path, the first is "image". */
	char arguments[CMDLINE_ARGUMENTS_BYTES];
	uint32_t arguments_bytes, argument_count;
	bool no_env; /**< eremite.no-env */
	/** The default environment, unless no_env, and each eremite.env=K=V. */
	char environment[CMDLINE_BYTES + ENVIRONMENT_DEFAULT_BYTES];
	uint32_t environment_bytes, environment_count;
};

#define CMDLINE_ERROR_BYTES 160

/** Parses a command line into a zeroed struct. Returns 0, or -EINVAL with one line in error[]. */
int cmdline_parse(struct cmdline *cmdline, const char *text, char error[CMDLINE_ERROR_BYTES]);

#endif
