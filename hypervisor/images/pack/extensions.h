/* SPDX-License-Identifier: MIT */
/* Lists the extensions of the instruction set that a program or library has instructions of, beyond x86-64-v2. */
#ifndef HYPERVISOR_EXTENSIONS_H
#define HYPERVISOR_EXTENSIONS_H

#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "scan/disassembler.h"

/** More than Zydis knows. */
#define EXTENSIONS_MAX 96

/** One extension in a file. */
struct extension_use {
	struct instruction_extension extension;
	uint64_t count;         /**< instructions */
	uint64_t address;       /**< of the first, before relocation */
	const char *mnemonic;   /**< of the first; valid until the process ends */
	const char *symbol;     /**< the function around it, in the file, unchecked; NULL: none is known */
	uint64_t symbol_offset; /**< distance from the function's start, in bytes */
};

/**
 * Finds the extensions of an untrusted file, sorted by name, in the functions that its tables name. Returns their
 * number; 0 for a file that is not code. Or returns a negative errno with one line in *error: -ENOEXEC if the file is
 * damaged, -ELIBACC if the disassembler is not installed, -EFBIG, or -ENOMEM.
 */
int extensions_list(const uint8_t *file, uint64_t bytes, struct extension_use uses[EXTENSIONS_MAX],
                    struct error *error);

/** Prints a line. `path` must be printable; control characters of the symbol are replaced. */
void extensions_print(FILE *to, const char *path, const struct extension_use *use);

#endif
