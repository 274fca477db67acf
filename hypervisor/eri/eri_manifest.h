/* SPDX-License-Identifier: MIT */
/* The manifest of an image: /.eremite/manifest.json (docs/images.md). */
#ifndef HYPERVISOR_ERI_MANIFEST_H
#define HYPERVISOR_ERI_MANIFEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/digest.h"
#include "base/error.h"

#define ERI_SCHEMA 1U              /* version of the manifest */
#define ERI_NUMBER_MAX (1UL << 53) /* of numbers: JSON readers keep those up to it exactly (RFC 8259, 6) */
#define ERI_DIR ".eremite"
#define ERI_MANIFEST ERI_DIR "/manifest.json"
#define ERI_KERNEL ERI_DIR "/kernel"
#define ERI_KERNEL_SYMBOLS ERI_DIR "/kernel.sym"
#define ERI_PACKAGES ERI_DIR "/packages"
#define ERI_STEPS ERI_DIR "/steps"
#define ERI_CODE ERI_DIR "/code"
#define ERI_FILES ERI_DIR "/files"

/* Files of a step, in ERI_STEPS/NAME. */
#define ERI_STEP_NAMES "names"
#define ERI_STEP_KERNEL "kernel"
#define ERI_STEP_ROOT "root"
#define ERI_STEP_STDIN "stdin"
#define ERI_STEP_SCHEDULE "schedule"
#define ERI_STEP_RECORDING "recording"
#define ERI_STEP_EVENTS "events"
#define ERI_STEP_OUTPUTS "outputs"

#define ERI_STEPS_MAX 256U
#define ERI_TREES_MAX 32U

/** One tree that the guest saw. */
struct eri_tree_place {
	const char *guest; /**< where the guest saw it */
	bool read_only;
};

/** A file that the packed run wrote, or a stream. */
struct eri_output {
	const char *what;   /**< stdout, stderr, out (below /out) or file (elsewhere) */
	const char *path;   /**< in the guest; empty for a stream */
	const char *stored; /**< where the image has its contents; empty: a directory, a link or a removed object */
	const char *sha256; /**< of the contents */
	const char *target; /**< of a symbolic link, or empty */
	uint64_t bytes;
	uint32_t mode; /**< with the type; 0: the run removed it */
};

/** A part of the digest. */
struct eri_part {
	const char *name, *sum;
};

#define ERI_PARTS_MAX 16U

/** One run. Strings belong to the manifest. */
struct eri_step {
	const char *name;
	bool is_linux;  /**< a Linux program; otherwise the kernel is a native image */
	char **options; /**< as on the command line of eremite run */
	unsigned option_count;
	char **defaults; /**< of the inputs that were not given: options with the values that they had */
	unsigned default_count;
	char **arguments; /**< the program and its arguments */
	unsigned argument_count;
	struct eri_tree_place trees[ERI_TREES_MAX];
	unsigned tree_count;
	const char *names_sha256; /**< of the table of names; empty: it saw no files of the host */
	const char *root_sha256;  /**< of /.eremite/steps/NAME/root; empty: the run had no --root */
	const char *kernel_sha256;
	const char *kernel_symbols_sha256; /**< of /.eremite/kernel.sym, its symbols; empty: it has its own */
	const char *kernel_loaded_sha256;  /**< of the parts of it that a run loads (image_hash); or empty */
	const char *code_sha256;           /**< of /.eremite/code/SHA256, what its programs are patched by; or empty */
	const char *events_sha256;         /**< of /.eremite/steps/NAME/events, the log of its events; empty: none */
	const char *schedule_sha256;       /**< of /.eremite/steps/NAME/schedule, which it replays; empty: none */
	const char *stdin_sha256; /**< of /.eremite/steps/NAME/stdin, standard input that it has read; empty: none */
	const char *log_sha256,
		*capture_sha256; /**< of /.eremite/steps/NAME/recording/, its inputs from outside; or empty */
	bool was_run;            /**< false: packed by --no-run, so there is no digest */
	const char *end;
	int status;
	uint64_t virtual_ns, events;
	uint64_t wall_minutes; /**< of the packed run, rounded up to a power of two; 0: less than one. Information */
	const char *digest;
	struct eri_part parts[ERI_PARTS_MAX];
	unsigned part_count;
	struct eri_output *outputs;
	unsigned output_count;
};

/** A file that --data has to supply. */
struct eri_external {
	const char *path, *sha256;
	uint64_t bytes;
};

struct eri_manifest {
	void *json;              /**< cJSON's, which owns the strings */
	unsigned schema;         /**< its own, from 1 to ERI_SCHEMA */
	const char *version;     /**< of the eremite that made it */
	const char *commit;      /**< of that eremite's build; empty: unknown */
	uint64_t contract;       /**< the version of the contract that a run of it needs (abi/image.h) */
	uint64_t definition;     /**< of the digests (base/digest.h) */
	const char *host_vendor; /**< of the processor on which it was made; information, as the next */
	const char *host_processor;
	const char *cpu;          /**< model of the processor */
	const char *cpu_features; /**< that a host must have, separated by spaces */
	const char *engine;       /**< on which the packed run ran */
	uint64_t memory_bytes;
	const char *packages_sha256; /**< of /.eremite/packages (eri_packages.h); empty: none are known. Information */
	struct eri_step *steps;
	unsigned step_count;
	struct eri_external *externals;
	unsigned external_count;
};

/** Reads a manifest of `bytes` bytes. Returns 0, or a negative errno with one line in *error, which begins with "its
 * manifest". */
int eri_manifest_read(struct eri_manifest *manifest, const char *text, size_t bytes, struct error *error);

/** Frees it. */
void eri_manifest_fini(struct eri_manifest *manifest);

/** Whether a step can have this name, which becomes a name in a directory and a word on a terminal. */
bool eri_manifest_is_step(const char *name);

/** Whether an option of eremite run, as one argument of a command line, may be in a manifest: it is an input, and takes
 * neither a file nor a variable of the host. */
bool eri_manifest_takes(const char *option);

/** Whether the value of an option is the host's: a variable, a time, or what a file of the host has. */
bool eri_manifest_is_hosts(const char *option);

/** Computes the identity of a manifest: the SHA-256 of its text, in which the identity itself is 64 zeros. Returns
 * false if the text has no identity. `at` receives the offset of its 64 digits. */
bool eri_manifest_identity(const char *text, size_t bytes, size_t *at, uint8_t sum[DIGEST_BYTES]);

#endif
