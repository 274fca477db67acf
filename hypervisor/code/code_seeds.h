/* SPDX-License-Identifier: MIT */
/* Finds the constants that programs seed random numbers with: abi/constant_seeds.h. */
#ifndef HYPERVISOR_CODE_SEEDS_H
#define HYPERVISOR_CODE_SEEDS_H

#include "code/code_scan.h"
#include "guest/elf_file.h"

/**
 * Adds those of a file, by their symbols, to the patches that were found. What a file has no symbol for is not known;
 * a variable whose value in the file is not valid is another one. 0 or -ENOMEM.
 */
int code_seeds_add(const struct elf_file *elf, struct code_scan *scan);

/** Whether a patch is a CODE_SEED that can be. */
bool code_seeds_is_possible(const struct code_patch *patch);

/** What people call it. */
const char *code_seeds_name(const struct code_patch *patch);

#endif
