/* SPDX-License-Identifier: MIT */
/* The fault handler comes before all others, and must not fault itself: it writes only to its stack, which is hot from
 * the beginning, to tables, which are not guarded, and to the area. */
#include "kernel/tries/guard.h"

#include "abi/doorbell.h"
#include "kernel/arch/gate.h"
#include "kernel/arch/trap.h"
#include "kernel/dev/doorbell.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/pagetable.h"
#include "kernel/personality.h"
#include "kernel/trap/exception.h"
#include "kernel/tries/area.h"
#include "kernel/mm/space.h"

#define ENTRIES 512U
#define FAULT_PRESENT 1UL
#define FAULT_WRITE 2UL

/* Tables kept for splitting the large pages of the direct map: for 1 GiB of memory that tries write to. */
#define POOL_TABLES 512U

#define BOOT_TABLES ((LAYOUT_PAGE_TABLES_END - LAYOUT_PAGE_TABLES) / PAGE_SIZE)

extern const char __image_start[]; /* image.ld */
extern uint64_t syscall_flags;     /* gate.S */

static uint64_t ram_bytes(void)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	return boot->ram_bytes;
}

static _Noreturn void refuse_tries(const char *what)
{
	end_with_report(END_REFUSED, 0, what);
}

/* --- copies of tables --- */

/* The copy of a table at its guest-physical address; NULL: it has none. Those of the boot door come first. */
static uint64_t *copy_of_table(uint64_t table)
{
	uint8_t *copies = phys_to_virt(LAYOUT_TRIES + AREA_TABLES);
	if (table >= LAYOUT_PAGE_TABLES && table < area()->boot_tables_end)
		return (uint64_t *)(copies + (table - LAYOUT_PAGE_TABLES));
	if (table >= area()->tables_low && table < area()->tables_high)
		return (uint64_t *)(copies + (BOOT_TABLES * PAGE_SIZE + (table - area()->tables_low)));
	return NULL;
}

static bool is_same_page(uint64_t a, uint64_t b)
{
	return !((a ^ b) & (PTE_ADDRESS | PTE_PRESENT | PTE_LARGE));
}

/* Changes an entry for good: also in the copy of its table, if that has the same page. */
static void set_entry(uint64_t *entry, uint64_t value)
{
	uint64_t at = virt_to_phys(entry), was = *entry;
	uint64_t *copy = area()->has_tables ? copy_of_table(at & ~(PAGE_SIZE - 1)) : NULL;
	*entry = value;
	if (copy && is_same_page(copy[at % PAGE_SIZE / sizeof(*entry)], was))
		copy[at % PAGE_SIZE / sizeof(*entry)] = value;
}

static void copy_tables(void)
{
	struct area *area_ = area();
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	area_->boot_tables_end =
		boot->page_tables_next; /* pagetable_show_direct may have taken more, which are not empty */
	for (uint64_t at = boot->page_tables_next; at < LAYOUT_PAGE_TABLES_END; at += PAGE_SIZE) {
		const uint64_t *table = phys_to_virt(at);
		for (unsigned i = 0; i < ENTRIES; i++)
			if (table[i])
				area_->boot_tables_end = at + PAGE_SIZE;
	}
	if ((area_->tables_high - area_->tables_low) / PAGE_SIZE + BOOT_TABLES > AREA_TABLES_MAX)
		refuse_tries("the program has more page tables than tries can restore");
	for (uint64_t at = LAYOUT_PAGE_TABLES; at < area_->boot_tables_end; at += PAGE_SIZE)
		memcpy(copy_of_table(at), phys_to_virt(at), PAGE_SIZE);
	for (uint64_t at = area_->tables_low; at < area_->tables_high; at += PAGE_SIZE)
		memcpy(copy_of_table(at), phys_to_virt(at), PAGE_SIZE);
	area_->has_tables = true;
}

/* Restores one table, by its copy or to zero. Returns how many entries differed. */
static unsigned restore_table(uint64_t at, const uint64_t *copy)
{
	volatile uint64_t *table = phys_to_virt(at);
	unsigned changed = 0;
	for (unsigned i = 0; i < ENTRIES; i++) {
		uint64_t want = copy ? copy[i] : 0;
		if (table[i] == want)
			continue;
		table[i] = want;
		changed++;
	}
	return changed;
}

/* --- hot frames --- */

/* A 4 KiB entry in place of the large page that holds `address`, which the program does not own. */
static uint64_t *split(uint64_t *entry, uint64_t address)
{
	uint64_t page = area()->pool_next;
	if (page == area()->pool_end)
		refuse_tries("tries write to more memory than can be restored");
	area()->pool_next += PAGE_SIZE;
	uint64_t *leaves = phys_to_virt(page);
	uint64_t flags = *entry & ~(PTE_ADDRESS | PTE_LARGE), block = *entry & PTE_ADDRESS;
	assert(!(flags & PTE_OWNED));
	for (unsigned i = 0; i < ENTRIES; i++)
		leaves[i] = (block + i * PAGE_SIZE) | flags;
	set_entry(entry, page | PTE_TABLE);
	return &leaves[address / PAGE_SIZE % ENTRIES];
}

static bool is_hot(uint64_t frame)
{
	uint64_t number = frame / PAGE_SIZE;
	return area()->is_hot[number / 64] >> number % 64 & 1;
}

static void *copy_of_frame(uint64_t index)
{
	return phys_to_virt(LAYOUT_TRIES + AREA_COPIES + index * PAGE_SIZE);
}

/* Lets an entry be written to, whose frame is hot. */
static void open_entry(uint64_t *entry)
{
	set_entry(entry, (*entry & ~PTE_GUARDED) | PTE_WRITE);
}

/* Keeps a copy of a frame, and lets it be written to in the direct map, where it is restored. Another translation that
 * the processor still holds causes a fault more. */
static void make_hot(uint64_t frame)
{
	struct area *area_ = area();
	bool large;
	if (area_->hot_count == AREA_HOT_MAX)
		refuse_tries("tries write to more memory than can be restored");
	memcpy(copy_of_frame(area_->hot_count), phys_to_virt(frame), PAGE_SIZE);
	area_->hot[area_->hot_count++] = frame;
	area_->is_hot[frame / PAGE_SIZE / 64] |= 1UL << frame / PAGE_SIZE % 64;
	uint64_t address = LAYOUT_DIRECT_MAP + frame, *entry = pagetable_entry(address, false, &large);
	assert(entry != NULL);
	if (*entry & PTE_GUARDED)
		open_entry(large ? split(entry, address) : entry);
}

static bool handle(struct trap_frame *frame)
{
	bool large;
	if ((frame->error_code & (FAULT_PRESENT | FAULT_WRITE)) != (FAULT_PRESENT | FAULT_WRITE))
		return false;
	uint64_t *entry = pagetable_entry(frame->address, false, &large);
	if (!entry || !(*entry & PTE_PRESENT))
		return false;
	if (*entry & PTE_WRITE) { /* the processor still has what it was */
		gate_invlpg(frame->address);
		return true;
	}
	if (!(*entry & PTE_GUARDED))
		return false;
	if (large)
		entry = split(entry, frame->address);
	if (!is_hot(*entry & PTE_ADDRESS))
		make_hot(*entry & PTE_ADDRESS);
	if (*entry & PTE_GUARDED)
		open_entry(entry);
	return true;
}

/* The monitor is about to write to memory, which makes no fault. */
static void touch(uint64_t address, uint64_t bytes)
{
	for (uint64_t frame = address & ~(PAGE_SIZE - 1); frame < address + bytes; frame += PAGE_SIZE)
		if (frame >= LAYOUT_IMAGE && frame < ram_bytes() && !is_hot(frame))
			make_hot(frame);
}

/* --- guarding --- */

/* Large pages that the program owns become small ones. */
static void split_owned(const uint64_t *table, unsigned shift, uint64_t address)
{
	for (unsigned i = 0; i < ENTRIES; i++) {
		uint64_t at = address + ((uint64_t)i << shift);
		if (!(table[i] & PTE_PRESENT) || (shift == 39 && at == (LAYOUT_DIRECT_MAP & ~0x7fffffffffUL)))
			continue;
		if (table[i] & PTE_LARGE) {
			if (table[i] & PTE_OWNED && pagetable_split(at))
				refuse_tries("no memory is left for the page tables of tries");
		} else if (shift > 21) {
			split_owned(phys_to_virt(table[i] & PTE_ADDRESS), shift - 9, at);
		}
	}
}

/* Whether memory is guarded: all RAM but the boot area and the tables. */
static bool is_guarded(uint64_t physical)
{
	return physical >= LAYOUT_IMAGE && physical < ram_bytes() &&
	       !(physical >= area()->region_low && physical < area()->region_high);
}

/* Whether a large page has guarded memory and tables. */
static bool is_mixed(uint64_t block)
{
	return block + BLOCK_SIZE > area()->region_low && block < area()->region_high;
}

static void guard_table(uint64_t *table, unsigned shift)
{
	for (unsigned i = 0; i < ENTRIES; i++) {
		uint64_t physical = table[i] & PTE_ADDRESS;
		bool leaf = shift == 12 || table[i] & PTE_LARGE;
		if (!(table[i] & PTE_PRESENT))
			continue;
		if (leaf && shift == 21 && table[i] & PTE_WRITE && is_mixed(physical)) {
			split(&table[i], 0);
			physical = table[i] & PTE_ADDRESS;
			leaf = false;
		}
		if (!leaf)
			guard_table(phys_to_virt(physical), shift - 9);
		else if (table[i] & PTE_WRITE && is_guarded(physical))
			table[i] = (table[i] & ~PTE_WRITE) | PTE_GUARDED;
	}
}

/* The processor itself, or ring 0, writes to these variables of the image. */
static void open_variables(const void *from, uint64_t bytes)
{
	uint64_t at = ((uint64_t)from - (uint64_t)__image_start + LAYOUT_IMAGE) & ~(PAGE_SIZE - 1);
	bool large;
	for (uint64_t page = (uint64_t)from & ~(PAGE_SIZE - 1); page < (uint64_t)from + bytes; page += PAGE_SIZE) {
		uint64_t *entry = pagetable_entry(page, false, &large);
		assert(entry != NULL);
		if (!is_hot(at))
			make_hot(at);
		open_entry(entry);
		at += PAGE_SIZE;
	}
}

/* The address space after another one (NULL: the first). */
static struct space *next_space(const struct space *space)
{
	if (personality.space_after)
		return personality.space_after(space);
	return space ? NULL : space_current;
}

static void reserve_tables(void)
{
	struct area *area_ = area();
	struct space *const current = space_current;
	for (uint64_t at = 0; at < ram_bytes(); at += 1UL << 30)
		pagetable_fault_direct(LAYOUT_DIRECT_MAP + at);
	for (struct space *space = NULL; (space = next_space(space));) {
		pagetable_edit(space, space != current);
		split_owned(phys_to_virt(space->top), 39, 0);
		pagetable_flush();
	}
	pagetable_edit(current, false);
	if (pagetable_reserve(POOL_TABLES, &area_->pool_next))
		refuse_tries("no memory is left for the page tables of tries");
	pagetable_region(&area_->region_low, &area_->region_high);
	area_->pool_end = area_->pool_next + POOL_TABLES * PAGE_SIZE;
	area_->tables_low = area_->region_low;
	area_->tables_high = area_->pool_next;
}

void guard_begin(void)
{
	reserve_tables();
	pagetable_flush();
	pagetable_write = PTE_GUARDED;
	pagetable_is_hot = is_hot;
	exception_first = handle;
	doorbell_writes = touch;
	area()->root = space_current->top;
	for (struct space *space = NULL; (space = next_space(space));)
		guard_table(phys_to_virt(space->top), 39);
	open_variables(trap_memory, (uint64_t)(trap_stack_top - trap_memory));
	open_variables(&syscall_flags, sizeof(syscall_flags));
	copy_tables();
	gate_load_cr3(space_current->top);
}

void guard_restore(void)
{
	struct area *area_ = area();
	/* The region is used from its bottom up. Copying the frames back also sets pagetable_next() back, so tables
	 * from there to here are the try's, and become zero. */
	const uint64_t tables_end = pagetable_next();
	unsigned changed = space_current->top != area_->root;
	if (changed) /* the tables in use may go; those of the boot door always show the kernel */
		gate_load_cr3(LAYOUT_PAGE_TABLES);
	for (uint64_t i = 0; i < area_->hot_count; i++)
		memcpy(phys_to_virt(area_->hot[i]), copy_of_frame(i), PAGE_SIZE);
	for (uint64_t at = pagetable_next(); at < tables_end; at += PAGE_SIZE)
		changed += restore_table(at, NULL);
	for (uint64_t at = LAYOUT_PAGE_TABLES; at < area_->boot_tables_end; at += PAGE_SIZE)
		changed += restore_table(at, copy_of_table(at));
	for (uint64_t at = area_->tables_low; at < area_->tables_high; at += PAGE_SIZE)
		changed += restore_table(at, copy_of_table(at));
	if (changed)
		gate_load_cr3(area_->root);
}
