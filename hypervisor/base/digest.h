/* SPDX-License-Identifier: MIT */
/* Hashes of what a run did: SHA-256 (FIPS 180-4) by libcrypto. */
#ifndef HYPERVISOR_DIGEST_H
#define HYPERVISOR_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#include "abi/stats.h"
#include "base/error.h"

/** Number of the definition of the run digest (docs/summary.md). Another definition has another number, and the
 * definitions of published versions stay computable. */
#define DIGEST_DEFINITION 1U

#define DIGEST_BYTES 32
#define DIGEST_TEXT_BYTES 72 /* "sha256:", 64 digits and the NUL */
#define DIGEST_HEX_BYTES (2 * DIGEST_BYTES + 1)

/* What a run digest of definition 1 hashes. Members never move, and no definition reuses a number. */

/** The run digest; without `files` if the program sees no files of the host. */
struct digest_run {
	uint64_t chain[2], events, virtual_ns;
	uint64_t end, status;             /**< enum run_end */
	uint8_t streams[2][DIGEST_BYTES]; /**< standard output, standard error */
	uint8_t out[DIGEST_BYTES];    /**< each struct digest_out, its path and its contents, in the order of /out */
	uint8_t files[DIGEST_BYTES];  /**< each file's path with its NUL, and its struct digest_file */
	uint8_t memory[DIGEST_BYTES]; /**< each struct digest_page */
};

/** An object of /out. */
struct digest_out {
	uint64_t kind, mode, bytes, path_bytes;
};

/** A file of the host that the program has read. */
struct digest_file {
	uint64_t bytes;
	uint8_t sha256[DIGEST_BYTES];
};

/** A page of guest memory that is not all zero, with its XXH3-128. */
struct digest_page {
	uint64_t address, low, high;
};

_Static_assert(sizeof(struct digest_run) == 208, "digest_run");
_Static_assert(sizeof(struct digest_out) == 32, "digest_out");
_Static_assert(sizeof(struct digest_file) == 40, "digest_file");
_Static_assert(sizeof(struct digest_page) == 24, "digest_page");

/** A running SHA-256; the fields are libcrypto's. */
struct digest_sum {
	uint64_t state[14];
};

/** Begin a hash, add bytes to it, and end it. Nothing may be added after digest_end. */
void digest_begin(struct digest_sum *sum);
void digest_add(struct digest_sum *sum, const void *data, size_t bytes);
void digest_end(struct digest_sum *sum, uint8_t out[DIGEST_BYTES]);

/** Adds the XXH3-128 of bytes in their place, which is much faster. */
void digest_add_hash(struct digest_sum *sum, const void *data, size_t bytes);

/** "sha256:..." */
void digest_text(const uint8_t digest[DIGEST_BYTES], char text[DIGEST_TEXT_BYTES]);

/** Hashes a file into digits. Returns 0, or a negative errno with one line in *error. */
int digest_file(const char *path, char hex[DIGEST_HEX_BYTES], struct error *error);

#endif
