/* SPDX-License-Identifier: MIT */
/* Page tables. Edits are batched; pagetable_flush makes removals take effect.
 *
 * Table pages come from a region of their own, which the run digest leaves out. */
#ifndef KERNEL_MM_PAGETABLE_H
#define KERNEL_MM_PAGETABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/boot.h"
#include "abi/tables.h"

/** Software bit: the frame or block belongs to the mapping and is freed with it. Kept in absent entries too. */
#define PTE_OWNED (1UL << 52)

/** Software bit: an owned page that is code as it was looked at, or as its file has it. It is never writable then. */
#define PTE_CODE (1UL << 53)

/** Software bit: of code that is a file's, patched as the monitor has told (kernel/linux/patch/patch.c). */
#define PTE_PATCHED (1UL << 54)

/** Software bit: of code that was made at run time, or changed, and looked at since (kernel/linux/patch/jit_pages.h).
 */
#define PTE_MADE (1UL << 55)

/** Software bit: of such code that is not executable, because it is executed one instruction at a time. */
#define PTE_WATCHED (1UL << 56)

/**
 * Shows the memory below `end` in the direct map, by tables of the boot door's, which it shows the first GiB with. The
 * region of pagetable_init has to be there, because more is shown later by tables from that region.
 * 0, or -ENOMEM: the boot door's tables are used up.
 */
int pagetable_show_direct(const struct boot_info *boot, uint64_t end);

/** Takes the boot door's tables over and the region [low, high) for new ones. */
void pagetable_init(const struct boot_info *boot, uint64_t low, uint64_t high);

/**
 * Tables for each block of RAM, besides those that it takes to map all of it once, densely: for further address spaces,
 * and for memory of which a page here and there is used.
 */
extern const unsigned pagetable_more;

/** Bytes the region of table pages should have for this much RAM. */
uint64_t pagetable_region_bytes(uint64_t ram_bytes);

/** A zeroed page for a table, or 0. */
uint64_t pagetable_page_alloc(void);

/** Gives back one that the processor does not know any more. */
void pagetable_page_free(uint64_t page);

/** Called when there is no page left, if it is set: whether it has given some back. */
extern bool (*pagetable_reclaim)(void);

/**
 * The entry that maps an address: a 4 KiB or (*large) 2 MiB one. With `make`, missing tables are made.
 * NULL when there is no table, or no memory to make one.
 */
uint64_t *pagetable_entry(uint64_t address, bool make, bool *large);

/** The 2 MiB entry for an address, made if need be; NULL when no table can be made. It may hold a table. */
uint64_t *pagetable_block_entry(uint64_t address);

/** Turns the 2 MiB page around an address into 512 of 4 KiB. 0 or -ENOMEM. An absent one is left alone. */
int pagetable_split(uint64_t address);

/** Whether the table of 4 KiB entries that a 2 MiB entry holds is empty. */
bool pagetable_leaf_is_empty(uint64_t block_entry);

/** Frees the table of 4 KiB entries that a 2 MiB entry holds, and clears the entry. */
void pagetable_free_leaf(uint64_t *block_entry);

/**
 * Keeps the table of a 2 MiB entry although it is empty now, for the next mapping; the one kept before is freed if it
 * still is empty. With `shadowed`, many of its entries were cleared: another table takes its place, because writing
 * to one that the processor has walked is expensive where page tables are shadowed.
 */
void pagetable_keep_leaf(uint64_t *block_entry, bool shadowed);

/** Notes that a translation at this address has become invalid or stricter. */
void pagetable_invalidate(uint64_t address);

/** Takes it back, if it is the only one: the processor has just told of a fault at this address. */
void pagetable_forget(uint64_t address);

/** Makes the invalidations since the last flush take effect. */
void pagetable_flush(void);

/** The uppermost table of the address space that is edited, by its guest-physical address. */
uint64_t pagetable_top(void);

/** As pagetable_entry, of another address space and to read. */
const uint64_t *pagetable_entry_of(uint64_t top, uint64_t address, bool *large);

/** Edits another address space from now on; `elsewhere`: not the one that the processor is in. */
void pagetable_edit(uint64_t top, bool elsewhere);

/** Has the processor use another address space, and edits that. */
void pagetable_load(uint64_t top);

/**
 * A fault in the direct map: shows the surrounding GiB if RAM or the root image is there. Returns whether the
 * access can be repeated.
 */
bool pagetable_fault_direct(uint64_t address);

#endif
