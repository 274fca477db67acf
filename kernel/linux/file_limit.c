/* SPDX-License-Identifier: MIT */
/* How large a process may make files (setrlimit(2), RLIMIT_FSIZE): who goes beyond gets SIGXFSZ and EFBIG. */
#include "abi/errno.h"
#include "abi/linux_mman.h"
#include "abi/linux_signal.h"
#include "kernel/sched/process.h"
#include "kernel/sched/thread.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/limits.h"
#include "kernel/vfs/data.h"

static int refuse(void)
{
	const struct signal_origin origin = {.code = LINUX_SI_USER, .pid = (int)process_current->id};
	signal_queue(thread_current, LINUX_SIGXFSZ, &origin);
	return -EFBIG;
}

long data_write(struct inode *inode, const void *from, size_t bytes, uint64_t offset)
{
	uint64_t limit = limits_get(LINUX_RLIMIT_FSIZE);
	if (bytes && offset >= limit)
		return refuse();
	return data_write_unlimited(inode, from, bytes < limit - offset ? bytes : limit - offset, offset);
}

int data_truncate(struct inode *inode, uint64_t size)
{
	if (size > inode->size && size > limits_get(LINUX_RLIMIT_FSIZE))
		return refuse();
	return data_truncate_unlimited(inode, size);
}

int data_reserve(struct inode *inode, uint64_t offset, uint64_t bytes)
{
	if (offset + bytes > inode->size && offset + bytes > limits_get(LINUX_RLIMIT_FSIZE))
		return refuse();
	return data_reserve_unlimited(inode, offset, bytes);
}
