/* SPDX-License-Identifier: MIT */
/* Standard streams, for event loops of Linux programs. They do not show how much input has already arrived, because
 * that depends on the host's speed. Input is always ready, and a read waits for it; FIONREAD reports 0 bytes. */
#include "kernel/linux/files/stream.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/vfs/file.h"

unsigned int stream_poll(struct file *file)
{
	return (file->readable ? LINUX_POLLIN | LINUX_POLLRDNORM : 0) |
	       (file->writable ? LINUX_POLLOUT | LINUX_POLLWRNORM : 0);
}

long stream_ioctl(struct file *file, unsigned long request, void *arg)
{
	static const int none;
	(void)file;
	return request == LINUX_FIONREAD ? copy_to_user(arg, &none, sizeof(none)) : -ENOTTY;
}
