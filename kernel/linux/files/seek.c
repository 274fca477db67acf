/* SPDX-License-Identifier: MIT */
/* lseek(2) on files without a position, some of which accept it on Linux. */
#include "abi/errno.h"
#include "kernel/linux/event/pidfd.h"
#include "kernel/sys/file_io.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/anon.h"

/* Files whose position stays 0 on Linux (noop_llseek): all but process descriptors. */
static bool stays_at_start(int fd)
{
	struct linux_process *process;
	bool nonblocking;
	const struct file *file = anon_get(fd);
	return file && anon_name(file->inode) && pidfd_find(fd, &process, &nonblocking);
}

long sys_lseek(int fd, long offset, int whence)
{
	long result = file_io_seek(fd, offset, whence);
	return result == -ESPIPE && stays_at_start(fd) ? 0 : result;
}
