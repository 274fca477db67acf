/* SPDX-License-Identifier: MIT */
/* The pages are only accounts of room. The bytes are in the common ring, and never exceed the room of the pages. */
#include "kernel/linux/files/pipe_pages.h"

#include "abi/errno.h"
#include "abi/layout.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/sys/file_io.h"
#include "kernel/vfs/pipe_queue.h"

static struct pipe_page *page_at(const struct pipe *pipe, uint32_t index)
{
	const struct pipe_page *ring = pipe->more_pages ? pipe->more_pages : pipe->own_pages;
	return (struct pipe_page *)&ring[(pipe->first_page + index) % (pipe->size / PAGE_SIZE)];
}

/* The number of bytes of a write that go into the last page. */
static size_t merged(const struct pipe *pipe, size_t bytes)
{
	size_t beyond = bytes % PAGE_SIZE;
	if (!pipe->page_count)
		return 0;
	const struct pipe_page *last = page_at(pipe, pipe->page_count - 1);
	return !last->is_packet && last->end + beyond <= PAGE_SIZE ? beyond : 0;
}

static size_t room(const struct pipe *pipe, size_t bytes)
{
	return merged(pipe, bytes) + (pipe->size / PAGE_SIZE - pipe->page_count) * PAGE_SIZE;
}

static void given(struct pipe *pipe, const struct file *file, size_t bytes, size_t done)
{
	size_t part = merged(pipe, bytes);
	part = part < done ? part : done;
	if (part)
		page_at(pipe, pipe->page_count - 1)->end += (uint16_t)part;
	for (done -= part; done; done -= part) {
		part = done < PAGE_SIZE ? done : PAGE_SIZE;
		assert(pipe->page_count < pipe->size / PAGE_SIZE);
		*page_at(pipe, pipe->page_count++) =
			(struct pipe_page){.end = (uint16_t)part, .is_packet = file->flags & LINUX_O_DIRECT};
	}
}

static void take_pages(struct pipe *pipe, size_t bytes)
{
	while (bytes) {
		struct pipe_page *page = page_at(pipe, 0);
		size_t part = page->end - page->start;
		assert(pipe->page_count > 0);
		if (part > bytes) {
			page->start += (uint16_t)bytes;
			return;
		}
		pipe->first_page = (pipe->first_page + 1) % (uint32_t)(pipe->size / PAGE_SIZE);
		pipe->page_count--;
		bytes -= part;
	}
}

static int resize(struct pipe *pipe, size_t size)
{
	if (pipe->page_count > size / PAGE_SIZE)
		return -EBUSY;
	struct pipe_page *pages = kmalloc(size / PAGE_SIZE * sizeof(*pages));
	if (!pages)
		return -ENOMEM;
	for (uint32_t i = 0; i < pipe->page_count; i++)
		pages[i] = *page_at(pipe, i);
	kfree(pipe->more_pages);
	pipe->more_pages = pages;
	pipe->first_page = 0;
	return 0;
}

static void free_pages_of(struct pipe *pipe)
{
	kfree(pipe->more_pages);
}

const struct pipe_rules pipe_pages_rules = {room, given, take_pages, resize, free_pages_of};

/* --- writev(2) --- */

/* The part of a vector that is still to be taken. */
struct rest {
	const struct linux_iovec *iov, *end;
	size_t done; /* of the first */
	size_t bytes;
};

/* Copies the next bytes, which exist. Returns 0 or -EFAULT. */
static int gather_rest(struct rest *rest, uint8_t *to, size_t bytes)
{
	rest->bytes -= bytes;
	while (bytes) {
		size_t part = rest->iov->iov_len - rest->done;
		part = part < bytes ? part : bytes;
		if (part && copy_from_user(to, (const char *)rest->iov->iov_base + rest->done, part) < 0)
			return -EFAULT;
		to += part;
		bytes -= part;
		rest->done += part;
		if (rest->done == rest->iov->iov_len) {
			rest->iov++;
			rest->done = 0;
		}
	}
	return 0;
}

/* Writes a vector like a single write(2): first into the last page, and then page by page. */
static long write_pipe_vector(struct file *file, const struct linux_iovec *iov, unsigned long count, bool writing)
{
	struct rest rest = {.iov = iov};
	long total = 0, result = 0;
	(void)writing;
	for (unsigned long i = 0; i < count; i++)
		rest.bytes += iov[i].iov_len;
	uint8_t *page = kmalloc(PAGE_SIZE);
	if (!page)
		return -ENOMEM;
	while (rest.bytes && result >= 0) {
		size_t part = total ? 0 : merged(pipe_of(file), rest.bytes);
		if (!part)
			part = rest.bytes < PAGE_SIZE ? rest.bytes : PAGE_SIZE;
		result = gather_rest(&rest, page, part);
		if (!result)
			result = file->ops->write(file, page, part, &file->pos);
		total += result > 0 ? result : 0;
	}
	kfree(page);
	if (total && result == -EPIPE)
		pipe_broken();
	return total ? total : result;
}

file_io_vector *pipe_pages_vector(const struct file *file, bool writing)
{
	return pipe_of(file) && writing ? write_pipe_vector : file->ops->vector;
}
