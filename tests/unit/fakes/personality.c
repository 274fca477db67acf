/* SPDX-License-Identifier: MIT */
/* The personality of tests that are linked with the VFS, and its system calls: as those of native images. */
#include "kernel/personality.h"

#include "kernel/sys/file_descriptor.h"
#include "kernel/sys/file_io.h"
#include "kernel/sys/sys.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/namei.h"

static int file_set_async(int fd, struct file *file, bool on)
{
	(void)fd, (void)file, (void)on;
	return 0;
}

const struct personality personality = {
	.data_write = data_write_unlimited,
	.data_truncate = data_truncate_unlimited,
	.data_reserve = data_reserve_unlimited,
	.inode_contents_writable = inode_writable,
	.namei_make = namei_make,
	.file_set_async = file_set_async,
	.file_owner = file_descriptor_no_owner,
	.file_vector = file_io_own_vector,
};

long sys_lseek(int fd, long offset, int whence)
{
	return file_io_seek(fd, offset, whence);
}

long sys_ioctl(int fd, unsigned long request, void *arg)
{
	return file_descriptor_ioctl(fd, request, arg);
}
