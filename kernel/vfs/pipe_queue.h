/* SPDX-License-Identifier: MIT */
/* The contents of a pipe. Bytes are in a ring, and all of it can be filled, unless personality.pipe_rules limits the
 * room: for Linux programs kernel/linux/files/pipe_pages.c does. */
#ifndef KERNEL_VFS_PIPE_QUEUE_H
#define KERNEL_VFS_PIPE_QUEUE_H

#include "kernel/vfs/pipe.h"
#include "kernel/vfs/readiness.h"

#define PIPE_PAGES 16 /* initial size in pages */
#define PIPE_BYTES_MAX 0x100000UL

/** A page of a pipe as Linux has it, with bytes from start to end. */
struct pipe_page {
	uint16_t start, end;
	bool is_packet; /**< takes no more bytes (O_DIRECT) */
};

struct pipe {
	uint8_t *buffer; /**< NULL until the first write */
	size_t size;     /**< of the buffer, a power of two */
	size_t head;     /**< offset of the first byte queued */
	size_t count;    /**< bytes queued */
	uint32_t readers;
	uint32_t writers;
	uint32_t reader_opens; /**< counts opens that found no reader; waiters compare it to detect a change */
	uint32_t writer_opens;
	struct readiness_queue reading, writing, opening;
	/* For personality.pipe_rules: a ring of size / PAGE_SIZE pages. */
	struct pipe_page own_pages[PIPE_PAGES], *more_pages; /**< more_pages: used after a change of size, else NULL */
	uint32_t first_page, page_count;
};

/** Rules for the room in pipes: personality.pipe_rules. */
struct pipe_rules {
	/** The number of bytes of a write that fit now, or a larger number if all fit. A write of up to LINUX_PIPE_BUF
	 * gets all or nothing. */
	size_t (*room)(const struct pipe *pipe, size_t bytes);
	/** `done` of `bytes` bytes were written, at most as many as there was room for. */
	void (*given)(struct pipe *pipe, const struct file *file, size_t bytes, size_t done);
	/** Bytes were read or dropped. */
	void (*taken)(struct pipe *pipe, size_t bytes);
	/** The size is about to change to a power of two, at least a page. Returns 0, -EBUSY or -ENOMEM. */
	int (*resize)(struct pipe *pipe, size_t size);
	/** The pipe is being destroyed. */
	void (*end)(struct pipe *pipe);
};

#endif
