/* SPDX-License-Identifier: MIT */
/* Page tables (SDM 3A 4.5). Entries are always accessed and dirty, so that the processor never writes one.
 *
 * Where page tables are shadowed, a write to a table that the processor has walked is an exit, except for tables of the
 * lowest level, which the hypervisor checks when CR3 is loaded. So a freed table is not written to, and the list of
 * free tables is beside them. */
#include "kernel/mm/pagetable.h"

#include "abi/boot.h"
#include "abi/errno.h"
#include "abi/stats.h"
#include "kernel/arch/gate.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/personality.h"
#include "kernel/mm/space.h"

/* Up to this many single invalidations cost no more than a reload of CR3: 11 us each on kvm-pvm. */
#define INVLPG_MAX 1

static struct {
	bool elsewhere;     /* the processor uses another address space: no flush is needed */
	uint64_t low;       /* address of the page before the first table page */
	uint64_t next, end; /* table pages in [next, end) were never used */
	uint32_t *links;    /* for each table page, by its number from low: the next one in its list */
	uint32_t free_list; /* freed table pages, by number, which is never 0 */
	uint32_t pending;   /* freed, but the processor may still use them until the next flush */
	uint64_t ram_bytes;
	uint64_t root, root_bytes; /* the root image */
	uint64_t *kept; /* a 2 MiB entry whose table may be empty; all other tables are freed when they become empty */
	unsigned invalid_count;
	uint64_t invalid[INVLPG_MAX];
} tables;

uint64_t pagetable_write = PTE_WRITE;
bool (*pagetable_is_hot)(uint64_t frame);

static uint64_t links_bytes(uint64_t region_bytes)
{
	uint64_t bytes = (region_bytes / PAGE_SIZE + 1) * sizeof(*tables.links);
	return (bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

uint64_t pagetable_region_bytes(uint64_t ram_bytes)
{
	uint64_t leaves = ram_bytes / PAGE_SIZE * 8, more = ram_bytes / BLOCK_SIZE * personality.pagetable_more;
	uint64_t tables_bytes = ((leaves + leaves / 256) & ~(PAGE_SIZE - 1)) + (32 + more) * PAGE_SIZE;
	return tables_bytes + links_bytes(tables_bytes);
}

int pagetable_show_direct(const struct boot_info *boot, uint64_t end)
{
	void *window = phys_to_virt(TABLES_WINDOW);
	uint64_t next = boot->page_tables_next;
	uint64_t stop = (end + TABLES_DIRECT_BYTES - 1) & ~(TABLES_DIRECT_BYTES - 1);
	for (uint64_t at = TABLES_DIRECT_BYTES; at < stop && at < boot->ram_bytes; at += BLOCK_SIZE) {
		uint64_t *entry = tables_walk(window, &next, LAYOUT_DIRECT_MAP + at, 21);
		if (!entry)
			return -ENOMEM;
		*entry = at | PTE_LEAF | PTE_LARGE | PTE_WRITE | PTE_NO_EXECUTE;
	}
	return 0;
}

void pagetable_init(const struct boot_info *boot, uint64_t low, uint64_t high)
{
	struct run_stats *stats = phys_to_virt(LAYOUT_STATS);
	memset(&tables, 0, sizeof(tables));
	space_current->top = LAYOUT_PAGE_TABLES;
	tables.links = phys_to_virt(low);
	tables.next = low + links_bytes(high - low);
	tables.end = high;
	tables.low = tables.next - PAGE_SIZE;
	tables.ram_bytes = boot->ram_bytes;
	tables.root = boot->root;
	tables.root_bytes = boot->root_bytes;
	stats->page_tables_low = low;
	stats->page_tables_high = high;
}

static void push_table(uint32_t *list, uint64_t page)
{
	uint32_t number = (uint32_t)((page - tables.low) / PAGE_SIZE);
	tables.links[number] = *list;
	*list = number;
}

/* Takes the first of a list that is not empty. */
static uint64_t pop(uint32_t *list)
{
	uint32_t number = *list;
	*list = tables.links[number];
	return tables.low + number * PAGE_SIZE;
}

/* Word by word: a hypervisor that shadows the table emulates the first writes, and then drops the shadow. It would
 * emulate a string instruction byte by byte. */
static void clear_table(uint64_t page)
{
	volatile uint64_t *entries = phys_to_virt(page);
	for (unsigned i = 0; i < 512; i++)
		entries[i] = 0;
}

uint64_t pagetable_page_alloc(void)
{
	bool none_left = !tables.free_list && tables.next == tables.end;
	if (none_left && !(personality.pagetable_reclaim && personality.pagetable_reclaim()))
		return 0;
	if (tables.free_list) {
		uint64_t page = pop(&tables.free_list);
		clear_table(page);
		return page;
	}
	tables.next += PAGE_SIZE;
	return tables.next - PAGE_SIZE;
}

int pagetable_reserve(unsigned count, uint64_t *first)
{
	if ((tables.end - tables.next) / PAGE_SIZE < count)
		return -ENOMEM;
	*first = tables.next;
	tables.next += count * PAGE_SIZE;
	return 0;
}

void pagetable_region(uint64_t *low, uint64_t *high)
{
	*low = tables.low + PAGE_SIZE;
	*high = tables.end;
}

uint64_t pagetable_next(void)
{
	return tables.next;
}

void pagetable_page_free(uint64_t page)
{
	push_table(&tables.free_list, page);
}

/* Walks to the table whose entries map 1 << shift bytes each, or to a 2 MiB entry above it. */
static uint64_t *walk_tables(uint64_t top, uint64_t address, unsigned leaf_shift, bool make, bool *large)
{
	uint64_t *table = phys_to_virt(top);
	*large = false;
	for (unsigned shift = 39; shift > leaf_shift; shift -= 9) {
		uint64_t *entry = &table[address >> shift & 511];
		if (*entry & PTE_LARGE) {
			*large = true;
			return entry;
		}
		if (!(*entry & PTE_PRESENT)) {
			uint64_t page = make ? pagetable_page_alloc() : 0;
			if (!page)
				return NULL;
			*entry = page | PTE_TABLE;
		}
		table = phys_to_virt(*entry & PTE_ADDRESS);
	}
	uint64_t *entry = &table[address >> leaf_shift & 511];
	*large = leaf_shift == 21 && (*entry & PTE_LARGE);
	return entry;
}

uint64_t *pagetable_entry(uint64_t address, bool make, bool *large)
{
	return walk_tables(space_current->top, address, 12, make, large);
}

uint64_t *pagetable_block_entry(uint64_t address)
{
	bool large;
	return walk_tables(space_current->top, address, 21, true, &large);
}

int pagetable_split(uint64_t address)
{
	bool large;
	uint64_t *entry = walk_tables(space_current->top, address, 21, false, &large);
	if (!entry || !large)
		return 0;
	uint64_t page = pagetable_page_alloc();
	if (!page)
		return -ENOMEM;
	uint64_t *leaves = phys_to_virt(page);
	uint64_t flags = *entry & ~(PTE_ADDRESS | PTE_LARGE);
	uint64_t block = *entry & PTE_ADDRESS;
	for (unsigned i = 0; i < 512; i++)
		leaves[i] = (block + i * PAGE_SIZE) | flags;
	if (flags & PTE_OWNED)
		frame_split_block(block);
	*entry = page | PTE_TABLE;
	pagetable_invalidate(address);
	return 0;
}

/* Marks a table page to be freed at the next flush. */
static void retire(uint64_t page)
{
	push_table(&tables.pending, page);
	tables.invalid_count = INVLPG_MAX + 1;
}

bool pagetable_leaf_is_empty(uint64_t block_entry)
{
	const uint64_t *leaves = phys_to_virt(block_entry & PTE_ADDRESS);
	for (unsigned i = 0; i < 512; i++)
		if (leaves[i])
			return false;
	return true;
}

static bool holds_leaf(uint64_t block_entry)
{
	return (block_entry & PTE_PRESENT) && !(block_entry & PTE_LARGE);
}

void pagetable_free_leaf(uint64_t *block_entry)
{
	assert(holds_leaf(*block_entry));
	uint64_t page = *block_entry & PTE_ADDRESS;
	*block_entry = 0;
	retire(page);
	if (tables.kept == block_entry)
		tables.kept = NULL;
}

void pagetable_keep_leaf(uint64_t *block_entry, bool shadowed)
{
	uint64_t *before = tables.kept;
	if (before && before != block_entry && holds_leaf(*before) && pagetable_leaf_is_empty(*before))
		pagetable_free_leaf(before);
	uint64_t fresh = shadowed ? pagetable_page_alloc() : 0;
	if (fresh) {
		retire(*block_entry & PTE_ADDRESS);
		*block_entry = fresh | PTE_TABLE;
	}
	tables.kept = block_entry;
}

void pagetable_invalidate(uint64_t address)
{
	if (tables.invalid_count < INVLPG_MAX)
		tables.invalid[tables.invalid_count] = address;
	if (tables.invalid_count <= INVLPG_MAX)
		tables.invalid_count++;
}

void pagetable_forget(uint64_t address)
{
	if (tables.invalid_count == 1 && tables.invalid[0] == address)
		tables.invalid_count = 0;
}

bool pagetable_is_shadowed(void)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	return boot->flags & BOOT_FLAG_SHADOWED && !boot->translation;
}

static void count_change(unsigned what, uint64_t times)
{
	((struct run_stats *)phys_to_virt(LAYOUT_STATS))->traps[what] += times;
}

void pagetable_flush(void)
{
	if (tables.elsewhere) {
		/* The processor reloads when it switches to that address space. */
	} else if (tables.invalid_count > INVLPG_MAX) {
		count_change(STATS_TRAPS_table_loads, 1);
		gate_reload_cr3(space_current->top);
	} else {
		count_change(STATS_TRAPS_invalidations, tables.invalid_count);
		for (unsigned i = 0; i < tables.invalid_count; i++)
			gate_invlpg(tables.invalid[i]);
	}
	tables.invalid_count = 0;
	while (tables.pending)
		push_table(&tables.free_list, pop(&tables.pending));
}

static bool shown_directly(uint64_t physical)
{
	return physical < tables.ram_bytes || (physical >= tables.root && physical - tables.root < tables.root_bytes) ||
	       physical - LAYOUT_CONTENTS < LAYOUT_CONTENTS_SIZE;
}

bool pagetable_fault_direct(uint64_t address)
{
	uint64_t physical = address - LAYOUT_DIRECT_MAP;
	bool large;
	if (address < LAYOUT_DIRECT_MAP || physical >= LAYOUT_DIRECT_MAP_SIZE || !shown_directly(physical))
		return false;
	uint64_t *entry = walk_tables(space_current->top, address, 21, true, &large);
	if (!entry || *entry)
		return false;
	uint64_t start = physical & ~((1UL << 30) - 1);
	entry -= (physical - start) / BLOCK_SIZE;
	for (unsigned i = 0; i < 512; i++) {
		uint64_t at = start + i * BLOCK_SIZE;
		uint64_t write = at < tables.ram_bytes ? pagetable_write : 0;
		if (shown_directly(at))
			entry[i] = at | PTE_LEAF | PTE_LARGE | write | PTE_NO_EXECUTE;
	}
	return true;
}

const uint64_t *pagetable_entry_of(uint64_t top, uint64_t address, bool *large)
{
	return walk_tables(top, address, 12, false, large);
}

void pagetable_edit(struct space *space, bool elsewhere)
{
	assert(!tables.invalid_count || tables.elsewhere);
	if (tables.kept && holds_leaf(*tables.kept) && pagetable_leaf_is_empty(*tables.kept))
		pagetable_free_leaf(tables.kept);
	tables.kept = NULL;
	pagetable_flush();
	tables.invalid_count = 0;
	space_current = space;
	tables.elsewhere = elsewhere;
}

void pagetable_load(struct space *space)
{
	pagetable_edit(space, false);
	count_change(STATS_TRAPS_table_loads, 1);
	gate_load_cr3(space->top);
}
