/* SPDX-License-Identifier: MIT */
#include "guest/guest_contents.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "abi/layout.h"
#include "base/array.h"
#include "base/mapped_file.h"
#include "base/search.h"

/* The file for copies in memory. It is kept for further guests, because a confined monitor may not change limits. */
static struct {
	int file; /* -1: none yet */
	uint64_t bytes;
} kept = {.file = -1};

/* Gives the file its size. RLIMIT_FSIZE is meant for files that the user sees: here only its hard limit counts. */
static int size_content_file(int file, uint64_t *bytes)
{
	struct rlimit limit, raised;
	*bytes = LAYOUT_CONTENTS_SIZE;
	if (getrlimit(RLIMIT_FSIZE, &limit))
		return -errno;
	if (limit.rlim_max < *bytes)
		*bytes = limit.rlim_max & ~(PAGE_SIZE - 1);
	raised = (struct rlimit){limit.rlim_max, limit.rlim_max};
	setrlimit(RLIMIT_FSIZE, &raised);
	int result = ftruncate(file, (off_t)*bytes) ? -errno : 0;
	setrlimit(RLIMIT_FSIZE, &limit);
	return result;
}

int guest_contents_init(struct guest_contents *contents)
{
	int result = 0;
	if (kept.file >= 0) {
		result = fallocate(kept.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)kept.bytes) ? -errno
		                                                                                                : 0;
	} else {
		kept.file = memfd_create("contents", MFD_CLOEXEC);
		result = kept.file < 0 ? -errno : size_content_file(kept.file, &kept.bytes);
	}
	contents->file = kept.file;
	contents->file_bytes = kept.bytes;
	contents->file_is_used = true;
	return result;
}

static uint64_t pages_bytes(uint64_t bytes)
{
	return (bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

static void close_content_file(struct guest_content_file *entry)
{
	if (entry->file >= 0 && entry->is_own)
		close(entry->file);
	entry->file = -1;
}

/* Keeps the file of the newest content open. A failure only costs time. */
static void keep_open(struct guest_contents *contents, const struct guest_content *content, int fd, uint64_t offset)
{
	const size_t number = contents->count % GUEST_CONTENTS_OPEN;
	struct guest_content_file *entry = &contents->open[number];
	const bool is_own = fd != contents->file;
	if (contents->open_count > number)
		close_content_file(entry);
	else
		contents->open_count = number + 1;
	*entry = (struct guest_content_file){.file = is_own ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : fd,
	                                     .is_own = is_own,
	                                     .address = content->address,
	                                     .end = content->address + pages_bytes(content->bytes),
	                                     .offset = offset};
}

/* Shows a part of a file. */
static int show_part(struct guest_contents *contents, const struct guest_content *content, int fd, uint64_t offset,
                     bool *is_used)
{
	const uint64_t bytes = pages_bytes(content->bytes);
	if (!array_reserve(contents->list, contents->room, contents->count + 1))
		return -ENOMEM;
	void *at;
	int result = mapped_file(fd, (off_t)offset, bytes, &at);
	if (result)
		return result;
	const struct host_memory memory = {
		.base = (uint8_t *)at - offset, .bytes = offset + bytes, .file = fd, .is_used = is_used};
	result = contents->show(contents->engine, content->address, &memory, offset, bytes);
	if (result) {
		mapped_file_close(at, bytes);
		return result;
	}
	keep_open(contents, content, fd, offset);
	struct guest_content *added = &contents->list[contents->count++];
	*added = *content;
	added->at = at;
	return 0;
}

int guest_contents_add_file(struct guest_contents *contents, const struct guest_content *content, int fd,
                            uint64_t offset)
{
	return show_part(contents, content, fd, offset, NULL);
}

void *guest_contents_begin_copy(struct guest_contents *contents, uint64_t bytes)
{
	if (contents->file < 0 || pages_bytes(bytes) > contents->file_bytes - contents->end) {
		errno = EFBIG;
		return NULL;
	}
	void *at = mmap(NULL, pages_bytes(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, contents->file,
	                (off_t)contents->end);
	return at == MAP_FAILED ? NULL : at;
}

int guest_contents_end_copy(struct guest_contents *contents, const struct guest_content *content, void *copy, int error)
{
	munmap(copy, pages_bytes(content->bytes));
	if (error)
		return error;
	int result = show_part(contents, content, contents->file, contents->end, &contents->file_is_used);
	if (!result)
		contents->end += pages_bytes(content->bytes);
	return result;
}

const struct guest_content *guest_contents_find(const struct guest_contents *contents, uint64_t address)
{
	const size_t behind = search_first(contents->count, at, contents->list[at].address <= address);
	const struct guest_content *found = behind ? &contents->list[behind - 1] : NULL;
	return found && address - found->address < pages_bytes(found->bytes) ? found : NULL;
}

const void *guest_contents_at(const struct guest_contents *contents, uint64_t address, uint64_t bytes)
{
	const struct guest_content *found = guest_contents_find(contents, address);
	if (!found || bytes > pages_bytes(found->bytes) - (address - found->address))
		return NULL;
	return found->at + (address - found->address);
}

/* The file that is still open of the content at an address, or NULL. */
static const struct guest_content_file *open_content_file(const struct guest_contents *contents, uint64_t address)
{
	for (size_t i = 0; i < contents->open_count; i++) {
		const struct guest_content_file *entry = &contents->open[i];
		if (entry->file >= 0 && address >= entry->address && address < entry->end)
			return entry;
	}
	return NULL;
}

void guest_contents_fill(const struct guest_contents *contents, uint64_t address, uint64_t bytes)
{
	const struct guest_content_file *entry = open_content_file(contents, address);
	if (entry)
		contents->fill(contents->engine, address, bytes, entry->file,
		               entry->offset + (address - entry->address));
}

/* Reads from a file that is still open. Returns whether it has all of that. */
static bool read_open(const struct guest_contents *contents, uint64_t address, uint64_t bytes, void *to)
{
	const struct guest_content_file *entry = open_content_file(contents, address);
	return entry &&
	       pread(entry->file, to, bytes, (off_t)(entry->offset + (address - entry->address))) == (ssize_t)bytes;
}

bool guest_contents_copy(const struct guest_contents *contents, uint64_t address, uint64_t bytes, void *to)
{
	const void *from = guest_contents_at(contents, address, bytes);
	if (from && !read_open(contents, address, bytes, to))
		memcpy(to, from, bytes); /* of a file that ends within the last page, too */
	return from != NULL;
}

uint64_t guest_contents_end(const struct guest_contents *contents)
{
	const struct guest_content *last = contents->count ? &contents->list[contents->count - 1] : NULL;
	return last ? last->address + pages_bytes(last->bytes) : LAYOUT_CONTENTS;
}

void guest_contents_fini(struct guest_contents *contents)
{
	for (size_t i = 0; i < contents->open_count; i++)
		close_content_file(&contents->open[i]);
	for (size_t i = 0; i < contents->count; i++)
		mapped_file_close((void *)contents->list[i].at, pages_bytes(contents->list[i].bytes));
	free(contents->list);
	*contents = (struct guest_contents){.file = -1};
}
