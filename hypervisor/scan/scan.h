/* SPDX-License-Identifier: MIT */
/* Finds the instructions whose results would be the host's, and patches them to trap. */
#ifndef HYPERVISOR_SCAN_H
#define HYPERVISOR_SCAN_H

#include <stdint.h>

#include "abi/boot.h"
#include "guest/guest_memory.h"
#include "guest/image.h"

/**
 * Replaces the first byte of each such instruction of the loaded image by int3, before the run. *sites is a sorted
 * table for the caller to free, NULL when there are none. 0, or a negative errno with one line for the user in
 * error[]; which instructions, and how they are told from data: scan_code.h.
 */
int scan_image(const struct guest_memory *memory, const struct image *image, struct trap_site **sites, uint64_t *count,
               char error[256]);

#endif
