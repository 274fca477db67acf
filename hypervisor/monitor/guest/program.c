/* SPDX-License-Identifier: MIT */
/* Reads only the first bytes and the program headers. */
#include "guest/program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/image.h"
#include "base/own_path.h"

#define PROGRAM_HEADERS_MAX 64
#define NOTES_MAX 4096

static bool read_program_at(int fd, void *to, size_t bytes, uint64_t offset)
{
	return offset <= INT64_MAX && pread(fd, to, bytes, (off_t)offset) == (ssize_t)bytes;
}

/* Reads the beginning of a PT_NOTE segment, and sets *bytes to its size. Returns false if the file ends before. */
static bool read_notes(int fd, const Elf64_Phdr *p, uint8_t notes[NOTES_MAX], size_t *bytes)
{
	*bytes = p->p_filesz < NOTES_MAX ? p->p_filesz : NOTES_MAX;
	return read_program_at(fd, notes, *bytes, p->p_offset);
}

/* Whether the notes include that of an image. */
static bool has_note(const uint8_t notes[NOTES_MAX], size_t bytes)
{
	for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= bytes;) {
		Elf64_Nhdr note;
		memcpy(&note, notes + at, sizeof(note));
		size_t name = at + sizeof(note), left = bytes - name;
		if (note.n_namesz > left || note.n_descsz > left)
			return false;
		if (note.n_type == IMAGE_NOTE_TYPE && note.n_namesz == sizeof(IMAGE_NOTE_NAME) &&
		    !memcmp(notes + name, IMAGE_NOTE_NAME, sizeof(IMAGE_NOTE_NAME)))
			return true;
		at = name + (((size_t)note.n_namesz + 3) & ~3UL) + (((size_t)note.n_descsz + 3) & ~3UL);
	}
	return false;
}

/* Whether shells run a file as a script without #!: its first line has no NUL. */
static bool is_text(int fd)
{
	char bytes[256];
	ssize_t got = pread(fd, bytes, sizeof(bytes), 0);
	for (ssize_t i = 0; i < got && bytes[i] != '\n'; i++)
		if (!bytes[i])
			return false;
	return got >= 0;
}

static enum program_kind program_kind_of(int fd, bool executable)
{
	Elf64_Ehdr header;
	Elf64_Phdr programs[PROGRAM_HEADERS_MAX];
	char magic[2];
	if (read_program_at(fd, magic, sizeof(magic), 0) && !memcmp(magic, "#!", 2))
		return PROGRAM_LINUX;
	bool is_elf = read_program_at(fd, magic, sizeof(magic), 0) && !memcmp(magic, ELFMAG, sizeof(magic));
	if (!is_elf && executable && is_text(fd))
		return PROGRAM_LINUX;
	if (!read_program_at(fd, &header, sizeof(header), 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) ||
	    header.e_machine != EM_X86_64 || header.e_phentsize != sizeof(Elf64_Phdr) ||
	    (header.e_type != ET_EXEC && header.e_type != ET_DYN) || header.e_phnum > PROGRAM_HEADERS_MAX ||
	    !read_program_at(fd, programs, header.e_phnum * sizeof(*programs), header.e_phoff))
		return PROGRAM_OTHER;
	bool any = false;
	for (unsigned i = 0; i < header.e_phnum; i++) {
		uint8_t notes[NOTES_MAX];
		size_t bytes = 0;
		if (programs[i].p_type == PT_NOTE && !read_notes(fd, &programs[i], notes, &bytes))
			return PROGRAM_OTHER;
		if (has_note(notes, bytes))
			return PROGRAM_IMAGE;
		any |= programs[i].p_type == PT_LOAD;
	}
	return any ? PROGRAM_LINUX : PROGRAM_OTHER;
}

enum program_kind program_kind(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return PROGRAM_OTHER;
	enum program_kind kind =
		!fstat(fd, &st) && S_ISREG(st.st_mode) ? program_kind_of(fd, st.st_mode & 0111) : PROGRAM_OTHER;
	close(fd);
	return kind;
}

int program_linux_image(char *path)
{
	static const char *const places[] = {"lib/linux.image", "../lib/eremite/linux.image"};
	int result = own_path(path);
	if (result)
		return result;
	char *slash = strrchr(path, '/');
	size_t left = slash ? PATH_MAX - (size_t)(slash + 1 - path) : 0;
	for (unsigned i = 0; slash && i < sizeof(places) / sizeof(places[0]); i++)
		if (snprintf(slash + 1, left, "%s", places[i]) < (int)left && !access(path, R_OK))
			return 0;
	return -ENOENT;
}
