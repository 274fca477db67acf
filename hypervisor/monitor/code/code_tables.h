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

/** Whether the indirect jump at a step is understood in another way. */
typedef bool code_tables_jump(const struct code_area *area, const struct code_function *function, size_t step);

/** As code_tables_add_labels, but jumps for which `is_other` is true count as understood. */
int code_tables_add_labels_but(const struct elf_file *elf, const struct code_area *area, struct code_function *function,
                               code_tables_jump *is_other);

#endif
