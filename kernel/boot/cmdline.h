/* SPDX-License-Identifier: MIT */
/* The multiboot command line: options of the run, then the program's arguments.
 *
 *   [PATH] [eremite.OPTION...] [-- ARG...]
 *
 * Words stand between blanks. A double quote begins or ends a part whose blanks belong to the word; a backslash
 * takes the next character as it is (GRUB quotes so). The path is argv[0]; QEMU puts it there, and GRUB does not. */
#ifndef KERNEL_BOOT_CMDLINE_H
#define KERNEL_BOOT_CMDLINE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/environment.h"

/** Command lines are shorter than this. */
#define CMDLINE_BYTES 4096
#define CMDLINE_ARGUMENTS_BYTES (CMDLINE_BYTES + 8) /* "image" may be added */

struct cmdline {
	uint64_t seed;         /**< eremite.seed=N, decimal or 0x; default 0 */
	int64_t epoch_ns;      /**< eremite.epoch=NS since 1970; default 2000-01-01T00:00:00Z */
	uint64_t memory_bytes; /**< eremite.memory=SIZE, whole 2 MiB; default 512M */
	bool memory_given;
	uint32_t flags; /**< eremite.tty and eremite.summary: BOOT_FLAG_* */
	/** Strings that follow each other, each ended by a NUL. Without a path, the first is "image". */
	char arguments[CMDLINE_ARGUMENTS_BYTES];
	uint32_t arguments_bytes, argument_count;
	bool no_env; /**< eremite.no-env */
	/** The default environment, unless no_env, and eremite.env=K=V, repeatable. */
	char environment[CMDLINE_BYTES + ENVIRONMENT_DEFAULT_BYTES];
	uint32_t environment_bytes, environment_count;
};

#define CMDLINE_ERROR_BYTES 160

/** Reads a command line into a zeroed struct. 0, or -EINVAL with one line in error[]. */
int cmdline_parse(struct cmdline *cmdline, const char *text, char error[CMDLINE_ERROR_BYTES]);

#endif
