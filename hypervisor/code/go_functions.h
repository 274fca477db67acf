/* SPDX-License-Identifier: MIT */
/* The functions of a Go program, which has no unwind tables but one of its own: .gopclntab (Go's runtime, symtab.go),
 * in the forms of Go 1.2, 1.16, 1.18 and 1.20. */
#ifndef HYPERVISOR_GO_FUNCTIONS_H
#define HYPERVISOR_GO_FUNCTIONS_H

#include "guest/elf_file.h"
#include "scan/code_range.h"

/**
 * Appends the functions, in ascending order; nothing when it is no Go program or the table makes no sense. 0 or
 * -ENOMEM. Stripped programs keep the table, and without section headers it is looked for by its first bytes.
 */
int go_functions_read(const struct elf_file *elf, struct code_ranges *functions);

#endif
