/* SPDX-License-Identifier: MIT */
#include "confine/host_oom.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VMSTAT_BYTES 16384 /* four times the size of the file */

int host_oom_open(void)
{
	return open("/proc/vmstat", O_RDONLY | O_CLOEXEC);
}

uint64_t host_oom_count(int fd)
{
	static const char name[] = "\noom_kill ";
	static char text[VMSTAT_BYTES];
	size_t bytes = 0;
	ssize_t got = 1;
	while (fd >= 0 && got > 0 && bytes < sizeof(text) - 1) {
		got = pread(fd, text + bytes, sizeof(text) - 1 - bytes, (off_t)bytes);
		bytes += got > 0 ? (size_t)got : 0;
	}
	text[bytes] = 0;
	const char *at = strstr(text, name);
	return at ? strtoul(at + sizeof(name) - 1, NULL, 10) : 0;
}
