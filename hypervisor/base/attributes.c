/* SPDX-License-Identifier: MIT */
/* An O_PATH descriptor keeps referring to its object if the name changes. Its entry in /proc leads to the object. */
#include "base/attributes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int set_mode_and_time(int fd, uint32_t mode, int64_t time_ns)
{
	char name[40];
	const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT},
	                                  {.tv_sec = time_ns / 1000000000, .tv_nsec = time_ns % 1000000000}};
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (mode != ATTRIBUTES_NO_MODE && chmod(name, mode & 0777))
		return -errno;
	if (time_ns != ATTRIBUTES_NO_TIME && utimensat(AT_FDCWD, name, times, 0))
		return -errno;
	return 0;
}

int attributes_set(int fd, const char *leaf, uint32_t mode, int64_t time_ns)
{
	struct stat st;
	if (!*leaf) {
		if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_nlink)
			return -EPERM;
		return set_mode_and_time(fd, mode, time_ns);
	}
	if (strchr(leaf, '/') || !strcmp(leaf, ".") || !strcmp(leaf, ".."))
		return -EPERM;
	int object = openat(fd, leaf, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (object < 0)
		return -errno;
	int result = fstat(object, &st) || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
	                     ? -EPERM
	                     : set_mode_and_time(object, mode, time_ns);
	close(object);
	return result;
}
