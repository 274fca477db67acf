/* SPDX-License-Identifier: MIT */
#include "guest/program_main.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "guest/elf_file.h"

/* What a program's symbols say. */
struct names {
	uint64_t distance; /* from the entry point to main, or to main.main if there is no other */
	bool has_main, is_go;
};

static int find_main(const uint8_t *file, uint64_t bytes, struct names *names)
{
	struct elf_file elf;
	struct elf_symbol *symbols = NULL;
	size_t count = 0;
	struct error error;
	if (elf_file_open(&elf, file, bytes, &error))
		return -ENOEXEC;
	int result = elf_file_functions(&elf, &symbols, &count);
	for (size_t i = 0; i < count && !result && !names->has_main; i++) {
		const bool is_go = !strcmp(symbols[i].name, "main.main");
		names->has_main = !strcmp(symbols[i].name, "main");
		names->is_go = names->is_go || is_go;
		if (names->has_main || is_go)
			names->distance = symbols[i].address - elf.header.e_entry;
	}
	free(symbols);
	return result;
}

static int read_main_names(const char *path, struct names *names)
{
	struct stat st;
	*names = (struct names){0};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	int result = fstat(fd, &st) ? -errno : !S_ISREG(st.st_mode) || !st.st_size ? -ENOEXEC : 0;
	void *file = result ? MAP_FAILED : mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (!result && file == MAP_FAILED)
		result = -errno;
	close(fd);
	if (result)
		return result;
	result = find_main(file, (uint64_t)st.st_size, names);
	munmap(file, (size_t)st.st_size);
	return result;
}

int program_main(const char *path, uint64_t *distance, bool *named)
{
	struct names names;
	const int result = read_main_names(path, &names);
	*distance = names.distance;
	*named = names.has_main || names.is_go;
	return result;
}

bool program_is_go(const char *path)
{
	struct names names;
	return !read_main_names(path, &names) && names.is_go && !names.has_main;
}
