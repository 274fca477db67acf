/* SPDX-License-Identifier: MIT */
/* Finds main() of a Linux program. */
#ifndef HYPERVISOR_PROGRAM_MAIN_H
#define HYPERVISOR_PROGRAM_MAIN_H

#include <stdbool.h>
#include <stdint.h>

/** Sets *distance to the bytes from the entry point of a program to its main(), or to main.main() of a Go program,
 * modulo 2^64. Without the symbol, *named is false and the distance 0. Returns 0, or a negative errno: -ENOEXEC if the
 * file is no ELF program, as a script. */
int program_main(const char *path, uint64_t *distance, bool *named);

/** Whether it is a Go program that has its symbols. */
bool program_is_go(const char *path);

#endif
