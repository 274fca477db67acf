/* SPDX-License-Identifier: MIT */
/* Names for addresses of data by debug information: variables, and what pointers of a function lead to. */
#ifndef HYPERVISOR_SYMBOLIZE_VARIABLES_H
#define HYPERVISOR_SYMBOLIZE_VARIABLES_H

#include <stdio.h>

#include "location.h"
#include "scopes.h"

/** Writes the global variable, or the part of it, that contains an address. Returns whether there is one. */
bool variables_put_global(FILE *to, Dwfl_Module *module, uint64_t address);

/** Whether an address is in a global variable of C or C++, in a part of it that no atomic operation is for by its type:
 * neither the part nor what contains it is _Atomic, volatile, a union, or of a library's type such as std::atomic. */
bool variables_is_plain(Dwfl_Module *module, uint64_t address);

/** How sure a name is, from the best. */
enum variables_match {
	VARIABLES_PART,    /**< a variable, or the object of a pointer, contains the address */
	VARIABLES_ELEMENT, /**< the address is behind the number that a pointer leads to, as if that were an array */
	VARIABLES_MATCHES
};

/** Writes how a frame names an address: "slot->busy", "counts[2]". Looks only in functions of the user's files if
 * `users`, and only in others if not. Returns whether it does. */
bool variables_put_local(FILE *to, const struct location_frame *frame, const struct scopes *scopes, uint64_t address,
                         enum variables_match match, bool users);

#endif
