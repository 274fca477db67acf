/* SPDX-License-Identifier: MIT */
/* One mapping, made at the start: a later kernel call could let another thread run while the detector's state does not
 * fit together. The guest has memory only for what is touched. */
#include "tsan.h"

#include <sys/mman.h>
#include <sys/sysinfo.h>

#define MEMORY_MAX (768UL << 20)
#define BLOCK_BYTES 3088UL
#define FEW_BLOCKS 1024U

uint32_t memory_blocks;
static char *next, *end;

void *memory_take(uint64_t bytes)
{
	char *at = next;
	bytes = (bytes + 63) & ~63UL;
	if (bytes > (uint64_t)(end - next))
		return NULL;
	next += bytes;
	return at;
}

bool memory_init(void)
{
	struct sysinfo info;
	uint64_t bytes = MEMORY_MAX;
	if (sysinfo(&info))
		return false;
	while (bytes > info.totalram * info.mem_unit / 4)
		bytes /= 2;
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return false;
	next = at;
	end = next + bytes;
	memory_blocks = (uint32_t)(bytes / 4 * 3 / BLOCK_BYTES);
	return memory_blocks >= FEW_BLOCKS;
}
