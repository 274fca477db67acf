/* SPDX-License-Identifier: MIT */
/* Guest RAM is one mapping of huge pages. In anonymous memory, which is KVM's, the boot area has small pages: KVM maps
 * a block that holds page tables by small pages in any case. */
#include "guest/guest_memory.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "abi/layout.h"
#include "guest/guest_contents.h"

/* The parts of the boot area that every guest touches: its tables and boot information; the last page of the arguments
 * and the first pages of the console ring; the first page tables. */
#define EARLY_BYTES (8 * PAGE_SIZE)

static const uint64_t early[] = {
	LAYOUT_GDT,
	(LAYOUT_CONSOLE_RING - PAGE_SIZE) & ~(EARLY_BYTES - 1),
	LAYOUT_PAGE_TABLES,
	LAYOUT_PAGE_TABLES + EARLY_BYTES,
};

int guest_memory_init_by(struct guest_memory *memory, host_memory_reserve *reserve, uint64_t bytes)
{
	struct host_memory ram;
	int result = reserve(&ram, bytes);
	if (result)
		return result;
	if (ram.file < 0)
		madvise(ram.base, LAYOUT_IMAGE, MADV_NOHUGEPAGE);
	/* Allocates these pages now. The host maps present pages for the guest eight at a time, and absent ones one by
	 * one, with an exit each. */
	for (unsigned i = 0; i < sizeof(early) / sizeof(early[0]); i++)
		madvise(ram.base + early[i], EARLY_BYTES, MADV_POPULATE_WRITE);
	*memory = (struct guest_memory){.ram = ram, .base = ram.base, .bytes = bytes};
	return 0;
}

int guest_memory_init(struct guest_memory *memory, uint64_t bytes)
{
	return guest_memory_init_by(memory, host_memory_anonymous, bytes);
}

void guest_memory_fini(struct guest_memory *memory)
{
	host_memory_release(&memory->ram);
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
	if (memory->contents && address.value >= LAYOUT_CONTENTS)
		return guest_contents_at(memory->contents, address.value, bytes);
	if (!memory->root || address.value < LAYOUT_ROOT)
		return guest_memory_at(memory, address, bytes);
	if (offset > memory->root_bytes || bytes > memory->root_bytes - offset)
		return NULL;
	return memory->root + offset;
}

int guest_memory_read_shown(const struct guest_memory *memory, gpa_t from, void *to, uint64_t bytes)
{
	const void *at = guest_memory_shown(memory, from, bytes);
	if (!at)
		return -EFAULT;
	guest_memory_copy(to, at, bytes);
	return 0;
}

int guest_memory_read(const struct guest_memory *memory, gpa_t from, void *to, uint64_t bytes)
{
	const void *at = guest_memory_at(memory, from, bytes);
	if (!at)
		return -EFAULT;
	guest_memory_copy(to, at, bytes);
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
