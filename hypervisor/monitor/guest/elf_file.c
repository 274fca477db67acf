/* SPDX-License-Identifier: MIT */
#include "guest/elf_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Copies `bytes` bytes at an offset. Returns false if the file ends before. */
static bool copy_elf(const struct elf_file *elf, uint64_t offset, void *to, uint64_t bytes)
{
	if (offset > elf->bytes || bytes > elf->bytes - offset)
		return false;
	memcpy(to, elf->file + offset, bytes);
	return true;
}

static uint64_t clip(const struct elf_file *elf, uint64_t offset, uint64_t bytes)
{
	if (offset >= elf->bytes)
		return 0;
	return bytes < elf->bytes - offset ? bytes : elf->bytes - offset;
}

static int read_segments(struct elf_file *elf, struct error *error)
{
	const Elf64_Ehdr *header = &elf->header;
	if (header->e_phnum && header->e_phentsize != sizeof(Elf64_Phdr))
		return error_set(error, ENOEXEC, "its program headers have a size of %u bytes", header->e_phentsize);
	for (unsigned i = 0; i < header->e_phnum; i++) {
		Elf64_Phdr p;
		if (header->e_phoff > elf->bytes || !copy_elf(elf, header->e_phoff + i * sizeof(p), &p, sizeof(p)))
			return error_set(error, ENOEXEC, "it ends within its program headers");
		if (p.p_type == PT_GNU_EH_FRAME)
			elf->eh_frame_hdr = p.p_vaddr;
		if (p.p_type == PT_DYNAMIC)
			elf->dynamic = p.p_vaddr;
		if (p.p_type != PT_LOAD)
			continue;
		struct elf_segment segment = {p.p_offset, p.p_vaddr, clip(elf, p.p_offset, p.p_filesz), p.p_flags};
		if (segment.bytes > UINT64_MAX - segment.address)
			return error_set(error, ENOEXEC, "a segment at 0x%lx wraps around", segment.address);
		if (!segment.bytes)
			continue;
		if (elf->segment_count == ELF_SEGMENTS_MAX)
			return error_set(error, ENOEXEC, "it has more than %u segments", ELF_SEGMENTS_MAX);
		elf->segments[elf->segment_count++] = segment;
	}
	return 0;
}

/* Reads the section headers. Loaders do not need the table of section names, so a file may lack it. */
static void read_sections(struct elf_file *elf)
{
	const Elf64_Ehdr *header = &elf->header;
	Elf64_Shdr first, names;
	uint64_t count = header->e_shnum;
	uint32_t index = header->e_shstrndx;
	if (!header->e_shoff || header->e_shentsize != sizeof(Elf64_Shdr) ||
	    !copy_elf(elf, header->e_shoff, &first, sizeof(first)))
		return;
	if (!count) /* gABI: the field is 0 if there are too many sections for it */
		count = first.sh_size;
	if (index == SHN_XINDEX)
		index = first.sh_link;
	uint64_t room = (elf->bytes - header->e_shoff) / sizeof(Elf64_Shdr);
	elf->section_count = (unsigned)(count < room ? count : room);
	if (!elf_file_section(elf, index, &names) || names.sh_type != SHT_STRTAB || !names.sh_size)
		return;
	elf->section_names = (const char *)elf->file + names.sh_offset;
	elf->section_names_bytes = names.sh_size;
	if (elf->section_names[names.sh_size - 1])
		elf->section_names = NULL;
}

int elf_file_open(struct elf_file *elf, const uint8_t *file, uint64_t bytes, struct error *error)
{
	*elf = (struct elf_file){.file = file, .bytes = bytes};
	Elf64_Ehdr *header = &elf->header;
	if (!copy_elf(elf, 0, header, sizeof(*header)) || memcmp(header->e_ident, ELFMAG, SELFMAG))
		return error_set(error, ENOEXEC, "it is not an ELF file");
	if (header->e_machine != EM_X86_64) /* the only check that Linux makes */
		return error_set(error, ENOEXEC, "it is not for x86-64");
	if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
		return error_set(error, ENOEXEC, "it is neither a program nor a shared library");
	int result = read_segments(elf, error);
	if (!result)
		read_sections(elf);
	return result;
}

bool elf_file_section(const struct elf_file *elf, unsigned index, Elf64_Shdr *section)
{
	if (index >= elf->section_count ||
	    !copy_elf(elf, elf->header.e_shoff + (uint64_t)index * sizeof(*section), section, sizeof(*section)))
		return false;
	uint64_t bytes = section->sh_type == SHT_NOBITS ? 0 : clip(elf, section->sh_offset, section->sh_size);
	section->sh_size = bytes;
	if (!bytes)
		section->sh_offset = 0;
	return true;
}

bool elf_file_section_named(const struct elf_file *elf, const char *name, Elf64_Shdr *section)
{
	for (unsigned i = 0; elf->section_names && i < elf->section_count; i++)
		if (elf_file_section(elf, i, section) && section->sh_name < elf->section_names_bytes &&
		    !strcmp(elf->section_names + section->sh_name, name))
			return true;
	return false;
}

const uint8_t *elf_file_at(const struct elf_file *elf, uint64_t address, uint64_t *left)
{
	for (unsigned i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];
		if (address >= s->address && address - s->address < s->bytes) {
			*left = s->bytes - (address - s->address);
			return elf->file + s->offset + (address - s->address);
		}
	}
	*left = 0;
	return NULL;
}

const char *elf_file_soname(const struct elf_file *elf)
{
	uint64_t left, strings = 0, name = 0;
	bool is_named = false;
	const uint8_t *at = elf->dynamic ? elf_file_at(elf, elf->dynamic, &left) : NULL;
	for (; at && left >= sizeof(Elf64_Dyn); at += sizeof(Elf64_Dyn), left -= sizeof(Elf64_Dyn)) {
		Elf64_Dyn entry;
		memcpy(&entry, at, sizeof(entry));
		if (entry.d_tag == DT_NULL)
			break;
		if (entry.d_tag == DT_STRTAB)
			strings = entry.d_un.d_ptr;
		if (entry.d_tag == DT_SONAME) {
			name = entry.d_un.d_val;
			is_named = true;
		}
	}
	const char *text = is_named && strings ? (const char *)elf_file_at(elf, strings + name, &left) : NULL;
	return text && memchr(text, 0, left) ? text : NULL;
}

static bool is_code(const struct elf_file *elf, uint64_t address)
{
	for (unsigned i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];
		if ((s->flags & PF_X) && address >= s->address && address - s->address < s->bytes)
			return true;
	}
	return false;
}

struct symbols {
	struct elf_symbol *at;
	size_t count, room;
};

static int append_symbol(struct symbols *symbols, struct elf_symbol symbol)
{
	if (!array_reserve(symbols->at, symbols->room, symbols->count + 1))
		return -ENOMEM;
	symbols->at[symbols->count++] = symbol;
	return 0;
}

/* Types of symbol tables. gABI: a file has at most one section of each. A hostile file has more, with the same bytes,
 * so only the first one counts. */
static const uint32_t table_types[] = {SHT_SYMTAB, SHT_DYNSYM};
#define TABLE_TYPES (sizeof(table_types) / sizeof(table_types[0]))

static bool find_elf_table(const struct elf_file *elf, uint32_t type, Elf64_Shdr *table)
{
	for (unsigned i = 0; i < elf->section_count; i++)
		if (elf_file_section(elf, i, table) && table->sh_type == type)
			return true;
	return false;
}

/* Returns the names of a symbol table, which end with NUL, and sets *bytes to their size. Returns NULL if the table is
 * malformed. */
static const char *names_of(const struct elf_file *elf, const Elf64_Shdr *table, uint64_t *bytes)
{
	Elf64_Shdr strings;
	if (!elf_file_section(elf, table->sh_link, &strings) || strings.sh_type != SHT_STRTAB || !strings.sh_size)
		return NULL;
	const char *text = (const char *)elf->file + strings.sh_offset;
	*bytes = strings.sh_size;
	return text[strings.sh_size - 1] ? NULL : text;
}

static bool is_function(const Elf64_Sym *sym)
{
	unsigned type = ELF64_ST_TYPE(sym->st_info);
	return (type == STT_FUNC || type == STT_GNU_IFUNC) && sym->st_size;
}

/* Whether a symbol is a label of code. A local symbol without a type may be of data among the code. */
static bool is_label(const Elf64_Sym *sym)
{
	unsigned type = ELF64_ST_TYPE(sym->st_info);
	return !sym->st_size && (type == STT_FUNC || type == STT_GNU_IFUNC ||
	                         (type == STT_NOTYPE && ELF64_ST_BIND(sym->st_info) != STB_LOCAL));
}

static int read_table(const struct elf_file *elf, const Elf64_Shdr *table, bool (*is_wanted)(const Elf64_Sym *sym),
                      struct symbols *symbols)
{
	uint64_t text_bytes;
	const char *text = names_of(elf, table, &text_bytes);
	if (!text)
		return 0;
	for (uint64_t i = 0; i < table->sh_size / sizeof(Elf64_Sym); i++) {
		Elf64_Sym sym;
		memcpy(&sym, elf->file + table->sh_offset + i * sizeof(sym), sizeof(sym));
		if (!is_wanted(&sym) || sym.st_shndx == SHN_UNDEF || sym.st_size > UINT64_MAX - sym.st_value ||
		    !is_code(elf, sym.st_value))
			continue;
		const char *name = sym.st_name < text_bytes ? text + sym.st_name : "";
		int result = append_symbol(symbols, (struct elf_symbol){sym.st_value, sym.st_size, name});
		if (result)
			return result;
	}
	return 0;
}

/* Compared bytes of a name. A hostile file gives each symbol a name as long as the file. */
#define NAME_BYTES 256

/* Orders by address, then size, name and place of the name in the file, so that a function with several names has the
 * same one in every run. */
static int compare_symbols(const void *a, const void *b)
{
	const struct elf_symbol *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	int order = strncmp(x->name, y->name, NAME_BYTES);
	return order || x->name == y->name ? order : x->name < y->name ? -1 : 1;
}

static int list_symbols(const struct elf_file *elf, bool (*is_wanted)(const Elf64_Sym *sym),
                        struct elf_symbol **symbols, size_t *count)
{
	struct symbols list = {0};
	int result = 0;
	for (unsigned i = 0; i < TABLE_TYPES && !result; i++) {
		Elf64_Shdr table;
		if (find_elf_table(elf, table_types[i], &table))
			result = read_table(elf, &table, is_wanted, &list);
	}
	if (list.count)
		qsort(list.at, list.count, sizeof(*list.at), compare_symbols);
	*symbols = list.at;
	*count = list.count;
	return result;
}

int elf_file_functions(const struct elf_file *elf, struct elf_symbol **symbols, size_t *count)
{
	return list_symbols(elf, is_function, symbols, count);
}

int elf_file_labels(const struct elf_file *elf, struct elf_symbol **symbols, size_t *count)
{
	return list_symbols(elf, is_label, symbols, count);
}

/* Returns the file offset of bytes loaded at an address, or 0 if they are in no data segment. */
static uint64_t data_offset(const struct elf_file *elf, uint64_t address, uint64_t bytes)
{
	for (unsigned i = 0; i < elf->segment_count; i++) {
		const struct elf_segment *s = &elf->segments[i];
		if ((s->flags & (PF_W | PF_X)) == PF_W && address >= s->address && bytes <= s->bytes &&
		    address - s->address <= s->bytes - bytes)
			return s->offset + (address - s->address);
	}
	return 0;
}

static uint64_t find_variable(const struct elf_file *elf, const Elf64_Shdr *table, const char *name, uint64_t bytes)
{
	uint64_t text_bytes, offset = 0;
	const char *text = names_of(elf, table, &text_bytes);
	for (uint64_t i = 0; text && !offset && i < table->sh_size / sizeof(Elf64_Sym); i++) {
		Elf64_Sym sym;
		memcpy(&sym, elf->file + table->sh_offset + i * sizeof(sym), sizeof(sym));
		if (ELF64_ST_TYPE(sym.st_info) == STT_OBJECT && sym.st_size == bytes && sym.st_shndx != SHN_UNDEF &&
		    sym.st_name < text_bytes && !strcmp(text + sym.st_name, name))
			offset = data_offset(elf, sym.st_value, bytes);
	}
	return offset;
}

uint64_t elf_file_variable(const struct elf_file *elf, const char *name, uint64_t bytes)
{
	uint64_t offset = 0;
	for (unsigned i = 0; i < TABLE_TYPES && !offset; i++) {
		Elf64_Shdr table;
		if (find_elf_table(elf, table_types[i], &table))
			offset = find_variable(elf, &table, name, bytes);
	}
	return offset;
}
