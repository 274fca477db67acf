/* SPDX-License-Identifier: MIT */
#include "hostfs/host_streams.h"

#include <fcntl.h>
#include <unistd.h>

#define STREAMS 6

/* The descriptors of standard output and error, and of others, and the stamps of their files from before the run; a
 * mode of 0: none. */
static int fds[STREAMS] = {STDOUT_FILENO, STDERR_FILENO, -1, -1, -1, -1};
static struct host_stamp streams[STREAMS];

void host_streams_also(int fd)
{
	for (unsigned i = STDERR_FILENO; i < STREAMS; i++)
		if (fds[i] < 0) {
			fds[i] = fd;
			return;
		}
}

static bool is_written_at_its_end(int fd, const struct stat *st)
{
	int flags = fcntl(fd, F_GETFL);
	return S_ISREG(st->st_mode) && flags >= 0 && (flags & O_ACCMODE) != O_RDONLY &&
	       (flags & O_APPEND || lseek(fd, 0, SEEK_CUR) >= st->st_size);
}

void host_streams_begin(void)
{
	for (unsigned i = 0; i < STREAMS; i++) {
		struct stat st;
		streams[i] = (struct host_stamp){0};
		if (!fstat(fds[i], &st) && is_written_at_its_end(fds[i], &st))
			streams[i] = host_stamp_of(&st);
	}
	/* If both are one file, and the other descriptor does not write at its end, its old contents can change. */
	for (unsigned i = 0; i < 2; i++) {
		struct stat other;
		if (streams[i].mode && !fstat(fds[!i], &other) && other.st_dev == streams[i].dev &&
		    other.st_ino == streams[i].ino && !streams[!i].mode)
			streams[i].mode = 0;
	}
}

bool host_streams_restore(struct host_stamp *stamp)
{
	for (unsigned i = 0; i < STREAMS; i++) {
		const struct host_stamp *was = &streams[i];
		if (!was->mode || was->dev != stamp->dev || was->ino != stamp->ino || stamp->size < was->size)
			continue;
		stamp->size = was->size;
		stamp->mtime = was->mtime;
		stamp->ctime = was->ctime;
		return true;
	}
	return false;
}
