/* SPDX-License-Identifier: MIT */
/* Compares the functions of two programs or libraries, instruction by instruction, for a reader. */
#ifndef HYPERVISOR_CODE_COMPARE_H
#define HYPERVISOR_CODE_COMPARE_H

#include <stdint.h>

#include "base/error.h"
#include "scan/disassembler.h"

/** How a function differs. */
struct code_difference {
	const char *name; /**< in the file, unchecked */
	enum {
		CODE_ONLY_FIRST,
		CODE_ONLY_SECOND,
		CODE_DIFFERS,
	} kind;
	uint64_t offset;                  /**< CODE_DIFFERS: of the first instruction that differs, in bytes */
	char texts[2][DISASSEMBLER_TEXT]; /**< that instruction in both; empty: the function ends there */
};

/**
 * Calls `each` for each function that only one of two untrusted ELF files has, or that differs, in the order of names.
 * A function has a symbol with a size. Of several names of one function the first in the alphabet counts; functions of
 * the same name are matched in the order of their addresses. Instructions that differ only in an address outside of the
 * function, relative to themselves, count as the same, and so do those that differ only in an absolute address of 4
 * bytes in programs that are loaded where they are linked. Returns the number of functions that differ; 0 if a file is
 * not code for x86-64. Or returns a negative errno with one line in *error, after any number of calls: -ENOEXEC,
 * -ELIBACC if the disassembler is not installed, -EFBIG, or -ENOMEM.
 */
int64_t code_compare(const uint8_t *const files[2], const uint64_t bytes[2],
                     void (*each)(void *context, const struct code_difference *difference), void *context,
                     struct error *error);

#endif
