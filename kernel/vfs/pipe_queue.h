/* SPDX-License-Identifier: MIT */
/* What is in a pipe. Bytes lie one behind the other in a ring, and there is room up to its end, unless somebody else
 * says how much there is: for Linux programs kernel/linux/files/pipe_pages.c. */
#ifndef KERNEL_VFS_PIPE_QUEUE_H
#define KERNEL_VFS_PIPE_QUEUE_H

#include "kernel/vfs/pipe.h"
#include "kernel/vfs/readiness.h"

#define PIPE_PAGES 16 /* of a pipe that nobody has resized */
#define PIPE_BYTES_MAX 0x100000UL

/** A page of a pipe of Linux's, with bytes from start to end. */
struct pipe_page {
	uint16_t start, end;
	bool is_packet; /**< nothing is added to it (O_DIRECT) */
};

struct pipe {
	uint8_t *buffer; /**< NULL until the first write */
	size_t size;     /**< of the buffer, a power of two */
	size_t head;     /**< offset of the first byte queued */
	size_t count;    /**< bytes queued */
	uint32_t readers;
	uint32_t writers;
	uint32_t reader_opens; /**< how often a first one came; only compared for having changed */
	uint32_t writer_opens;
	struct readiness_queue reading, writing, opening;
	/* Those of pipe_rules: a ring of size / PAGE_SIZE. */
	struct pipe_page own_pages[PIPE_PAGES], *more_pages; /**< the latter when it was resized, else NULL */
	uint32_t first_page, page_count;
};

/** What may be written. */
struct pipe_rules {
	/** How many bytes of a write of so many there is room for now, or more; up to LINUX_PIPE_BUF all or none. */
	size_t (*room)(const struct pipe *pipe, size_t bytes);
	/** Of so many bytes some were written, no more than there was room for. */
	void (*given)(struct pipe *pipe, const struct file *file, size_t bytes, size_t done);
	/** Bytes were read, or dropped. */
	void (*taken)(struct pipe *pipe, size_t bytes);
	/** It is about to have another size, a power of two from a page on. 0, -EBUSY or -ENOMEM. */
	int (*resize)(struct pipe *pipe, size_t size);
	/** It ends. */
	void (*end)(struct pipe *pipe);
};

/** NULL: the bytes that are left are the room. */
extern const struct pipe_rules *pipe_rules;

#endif
