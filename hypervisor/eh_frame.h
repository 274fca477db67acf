/* SPDX-License-Identifier: MIT */
/* Which addresses are code: the functions that an .eh_frame section describes (LSB Core, chapter 10.6). */
#ifndef HYPERVISOR_EH_FRAME_H
#define HYPERVISOR_EH_FRAME_H

#include <stddef.h>
#include <stdint.h>

/** Addresses [address, address + bytes) are instructions, the first of which stands at `address`. */
struct code_range {
	uint64_t address, bytes;
};

/**
 * Lists the functions, sorted by address, in memory for the caller to free (NULL when there are none). `address` is
 * where the section is in the program's memory. The section is untrusted: 0, -ENOMEM, or -EINVAL when it is
 * malformed, with one line that says where in error[].
 */
int eh_frame_functions(const uint8_t *section, uint64_t bytes, uint64_t address, struct code_range **ranges,
                       size_t *count, char error[256]);

#endif
