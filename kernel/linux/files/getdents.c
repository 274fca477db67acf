/* SPDX-License-Identifier: MIT */
/* getdents(2), which programs without a C library still call: getdents64(2) with the type after the name. Entries of
 * both have the same size. */
#include <stddef.h>

#include "abi/errno.h"
#include "abi/linux.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/sys/sys.h"

#define ENTRY_BYTES_MAX 280 /* the size of an entry whose name has 255 bytes */

/* Moves an entry's name to the place of its type, and the type to the entry's last byte. Returns its size or a negative
 * errno. */
static long convert_entry(uint8_t *user)
{
	uint8_t entry[ENTRY_BYTES_MAX];
	uint16_t bytes;
	const size_t type_at = offsetof(struct linux_dirent64, d_type),
		     size_at = offsetof(struct linux_dirent64, d_reclen);
	if (copy_from_user(&bytes, user + size_at, sizeof(bytes)) || bytes > sizeof(entry) || bytes <= type_at ||
	    copy_from_user(entry, user, bytes))
		return -EFAULT;
	const uint8_t type = entry[type_at];
	memmove(entry + type_at, entry + type_at + 1, bytes - type_at - 1);
	entry[bytes - 1] = type;
	return copy_to_user(user, entry, bytes) ? -EFAULT : bytes;
}

long sys_getdents(int fd, void *entries, unsigned int bytes)
{
	long total = sys_getdents64(fd, entries, bytes), done = 0;
	while (done < total) {
		long size = convert_entry((uint8_t *)entries + done);
		if (size < 0)
			return size;
		done += size;
	}
	return total;
}
