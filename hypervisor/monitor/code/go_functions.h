/* SPDX-License-Identifier: MIT */
/* Finds the functions of a Go program, which has its own table, .gopclntab, instead of unwind tables (Go's runtime,
 * symtab.go). Reads the formats of Go 1.2, 1.16, 1.18 and 1.20. */
#ifndef HYPERVISOR_GO_FUNCTIONS_H
#define HYPERVISOR_GO_FUNCTIONS_H

#include "guest/elf_file.h"
#include "scan/code_range.h"

/**
 * Appends the functions in ascending order; none if it is not a Go program or the table is invalid. Stripped programs
 * keep the table. Without section headers it is searched by its first bytes. Returns 0 or -ENOMEM.
 */
int go_functions_read(const struct elf_file *elf, struct code_ranges *functions);

#endif
