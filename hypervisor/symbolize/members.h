/* SPDX-License-Identifier: MIT */
/* Parts of a variable: "slots[3].busy". */
#ifndef HYPERVISOR_SYMBOLIZE_MEMBERS_H
#define HYPERVISOR_SYMBOLIZE_MEMBERS_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/** Sets *type to the type of an entry, without typedefs and qualifiers. Returns whether it has one. */
bool members_type(Dwarf_Die *entry, Dwarf_Die *type);

/** Returns the size of a type in bytes; 0: unknown. */
uint64_t members_size(Dwarf_Die *type);

/** Whether a type is one of a library of the system or of its language, so that its parts mean nothing to its user. */
bool members_are_hidden(Dwarf_Die *type);

/** Whether the part of a variable or member `entry` that is `offset` bytes behind its start, and all that contains it,
 * is of a type that is not _Atomic, volatile, a union, or one of a library, such as std::atomic. */
bool members_are_plain(Dwarf_Die *entry, uint64_t offset);

/** Writes the part of a variable of this type that is `offset` bytes behind its start, such as "[3].busy". A pointer's
 * part begins with "->" in the place of ".". Hidden parts are not named. */
void members_put(FILE *to, Dwarf_Die *type, uint64_t offset, bool is_pointer);

#endif
