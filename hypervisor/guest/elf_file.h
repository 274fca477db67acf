/* SPDX-License-Identifier: MIT */
/* Reads what an x86-64 ELF file says about itself: segments, sections, function symbols. The file is untrusted: what
 * it points to is handed out only as far as the file goes, and section headers, which no loader looks at, count as
 * absent where they make no sense. */
#ifndef HYPERVISOR_ELF_FILE_H
#define HYPERVISOR_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ELF_SEGMENTS_MAX 64

/** A part of the file that is loaded. */
struct elf_segment {
	uint64_t offset, address, bytes; /**< bytes: as far as the file goes */
	uint32_t flags;                  /**< PF_R, PF_W, PF_X */
};

struct elf_file {
	const uint8_t *file;
	uint64_t bytes;
	Elf64_Ehdr header;
	struct elf_segment segments[ELF_SEGMENTS_MAX]; /**< of PT_LOAD, in the file's order */
	unsigned segment_count;
	uint64_t eh_frame_hdr; /**< address of PT_GNU_EH_FRAME, 0: none */
	unsigned section_count;
	const char *section_names; /**< ended by NUL; NULL: none */
	uint64_t section_names_bytes;
};

struct elf_symbol {
	uint64_t address, bytes;
	const char *name; /**< in the file, ended by NUL, else unchecked */
};

/** Reads the headers of a file, which must stay. 0, or -ENOEXEC with one line in error[]. */
int elf_file_open(struct elf_file *elf, const uint8_t *file, uint64_t bytes, char error[256]);

/** Copies a section's header, whose part of the file is clipped to what there is. Whether there is one. */
bool elf_file_section(const struct elf_file *elf, unsigned index, Elf64_Shdr *section);

/** Finds a section by its name. */
bool elf_file_section_named(const struct elf_file *elf, const char *name, Elf64_Shdr *section);

/** The file's bytes that are loaded at an address, and how many follow in that segment; or NULL. */
const uint8_t *elf_file_at(const struct elf_file *elf, uint64_t address, uint64_t *left);

/**
 * Lists the functions of .symtab and .dynsym that have a size and lie in an executable segment, by address, in memory
 * for the caller to free. 0 or -ENOMEM.
 */
int elf_file_functions(const struct elf_file *elf, struct elf_symbol **symbols, size_t *count);

/** The same of symbols without a size that are functions, or global and of no type, as labels of assemblers are. */
int elf_file_labels(const struct elf_file *elf, struct elf_symbol **symbols, size_t *count);

/**
 * Finds a variable by its name in .symtab or .dynsym, with that size and in a segment that may be written to but not
 * executed. Its place in the file, or 0.
 */
uint64_t elf_file_variable(const struct elf_file *elf, const char *name, uint64_t bytes);

#endif
