/* SPDX-License-Identifier: MIT */
/* Reads the program headers from a copy of the file's first page: the file may change meanwhile. */
#include "guest/content_loading.h"

#include <elf.h>
#include <string.h>

#include "abi/layout.h"

/* More of a file is not prepared, because a wrong guess would cost milliseconds. */
#define FILL_BYTES_MAX (32UL << 20)

#define DYNAMIC_MAX 64 /* entries; those of the tables are among the first ones */

/* What is known of a file. */
struct library {
	const struct guest_contents *contents;
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

/* Prepares the tables of symbols and relocations, which are one behind another. */
static void fill_tables(const struct library *library, const Elf64_Phdr *dynamic)
{
	Elf64_Dyn entries[DYNAMIC_MAX] = {0};
	uint64_t first = UINT64_MAX, tables[2] = {0}, sizes[2] = {0}, end = 0;
	const uint64_t size = library->content->bytes;
	const uint64_t bytes = dynamic->p_filesz < sizeof(entries) ? dynamic->p_filesz : sizeof(entries);
	if (dynamic->p_offset >= size || bytes > size - dynamic->p_offset)
		return;
	guest_contents_copy(library->contents, library->content->address + dynamic->p_offset, bytes, entries);
	for (unsigned i = 0; i < DYNAMIC_MAX && entries[i].d_tag != DT_NULL; i++) {
		const uint64_t value = entries[i].d_un.d_val;
		switch (entries[i].d_tag) {
		case DT_RELA:
			tables[0] = value;
			break;
		case DT_RELASZ:
			sizes[0] = value;
			break;
		case DT_JMPREL:
			tables[1] = value;
			break;
		case DT_PLTRELSZ:
			sizes[1] = value;
			break;
		case DT_GNU_HASH:
		case DT_SYMTAB:
			first = value < first ? value : first;
			break;
		default:
			break;
		}
	}
	for (unsigned i = 0; i < 2; i++) {
		first = sizes[i] && tables[i] < first ? tables[i] : first;
		end = sizes[i] && tables[i] + sizes[i] > end ? tables[i] + sizes[i] : end;
	}
	const uint64_t offset = offset_of(library, first);
	if (end > first && offset != UINT64_MAX)
		fill(library, offset, end - first);
}

void content_loading_expect(const struct guest_contents *contents, const struct guest_content *content)
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
			fill_tables(&library, &library.segments[i]);
}
