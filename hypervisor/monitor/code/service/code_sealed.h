/* SPDX-License-Identifier: MIT */
/* The results of searches of code that a sealed image has: what its programs are patched by, however later versions of
 * the search would decide. docs/images.md has the format. An image may be hostile: code_sealed_check judges each list
 * by the file that it is for. */
#ifndef HYPERVISOR_CODE_SEALED_H
#define HYPERVISOR_CODE_SEALED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/code.h"
#include "base/error.h"
#include "code/code_scan.h"
#include "code/code_shared.h"
#include "base/digest.h"

#define CODE_SEALED_BYTES_MAX (1UL << 28)

/** The wanted decision points, as an image has them. All zero: none. */
struct code_sealed_points {
	uint64_t seed;
	uint64_t shared; /**< sum of the list; 0: none */
	uint32_t stores;
	uint8_t atomics, loads, own, zero;
};

/** What a file is known by. */
struct code_sealed_file {
	uint8_t sha256[DIGEST_BYTES];
	struct code_content content;
	uint64_t bytes;
};

#define CODE_SEALED_MAGIC "ERI-COD1"

/** The head of a set in an image. A struct code_sealed_packed for each list follows it, then the patches of all lists.
 */
struct code_sealed_head {
	char format[8]; /**< CODE_SEALED_MAGIC without its NUL */
	uint32_t version, zero;
	uint64_t count;
	struct code_sealed_points points;
};

/** A list in an image, without its patches. */
struct code_sealed_packed {
	struct code_sealed_file file;
	uint64_t count;
};

/** The result for one file. */
struct code_sealed_list {
	struct code_sealed_file file;
	struct code_patch *patches; /**< owned */
	size_t count;
};

struct code_sealed {
	uint32_t version; /**< CODE_SCAN_VERSION of the search: information */
	struct code_sealed_points points;
	struct code_sealed_list *lists; /**< sorted by content */
	size_t count, room;
	bool has_ticks; /**< a list that was read has places that count time (--clock work) */
};

/** Begins an empty set of lists for these points. */
void code_sealed_init(struct code_sealed *sealed, const struct code_points *points);

/** Whether the lists, which were read, are for these points, and for --clock work if these are. */
bool code_sealed_is_for(const struct code_sealed *sealed, const struct code_points *points);

/** Adds a copy of a list, unless there is one for this file. Returns 0 or -ENOMEM. */
int code_sealed_note(struct code_sealed *sealed, const struct code_sealed_list *list);

/** Find the list of a file: by its SHA-256, or by its XXH3-128 and its size. They return NULL if the file has no list.
 */
const struct code_sealed_list *code_sealed_find_hash(const struct code_sealed *sealed,
                                                     const uint8_t sha256[DIGEST_BYTES]);
const struct code_sealed_list *code_sealed_find(const struct code_sealed *sealed, struct code_content content,
                                                uint64_t bytes);

/** Returns the set as an image has it, for the caller to free; NULL without memory. */
void *code_sealed_pack(const struct code_sealed *sealed, size_t *bytes);

/** Reads an untrusted set. Returns 0 and a set, which code_sealed_fini frees; or -EUCLEAN or -ENOMEM with one line in
 * *error, which begins with "its patches". */
int code_sealed_read(struct code_sealed *sealed, const void *from, size_t bytes, struct error *error);

/** Frees the lists; accepts an all-zero structure. */
void code_sealed_fini(struct code_sealed *sealed);

/** Copies bytes of a file from an offset; offsets seldom descend. Returns false if the file does not have them. */
typedef bool code_sealed_reader(void *context, uint64_t offset, void *to, uint64_t bytes);

/**
 * Whether a list is one that a search could find in a file: code_scan_is_possible, in executable parts, and made of
 * whole instructions, of which the patched one is of its kind and the others can be moved. A CODE_SEED need only be in
 * a loaded part: code_seeds_are_of judges it. The disassembler must be loaded.
 */
bool code_sealed_check(const struct code_sealed_list *list, code_sealed_reader *read, void *context);

#endif
