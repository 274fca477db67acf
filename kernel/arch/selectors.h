/* SPDX-License-Identifier: MIT */
/* The selectors of DS, ES, FS and GS, packed in a word: 16 bits each, DS lowest, then ES, FS and GS. */
#ifndef KERNEL_ARCH_SELECTORS_H
#define KERNEL_ARCH_SELECTORS_H

#include <stdint.h>

#define SELECTORS_DS_AT 0
#define SELECTORS_ES_AT 16
#define SELECTORS_FS_AT 32
#define SELECTORS_GS_AT 48

/** The selector at a place in the word. */
static inline uint16_t selectors_at(uint64_t selectors, unsigned at)
{
	return (uint16_t)(selectors >> at);
}

/** The word with 0 at a place. */
static inline uint64_t selectors_without(uint64_t selectors, unsigned at)
{
	return selectors & ~((uint64_t)UINT16_MAX << at);
}

/** Reads the processor's. Selectors 1 to 3 are null, too, and differ from 0 only until an interrupt of the host makes
 * them 0 (SDM 2A, IRET). */
static inline uint64_t selectors_read(void)
{
	uint32_t ds, es, fs, gs;
	__asm__ volatile("mov %%ds, %0\n\tmov %%es, %1\n\tmov %%fs, %2\n\tmov %%gs, %3"
	                 : "=r"(ds), "=r"(es), "=r"(fs), "=r"(gs));
	return (uint64_t)(uint16_t)ds | (uint64_t)(uint16_t)es << SELECTORS_ES_AT |
	       (uint64_t)(uint16_t)fs << SELECTORS_FS_AT | (uint64_t)(uint16_t)gs << SELECTORS_GS_AT;
}

/** The word with 0 in place of all null selectors: the same on every host. */
static inline uint64_t selectors_settled(uint64_t selectors)
{
	for (unsigned at = 0; at < 64; at += 16)
		if (selectors_at(selectors, at) <= 3)
			selectors = selectors_without(selectors, at);
	return selectors;
}

/** Loads those that differ from `now`, which the processor has. FS or GS loses its base with its selector. */
static inline void selectors_load(uint64_t selectors, uint64_t now)
{
	const uint64_t differ = selectors ^ now;
	if (selectors_at(differ, SELECTORS_DS_AT))
		__asm__ volatile("mov %0, %%ds" : : "r"((uint32_t)selectors_at(selectors, SELECTORS_DS_AT)));
	if (selectors_at(differ, SELECTORS_ES_AT))
		__asm__ volatile("mov %0, %%es" : : "r"((uint32_t)selectors_at(selectors, SELECTORS_ES_AT)));
	if (selectors_at(differ, SELECTORS_FS_AT))
		__asm__ volatile("mov %0, %%fs" : : "r"((uint32_t)selectors_at(selectors, SELECTORS_FS_AT)));
	if (selectors_at(differ, SELECTORS_GS_AT))
		__asm__ volatile("mov %0, %%gs" : : "r"((uint32_t)selectors_at(selectors, SELECTORS_GS_AT)));
}

#endif
