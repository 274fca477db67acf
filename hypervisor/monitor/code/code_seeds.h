/* SPDX-License-Identifier: MIT */
/* Finds the constants with which programs seed random numbers (abi/constant_seeds.h). */
#ifndef HYPERVISOR_CODE_SEEDS_H
#define HYPERVISOR_CODE_SEEDS_H

#include "code/code_scan.h"
#include "guest/elf_file.h"

/**
 * Adds the constants of a file, found by their symbols, to the patches of a scan. Constants without a symbol are not
 * found. A variable whose value in the file is not valid for its constant is skipped. Returns 0 or -ENOMEM.
 */
int code_seeds_add(const struct elf_file *elf, struct code_scan *scan);

/** Whether a list of patches has a CODE_SEED. */
bool code_seeds_are_in(const struct code_patch *patches, size_t count);

/** Whether each CODE_SEED of a list, which code_seeds_is_possible, is one that code_seeds_add finds in a file. */
bool code_seeds_are_of(const struct elf_file *elf, const struct code_patch *patches, size_t count);

/** Whether a patch is a valid CODE_SEED. */
bool code_seeds_is_possible(const struct code_patch *patch);

/** Returns the common name of a patch's constant. */
const char *code_seeds_name(const struct code_patch *patch);

#endif
