/* SPDX-License-Identifier: MIT */
/* Reads the program headers from a copy of the file's first page: the file may change meanwhile. */
#include "guest/content_loading.h"

#include <elf.h>
#include <string.h>

#include "abi/layout.h"

/* More of a file is not prepared, because a wrong guess would cost milliseconds. */
#define FILL_BYTES_MAX (32UL << 20)

/* Code of libraries of at least so many bytes is prepared, up to so many bytes in a run. Of a library that is loaded
 * first, such as a virtual machine's, a program touches 40 % of all pages; of later ones less than a copy is worth. */
#define CODE_BYTES_MIN (4UL << 20)
#define CODE_BYTES_MAX (16UL << 20)

#define DYNAMIC_MAX 64 /* entries; those of the tables are among the first ones */

/* What is known of a file. */
struct library {
	struct guest_contents *contents;
	const struct guest_content *content;
	const Elf64_Phdr *segments;
	unsigned segment_count;
};

static void fill(const struct library *library, uint64_t offset, uint64_t bytes)
{
	const uint64_t size = library->content->bytes;
	if (offset >= size || bytes > FILL_BYTES_MAX)
		return;
	guest_contents_fill(library->contents, library->content->address + offset,
	                    bytes < size - offset ? bytes : size - offset);
}

/* The offset of an address that is loaded from the file; UINT64_MAX: of none. */
static uint64_t offset_of(const struct library *library, uint64_t address)
{
	for (unsigned i = 0; i < library->segment_count; i++) {
		const Elf64_Phdr *segment = &library->segments[i];
		if (segment->p_type == PT_LOAD && address - segment->p_vaddr < segment->p_filesz)
			return segment->p_offset + (address - segment->p_vaddr);
	}
	return UINT64_MAX;
}

/* Addresses of what a library's dynamic section names. */
struct parts {
	uint64_t first, end;          /* of the tables of symbols and relocations, which are one behind another */
	uint64_t init, fini;          /* the functions before and behind its code */
	uint64_t tables[2], sizes[2]; /* of relocations */
};

static void read_dynamic_parts(const Elf64_Dyn *entries, struct parts *parts)
{
	for (unsigned i = 0; i < DYNAMIC_MAX && entries[i].d_tag != DT_NULL; i++) {
		const uint64_t value = entries[i].d_un.d_val;
		switch (entries[i].d_tag) {
		case DT_RELA:
			parts->tables[0] = value;
			break;
		case DT_RELASZ:
			parts->sizes[0] = value;
			break;
		case DT_JMPREL:
			parts->tables[1] = value;
			break;
		case DT_PLTRELSZ:
			parts->sizes[1] = value;
			break;
		case DT_GNU_HASH:
		case DT_SYMTAB:
			parts->first = value < parts->first ? value : parts->first;
			break;
		case DT_INIT:
			parts->init = value;
			break;
		case DT_FINI:
			parts->fini = value;
			break;
		default:
			break;
		}
	}
	for (unsigned i = 0; i < 2; i++) {
		const uint64_t table = parts->tables[i], size = parts->sizes[i];
		parts->first = size && table < parts->first ? table : parts->first;
		parts->end = size && table + size > parts->end ? table + size : parts->end;
	}
}

/* Prepares the tables, and the code of the first libraries with much of it. */
static void fill_parts(const struct library *library, const Elf64_Phdr *dynamic)
{
	Elf64_Dyn entries[DYNAMIC_MAX] = {0};
	struct parts parts = {.first = UINT64_MAX};
	const uint64_t size = library->content->bytes;
	const uint64_t bytes = dynamic->p_filesz < sizeof(entries) ? dynamic->p_filesz : sizeof(entries);
	if (dynamic->p_offset >= size || bytes > size - dynamic->p_offset)
		return;
	guest_contents_copy(library->contents, library->content->address + dynamic->p_offset, bytes, entries);
	read_dynamic_parts(entries, &parts);
	const uint64_t tables = offset_of(library, parts.first), code = offset_of(library, parts.init);
	if (parts.end > parts.first && tables != UINT64_MAX)
		fill(library, tables, parts.end - parts.first);
	if (code == UINT64_MAX || parts.fini < parts.init + CODE_BYTES_MIN ||
	    parts.fini - parts.init > CODE_BYTES_MAX - library->contents->code_filled)
		return;
	library->contents->code_filled += parts.fini - parts.init;
	fill(library, code, parts.fini - parts.init);
}

void content_loading_expect(struct guest_contents *contents, const struct guest_content *content)
{
	_Alignas(Elf64_Phdr) uint8_t page[PAGE_SIZE];
	Elf64_Ehdr header;
	if (!contents->fill || content->bytes < sizeof(page))
		return;
	guest_contents_copy(contents, content->address, sizeof(page), page);
	memcpy(&header, page, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
	    header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phoff % _Alignof(Elf64_Phdr) ||
	    header.e_phoff > sizeof(page) || header.e_phnum > (sizeof(page) - header.e_phoff) / sizeof(Elf64_Phdr))
		return;
	const struct library library = {contents, content, (const Elf64_Phdr *)(page + header.e_phoff), header.e_phnum};
	for (unsigned i = 0; i < library.segment_count; i++)
		if (library.segments[i].p_type == PT_DYNAMIC)
			fill_parts(&library, &library.segments[i]);
}
