/* SPDX-License-Identifier: MIT */
/* Addresses between the program's memory and the kernel's. Each family checks the contents. */
#include "kernel/net/socket_name.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"

#define STORAGE_BYTES 128 /* struct sockaddr_storage */

int socket_name_copy(const void *user, int bytes, struct socket_address *name)
{
	memset(name, 0, sizeof(*name));
	if (bytes < 0 || bytes > STORAGE_BYTES)
		return -EINVAL;
	if (copy_from_user(&name->un, user, (size_t)bytes < sizeof(name->un) ? (size_t)bytes : sizeof(name->un)))
		return -EFAULT;
	name->bytes = (uint32_t)bytes;
	return 0;
}

int socket_name_store(const struct socket_address *name, void *user, int *user_bytes)
{
	int room, bytes = (int)name->bytes;
	if (copy_from_user(&room, user_bytes, sizeof(room)))
		return -EFAULT;
	if (room < 0)
		return -EINVAL;
	if (copy_to_user(user, &name->un, (size_t)(bytes < room ? bytes : room)) ||
	    copy_to_user(user_bytes, &bytes, sizeof(bytes)))
		return -EFAULT;
	return 0;
}
