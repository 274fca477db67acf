/* SPDX-License-Identifier: MIT */
/* Whoever writes to a file of the live host must be noticed, by its times or its bytes. */
#include "hostfs/tree/host_live_contents.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache/volume.h"
#include "guest/content_sums.h"
#include "hostfs/host_look.h"
#include "hostfs/host_stop.h"
#include "hostfs/tree/host_live_open.h"
#include "hostfs/host_streams.h"

static int check_live(const struct host_source *source, const struct host_stamp *was, struct host_stamp *now)
{
	struct stat st;
	uint8_t beyond;
	*now = *was;
	if (fstat(source->fd, &st))
		return -errno;
	*now = host_stamp_of(&st);
	bool is_stream = host_streams_restore(now); /* bytes after the old size are the run's own output */
	if (!is_stream && pread(source->fd, &beyond, 1, (off_t)was->size) > 0)
		return -ENODATA;
	return host_stamp_is_untouched(was, now) ? 0 : -ENODATA;
}

int64_t host_live_contents_report(struct host_files *files, uint32_t handle, const struct host_source *source,
                                  int error)
{
	(void)source;
	const char *name = host_stop_describe(files, handle, "");
	if (error != -ENODATA)
		return host_stop(files, -error, "cannot read the host's %s: %s", name, strerror(-error));
	return host_stop_at_change(files, handle, "");
}

/* Whether whoever changes a file changes its times, from now on. */
static bool tells_changes(int fd)
{
	struct statx st;
	uint64_t volume;
	return !statx(fd, "", AT_EMPTY_PATH, VOLUME_STATX, &st) && volume_of(fd, &st, &volume) &&
	       volume_settle(fd, &st);
}

static bool may_show_live(const struct host_source *source, uint64_t bytes, struct stat *st)
{
	return tells_changes(source->fd) && !fstat(source->fd, st) && (uint64_t)st->st_size == bytes;
}

static bool find_sums_live(struct host_files *files, uint32_t handle, const struct host_source *source,
                           const struct content_part *part, struct content_sums *sums)
{
	(void)files;
	(void)handle;
	(void)source;
	return host_source_recall(part, sums);
}

static const struct host_source_ops live_contents = {
	.check = check_live,
	.report = host_live_contents_report,
	.may_show = may_show_live,
	.find_sums = find_sums_live,
};

int host_live_contents_open(struct host_files *files, uint32_t handle, struct host_source *source,
                            struct host_stamp *stamp)
{
	int fd = host_live_open(files, handle, O_RDONLY, stamp);
	if (fd < 0)
		return fd;
	source->fd = fd;
	source->ops = &live_contents;
	return 0;
}
