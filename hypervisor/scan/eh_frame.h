/* SPDX-License-Identifier: MIT */
/* Which addresses are code: the functions that an .eh_frame section describes (LSB Core, chapter 10.6). */
#ifndef HYPERVISOR_EH_FRAME_H
#define HYPERVISOR_EH_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "scan/code_range.h"

/**
 * Lists the functions, sorted by address, in memory for the caller to free (NULL when there are none). `address` is
 * where the section is in the program's memory. The section is untrusted: 0, -ENOMEM, or -EINVAL when it is
 * malformed, with one line that says where in error[].
 */
int eh_frame_functions(const uint8_t *section, uint64_t bytes, uint64_t address, struct code_range **ranges,
                       size_t *count, char error[256]);

/**
 * The same without the code that signal handlers return to: of it glibc and others say that it begins one byte before
 * it does, as unwinders look for the caller of a function one byte before the return address.
 */
int eh_frame_plain_functions(const uint8_t *section, uint64_t bytes, uint64_t address, struct code_range **ranges,
                             size_t *count, char error[256]);

/**
 * Lists which functions have landing pads, that is language-specific data that tells where to go on after an
 * exception: each range is the address of a function and, in `bytes`, that of its data. Else as eh_frame_functions.
 */
int eh_frame_landing_data(const uint8_t *section, uint64_t bytes, uint64_t address, struct code_range **ranges,
                          size_t *count, char error[256]);

/**
 * Reads one function's language-specific data (the LSDA of the Itanium C++ ABI, as GCC writes it) and hands each
 * landing pad's address to `visit`. `data` are the bytes from it on, `address` is theirs. -EINVAL when it is malformed.
 */
int eh_frame_landing_pads(const uint8_t *data, uint64_t bytes, uint64_t address, uint64_t function,
                          int (*visit)(void *context, uint64_t pad), void *context);

#endif
