/* SPDX-License-Identifier: MIT */
#include "guest/program_main.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest/elf_file.h"

static int find(const uint8_t *file, uint64_t bytes, uint64_t *distance, bool *named)
{
	struct elf_file elf;
	struct elf_symbol *symbols = NULL;
	size_t count = 0;
	char error[256];
	if (elf_file_open(&elf, file, bytes, error))
		return -ENOEXEC;
	int result = elf_file_functions(&elf, &symbols, &count);
	for (size_t i = 0; i < count && !result && !*named; i++) {
		*named = !strcmp(symbols[i].name, "main");
		if (*named)
			*distance = symbols[i].address - elf.header.e_entry;
	}
	free(symbols);
	return result;
}

int program_main(const char *path, uint64_t *distance, bool *named)
{
	struct stat st;
	*distance = 0;
	*named = false;
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
	result = find(file, (uint64_t)st.st_size, distance, named);
	munmap(file, (size_t)st.st_size);
	return result;
}
