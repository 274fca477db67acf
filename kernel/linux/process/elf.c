/* SPDX-License-Identifier: MIT */
/* The fields of a file are checked before use: a program may have made the file. */
#include "kernel/linux/process/elf.h"

#include <stdbool.h>
#include <stddef.h>

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/linux/memory/memory_layout.h"
#include "kernel/linux/memory/linux_space.h"
#include "kernel/linux/patch/patch.h"
#include "kernel/mm/vm.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/mapping.h"

#define ET_EXEC 2
#define ET_DYN 3
#define EM_X86_64 62
#define PT_LOAD 1
#define PT_INTERP 3
#define PT_GNU_STACK 0x6474e551
#define PF_X 1
#define PF_W 2
#define PF_R 4
#define HEADERS_MAX 64

struct elf_header {
	uint8_t ident[16];
	uint16_t type, machine;
	uint32_t version;
	uint64_t entry, headers, sections;
	uint32_t flags;
	uint16_t bytes, header_bytes, header_count, section_bytes, section_count, names;
};

struct elf_segment {
	uint32_t type, flags;
	uint64_t offset, address, physical, file_bytes, bytes, align;
};

_Static_assert(sizeof(struct elf_header) == 64, "Elf64_Ehdr");
_Static_assert(sizeof(struct elf_segment) == 56, "Elf64_Phdr");

struct elf {
	struct file *file;
	struct elf_header header;
	struct elf_segment segments[HEADERS_MAX];
	uint64_t low, high; /* range of the segments, in whole pages */
};

/* One load at a time: loading a program never waits. */
static struct elf main_elf, interpreter_elf;

static uint64_t page_down(uint64_t address)
{
	return address & ~(PAGE_SIZE - 1);
}

static uint64_t page_up(uint64_t address)
{
	return (address + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

static int read_at(struct file *file, void *to, size_t bytes, uint64_t offset)
{
	if (offset > file->inode->size || bytes > file->inode->size - offset)
		return -ENOEXEC;
	long got = data_read(file->inode, to, bytes, offset);
	return got < 0 ? (int)got : (size_t)got == bytes ? 0 : -EIO;
}

static bool is_segment_sound(const struct elf_segment *s, uint64_t after)
{
	return s->file_bytes <= s->bytes && s->address >= after && s->bytes <= LINUX_STACK_TOP &&
	       s->address <= LINUX_STACK_TOP - s->bytes && (s->address - s->offset) % PAGE_SIZE == 0 &&
	       s->offset <= DATA_SIZE_MAX && s->file_bytes <= DATA_SIZE_MAX - s->offset;
}

/* Reads headers and segments. Returns 0 or a negative errno. */
static int open_elf(struct elf *elf, struct file *file)
{
	const struct elf_header *h = &elf->header;
	memset(elf, 0, sizeof(*elf));
	elf->file = file;
	if (!LINUX_S_ISREG(file->inode->mode))
		return -EACCES;
	int error = read_at(file, &elf->header, sizeof(elf->header), 0);
	if (error)
		return error;
	if (memcmp(h->ident, "\177ELF", 4) || h->machine != EM_X86_64 || (h->type != ET_EXEC && h->type != ET_DYN))
		return -ENOEXEC;
	if (h->header_bytes != sizeof(struct elf_segment) || h->header_count > HEADERS_MAX)
		return -ENOEXEC;
	error = read_at(file, elf->segments, h->header_count * sizeof(struct elf_segment), h->headers);
	elf->low = UINT64_MAX;
	for (unsigned i = 0; i < h->header_count && !error; i++) {
		const struct elf_segment *s = &elf->segments[i];
		if (s->type != PT_LOAD || !s->bytes)
			continue;
		if (!is_segment_sound(s, elf->high))
			return -ENOEXEC;
		if (elf->low == UINT64_MAX)
			elf->low = page_down(s->address);
		elf->high = page_up(s->address + s->bytes);
	}
	return error ? error : elf->high ? 0 : -ENOEXEC;
}

int elf_check(struct file *file, char path[LINUX_PATH_MAX])
{
	int error = open_elf(&main_elf, file);
	path[0] = 0;
	for (unsigned i = 0; i < main_elf.header.header_count && !error; i++) {
		const struct elf_segment *s = &main_elf.segments[i];
		if (s->type != PT_INTERP)
			continue;
		if (s->file_bytes < 2 || s->file_bytes > LINUX_PATH_MAX)
			return -ENOEXEC;
		error = read_at(file, path, s->file_bytes, s->offset);
		if (!error && path[s->file_bytes - 1])
			return -ENOEXEC;
		break;
	}
	return error;
}

static int protection_of(const struct elf_segment *s)
{
	return (s->flags & PF_R ? VM_READ : 0) | (s->flags & PF_W ? VM_WRITE : 0) | (s->flags & PF_X ? VM_EXEC : 0);
}

/* Maps zeros after the contents of the file, in its last page and in further pages. */
static int map_zeros(uint64_t from, uint64_t to, int prot)
{
	uint64_t pages = page_up(from);
	if ((prot & VM_WRITE) && pages > from && clear_user((void *)from, pages - from))
		return -EFAULT;
	return page_up(to) > pages ? vm_map(pages, page_up(to) - pages, prot) : 0;
}

static int map_segment(struct elf *elf, const struct elf_segment *s, uint64_t bias)
{
	struct vm_backing backing;
	int prot = protection_of(s), error = 0;
	uint64_t start = page_down(s->address) + bias, in_page = s->address % PAGE_SIZE;
	uint64_t file_bytes = page_up(in_page + s->file_bytes);
	if (!vm_is_allowed(start, page_up(in_page + s->bytes)) || !vm_is_free(start, page_up(in_page + s->bytes)))
		return -ENOMEM;
	if (!s->file_bytes)
		return vm_map(start, page_up(in_page + s->bytes), prot);
	error = mapping_of(elf->file, s->offset - in_page, file_bytes, prot, false, &backing);
	if (!error)
		error = vm_map_object(start, file_bytes, prot, &backing);
	if (!error && (prot & VM_EXEC)) {
		error = patch_exec_detach(start, file_bytes);
		if (!error)
			patch_exec_check(start, file_bytes);
	}
	if (!error)
		vm_touch(start, file_bytes); /* after the search: pages without a patch are executed where they are */
	if (!error && s->bytes > s->file_bytes)
		error = map_zeros(s->address + bias + s->file_bytes, s->address + bias + s->bytes, prot);
	return error;
}

static int map_elf(struct elf *elf, uint64_t bias)
{
	int error = 0;
	for (unsigned i = 0; i < elf->header.header_count && !error; i++)
		if (elf->segments[i].type == PT_LOAD && elf->segments[i].bytes)
			error = map_segment(elf, &elf->segments[i], bias);
	return error;
}

/* Address of the program headers: in the segment that maps that part of the file. */
static uint64_t headers_address(const struct elf *elf, uint64_t bias)
{
	for (unsigned i = 0; i < elf->header.header_count; i++) {
		const struct elf_segment *s = &elf->segments[i];
		if (s->type == PT_LOAD && elf->header.headers >= s->offset &&
		    elf->header.headers - s->offset < s->file_bytes)
			return elf->header.headers - s->offset + s->address + bias;
	}
	return 0;
}

/* Whether the stack is executable: only the program itself can request it. */
static bool wants_executable_stack(const struct elf *elf)
{
	bool wants = false;
	for (unsigned i = 0; i < elf->header.header_count; i++)
		if (elf->segments[i].type == PT_GNU_STACK)
			wants = elf->segments[i].flags & PF_X;
	return wants;
}

int elf_load(struct file *file, struct file *interpreter, struct elf_program *program)
{
	struct elf *elf = &main_elf;
	int error = open_elf(elf, file);
	if (error)
		return error;
	uint64_t bias = elf->header.type == ET_DYN ? linux_space_self()->layout.program - elf->low : 0;
	if (elf->header.type == ET_DYN && !interpreter) /* without an interpreter, a program is placed like one */
		bias = vm_find_gap_below(elf->high - elf->low, PAGE_SIZE, linux_space_self()->layout.mmap_top) -
		       elf->low;
	error = map_elf(elf, bias);
	if (error)
		return error;
	*program = (struct elf_program){
		.entry = elf->header.entry + bias,
		.headers = headers_address(elf, bias),
		.header_count = elf->header.header_count,
		.start = elf->header.entry + bias,
		.heap = elf->high + bias,
		.executable_stack = wants_executable_stack(elf),
	};
	if (!interpreter)
		return 0;
	error = open_elf(&interpreter_elf, interpreter);
	if (error)
		return error;
	uint64_t bytes = interpreter_elf.high - interpreter_elf.low;
	uint64_t at = vm_find_gap_below(bytes, PAGE_SIZE, linux_space_self()->layout.mmap_top);
	if (!at)
		return -ENOMEM;
	program->interpreter = interpreter_elf.header.type == ET_DYN ? at - interpreter_elf.low : 0;
	program->start = interpreter_elf.header.entry + program->interpreter;
	return map_elf(&interpreter_elf, program->interpreter);
}
