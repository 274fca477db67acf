/* SPDX-License-Identifier: MIT */
/* Control registers, descriptor tables and MSRs, with the same values that the monitor gives its virtual processor.
 * FSGSBASE is the one feature that may be missing: the kernel then emulates its instructions
 * (kernel/trap/emulate.c). */
#include "kernel/boot/processor.h"

#include <stddef.h>
#include <stdint.h>

#include "abi/layout.h"
#include "abi/tables.h"

#define MSR_EFER 0xc0000080U
#define MSR_STAR 0xc0000081U
#define MSR_LSTAR 0xc0000082U
#define MSR_FMASK 0xc0000084U
#define FEATURE_FSGSBASE 1U
#define CR4_FSGSBASE (1UL << 16)

/** Operand of LGDT and LIDT. */
struct table_pointer {
	uint16_t limit;
	uint64_t base;
} __attribute__((packed));

extern const struct processor_features processor_features;

const char *processor_check(void)
{
	const uint32_t fxsr_sse_sse2 = 7U << 24, syscall = 1U << 11, no_execute = 1U << 20;
	if ((processor_features.basic & fxsr_sse_sse2) != fxsr_sse_sse2)
		return "SSE2";
	if (!(processor_features.extended & syscall))
		return "SYSCALL instruction";
	if (!(processor_features.extended & no_execute))
		return "no-execute bit in page tables";
	return NULL;
}

static void write_msr(uint32_t number, uint64_t value)
{
	__asm__ volatile("wrmsr" : : "c"(number), "a"((uint32_t)value), "d"((uint32_t)(value >> 32)) : "memory");
}

void processor_set(const struct image_header *header)
{
	const struct table_pointer gdt = {TABLES_GDT_LIMIT, LAYOUT_DIRECT_MAP + LAYOUT_GDT};
	const struct table_pointer idt = {TABLES_IDT_LIMIT, LAYOUT_DIRECT_MAP + LAYOUT_IDT};
	uint64_t cr4 = processor_features.structured & FEATURE_FSGSBASE ? TABLES_CR4 : TABLES_CR4 & ~CR4_FSGSBASE;
	write_msr(MSR_EFER, TABLES_EFER); /* before the tables, which have no-execute bits */
	__asm__ volatile("mov %0, %%cr3" : : "r"(LAYOUT_PAGE_TABLES) : "memory");
	__asm__ volatile("mov %0, %%cr4" : : "r"(cr4) : "memory");
	__asm__ volatile("mov %0, %%cr0" : : "r"(TABLES_CR0) : "memory");
	__asm__ volatile("lgdt %0; lidt %1; ltr %w2" : : "m"(gdt), "m"(idt), "r"(SELECTOR_TSS) : "memory");
	write_msr(MSR_STAR, TABLES_STAR);
	write_msr(MSR_LSTAR, header->syscall_stub);
	write_msr(MSR_FMASK, TABLES_FMASK);
}
