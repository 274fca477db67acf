/* SPDX-License-Identifier: MIT */
/* The pages of address ranges: edits of page tables that know frames, but not mappings. Removals take effect at the
 * next pagetable_flush. */
#ifndef KERNEL_MM_PAGES_H
#define KERNEL_MM_PAGES_H

#include <stdbool.h>
#include <stdint.h>

/** Page-table flags for a protection; 0 for no rights. A page with VM_WRITE and VM_EXEC gets the right to write only.
 */
uint64_t pages_flags(int prot);

/** Gives a range zeroed pages of its own where it has none. Returns 0, or -ENOMEM, and then the added pages stay. */
int pages_fill(uint64_t start, uint64_t end, int prot);

/** Clears the entries of a range and frees the pages that it owns. No 2 MiB page may cross an end of the range. */
void pages_free(uint64_t start, uint64_t end);

/** pages_free for accessible pages only; others stay. */
void pages_free_accessible(uint64_t start, uint64_t end);

/** Clears the entries of a range whose pages belong to an object. */
void pages_drop(uint64_t start, uint64_t end);

/** Splits the 2 MiB pages that cross an end of the range. Returns 0 or -ENOMEM. */
int pages_split(uint64_t start, uint64_t end);

/** Changes the rights of a range's pages. Pages of an object do not become writable here: a fault decides. */
void pages_protect(uint64_t start, uint64_t end, int prot);

/** Moves the entries of a range to a range without entries. Returns 0, or -ENOMEM with all entries in their old
 * place. */
int pages_move(uint64_t from, uint64_t to, uint64_t bytes);

/** Fills the pages that a range owns with zeros. */
void pages_clear(uint64_t address, uint64_t bytes);

#endif
