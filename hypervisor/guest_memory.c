/* SPDX-License-Identifier: MIT */
/* Guest RAM: one anonymous mapping, huge pages except for the few pages of the boot area. */
#include "guest_memory.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "abi/layout.h"

/* What every guest touches in the boot area: its tables and boot information; the last of the arguments and the
 * first of the console ring; the first page tables. */
#define EARLY_BYTES (8 * PAGE_SIZE)

static const uint64_t early[] = {
	LAYOUT_GDT,
	(LAYOUT_CONSOLE_RING - PAGE_SIZE) & ~(EARLY_BYTES - 1),
	LAYOUT_PAGE_TABLES,
	LAYOUT_PAGE_TABLES + EARLY_BYTES,
};

void *guest_memory_reserve(uint64_t bytes)
{
	/* One block more, so that guest blocks can start where the host's huge pages do. */
	uint8_t *raw = mmap(NULL, bytes + BLOCK_SIZE, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (raw == MAP_FAILED)
		return NULL;
	uint8_t *base = (uint8_t *)(((uintptr_t)raw + BLOCK_SIZE - 1) & ~(BLOCK_SIZE - 1));
	if (base > raw)
		munmap(raw, (size_t)(base - raw));
	if (base < raw + BLOCK_SIZE)
		munmap(base + bytes, (size_t)(raw + BLOCK_SIZE - base));
	/* Without huge pages it is only slower, so a refusal does not matter. */
	madvise(base, bytes, MADV_HUGEPAGE);
	madvise(base, bytes, MADV_DONTFORK);
	return base;
}

int guest_memory_init(struct guest_memory *memory, uint64_t bytes)
{
	uint8_t *base = guest_memory_reserve(bytes);
	if (!base)
		return -errno;
	madvise(base, LAYOUT_IMAGE, MADV_NOHUGEPAGE);
	/* Pages that are there are mapped for the guest eight at a time; one by one they cost an exit each. */
	for (unsigned i = 0; i < sizeof(early) / sizeof(early[0]); i++)
		madvise(base + early[i], EARLY_BYTES, MADV_POPULATE_WRITE);
	*memory = (struct guest_memory){.base = base, .bytes = bytes};
	return 0;
}

void guest_memory_fini(struct guest_memory *memory)
{
	if (memory->base)
		munmap(memory->base, memory->bytes);
	*memory = (struct guest_memory){0};
}

void *guest_memory_at(const struct guest_memory *memory, gpa_t address, uint64_t bytes)
{
	if (address.value > memory->bytes || bytes > memory->bytes - address.value)
		return NULL;
	return memory->base + address.value;
}

const void *guest_memory_shown(const struct guest_memory *memory, gpa_t address, uint64_t bytes)
{
	uint64_t offset = address.value - LAYOUT_ROOT;
	if (!memory->root || address.value < LAYOUT_ROOT)
		return guest_memory_at(memory, address, bytes);
	if (offset > memory->root_bytes || bytes > memory->root_bytes - offset)
		return NULL;
	return memory->root + offset;
}

int guest_memory_read(const struct guest_memory *memory, gpa_t from, void *to, uint64_t bytes)
{
	const void *at = guest_memory_at(memory, from, bytes);
	if (!at)
		return -EFAULT;
	memcpy(to, at, bytes);
	return 0;
}

int guest_memory_write(const struct guest_memory *memory, gpa_t to, const void *from, uint64_t bytes)
{
	void *at = guest_memory_at(memory, to, bytes);
	if (!at)
		return -EFAULT;
	memcpy(at, from, bytes);
	return 0;
}
