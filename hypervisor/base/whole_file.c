/* SPDX-License-Identifier: MIT */
#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reads up to `room` bytes, fewer if the file ends before. Returns their number or a negative errno. */
static ssize_t whole_file_read_all(int fd, uint8_t *to, size_t room)
{
	size_t got = 0;
	while (got < room) {
		const ssize_t part = read(fd, to + got, room - got);
		if (part < 0 && errno != EINTR)
			return -errno;
		if (!part)
			break;
		got += part > 0 ? (size_t)part : 0;
	}
	return (ssize_t)got;
}

int whole_file_read(const char *path, size_t max, void **bytes, size_t *count)
{
	struct stat st;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	ssize_t result = fstat(fd, &st)             ? -errno
	                 : !S_ISREG(st.st_mode)     ? -EINVAL
	                 : (size_t)st.st_size > max ? -EFBIG
	                                            : 0;
	uint8_t *to = result ? NULL : malloc((size_t)st.st_size + 1);
	if (!result)
		result = to ? whole_file_read_all(fd, to, (size_t)st.st_size) : -ENOMEM;
	close(fd);
	if (result < 0) {
		free(to);
		return (int)result;
	}
	*bytes = to;
	*count = (size_t)result;
	return 0;
}
