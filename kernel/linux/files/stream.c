/* SPDX-License-Identifier: MIT */
/* Standard streams, as event loops of Linux programs ask for them. Nothing is told of what the host has already sent,
 * as that depends on its speed: input is always ready, and a read waits for it; none is known to be there. */
#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/vfs/device.h"

unsigned int device_stream_poll(struct file *file)
{
	return (file->readable ? LINUX_POLLIN | LINUX_POLLRDNORM : 0) |
	       (file->writable ? LINUX_POLLOUT | LINUX_POLLWRNORM : 0);
}

long device_stream_ioctl(struct file *file, unsigned long request, void *arg)
{
	static const int none;
	(void)file;
	return request == LINUX_FIONREAD ? copy_to_user(arg, &none, sizeof(none)) : -ENOTTY;
}
