/* SPDX-License-Identifier: MIT */
/* Reads an ELF image, checks all of it, and places it in guest memory. */
#ifndef HYPERVISOR_IMAGE_H
#define HYPERVISOR_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/image.h"
#include "base/digest.h"
#include "base/error.h"
#include "guest/guest_memory.h"

#define IMAGE_SEGMENTS_MAX 16

/** A loadable segment, page-aligned. */
struct image_segment {
	uint64_t address; /**< virtual */
	uint64_t bytes;   /**< in memory, whole pages */
	uint32_t flags;   /**< PF_R, PF_W, PF_X */
};

/** Where an image lies: a file, or a part of one. */
struct image_source {
	const char *path;       /**< for messages, and to be opened */
	int fd;                 /**< the file, open for reading; -1: `path` is opened */
	uint64_t offset, bytes; /**< the part; bytes 0: all of the file */
	/** The part of the file with the image's symbols (struct symbolize_symbols), which the image lacks; bytes 0:
	 * none */
	uint64_t symbols_offset, symbols_bytes;
};

struct image {
	struct image_header header; /**< copied from the note and checked */
	struct image_segment segments[IMAGE_SEGMENTS_MAX];
	unsigned segment_count;
	uint64_t bias;                    /**< virtual address minus guest-physical address; whole blocks */
	uint64_t end;                     /**< guest-physical: first page after the last segment */
	int file;                         /**< the loaded file, open for reading; -1: none */
	bool is_whole_file;               /**< the image is all of it */
	uint64_t file_offset, file_bytes; /**< otherwise, the part of it that is the image */
	uint64_t symbols_offset,
		symbols_bytes; /**< the part of it with the image's symbols; bytes 0: it has them itself */
};

/**
 * Loads the file into guest memory. Returns 0, or a negative errno with one line for the user in *error; image_fini is
 * then allowed but not needed.
 */
int image_load(const struct image_source *source, const struct guest_memory *memory, struct image *image,
               struct error *error);

/**
 * Computes the SHA-256 of the parts that image_load reads: the ELF header, the program headers, and the bytes of
 * loadable segments and notes, in the order of the program headers. Returns 0, or a negative errno with one line in
 * *error.
 */
int image_hash(const struct image_source *source, uint8_t sum[DIGEST_BYTES], struct error *error);

/** Computes how many bytes of an image image_load reads: only symbols and debug information are behind them. Returns 0,
 * or a negative errno with one line in *error. */
int image_loaded_bytes(const struct image_source *source, uint64_t *bytes, struct error *error);

/** Returns a descriptor of a file that holds the loaded image alone: a duplicate, or a copy in memory, which ends with
 * its symbols and a struct symbolize_symbols if they were elsewhere. The caller closes it. Returns -1 on failure. */
int image_file_alone(const struct image *image);

/** Returns the guest-physical address of a virtual address of the image. */
static inline gpa_t image_physical(const struct image *image, uint64_t address)
{
	return gpa(address - image->bias);
}

/** Closes the file. */
void image_fini(struct image *image);

#endif
