/* SPDX-License-Identifier: MIT */
/* The processor's tables for a guest at CPL 3: GDT, IDT, TSS and the first page tables (SDM volume 3).
 *
 * Both boot doors build the tables with this code: the monitor from outside, the multiboot stub from inside. A window
 * is the builder's view of guest-physical [LAYOUT_GDT, LAYOUT_PAGE_TABLES_END). */
#ifndef ABI_TABLES_H
#define ABI_TABLES_H

#include <stdint.h>

#include "abi/image.h"
#include "abi/layout.h"

#define TABLES_WINDOW LAYOUT_GDT
#define TABLES_WINDOW_BYTES (LAYOUT_PAGE_TABLES_END - LAYOUT_GDT)
#define TABLES_GDT_LIMIT 0x4f
#define TABLES_IDT_LIMIT 0xfff
#define TABLES_TSS_BITMAP 0x68
#define TABLES_TSS_BITMAP_BYTES 0x2000                                 /* for all ports */
#define TABLES_TSS_LIMIT (TABLES_TSS_BITMAP + TABLES_TSS_BITMAP_BYTES) /* includes the byte that ends the bitmap */

/* Page-table entry bits. Accessed and dirty are always set, so that tables do not change as the guest runs. */
#define PTE_PRESENT 0x1UL
#define PTE_WRITE 0x2UL
#define PTE_USER 0x4UL
#define PTE_ACCESSED 0x20UL
#define PTE_DIRTY 0x40UL
#define PTE_LARGE 0x80UL
#define PTE_NO_EXECUTE (1UL << 63)
#define PTE_ADDRESS 0x000ffffffffff000UL
#define PTE_TABLE (PTE_PRESENT | PTE_WRITE | PTE_USER | PTE_ACCESSED)
#define PTE_LEAF (PTE_PRESENT | PTE_USER | PTE_ACCESSED | PTE_DIRTY)

/* Maximum number of bytes of RAM that the boot doors map in the direct map. */
#define TABLES_DIRECT_BYTES (1UL << 30)

/* Control registers and MSRs that both doors set. */
#define TABLES_CR0 0x80050033UL /* PG AM WP NE ET MP PE */
#define TABLES_CR4 0x10624UL    /* FSGSBASE OSXMMEXCPT OSFXSR PAE TSD */
#define TABLES_CR4_V3 0x40000UL /* OSXSAVE, in addition to TABLES_CR4, for v3 (abi/cpu_model.h) */
#define TABLES_EFER 0xd01UL     /* NXE LMA LME SCE */
#define TABLES_STAR ((uint64_t)(SELECTOR_RING3_DATA - 8) << 48 | (uint64_t)SELECTOR_RING0_CODE << 32)
#define TABLES_FMASK 0x47500UL
#define TABLES_RFLAGS 0x202UL

static inline void *tables_at(void *window, uint64_t address)
{
	return (uint8_t *)window + (address - TABLES_WINDOW);
}

static inline void tables_fill_gdt(void *window)
{
	uint64_t *gdt = tables_at(window, LAYOUT_GDT);
	uint64_t tss = LAYOUT_DIRECT_MAP + LAYOUT_TSS;
	gdt[SELECTOR_RING0_CODE >> 3] = 0x00af9b000000ffffUL;
	gdt[SELECTOR_RING0_DATA >> 3] = 0x00cf93000000ffffUL;
	gdt[SELECTOR_RING3_CODE32 >> 3] = 0x00cffb000000ffffUL;
	gdt[SELECTOR_RING3_DATA >> 3] = 0x00cff3000000ffffUL;
	gdt[SELECTOR_RING3_CODE >> 3] = 0x00affb000000ffffUL;
	gdt[SELECTOR_TSS >> 3] =
		(TABLES_TSS_LIMIT & 0xffff) | (tss & 0xffffff) << 16 | 0x89UL << 40 | (tss >> 24 & 0xff) << 56;
	gdt[(SELECTOR_TSS >> 3) + 1] = tss >> 32;
}

/** Sets a 64-bit trap gate for an exception (SDM 3A, figure 6-8). Ring 3 may enter the gate of int3 by software, and no
 * other gate: `int $14` would arrive without the error code that its stub expects. */
static inline void tables_set_gate(uint64_t *idt, unsigned vector, uint64_t target, unsigned selector, unsigned ist)
{
	uint64_t access = vector == 3 ? 0xef : 0x8f;
	idt[2 * vector] = (target & 0xffff) | (uint64_t)selector << 16 | (uint64_t)ist << 32 | access << 40 |
	                  (target >> 16 & 0xffff) << 48;
	idt[2 * vector + 1] = target >> 32;
}

static inline void tables_fill_idt(void *window, const struct image_header *header)
{
	uint64_t *idt = tables_at(window, LAYOUT_IDT);
	for (unsigned vector = 0; vector < IMAGE_VECTORS; vector++)
		tables_set_gate(idt, vector, header->trap_stubs + IMAGE_STUB_BYTES * vector, SELECTOR_RING3_CODE, 2);
	tables_set_gate(idt, 14, header->page_fault_stub, SELECTOR_RING0_CODE, 1);
	tables_set_gate(idt, 3, header->breakpoint_stub, SELECTOR_RING0_CODE, 3);
}

static inline void tables_fill_tss(void *window, const struct image_header *header)
{
	uint8_t *tss = tables_at(window, LAYOUT_TSS);
	uint32_t *words = (uint32_t *)tss;
	const uint64_t stacks[3] = {header->page_fault_landing_top, header->trap_landing_top,
	                            header->breakpoint_landing_top};
	words[1] = (uint32_t)header->breakpoint_landing_top;
	words[2] = (uint32_t)(header->breakpoint_landing_top >> 32);
	for (unsigned i = 0; i < 3; i++) {
		words[9 + 2 * i] = (uint32_t)stacks[i];
		words[10 + 2 * i] = (uint32_t)(stacks[i] >> 32);
	}
	words[25] = (uint32_t)TABLES_TSS_BITMAP << 16; /* the bitmap's offset; its zero bits allow every port */
	tss[TABLES_TSS_LIMIT] = 0xff;
}

/** Allows ring 3 the four ports from `open` on, a multiple of four. Any other port is a general protection fault, as on
 * Linux. */
static inline void tables_close_ports(void *window, unsigned open)
{
	uint8_t *bitmap = (uint8_t *)tables_at(window, LAYOUT_TSS) + TABLES_TSS_BITMAP;
	for (unsigned i = 0; i < TABLES_TSS_BITMAP_BYTES; i++)
		bitmap[i] = 0xff;
	bitmap[open / 8] &= (uint8_t) ~(0xfU << open % 8);
}

/** Takes the next unused table page. Returns its guest-physical address, or 0 when the window is full. */
static inline uint64_t tables_new_page(uint64_t *next)
{
	uint64_t page = *next;
	if (page + PAGE_SIZE > LAYOUT_PAGE_TABLES_END)
		return 0;
	*next = page + PAGE_SIZE;
	return page;
}

/** Finds the entry of a virtual address in the table at `leaf_shift`, and makes the tables above it. NULL: the window
 * is full. */
static inline uint64_t *tables_walk(void *window, uint64_t *next, uint64_t address, unsigned leaf_shift)
{
	uint64_t *table = tables_at(window, LAYOUT_PAGE_TABLES);
	for (unsigned shift = 39; shift > leaf_shift; shift -= 9) {
		uint64_t *entry = &table[address >> shift & 511];
		if (!(*entry & PTE_PRESENT)) {
			uint64_t page = tables_new_page(next);
			if (!page)
				return 0;
			*entry = page | PTE_TABLE;
		}
		table = tables_at(window, *entry & PTE_ADDRESS);
	}
	return &table[address >> leaf_shift & 511];
}

/** Maps [address, address + bytes), whole pages, to guest-physical addresses from `physical` on. Returns 0, or -1 when
 * the window is full. */
static inline int tables_map_image(void *window, uint64_t *next, uint64_t address, uint64_t physical, uint64_t bytes,
                                   uint64_t flags)
{
	for (uint64_t offset = 0; offset < bytes; offset += PAGE_SIZE) {
		uint64_t *entry = tables_walk(window, next, address + offset, 12);
		if (!entry)
			return -1;
		*entry = (physical + offset) | PTE_LEAF | flags;
	}
	return 0;
}

/** Maps the first min(ram_bytes, 1 GiB) in the direct map; the kernel maps the rest as it is used. Also makes the upper
 * tables of the areas where programs have memory: a write to a table that the processor has already walked is expensive
 * where page tables are shadowed. */
static inline int tables_map_direct(void *window, uint64_t *next, uint64_t ram_bytes)
{
	for (uint64_t at = 0; at < ram_bytes && at < TABLES_DIRECT_BYTES; at += BLOCK_SIZE) {
		uint64_t *entry = tables_walk(window, next, LAYOUT_DIRECT_MAP + at, 21);
		if (!entry)
			return -1;
		*entry = at | PTE_LEAF | PTE_LARGE | PTE_WRITE | PTE_NO_EXECUTE;
	}
	if (!tables_walk(window, next, LAYOUT_HEAP, 21) || !tables_walk(window, next, LAYOUT_MMAP, 21))
		return -1;
	return 0;
}

#endif
