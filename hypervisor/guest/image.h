/* SPDX-License-Identifier: MIT */
/* Reads an ELF image, checks all of it, and places it in guest memory. */
#ifndef HYPERVISOR_IMAGE_H
#define HYPERVISOR_IMAGE_H

#include <stdint.h>

#include "abi/image.h"
#include "guest/guest_memory.h"

#define IMAGE_SEGMENTS_MAX 16
#define IMAGE_ERROR_BYTES 256

/** A loadable segment, page-aligned. */
struct image_segment {
	uint64_t address; /**< virtual */
	uint64_t bytes;   /**< in memory, whole pages */
	uint32_t flags;   /**< PF_R, PF_W, PF_X */
};

struct image {
	struct image_header header; /**< copied from the note and checked */
	struct image_segment segments[IMAGE_SEGMENTS_MAX];
	unsigned segment_count;
	uint64_t bias; /**< virtual address minus guest-physical address; whole blocks */
	uint64_t end;  /**< guest-physical: first page after the last segment */
	int file;      /**< the loaded file, open for reading; -1: none */
};

/**
 * Loads the file into guest memory; `fd` is the file, open for reading, or -1: `path` is opened. Returns 0, or a
 * negative errno with one line for the user in error[]; image_fini is then allowed but not needed.
 */
int image_load(const char *path, int fd, const struct guest_memory *memory, struct image *image,
               char error[IMAGE_ERROR_BYTES]);

/** Returns the guest-physical address of a virtual address of the image. */
static inline gpa_t image_physical(const struct image *image, uint64_t address)
{
	return gpa(address - image->bias);
}

/** Closes the file. */
void image_fini(struct image *image);

#endif
