/* SPDX-License-Identifier: MIT */
/* Reads the guest's page tables. Entries are masked to address, present, writable and no-execute. */
#ifndef ENGINE_PROCESS_STUB_TABLES_H
#define ENGINE_PROCESS_STUB_TABLES_H

#include <stdint.h>

/** Returns the entry that maps the 2 MiB around an address, or that names the table of its pages; 0: not present. */
uint64_t tables_block_entry(uint64_t address);

/** Returns the entry of page `index` of the 512 that tables_block_entry's answer maps, also if one entry maps them all;
 * 0: not present. */
uint64_t tables_entry_in(uint64_t block_entry, unsigned index);

/**
 * Returns the first of the indices `from` to `to` whose page has another entry than `known`, which has the entry of
 * each page or 0 for one that does not matter; or `to`.
 */
unsigned tables_find_changed(uint64_t block_entry, const uint64_t *known, unsigned from, unsigned to);

/** Returns the entry of the page at an address; 0: not present. */
uint64_t tables_entry(uint64_t address);

/**
 * Returns a pointer into the window for the RAM at a virtual address, valid up to the end of its page; NULL: no RAM.
 */
void *tables_memory(uint64_t address);

#endif
