/* SPDX-License-Identifier: MIT */
/* Reads the headers and the dynamic section; invalid ones count as absent. */
#include "guest/program_needs.h"

#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#define HEADERS_MAX 64
#define ENTRIES_MAX 128

struct program {
	int fd;
	Elf64_Phdr headers[HEADERS_MAX];
	unsigned header_count;
	Elf64_Dyn entries[ENTRIES_MAX];
	unsigned entry_count;
};

static bool read_needs_at(int fd, void *to, size_t bytes, uint64_t offset)
{
	return offset <= INT64_MAX && pread(fd, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

static bool read_headers(struct program *program)
{
	Elf64_Ehdr header;
	if (!read_needs_at(program->fd, &header, sizeof(header), 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) ||
	    header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr) ||
	    header.e_phnum > HEADERS_MAX)
		return false;
	program->header_count = header.e_phnum;
	return read_needs_at(program->fd, program->headers, header.e_phnum * sizeof(Elf64_Phdr), header.e_phoff);
}

static bool read_dynamic(struct program *program)
{
	for (unsigned i = 0; i < program->header_count; i++) {
		const Elf64_Phdr *header = &program->headers[i];
		if (header->p_type != PT_DYNAMIC)
			continue;
		const uint64_t count = header->p_filesz / sizeof(Elf64_Dyn);
		program->entry_count = count < ENTRIES_MAX ? (unsigned)count : ENTRIES_MAX;
		return read_needs_at(program->fd, program->entries, program->entry_count * sizeof(Elf64_Dyn),
		                     header->p_offset);
	}
	return false;
}

/* Where the file has the strings of the dynamic section; 0: not known. */
static uint64_t strings_of(const struct program *program)
{
	uint64_t address = 0;
	for (unsigned i = 0; i < program->entry_count; i++)
		if (program->entries[i].d_tag == DT_STRTAB)
			address = program->entries[i].d_un.d_ptr;
	for (unsigned i = 0; i < program->header_count; i++) {
		const Elf64_Phdr *header = &program->headers[i];
		if (header->p_type == PT_LOAD && address - header->p_vaddr < header->p_filesz)
			return header->p_offset + (address - header->p_vaddr);
	}
	return 0;
}

static bool find_needed(const struct program *program, const char *prefix, char name[PROGRAM_NEEDS_BYTES])
{
	const uint64_t strings = strings_of(program);
	for (unsigned i = 0; strings && i < program->entry_count; i++) {
		const Elf64_Dyn *entry = &program->entries[i];
		if (entry->d_tag == DT_NULL)
			return false;
		if (entry->d_tag == DT_NEEDED && entry->d_un.d_val <= UINT32_MAX &&
		    read_needs_at(program->fd, name, PROGRAM_NEEDS_BYTES, strings + entry->d_un.d_val) &&
		    !strncmp(name, prefix, strlen(prefix)) && memchr(name, 0, PROGRAM_NEEDS_BYTES) &&
		    !strchr(name, '/'))
			return true;
	}
	return false;
}

bool program_needs(const char *path, const char *prefix, char name[PROGRAM_NEEDS_BYTES])
{
	struct program program = {.fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
	if (program.fd < 0)
		return false;
	const bool found = read_headers(&program) && read_dynamic(&program) && find_needed(&program, prefix, name);
	close(program.fd);
	return found;
}
