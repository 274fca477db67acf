/* SPDX-License-Identifier: MIT */
/* The files with a Linux program's code, from struct symbolize_modules (request.h). */
#ifndef HYPERVISOR_SYMBOLIZE_MODULES_H
#define HYPERVISOR_SYMBOLIZE_MODULES_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdio.h>

struct modules;

/**
 * Reads the list of files. Returns NULL if the file is of another kind or malformed. The list is never freed, and fd
 * must stay open.
 */
struct modules *modules_open(int fd);

/** Reports the ELF files to libdwfl, each at its load address under its path. Returns whether there is any. */
bool modules_report(const struct modules *modules, Dwfl *dwfl);

/**
 * Prints what is known of an address outside the ELF files: its file, or that the program made the code at run time.
 */
void modules_describe(const struct modules *modules, FILE *to, uint64_t address);

/** Prints a name, which the program may have chosen, between two texts. Replaces all but printable characters in it. */
void modules_put(FILE *to, const char *before, const char *name, const char *after);

#endif
