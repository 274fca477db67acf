/* SPDX-License-Identifier: MIT */
/* The limit on file sizes (setrlimit(2), RLIMIT_FSIZE): a process that exceeds it gets SIGXFSZ and EFBIG. A reservation
 * that does not fit as a whole (fallocate(2)) allocates nothing. */
#include "kernel/linux/files/file_limit.h"

#include "abi/errno.h"
#include "abi/linux_mman.h"
#include "abi/linux_signal.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/sched/process.h"
#include "kernel/sched/thread.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/limits.h"
#include "kernel/vfs/data.h"

static const uint8_t zeros[PAGE_SIZE];

static int refuse_growth(void)
{
	const struct signal_origin origin = {.code = LINUX_SI_USER, .pid = (int)process_current->id};
	signal_queue(thread_current, LINUX_SIGXFSZ, &origin);
	return -EFBIG;
}

long file_limit_write(struct inode *inode, const void *from, size_t bytes, uint64_t offset)
{
	uint64_t limit = limits_get(LINUX_RLIMIT_FSIZE);
	if (bytes && offset >= limit)
		return refuse_growth();
	return data_write_unlimited(inode, from, bytes < limit - offset ? bytes : limit - offset, offset);
}

int file_limit_truncate(struct inode *inode, uint64_t size)
{
	if (size > inode->size && size > limits_get(LINUX_RLIMIT_FSIZE))
		return refuse_growth();
	return data_truncate_unlimited(inode, size);
}

/* The number of bytes in a range of whole pages that have no memory. */
static uint64_t missing(struct inode *inode, uint64_t start, uint64_t end)
{
	uint64_t bytes = 0;
	size_t run;
	for (uint64_t at = start; at < end; at += run) {
		const void *data;
		run = end - at;
		data_map(inode, at, &data, &run);
		bytes += data ? 0 : run;
	}
	return bytes;
}

/* Turns all-zero pages of a range into holes. This frees the pages that a reservation has added. */
static void give_back_reserved(struct inode *inode, uint64_t start, uint64_t end)
{
	uint64_t from = start; /* start of the range that becomes a hole */
	size_t run;
	for (uint64_t at = start; at < end; at += run) {
		const void *data;
		run = end - at;
		data_map(inode, at, &data, &run);
		if (!data)
			continue;
		run = PAGE_SIZE;
		if (memcmp(data, zeros, PAGE_SIZE)) {
			data_punch(inode, from, at - from);
			from = at + PAGE_SIZE;
		}
	}
	if (from < end)
		data_punch(inode, from, end - from);
}

int file_limit_reserve(struct inode *inode, uint64_t offset, uint64_t bytes)
{
	if (offset + bytes > inode->size && offset + bytes > limits_get(LINUX_RLIMIT_FSIZE))
		return refuse_growth();
	uint64_t start = offset & ~(PAGE_SIZE - 1);
	uint64_t end = (offset + bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
	if (start < inode->data.backing_bytes)
		start = (inode->data.backing_bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
	if (missing(inode, start, end) > frame_free_bytes())
		return -ENOSPC;
	int error = data_reserve_unlimited(inode, offset, bytes);
	if (error)
		give_back_reserved(inode, start, end);
	return error;
}
