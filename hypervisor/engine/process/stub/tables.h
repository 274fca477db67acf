/* SPDX-License-Identifier: MIT */
/* The guest's page tables. Entries are masked: address, present, writable, no-execute. */
#ifndef ENGINE_PROCESS_STUB_TABLES_H
#define ENGINE_PROCESS_STUB_TABLES_H

#include <stdint.h>

/** The entry that maps the 2 MiB around an address, or that names the table of its pages; 0: it is not present. */
uint64_t tables_block_entry(uint64_t address);

/** The entry of one of the 512 pages below such an entry, as if each page had its own; 0: it is not present. */
uint64_t tables_entry_in(uint64_t block_entry, unsigned index);

/** The entry of the page at an address; 0: it is not present. */
uint64_t tables_entry(uint64_t address);

/** Where the RAM at a virtual address is in the window; NULL: there is none. Good up to the end of its page. */
void *tables_memory(uint64_t address);

#endif
