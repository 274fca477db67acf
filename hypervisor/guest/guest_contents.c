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

/* Shows a part of a file. */
static int add(struct guest_contents *contents, const struct guest_content *content, int fd, uint64_t offset,
               bool *is_used)
{
	const uint64_t bytes = pages_bytes(content->bytes);
	if (!array_reserve(contents->list, contents->room, contents->count + 1))
		return -ENOMEM;
	uint8_t *at = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, (off_t)offset);
	if (at == MAP_FAILED)
		return -errno;
	const struct host_memory memory = {
		.base = at - offset, .bytes = offset + bytes, .file = fd, .is_used = is_used};
	int result = contents->show(contents->engine, content->address, &memory, offset, bytes);
	if (result) {
		munmap(at, bytes);
		return result;
	}
	struct guest_content *added = &contents->list[contents->count++];
	*added = *content;
	added->at = at;
	return 0;
}

int guest_contents_add_stored(struct guest_contents *contents, const struct guest_content *content, int fd)
{
	return add(contents, content, fd, 0, NULL);
}

int guest_contents_begin_copy(struct guest_contents *contents, uint64_t bytes, uint64_t *offset)
{
	if (!contents->file) {
		int file = memfd_create("contents", MFD_CLOEXEC);
		if (file < 0)
			return -errno;
		contents->file = file;
		contents->file_is_used = true;
	}
	*offset = contents->end;
	if (ftruncate(contents->file, (off_t)(contents->end + pages_bytes(bytes))))
		return -errno;
	contents->end += pages_bytes(bytes);
	return contents->file;
}

int guest_contents_add_copy(struct guest_contents *contents, const struct guest_content *content, uint64_t offset)
{
	return add(contents, content, contents->file, offset, &contents->file_is_used);
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
	for (size_t i = 0; i < contents->count; i++)
		munmap((void *)contents->list[i].at, pages_bytes(contents->list[i].bytes));
	if (contents->file)
		close(contents->file);
	free(contents->list);
	*contents = (struct guest_contents){0};
}
