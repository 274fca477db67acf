/* SPDX-License-Identifier: MIT */
/* Makes small ELF programs in memory, for tests of what reads them: one page of code, one of tables. */
#ifndef TESTS_UNIT_ELF_MAKER_H
#define TESTS_UNIT_ELF_MAKER_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "scan/code_range.h"

#define MADE_CODE_OFFSET 0x1000UL
#define MADE_TABLE_OFFSET 0x2000UL
#define MADE_BYTES 0x3000UL
#define MADE_CODE 0x401000UL  /* address of the code */
#define MADE_TABLE 0x402000UL /* address of the tables */
#define MADE_EH_FRAME 0x402800UL
#define MADE_LSDA 0x402400UL /* where the language-specific data of the first function may be */

struct made_elf {
	uint8_t bytes[MADE_BYTES];
};

/* What the unwind tables say beside where functions are. */
enum made_tables {
	MADE_PLAIN,
	MADE_PADS,   /* the first function has landing pads */
	MADE_SIGNAL, /* all are what signal handlers return to */
};

/* One CIE ("zR", "zLR" with pads, "zRS" for signals) and FDEs, as gcc makes them. The first one has the
 * language-specific data. */
static inline uint64_t made_eh_frame(uint8_t *to, uint64_t address, const struct code_range *functions, unsigned count,
                                     enum made_tables tables)
{
	static const uint8_t plain[] = {20, 0,    0,  0, 0,    0,  0, 0, 1,    'z', 'R', 0,
	                                1,  0x78, 16, 1, 0x1b, 12, 7, 8, 0x90, 1,   0,   0};
	static const uint8_t pads[] = {24,   0,  0, 0,    0,    0,  0, 0, 1,    'z', 'L', 'R', 0, 1,
	                               0x78, 16, 2, 0x1b, 0x1b, 12, 7, 8, 0x90, 1,   0,   0,   0, 0};
	static const uint8_t signal[] = {20, 0, 0,    0,  0, 0,    0,  0, 1, 'z', 'R', 'S',
	                                 0,  1, 0x78, 16, 1, 0x1b, 12, 7, 8, 0,   0,   0};
	bool with_pads = tables == MADE_PADS;
	uint64_t at = with_pads ? sizeof(pads) : sizeof(plain);
	memcpy(to, with_pads ? pads : tables == MADE_SIGNAL ? signal : plain, at);
	for (unsigned i = 0; i < count; i++) {
		uint32_t head[4] = {16, (uint32_t)(at + 4), (uint32_t)(functions[i].address - (address + at + 8)),
		                    (uint32_t)functions[i].bytes};
		uint32_t lsda = i == 0 && with_pads ? (uint32_t)(MADE_LSDA - (address + at + 17)) : 0;
		memset(to + at, 0, 20);
		memcpy(to + at, head, sizeof(head));
		to[at + 16] = with_pads ? 4 : 0;
		if (with_pads) {
			to[at] = 20;
			memset(to + at + 20, 0, 4);
			memcpy(to + at + 17, &lsda, 4);
		}
		at += with_pads ? 24 : 20;
	}
	memset(to + at, 0, 4);
	return at + 4;
}

/* A program with that code, whose functions the unwind tables describe; none when there are no functions. */
static inline void made_elf_init(struct made_elf *elf, const void *code, uint64_t bytes,
                                 const struct code_range *functions, unsigned count, enum made_tables tables)
{
	memset(elf, 0, sizeof(*elf));
	Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
	                     .e_type = ET_EXEC,
	                     .e_machine = EM_X86_64,
	                     .e_version = EV_CURRENT,
	                     .e_entry = MADE_CODE,
	                     .e_phoff = sizeof(Elf64_Ehdr),
	                     .e_ehsize = sizeof(Elf64_Ehdr),
	                     .e_phentsize = sizeof(Elf64_Phdr),
	                     .e_phnum = count ? 3 : 2};
	Elf64_Phdr segments[3] = {
		{.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = MADE_CODE_OFFSET, .p_vaddr = MADE_CODE},
		{.p_type = PT_LOAD, .p_flags = PF_R, .p_offset = MADE_TABLE_OFFSET, .p_vaddr = MADE_TABLE},
		{.p_type = PT_GNU_EH_FRAME, .p_flags = PF_R, .p_offset = MADE_TABLE_OFFSET, .p_vaddr = MADE_TABLE},
	};
	segments[0].p_filesz = segments[0].p_memsz = bytes;
	segments[1].p_filesz = segments[1].p_memsz = MADE_BYTES - MADE_TABLE_OFFSET;
	segments[2].p_filesz = segments[2].p_memsz = 8;
	memcpy(elf->bytes, &header, sizeof(header));
	memcpy(elf->bytes + sizeof(header), segments, sizeof(segments));
	memcpy(elf->bytes + MADE_CODE_OFFSET, code, bytes);
	if (!count)
		return;
	uint8_t *table = elf->bytes + MADE_TABLE_OFFSET;
	uint32_t distance = (uint32_t)(MADE_EH_FRAME - (MADE_TABLE + 4));
	memcpy(table, "\x01\x1b\xff\xff", 4); /* a version, how the pointer that follows is written, no table */
	memcpy(table + 4, &distance, sizeof(distance));
	made_eh_frame(table + (MADE_EH_FRAME - MADE_TABLE), MADE_EH_FRAME, functions, count, tables);
}

#endif
