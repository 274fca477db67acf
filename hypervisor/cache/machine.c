/* SPDX-License-Identifier: MIT */
#include "cache/machine.h"

#include <fcntl.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t machine_number(void)
{
	static uint64_t number;
	struct {
		char id[64], name[sizeof(((struct utsname *)0)->nodename)];
	} of;
	struct utsname names;
	if (number)
		return number;
	memset(&of, 0, sizeof(of)); /* also behind the strings, because it is hashed */
	int fd = open("/etc/machine-id", O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		if (read(fd, of.id, sizeof(of.id) - 1) < 0)
			of.id[0] = 0;
		close(fd);
	}
	if (!uname(&names))
		memcpy(of.name, names.nodename, strlen(names.nodename));
	return number = XXH3_64bits(&of, sizeof(of)) | 1;
}
