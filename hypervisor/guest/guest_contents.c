/* SPDX-License-Identifier: MIT */
#include "guest/guest_contents.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/layout.h"
#include "base/array.h"

static uint64_t pages_bytes(uint64_t bytes)
{
	return (bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

int guest_contents_add(struct guest_contents *contents, const struct guest_content *content)
{
	const uint64_t bytes = pages_bytes(content->bytes);
	if (!array_reserve(contents->list, contents->room, contents->count + 1))
		return -ENOMEM;
	void *at = mmap(NULL, bytes, PROT_READ, MAP_SHARED, content->fd, 0);
	if (at == MAP_FAILED)
		return -errno;
	const struct host_memory memory = {.base = at, .bytes = bytes, .file = content->fd};
	int result = contents->show(contents->engine, content->address, &memory, bytes);
	if (result) {
		munmap(at, bytes);
		return result;
	}
	struct guest_content *added = &contents->list[contents->count++];
	*added = *content;
	added->at = at;
	return 0;
}

const struct guest_content *guest_contents_find(const struct guest_contents *contents, uint64_t address)
{
	size_t low = 0, high = contents->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (contents->list[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	const struct guest_content *found = low ? &contents->list[low - 1] : NULL;
	return found && address - found->address < pages_bytes(found->bytes) ? found : NULL;
}

const void *guest_contents_at(const struct guest_contents *contents, uint64_t address, uint64_t bytes)
{
	const struct guest_content *found = guest_contents_find(contents, address);
	if (!found || bytes > pages_bytes(found->bytes) - (address - found->address))
		return NULL;
	return found->at + (address - found->address);
}

uint64_t guest_contents_end(const struct guest_contents *contents)
{
	const struct guest_content *last = contents->count ? &contents->list[contents->count - 1] : NULL;
	return last ? last->address + pages_bytes(last->bytes) : LAYOUT_CONTENTS;
}

void guest_contents_fini(struct guest_contents *contents)
{
	for (size_t i = 0; i < contents->count; i++) {
		munmap((void *)contents->list[i].at, pages_bytes(contents->list[i].bytes));
		close(contents->list[i].fd);
	}
	free(contents->list);
	*contents = (struct guest_contents){0};
}
