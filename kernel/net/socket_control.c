/* SPDX-License-Identifier: MIT */
/* Control data are cut where the program's buffer ends, and MSG_CTRUNC says so. */
#include "kernel/net/socket_control.h"

#include "abi/errno.h"
#include "abi/linux_socket.h"
#include "kernel/arch/uaccess.h"

int socket_control_put(struct socket_control *control, int level, int type, const void *data, uint64_t bytes)
{
	struct linux_cmsghdr header = {sizeof(header) + bytes, level, type};
	if (control->room < sizeof(header)) {
		control->told |= LINUX_MSG_CTRUNC;
		return 0;
	}
	if (control->room < header.cmsg_len) {
		control->told |= LINUX_MSG_CTRUNC;
		header.cmsg_len = control->room;
	}
	if (copy_to_user((void *)control->at, &header, sizeof(header)) ||
	    copy_to_user((char *)control->at + sizeof(header), data, header.cmsg_len - sizeof(header)))
		return -EFAULT;
	uint64_t space = (header.cmsg_len + 7) & ~7UL;
	space = space < control->room ? space : control->room;
	control->at += space;
	control->room -= space;
	return 0;
}
