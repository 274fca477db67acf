/* SPDX-License-Identifier: MIT */
/* What a run leaves for `eremite pack` and `eremite verify`: the process that runs the program writes it into unnamed
 * files, and the process that started it reads them. */
#ifndef HYPERVISOR_TRACE_H
#define HYPERVISOR_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "eri/eri_manifest.h"
#include "run/run.h"

/** Descriptors of the unnamed files. */
struct trace_fds {
	int text;       /**< lines, see trace.c */
	int names;      /**< the table of names (eri_names.h); -1: not wanted */
	int events;     /**< the log of events (run/event_log.h); -1: not wanted */
	int code;       /**< what its programs are patched by (code_sealed.h); -1: not wanted */
	int spool;      /**< contents of changed files */
	int input;      /**< standard input that the program has read */
	int streams[3]; /**< [1] standard output, [2] standard error */
};

/** Opens them in a directory; `is_packed`: also those that only an image needs. Returns 0 or a negative errno. */
int trace_open(struct trace_fds *fds, int dir, bool is_packed);

/** Closes them. */
void trace_close(struct trace_fds *fds);

/** What a run was given, beside its configuration. */
struct trace_given {
	char **options; /**< the inputs among its options */
	unsigned option_count;
	char **includes; /**< guest paths that the image has to contain */
	unsigned include_count;
	char *const *excludes; /**< patterns of files that it does not contain; NULL: none */
	char **defaults;       /**< the inputs that were not given, each with the value that it had */
	unsigned default_count;
	bool no_run; /**< there was no run */
};

/** Writes everything about a run that has ended. Returns 0, or a negative errno with one line in *error. */
int trace_write(const struct trace_fds *fds, const struct run_config *config, const struct run_result *result,
                const struct trace_given *given, struct error *error);

/** A file that the run created, changed or removed outside /out. */
struct trace_change {
	const char *path; /**< in the guest */
	uint32_t mode;    /**< 0: removed */
	uint64_t bytes;
	int64_t at; /**< offset of the contents, or of a link's target, in the spool; -1: none */
};

/** What was written. Strings belong to `text`. */
struct trace {
	char *text;
	const char **options, **defaults, **arguments;
	size_t option_count, default_count, argument_count, option_room, default_room, argument_room;
	const char *tree_hosts[ERI_TREES_MAX];
	struct eri_tree_place trees[ERI_TREES_MAX];
	unsigned tree_count;
	struct trace_change *changes;
	size_t change_count, change_room;
	struct eri_part parts[ERI_PARTS_MAX];
	unsigned part_count;
	const char *end, *engine, *cpu, *digest;
	const char *root;   /**< identity of the root file system, or NULL */
	const char *kernel; /**< path of the kernel that ran a Linux program; NULL: it was a native image */
	unsigned contract;  /**< version of the contract that its kernel and its requests need; 0: it was not run */
	int status;
	uint64_t virtual_ns, events, memory_bytes;
	bool has_input;
};

/** Reads the lines. Returns 0; -ENODATA if the run ended without them, because it failed; or -ENOMEM or -EPROTO. */
int trace_read(struct trace *trace, const struct trace_fds *fds);

/** Frees everything. */
void trace_fini(struct trace *trace);

#endif
