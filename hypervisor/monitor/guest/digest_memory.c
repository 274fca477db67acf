/* SPDX-License-Identifier: MIT */
/* Memory is hashed in two steps: each page by XXH3-128, and the list of these by SHA-256. That is fast enough for
 * gigabytes. */
#include "guest/digest_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "abi/layout.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static bool is_zero(const uint8_t *page)
{
	uint64_t word;
	memcpy(&word, page, sizeof(word));
	return word == 0 && memcmp(page, page + sizeof(word), PAGE_SIZE - sizeof(word)) == 0;
}

static void add_page(struct digest_sum *sum, uint64_t address, const uint8_t *page)
{
	if (is_zero(page))
		return;
	const XXH128_hash_t hash = XXH3_128bits(page, PAGE_SIZE);
	const struct digest_page entry = {address, hash.low64, hash.high64};
	digest_add(sum, &entry, sizeof(entry));
}

static int pagemap = -1;

int digest_memory_open(void)
{
	if (pagemap < 0)
		pagemap = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	return pagemap;
}

/* Finds the pages that the host has allocated, in memory or in swap (proc_pid_pagemap(5)). All others are zero. If the
 * host does not say, all pages count as allocated; hashing then takes longer. */
static void find_given(const uint8_t *base, uint64_t pages, uint64_t entries[])
{
	uint64_t offset = (uint64_t)base / PAGE_SIZE * sizeof(entries[0]);
	ssize_t bytes = (ssize_t)(pages * sizeof(entries[0]));
	if (pagemap < 0 || pread(pagemap, entries, (size_t)bytes, (off_t)offset) != bytes)
		memset(entries, 0xff, (size_t)bytes);
}

/* The memory to hash, and the page tables, which are left out. */
struct summed {
	const struct guest_memory *memory;
	uint64_t tables_low, tables_high;
};

static void add_pages(struct digest_sum *sum, const struct summed *what, uint64_t from, uint64_t to)
{
	for (uint64_t at = from; at < to; at += PAGE_SIZE)
		if (!(at >= what->tables_low && at < what->tables_high))
			add_page(sum, at, what->memory->base + at);
}

/* Adds the pages of memory backed by a file: all pages that the file has (lseek(2), SEEK_DATA). */
static void add_digest_file(struct digest_sum *sum, const struct summed *what, uint64_t from)
{
	const struct guest_memory *memory = what->memory;
	while (from < memory->bytes) {
		off_t data = lseek(memory->ram.file, (off_t)from, SEEK_DATA);
		if (data < 0 && errno == ENXIO) /* only a hole is left */
			return;
		off_t hole = data < 0 ? -1 : lseek(memory->ram.file, data, SEEK_HOLE);
		uint64_t at = data < 0 ? from : (uint64_t)data & ~(PAGE_SIZE - 1);
		uint64_t end = hole < 0 || (uint64_t)hole > memory->bytes ? memory->bytes : (uint64_t)hole;
		add_pages(sum, what, at, end);
		from = (end + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
	}
}

/* Adds the pages of anonymous memory: those that the monitor's process has. */
static void add_anonymous(struct digest_sum *sum, const struct summed *what, uint64_t from)
{
	enum { STRETCH = 4096 };
	static uint64_t entries[STRETCH];
	const struct guest_memory *memory = what->memory;
	digest_memory_open();
	for (uint64_t at = from; at < memory->bytes; at += STRETCH * PAGE_SIZE) {
		uint64_t pages = (memory->bytes - at) / PAGE_SIZE;
		if (pages > STRETCH)
			pages = STRETCH;
		find_given(memory->base + at, pages, entries);
		for (uint64_t i = 0; i < pages; i++) {
			uint64_t address = at + i * PAGE_SIZE;
			if (entries[i] >> 62)
				add_pages(sum, what, address, address + PAGE_SIZE);
		}
	}
}

void digest_memory(const struct guest_memory *memory, uint64_t from, uint64_t tables_low, uint64_t tables_high,
                   uint8_t out[DIGEST_BYTES])
{
	const struct summed what = {memory, tables_low, tables_high};
	struct digest_sum sum;
	digest_begin(&sum);
	if (memory->ram.file >= 0)
		add_digest_file(&sum, &what, from);
	else
		add_anonymous(&sum, &what, from);
	digest_end(&sum, out);
}
