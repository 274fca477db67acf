/* SPDX-License-Identifier: MIT */
/* ELF images (System V gABI, chapters 4 and 5). Every field of the file is checked before it is used. */
#include "guest/image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/layout.h"
#include "abi/ticks.h"
#include "base/version.h"
#include "symbolize/request.h"

#define PROGRAM_HEADERS_MAX 64
#define NOTES_MAX 4096

struct file {
	int fd;
	uint64_t start, bytes; /* the part of the file that is the image */
	const char *path;
	struct error *error;
	Elf64_Ehdr header;
	Elf64_Phdr programs[PROGRAM_HEADERS_MAX];
};

static int refuse_image_file(struct file *file, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int refuse_image_file(struct file *file, const char *fmt, ...)
{
	va_list args;
	int length = snprintf(file->error->text, sizeof(file->error->text), "%.120s: ", file->path);
	va_start(args, fmt);
	vsnprintf(file->error->text + length, sizeof(file->error->text) - (size_t)length, fmt, args);
	va_end(args);
	return -ENOEXEC;
}

/* Reads exactly `bytes` bytes at `offset`. */
static int read_image_at(struct file *file, void *to, uint64_t bytes, uint64_t offset)
{
	uint8_t *at = to;
	if (offset > file->bytes || bytes > file->bytes - offset)
		return refuse_image_file(file, "truncated: %lu bytes at offset %lu lie beyond the file's end at %lu",
		                         bytes, offset, file->bytes);
	while (bytes) {
		ssize_t got = pread(file->fd, at, bytes, (off_t)(file->start + offset));
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return refuse_image_file(file, "cannot be read: %s", strerror(errno));
		if (got == 0)
			return refuse_image_file(file, "became shorter while it was read");
		at += got;
		offset += (uint64_t)got;
		bytes -= (uint64_t)got;
	}
	return 0;
}

static const char *machine_name(unsigned machine)
{
	switch (machine) {
	case EM_386:
		return "i386";
	case EM_ARM:
		return "ARM";
	case EM_AARCH64:
		return "AArch64";
	case EM_RISCV:
		return "RISC-V";
	case EM_PPC64:
		return "PowerPC 64";
	case EM_S390:
		return "S/390";
	default:
		return "another architecture";
	}
}

static int check_header(struct file *file)
{
	const Elf64_Ehdr *h = &file->header;
	if (file->bytes < EI_NIDENT || memcmp(h->e_ident, ELFMAG, SELFMAG))
		return refuse_image_file(
			file,
			"is not an ELF file, nor a script (begin it with #!, or make it executable with 'chmod +x')");
	/* The machine is at the same place in the shorter header of 32-bit files. */
	const size_t least = h->e_ident[EI_CLASS] == ELFCLASS32 ? offsetof(Elf64_Ehdr, e_machine) + sizeof(h->e_machine)
	                                                        : sizeof(*h);
	if (file->bytes < least)
		return refuse_image_file(
			file, "is cut off: it has %lu bytes, and an ELF file has at least %zu; copy or build it again",
			file->bytes, least);
	if (h->e_machine != EM_X86_64)
		return refuse_image_file(file, "is built for %s (ELF machine %u), not x86-64",
		                         machine_name(h->e_machine), h->e_machine);
	if (h->e_ident[EI_CLASS] != ELFCLASS64 || h->e_ident[EI_DATA] != ELFDATA2LSB)
		return refuse_image_file(file, "is not a 64-bit little-endian ELF file");
	if (h->e_ident[EI_VERSION] != EV_CURRENT || h->e_version != EV_CURRENT)
		return refuse_image_file(file, "has an unknown ELF version");
	if (h->e_type == ET_DYN)
		return refuse_image_file(file, "has no loadable segments: the file is damaged or incomplete");
	if (h->e_type != ET_EXEC)
		return refuse_image_file(file, "is not an executable (ELF type %u); link it with eremite-cc",
		                         h->e_type);
	if (h->e_phentsize != sizeof(Elf64_Phdr) || h->e_phnum == 0 || h->e_phnum > PROGRAM_HEADERS_MAX)
		return refuse_image_file(file, "has a malformed program header table (%u entries of %u bytes)",
		                         h->e_phnum, h->e_phentsize);
	return 0;
}

static int open_image_file(struct file *file, const struct image_source *source)
{
	struct stat st;
	file->fd = source->fd < 0 ? open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
	                          : fcntl(source->fd, F_DUPFD_CLOEXEC, 0);
	if (file->fd < 0)
		return error_set(file->error, errno, "cannot open the program '%.120s': %s", file->path,
		                 strerror(errno));
	if (fstat(file->fd, &st))
		return refuse_image_file(file, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return refuse_image_file(file, "is not a regular file");
	file->start = source->offset;
	file->bytes = source->bytes ? source->bytes : (uint64_t)st.st_size;
	memset(&file->header, 0, sizeof(file->header));
	uint64_t part = file->bytes < sizeof(file->header) ? file->bytes : sizeof(file->header);
	int result = read_image_at(file, &file->header, part, 0);
	if (!result)
		result = check_header(file);
	if (!result && part < sizeof(file->header))
		result = refuse_image_file(file, "truncated: the ELF header is not complete");
	if (!result)
		result = read_image_at(file, file->programs, file->header.e_phnum * sizeof(Elf64_Phdr),
		                       file->header.e_phoff);
	return result;
}

static int check_segment(struct file *file, const Elf64_Phdr *p, const struct image *image, uint64_t ram_bytes)
{
	if (p->p_filesz > p->p_memsz)
		return refuse_image_file(file, "a segment has more bytes in the file than in memory");
	if (p->p_vaddr - p->p_paddr != image->bias)
		return refuse_image_file(file, "is not linked with the layout of an image; build it with eremite-cc");
	if (p->p_paddr < LAYOUT_IMAGE || p->p_paddr >= LAYOUT_RAM_MAX || p->p_memsz > LAYOUT_RAM_MAX - p->p_paddr)
		return refuse_image_file(file, "a segment at 0x%lx (%lu bytes) lies outside the image area", p->p_vaddr,
		                         p->p_memsz);
	if (p->p_paddr + p->p_memsz > ram_bytes)
		return refuse_image_file(file, "needs memory up to 0x%lx, and the guest has 0x%lx; raise --memory",
		                         p->p_paddr + p->p_memsz, ram_bytes);
	if ((p->p_flags & PF_W) && (p->p_flags & PF_X))
		return refuse_image_file(file, "a segment at 0x%lx is both writable and executable", p->p_vaddr);
	if (p->p_paddr < image->end)
		return refuse_image_file(file, "segments overlap, or are not in ascending order, at 0x%lx", p->p_vaddr);
	if (image->segment_count == IMAGE_SEGMENTS_MAX)
		return refuse_image_file(file, "has more than %d loadable segments", IMAGE_SEGMENTS_MAX);
	return 0;
}

static int load_segment(struct file *file, const Elf64_Phdr *p, const struct guest_memory *memory, struct image *image)
{
	/* An image may be linked for one of two places. The first segment decides; check_segment holds the others to
	 * it. */
	if (!image->segment_count && p->p_vaddr >= LAYOUT_LINUX_IMAGE)
		image->bias = LAYOUT_LINUX_IMAGE - LAYOUT_IMAGE;
	int result = check_segment(file, p, image, memory->bytes);
	if (result || !p->p_memsz)
		return result;
	void *to = guest_memory_at(memory, gpa(p->p_paddr), p->p_memsz);
	if (!to)
		return refuse_image_file(file, "a segment lies outside memory");
	result = read_image_at(file, to, p->p_filesz, p->p_offset);
	if (result)
		return result;
	uint64_t start = p->p_vaddr & ~(PAGE_SIZE - 1);
	uint64_t end = (p->p_vaddr + p->p_memsz + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
	image->segments[image->segment_count++] = (struct image_segment){start, end - start, p->p_flags};
	image->end = end - image->bias;
	return 0;
}

/* Looks for the kernel's note in one PT_NOTE segment. */
static int find_note(struct file *file, const Elf64_Phdr *p, struct image_header *found, bool *is_there)
{
	uint8_t notes[NOTES_MAX];
	uint64_t bytes = p->p_filesz < NOTES_MAX ? p->p_filesz : NOTES_MAX;
	int result = read_image_at(file, notes, bytes, p->p_offset);
	if (result)
		return result;
	for (uint64_t at = 0; at + sizeof(Elf64_Nhdr) <= bytes;) {
		Elf64_Nhdr note;
		memcpy(&note, notes + at, sizeof(note));
		uint64_t name = at + sizeof(note);
		uint64_t description = name + (((uint64_t)note.n_namesz + 3) & ~3UL);
		uint64_t next = description + (((uint64_t)note.n_descsz + 3) & ~3UL);
		if (next > bytes)
			return refuse_image_file(file, "has a malformed note");
		if (note.n_type == IMAGE_NOTE_TYPE && note.n_namesz == sizeof(IMAGE_NOTE_NAME) &&
		    !memcmp(notes + name, IMAGE_NOTE_NAME, sizeof(IMAGE_NOTE_NAME)) &&
		    note.n_descsz >= sizeof(found->abi_version)) { /* a note of another version may have another size */
			memcpy(found, notes + description,
			       note.n_descsz < sizeof(*found) ? note.n_descsz : sizeof(*found));
			*is_there = true;
			return 0;
		}
		at = next;
	}
	return 0;
}

/* Whether an address lies in a segment with these flags. */
static bool lies_in(const struct image *image, uint64_t address, uint32_t flags)
{
	for (unsigned i = 0; i < image->segment_count; i++) {
		const struct image_segment *s = &image->segments[i];
		if (address >= s->address && address - s->address < s->bytes)
			return (s->flags & flags) == flags;
	}
	return false;
}

/* Refuses a version of the contract that this monitor does not have. */
static int check_version(struct file *file, uint32_t version)
{
	if (version > IMAGE_ABI_VERSION)
		return refuse_image_file(file,
		                         "is built for version %u of the contract, and this eremite (" EREMITE_VERSION
		                         ") has versions up to %u; use the eremite that built it, or a newer one",
		                         version, IMAGE_ABI_VERSION);
	if (version < IMAGE_ABI_FIRST_PUBLISHED)
		return refuse_image_file(
			file,
			"is built for version %u of the contract, which no release has, and this eremite "
			"(" EREMITE_VERSION ") has versions from %u on; build it again",
			version, IMAGE_ABI_FIRST_PUBLISHED);
	return 0;
}

static int check_entries(struct file *file, const struct image *image)
{
	const struct image_header *h = &image->header;
	const uint64_t code[] = {
		h->start,           h->trap_stubs,      h->trap_stubs + IMAGE_VECTORS * IMAGE_STUB_BYTES - 1,
		h->page_fault_stub, h->breakpoint_stub, h->syscall_stub,
		h->close_accounts,  h->gate_load_cr3,   h->gate_invlpg};
	const uint64_t frames[] = {h->page_fault_frame, h->breakpoint_frame};
	const uint64_t stacks[] = {h->boot_stack_top - 1, h->page_fault_landing_top - 1, h->trap_landing_top - 1,
	                           h->breakpoint_landing_top - 1};
	for (unsigned i = 0; i < sizeof(code) / sizeof(code[0]); i++)
		if (!lies_in(image, code[i], PF_X))
			return refuse_image_file(file, "the note names an entry at 0x%lx, where the image has no code",
			                         code[i]);
	if (h->tell_core && !lies_in(image, h->tell_core, PF_X))
		return refuse_image_file(file, "the note names an entry at 0x%lx, where the image has no code",
		                         h->tell_core);
	for (unsigned i = 0; i < sizeof(stacks) / sizeof(stacks[0]); i++)
		if (!lies_in(image, stacks[i], PF_W))
			return refuse_image_file(file, "the note names a stack at 0x%lx, where the image has no memory",
			                         stacks[i]);
	for (unsigned i = 0; i < sizeof(frames) / sizeof(frames[0]); i++)
		if (!lies_in(image, frames[i], PF_W) || !lies_in(image, frames[i] + IMAGE_FRAME_BYTES - 1, PF_W))
			return refuse_image_file(file, "the note names a frame at 0x%lx, where the image has no memory",
			                         frames[i]);
	if (!lies_in(image, h->ticks_left, PF_W) ||
	    !lies_in(image, h->ticks_left + TICKS_OWED_AT + sizeof(int64_t) - 1, PF_W))
		return refuse_image_file(file, "the note names a countdown at 0x%lx, where the image has no memory",
		                         h->ticks_left);
	if (h->eh_frame > h->eh_frame_end ||
	    (h->eh_frame < h->eh_frame_end &&
	     (!lies_in(image, h->eh_frame, PF_R) || !lies_in(image, h->eh_frame_end - 1, PF_R))))
		return refuse_image_file(file, "the note names unwind tables that lie outside the image");
	return 0;
}

static int load_image_file(struct file *file, const struct guest_memory *memory, struct image *image)
{
	bool has_note = false;
	int result = 0;
	for (unsigned i = 0; i < file->header.e_phnum && !result; i++) {
		const Elf64_Phdr *p = &file->programs[i];
		if (p->p_type == PT_INTERP || p->p_type == PT_DYNAMIC)
			result = refuse_image_file(file,
			                           "is a dynamically linked program; build images with eremite-cc");
		else if (p->p_type == PT_LOAD)
			result = load_segment(file, p, memory, image);
		else if (p->p_type == PT_NOTE && !has_note)
			result = find_note(file, p, &image->header, &has_note);
	}
	if (result)
		return result;
	if (!has_note)
		return refuse_image_file(file,
		                         "is not an Eremite image: it has no Eremite note; build it with eremite-cc");
	result = check_version(file, image->header.abi_version);
	return result ? result : check_entries(file, image);
}

int image_load(const struct image_source *source, const struct guest_memory *memory, struct image *image,
               struct error *error)
{
	struct file file = {.path = source->path, .error = error};
	memset(image, 0, sizeof(*image));
	int result = open_image_file(&file, source);
	if (!result)
		result = load_image_file(&file, memory, image);
	image->file = file.fd;
	image->file_offset = file.start;
	image->file_bytes = file.bytes;
	image->is_whole_file = !source->bytes;
	image->symbols_offset = source->symbols_offset;
	image->symbols_bytes = source->symbols_bytes;
	if (result)
		image_fini(image);
	return result;
}

/* Calls `each` for all pieces of a part of the file; `each` returns 0 or a negative errno. */
static int read_image_pieces(struct file *file, uint64_t bytes, uint64_t offset,
                             int (*each)(void *context, const void *data, size_t bytes), void *context)
{
	uint8_t piece[4096];
	int result = 0;
	while (bytes && !result) {
		uint64_t part = bytes < sizeof(piece) ? bytes : sizeof(piece);
		result = read_image_at(file, piece, part, offset);
		if (!result)
			result = each(context, piece, part);
		offset += part;
		bytes -= part;
	}
	return result;
}

static int add_piece(void *sum, const void *data, size_t bytes)
{
	digest_add(sum, data, bytes);
	return 0;
}

static int write_piece(void *fd, const void *data, size_t bytes)
{
	return write(*(int *)fd, data, bytes) == (ssize_t)bytes ? 0 : -EIO;
}

int image_hash(const struct image_source *source, uint8_t sum[DIGEST_BYTES], struct error *error)
{
	struct file file = {.path = source->path, .error = error};
	struct digest_sum all;
	int result = open_image_file(&file, source);
	digest_begin(&all);
	if (!result)
		digest_add(&all, &file.header, sizeof(file.header));
	for (unsigned i = 0; !result && i < file.header.e_phnum; i++) {
		const Elf64_Phdr *p = &file.programs[i];
		digest_add(&all, p, sizeof(*p));
		if (p->p_type == PT_LOAD || p->p_type == PT_NOTE)
			result = read_image_pieces(&file, p->p_filesz, p->p_offset, add_piece, &all);
	}
	digest_end(&all, sum);
	if (file.fd >= 0)
		close(file.fd);
	return result;
}

int image_loaded_bytes(const struct image_source *source, uint64_t *bytes, struct error *error)
{
	struct file file = {.path = source->path, .error = error};
	int result = open_image_file(&file, source);
	*bytes = result ? 0 : file.header.e_phoff + file.header.e_phnum * sizeof(Elf64_Phdr);
	for (unsigned i = 0; !result && i < file.header.e_phnum; i++) {
		const Elf64_Phdr *p = &file.programs[i];
		if ((p->p_type == PT_LOAD || p->p_type == PT_NOTE) && p->p_offset + p->p_filesz > *bytes)
			*bytes = p->p_offset + p->p_filesz;
	}
	if (!result && *bytes > file.bytes)
		result = refuse_image_file(&file, "truncated: a segment is not complete");
	if (file.fd >= 0)
		close(file.fd);
	return result;
}

/* Appends the symbols, which are elsewhere in the file. Returns 0 or a negative errno. */
static int append_symbols(const struct image *image, struct file *file, int to)
{
	struct symbolize_symbols end = {.image_bytes = image->file_bytes, .magic = SYMBOLIZE_SYMBOLS_MAGIC};
	if (!image->symbols_bytes)
		return 0;
	file->start = image->symbols_offset;
	file->bytes = image->symbols_bytes;
	int result = read_image_pieces(file, file->bytes, 0, write_piece, &to);
	return result ? result : write_piece(&to, &end, sizeof(end));
}

int image_file_alone(const struct image *image)
{
	struct error error;
	struct file file = {.fd = image->file,
	                    .start = image->file_offset,
	                    .bytes = image->file_bytes,
	                    .path = "",
	                    .error = &error};
	if (image->is_whole_file)
		return fcntl(image->file, F_DUPFD_CLOEXEC, 0);
	int fd = memfd_create("eremite image", MFD_CLOEXEC);
	if (fd < 0 || (!read_image_pieces(&file, file.bytes, 0, write_piece, &fd) && !append_symbols(image, &file, fd)))
		return fd;
	close(fd);
	return -1;
}

void image_fini(struct image *image)
{
	if (image->file >= 0)
		close(image->file);
	image->file = -1;
}
