/* SPDX-License-Identifier: MIT */
/* The functions, inlined functions and blocks that contain an instruction. */
#ifndef HYPERVISOR_SYMBOLIZE_SCOPES_H
#define HYPERVISOR_SYMBOLIZE_SCOPES_H

#include <elfutils/libdwfl.h>
#include <stdint.h>

#define SCOPES_MAX 64

struct scopes {
	Dwarf_Die *unit;
	Dwarf_Addr bias;          /**< to add to addresses in the debug information */
	Dwarf_Die at[SCOPES_MAX]; /**< from the outermost to the innermost */
	unsigned count;
};

/** Finds the scopes of an address. Without debug information there are none. */
void scopes_find(struct scopes *scopes, Dwfl_Module *module, uint64_t address);

/** Returns the source file of an instruction and sets its line, or returns NULL without debug information. */
const char *scopes_line(Dwfl_Module *module, uint64_t address, int *line);

#endif
