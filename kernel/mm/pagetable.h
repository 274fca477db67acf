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

/** Software bit: the mapping owns the frame or block, which is freed with it. Absent entries keep the bit. */
#define PTE_OWNED (1UL << 52)

/** Software bit: a page with code, as it was scanned or as its file has it. Such a page is never writable. If it is not
 * owned, nothing can change it. */
#define PTE_CODE (1UL << 53)

/** Software bit: code of a file, patched as the monitor answered (kernel/linux/patch/patch.c), also if there was
 * nothing to patch. */
#define PTE_PATCHED (1UL << 54)

/** Software bit: code that was made or changed at run time, and scanned since (kernel/linux/patch/jit_pages.h). */
#define PTE_MADE (1UL << 55)

/** Software bit: code with PTE_MADE that is not executable, because it is executed one instruction at a time. */
#define PTE_WATCHED (1UL << 56)

/** Software bit: a page that may be written to once its contents are saved (kernel/tries/guard.h); it is not writable
 * yet. */
#define PTE_GUARDED (1UL << 57)

struct space;

/** The bit with which new entries may be written to: PTE_WRITE, or PTE_GUARDED while memory is guarded. */
extern uint64_t pagetable_write;

/** While memory is guarded: whether a frame is saved, so that a new entry for it may have PTE_WRITE at once. */
extern bool (*pagetable_is_hot)(uint64_t frame);

/** A new 4 KiB entry, with PTE_WRITE in place of PTE_GUARDED if its frame is saved. */
static inline uint64_t pagetable_leaf(uint64_t entry)
{
	if (__builtin_expect(entry & PTE_GUARDED, 0) && pagetable_is_hot(entry & PTE_ADDRESS))
		return entry ^ (PTE_GUARDED | PTE_WRITE);
	return entry;
}

/** The entry of a page that is copied to another frame. */
static inline uint64_t pagetable_with_frame(uint64_t entry, uint64_t frame)
{
	if (entry & (PTE_WRITE | PTE_GUARDED))
		entry = (entry & ~(PTE_WRITE | PTE_GUARDED)) | pagetable_write;
	return pagetable_leaf(frame | (entry & ~PTE_ADDRESS));
}

/** Maps the memory below `end` in the direct map with the boot door's tables, which already map the first GiB. This
 * memory has to include the region of pagetable_init, because later parts are mapped with tables from that region.
 * Returns 0, or -ENOMEM when the boot door's tables are used up. */
int pagetable_show_direct(const struct boot_info *boot, uint64_t end);

/** Takes over the boot door's tables, and the region [low, high) for new ones. */
void pagetable_init(const struct boot_info *boot, uint64_t low, uint64_t high);

/** Size in bytes of the region for page tables, by the size of RAM. */
uint64_t pagetable_region_bytes(uint64_t ram_bytes);

/** A zeroed page for a table, or 0. */
uint64_t pagetable_page_alloc(void);

/** Frees a table page that the processor no longer uses. */
void pagetable_page_free(uint64_t page);

/** Takes `count` adjacent table pages that were never used, for good. Returns 0 or -ENOMEM. */
int pagetable_reserve(unsigned count, uint64_t *first);

/** The region of table pages, used or not. */
void pagetable_region(uint64_t *low, uint64_t *high);

/** The end of the table pages that were ever used. */
uint64_t pagetable_next(void);

/** The entry that maps an address: a 4 KiB one, or with *large a 2 MiB one. `make` creates missing tables. NULL when
 * there is no table, or no memory for one. */
uint64_t *pagetable_entry(uint64_t address, bool make, bool *large);

/** The 2 MiB entry for an address, created if needed; NULL when no table can be made. The entry may point to a table.
 */
uint64_t *pagetable_block_entry(uint64_t address);

/** Turns the 2 MiB page around an address into 512 pages of 4 KiB. Returns 0 or -ENOMEM. An absent page is left
 * alone. */
int pagetable_split(uint64_t address);

/** Whether the table of 4 KiB entries that a 2 MiB entry holds is empty. */
bool pagetable_leaf_is_empty(uint64_t block_entry);

/** Frees the table of 4 KiB entries that a 2 MiB entry holds, and clears the entry. */
void pagetable_free_leaf(uint64_t *block_entry);

/** Keeps the empty table of a 2 MiB entry for the next mapping there, and frees the one kept before if that is still
 * empty. With `shadowed`, which callers give after they have cleared many entries, a new table takes the place of this
 * one: where page tables are shadowed, each write to a table that the processor has walked is an exit. */
void pagetable_keep_leaf(uint64_t *block_entry, bool shadowed);

/** Notes that the translation of this address has become invalid or stricter. */
void pagetable_invalidate(uint64_t address);

/** Removes this note if it is the only one: the processor has just reported a fault at this address, so it holds no old
 * translation. */
void pagetable_forget(uint64_t address);

/** Whether the host translates by tables of its own that it derives from these (docs/kvm.md). */
bool pagetable_is_shadowed(void);

/** Makes all noted invalidations take effect. */
void pagetable_flush(void);

/** pagetable_entry for the address space with this root, read-only. */
const uint64_t *pagetable_entry_of(uint64_t top, uint64_t address, bool *large);

/** Makes another address space space_current, for editing. `elsewhere`: the processor is not in it. */
void pagetable_edit(struct space *space, bool elsewhere);

/** Makes another address space space_current, and the processor use it. */
void pagetable_load(struct space *space);

/** A fault in the direct map: maps the surrounding GiB if RAM or the root image is there. Returns whether the access
 * can be repeated. */
bool pagetable_fault_direct(uint64_t address);

#endif
