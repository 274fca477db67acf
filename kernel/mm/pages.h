/* SPDX-License-Identifier: MIT */
/* The pages of ranges of the address space: page-table edits that know frames, but not mappings. Removals take effect
 * at the next pagetable_flush. */
#ifndef KERNEL_MM_PAGES_H
#define KERNEL_MM_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/** Flags of a page's entry for a protection; 0 for none. Who asks for both may write. */
uint64_t pages_flags(int prot);

/** Gives a range its own zeroed pages where it has none. 0 or -ENOMEM; then what was added stays. */
int pages_fill(uint64_t start, uint64_t end, int prot);

/** Clears the entries of a range, and frees the pages that it owns. No 2 MiB page may reach over an end. */
void pages_free(uint64_t start, uint64_t end);

/** The same for what can be accessed; what cannot stays. */
void pages_free_accessible(uint64_t start, uint64_t end);

/** Clears the entries of a range that show pages of somebody else. */
void pages_drop(uint64_t start, uint64_t end);

/** Splits the 2 MiB pages that a range's ends fall into. 0 or -ENOMEM. */
int pages_split(uint64_t start, uint64_t end);

/** Gives the pages of a range new rights. Pages of somebody else never become writable here: a fault decides. */
void pages_protect(uint64_t start, uint64_t end, int prot);

/** Moves the entries of a range to one without any. 0, or -ENOMEM with everything back in its place. */
int pages_move(uint64_t from, uint64_t to, uint64_t bytes);

/** Fills the pages that a range owns with zeros. */
void pages_clear(uint64_t address, uint64_t bytes);

#endif
