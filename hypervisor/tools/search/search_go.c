/* SPDX-License-Identifier: MIT */
#include "search/search_go.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "code/code_map.h"
#include "guest/program_main.h"
#include "report/runtime_names.h"

#define SANITIZER \
	"__sanitizer_print_stack_trace" /* a name in each program that contains the runtime of a sanitizer \
	                                 */

/* The function at an offset of the file; NULL: none is known. */
static const char *name_at(const struct code_map *map, const struct elf_symbol *symbols, size_t count, uint64_t offset)
{
	uint64_t address = 0;
	for (unsigned i = 0; i < map->area_count; i++)
		if (offset - map->areas[i].offset < map->areas[i].count)
			address = map->areas[i].address + (offset - map->areas[i].offset);
	size_t low = 0, high = count;
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low && address - symbols[low - 1].address < symbols[low - 1].bytes ? symbols[low - 1].name : NULL;
}

static void filter(struct code_shared *shared, struct code_map *map, bool (*is_runtime)(const char *, size_t))
{
	const struct code_content content = code_shared_content(map->elf.file, map->elf.bytes);
	struct elf_symbol *symbols = NULL;
	size_t count = 0, kept = 0;
	struct code_access *at = memory_or_die(calloc(shared->count + 1, sizeof(*at)));
	memory_check(!elf_file_functions(&map->elf, &symbols, &count));
	for (size_t i = 0; i < shared->count; i++) {
		const struct code_access *access = &shared->at[i];
		const bool is_here = access->content.high == content.high && access->content.low == content.low;
		const char *name = is_here ? name_at(map, symbols, count, access->offset) : NULL;
		if (!name || !is_runtime(name, strlen(name)))
			at[kept++] = *access;
	}
	if (kept) {
		memcpy(shared->at, at, kept * sizeof(*at));
		shared->count = kept;
	}
	free(symbols);
	free(at);
}

void search_go_filter(struct code_shared *shared, const char *path)
{
	struct stat st;
	struct error error;
	const bool is_go = program_is_go(path);
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	void *file = fd >= 0 && !fstat(fd, &st) && st.st_size > 0
	                     ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
	                     : MAP_FAILED;
	if (fd >= 0)
		close(fd);
	if (file == MAP_FAILED)
		return;
	struct code_map map;
	const bool has_runtime = is_go || memmem(file, (size_t)st.st_size, SANITIZER, sizeof(SANITIZER));
	if (has_runtime && !code_map_open(&map, file, (uint64_t)st.st_size, &error)) {
		filter(shared, &map, is_go ? runtime_names_is_go : runtime_names_is_sanitizer);
		code_map_fini(&map);
	}
	munmap(file, (size_t)st.st_size);
}
