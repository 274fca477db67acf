/* SPDX-License-Identifier: MIT */
/* Reads segments, sections and function symbols of an x86-64 ELF file. The file is untrusted: all ranges are clipped to
 * its end. Section headers, which loaders do not use, count as absent if they are invalid. libelf reads as fast, but
 * takes each run a millisecond to load, and its callers must check the same fields. */
#ifndef HYPERVISOR_ELF_FILE_H
#define HYPERVISOR_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define ELF_SEGMENTS_MAX 64

/** A loaded part of the file. */
struct elf_segment {
	uint64_t offset, address, bytes; /**< bytes: clipped to the file's end */
	uint32_t flags;                  /**< PF_R, PF_W, PF_X */
};

struct elf_file {
	const uint8_t *file;
	uint64_t bytes;
	Elf64_Ehdr header;
	struct elf_segment segments[ELF_SEGMENTS_MAX]; /**< PT_LOAD segments, in the file's order */
	unsigned segment_count;
	uint64_t eh_frame_hdr; /**< address of PT_GNU_EH_FRAME, 0: none */
	uint64_t dynamic;      /**< address of PT_DYNAMIC, 0: none */
	unsigned section_count;
	const char *section_names; /**< NUL-terminated; NULL: none */
	uint64_t section_names_bytes;
};

struct elf_symbol {
	uint64_t address, bytes;
	const char *name; /**< in the file, NUL-terminated, otherwise unchecked */
};

/** Reads the headers of a file, whose memory must stay valid. Returns 0, or -ENOEXEC with one line in *error. */
int elf_file_open(struct elf_file *elf, const uint8_t *file, uint64_t bytes, struct error *error);

/** Copies a section's header, with its range clipped to the file's end. Returns whether the section exists. */
bool elf_file_section(const struct elf_file *elf, unsigned index, Elf64_Shdr *section);

/** Copies the header of the section with this name. Returns whether it exists. */
bool elf_file_section_named(const struct elf_file *elf, const char *name, Elf64_Shdr *section);

/**
 * Returns the file's bytes that are loaded at an address, with the number of bytes left in that segment in *left; or
 * NULL.
 */
const uint8_t *elf_file_at(const struct elf_file *elf, uint64_t address, uint64_t *left);

/**
 * Returns the name that a library gives itself (DT_SONAME), in the file, NUL-terminated and otherwise unchecked; or
 * NULL.
 */
const char *elf_file_soname(const struct elf_file *elf);

/**
 * Lists the functions of the first SHT_SYMTAB and the first SHT_DYNSYM section that have a size and are in an
 * executable segment, sorted by address. The caller frees *symbols. Returns 0 or -ENOMEM.
 */
int elf_file_functions(const struct elf_file *elf, struct elf_symbol **symbols, size_t *count);

/**
 * Lists, like elf_file_functions, the symbols without a size that are functions, or that are global and have no type,
 * as assembler labels do.
 */
int elf_file_labels(const struct elf_file *elf, struct elf_symbol **symbols, size_t *count);

/**
 * Finds a variable of this name and size in .symtab or .dynsym, in a segment that is writable but not executable.
 * Returns its offset in the file, or 0.
 */
uint64_t elf_file_variable(const struct elf_file *elf, const char *name, uint64_t bytes);

#endif
