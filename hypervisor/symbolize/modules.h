/* SPDX-License-Identifier: MIT */
/* The files of a Linux program's code, as struct symbolize_modules of request.h has them. */
#ifndef HYPERVISOR_SYMBOLIZE_MODULES_H
#define HYPERVISOR_SYMBOLIZE_MODULES_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdio.h>

struct modules;

/** Reads their list. NULL: the file is something else, or makes no sense. It stays open, and is never freed. */
struct modules *modules_open(int fd);

/** Reports those that are ELF files to libdwfl, each where it is loaded, under its path. Whether there is any. */
bool modules_report(const struct modules *modules, Dwfl *dwfl);

/** Prints what is known of an address in none of those: its file, or that the program has made the code. */
void modules_describe(const struct modules *modules, FILE *to, uint64_t address);

#endif
