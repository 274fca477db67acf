/* SPDX-License-Identifier: MIT */
/* Lists the instructions of programs and libraries whose results differ between processors that have them, or may do
 * so. A run that executes none of them has one digest on every processor with the features of its model. */
#ifndef HYPERVISOR_PORTABLE_H
#define HYPERVISOR_PORTABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/** Why a result may differ. */
enum portable_reason {
	PORTABLE_APPROXIMATE, /**< RCPPS, RSQRTPS and variants: vendors only limit the error, and their results differ
	                       */
	PORTABLE_INTEL_EXACT, /**< VRCP14PS, VRSQRT14PS and variants: Intel publishes the exact results, AMD does not */
	PORTABLE_X87,         /**< FSIN, F2XM1, ...: vendors only limit the error, and their results differ */
	PORTABLE_UNDECIDED,   /**< may be data, or an instruction that shows the host; it is left as it is */
	PORTABLE_REASONS
};

/** One place. */
struct portable_site {
	uint64_t address;       /**< in the program's memory, before relocation */
	const char *mnemonic;   /**< valid until the process ends */
	const char *symbol;     /**< the function around it, in the file, unchecked; NULL: none is known */
	uint64_t symbol_offset; /**< distance from the function's start, in bytes */
	enum portable_reason reason;
};

/** Number of places for each reason. */
struct portable_counts {
	uint64_t reasons[PORTABLE_REASONS];
};

/** Limit of places in a file. libm has some dozens, a browser some thousands. */
#define PORTABLE_SITES_MAX (1UL << 20)

/** Whether the content of a file is an ELF program or library for x86-64, so that portable_list reads it. */
bool portable_is_code(const uint8_t *file, uint64_t bytes);

/**
 * Calls `each` for each such place of an untrusted file, in ascending order of addresses. Returns the number of places;
 * 0 for a file that is not code. Or returns a negative errno with one line in *error, and calls `each` for no place:
 * -ENOEXEC if the file is damaged, -ELIBACC if the disassembler is not installed, -EFBIG, or -ENOMEM.
 */
int64_t portable_list(const uint8_t *file, uint64_t bytes,
                      void (*each)(void *context, const struct portable_site *site), void *context,
                      struct error *error);

/** Prints a place as one line. `path` must be printable; control characters of the symbol are replaced. */
void portable_print(FILE *to, const char *path, const struct portable_site *site);

/** Prints the line with the numbers of places of one file or of several. */
void portable_print_counts(FILE *to, const char *path, const struct portable_counts *counts);

#endif
