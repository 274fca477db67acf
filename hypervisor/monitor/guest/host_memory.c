/* SPDX-License-Identifier: MIT */
/* Every mapping here is aligned to 2 MiB, so guest blocks start at the host's huge pages. */
#include "guest/host_memory.h"

#include <errno.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/layout.h"

uint8_t *host_memory_blocks(uint64_t bytes, int protection)
{
	uint8_t *raw = mmap(NULL, bytes + BLOCK_SIZE, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (raw == MAP_FAILED)
		return NULL;
	uint8_t *base = (uint8_t *)(((uintptr_t)raw + BLOCK_SIZE - 1) & ~(BLOCK_SIZE - 1));
	if (base > raw)
		munmap(raw, (size_t)(base - raw));
	if (base < raw + BLOCK_SIZE)
		munmap(base + bytes, (size_t)(raw + BLOCK_SIZE - base));
	return base;
}

/* Writes without a change, also if the guest writes there. A compiler may replace a built-in that adds 0 by a read. */
void host_memory_touch(uint8_t *block)
{
	__asm__ volatile("lock orb $0, %0" : "+m"(*block));
}

/* Advises huge pages. A refusal only costs time, so the result is ignored. */
static void advise(const struct host_memory *memory)
{
	madvise(memory->base, memory->bytes, MADV_HUGEPAGE);
	madvise(memory->base, memory->bytes, MADV_DONTFORK);
}

int host_memory_anonymous(struct host_memory *memory, uint64_t bytes)
{
	uint8_t *base = host_memory_blocks(bytes, PROT_READ | PROT_WRITE);
	if (!base)
		return -errno;
	*memory = (struct host_memory){.base = base, .bytes = bytes, .file = -1};
	advise(memory);
	return 0;
}

int host_memory_map_file(struct host_memory *memory, int file, uint64_t bytes)
{
	uint8_t *base = host_memory_blocks(bytes, PROT_READ | PROT_WRITE);
	int error = errno;
	if (base &&
	    mmap(base, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file, 0) == MAP_FAILED) {
		error = errno;
		munmap(base, bytes);
		base = NULL;
	}
	if (!base)
		return -error;
	*memory = (struct host_memory){.base = base, .bytes = bytes, .file = file};
	advise(memory);
	return 0;
}

void host_memory_release(struct host_memory *memory)
{
	if (memory->base)
		munmap(memory->base, memory->bytes);
	if (memory->base && memory->is_used)
		*memory->is_used = false;
	else if (memory->base && memory->file >= 0)
		close(memory->file);
	*memory = (struct host_memory){.file = -1};
}
