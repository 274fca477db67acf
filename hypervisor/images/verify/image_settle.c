/* SPDX-License-Identifier: MIT */
#include "verify/image_settle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "cache/volume.h"

#define WAITS_MAX 20 /* of a millisecond: a tick of Linux is at most 10 ms, and times in the future do not pass */

/* Whether a change now could leave a time as it is: Linux takes the times of files from this clock. */
static bool is_now(const struct timespec *at)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	return at->tv_sec > now.tv_sec || (at->tv_sec == now.tv_sec && at->tv_nsec >= now.tv_nsec);
}

void image_settle(int fd)
{
	static const struct timespec millisecond = {0, 1000000};
	struct stat st;
	volume_settle(fd, NULL);
	for (unsigned i = 0; i < WAITS_MAX && !fstat(fd, &st) && is_now(&st.st_ctim); i++)
		nanosleep(&millisecond, NULL);
}

int image_settle_open(struct eri_image *image, const char *path, struct error *error)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0) {
		image_settle(fd);
		close(fd);
	}
	return eri_image_open(image, path, error);
}

int image_settle_check(const struct eri_image *image, struct error *error)
{
	struct stat now;
	const int reason = stat(image->path, &now) ? errno : 0;
	if (reason && reason != ENOENT && reason != ENOTDIR)
		return error_set(error, reason, "cannot look at the image %.160s any more: %s; verify it again",
		                 image->path, strerror(reason));
	if (reason || now.st_ino != image->was.st_ino || now.st_dev != image->was.st_dev)
		return error_set(error, ESTALE, "the image %.160s was replaced during the run; verify it again",
		                 image->path);
	return eri_image_check(image, error);
}
