/* SPDX-License-Identifier: MIT */
/* Finds the functions that an .eh_frame section describes (LSB Core, chapter 10.6). */
#ifndef HYPERVISOR_EH_FRAME_H
#define HYPERVISOR_EH_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "scan/code_range.h"

/**
 * Lists the functions, sorted by address. The caller frees *ranges (NULL if there are none). `address` is the section's
 * address in the program's memory. The section is untrusted. Returns 0, or -ENOMEM, or -EINVAL if it is malformed, with
 * one line in *error that says where.
 */
int eh_frame_functions(const uint8_t *section, uint64_t bytes, uint64_t address, struct code_range **ranges,
                       size_t *count, struct error *error);

/**
 * Lists functions as eh_frame_functions does, without the code to which signal handlers return. glibc and others
 * declare that code to begin one byte early, because unwinders look up a caller one byte before the return address.
 */
int eh_frame_plain_functions(const uint8_t *section, uint64_t bytes, uint64_t address, struct code_range **ranges,
                             size_t *count, struct error *error);

/**
 * Lists the functions with language-specific data, which names their landing pads: the places to continue after an
 * exception. In each range, `address` is that of the function and `bytes` is the address of its data. Otherwise as
 * eh_frame_functions.
 */
int eh_frame_landing_data(const uint8_t *section, uint64_t bytes, uint64_t address, struct code_range **ranges,
                          size_t *count, struct error *error);

/**
 * Reads one function's language-specific data (the LSDA of the Itanium C++ ABI, as GCC writes it) and passes each
 * landing pad's address to `visit`. `data` are the bytes from the LSDA on, at `address`. Returns -EINVAL if it is
 * malformed.
 */
int eh_frame_landing_pads(const uint8_t *data, uint64_t bytes, uint64_t address, uint64_t function,
                          int (*visit)(void *context, uint64_t pad), void *context);

#endif
