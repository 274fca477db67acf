/* SPDX-License-Identifier: MIT */
/* Finds the instructions whose results depend on the host, and patches them to trap. */
#ifndef HYPERVISOR_SCAN_H
#define HYPERVISOR_SCAN_H

#include <stdint.h>

#include "abi/boot.h"
#include "base/error.h"
#include "guest/guest_memory.h"
#include "guest/image.h"

/**
 * Replaces the first byte of each such instruction in the loaded image by int3, before the run. *sites becomes a sorted
 * table, which the caller frees; NULL if there are none. Returns 0, or a negative errno with one line for the user in
 * *error. scan_code.h describes the instructions and how they are distinguished from data.
 */
int scan_image(const struct guest_memory *memory, const struct image *image, struct trap_site **sites, uint64_t *count,
               struct error *error);

#endif
