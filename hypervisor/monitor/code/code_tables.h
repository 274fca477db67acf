/* SPDX-License-Identifier: MIT */
/* Finds where the indirect jumps of a function lead. */
#ifndef HYPERVISOR_CODE_TABLES_H
#define HYPERVISOR_CODE_TABLES_H

#include "code/code_function.h"
#include "guest/elf_file.h"

/**
 * Adds the entries of a function's jump tables to its labels. Returns 0, -EINVAL if it has an indirect jump that is not
 * understood, or -ENOMEM.
 */
int code_tables_add_labels(const struct elf_file *elf, const struct code_area *area, struct code_function *function);

#endif
