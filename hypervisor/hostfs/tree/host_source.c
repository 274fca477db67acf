/* SPDX-License-Identifier: MIT */
#include "hostfs/tree/host_source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostfs/host_files.h"
#include "hostfs/host_look.h"
#include "hostfs/tree/host_sealed.h"
#include "hostfs/host_stop.h"
#include "hostfs/host_streams.h"

int host_source_open(struct host_files *files, uint32_t handle, struct host_source *source, struct host_stamp *stamp)
{
	const bool is_sealed = files->trees[host_objects_root(&files->objects, handle)].sealed;
	*source = (struct host_source){.fd = -1, .is_sealed = is_sealed};
	*stamp = *host_look_stamp(files, handle);
	int result =
		is_sealed ? host_sealed_content(files, handle, source) : host_look_open(files, handle, O_RDONLY, stamp);
	if (result >= 0 && !is_sealed)
		source->fd = result;
	source->is_open = result >= 0;
	return result < 0 ? result : 0;
}

int host_source_copy(const struct host_source *from, struct host_source *to)
{
	*to = *from;
	to->fd = from->fd < 0 ? -1 : fcntl(from->fd, F_DUPFD_CLOEXEC, 0);
	to->is_open = from->is_open && (from->fd < 0 || to->fd >= 0);
	return to->is_open ? 0 : -EBADF;
}

int host_source_read(const struct host_source *source, uint8_t *to, uint64_t bytes, uint64_t offset)
{
	if (source->fd < 0)
		return eri_content_read(&source->content, to, bytes, offset);
	for (uint64_t done = 0; done < bytes;) {
		ssize_t got = pread(source->fd, to + done, bytes - done, (off_t)(source->start + offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -ENODATA;
		done += (uint64_t)got;
	}
	return 0;
}

int host_source_check(const struct host_source *source, const struct host_stamp *was, struct host_stamp *now)
{
	struct stat st;
	uint8_t beyond;
	*now = *was;
	if (source->is_sealed)
		return 0;
	if (fstat(source->fd, &st))
		return -errno;
	*now = host_stamp_of(&st);
	bool is_stream = host_streams_restore(now); /* bytes after the old size are the run's own output */
	if (!is_stream && pread(source->fd, &beyond, 1, (off_t)was->size) > 0)
		return -ENODATA;
	return host_stamp_is_untouched(was, now) ? 0 : -ENODATA;
}

int64_t host_source_report(struct host_files *files, uint32_t handle, const struct host_source *source, int error)
{
	const char *name = host_stop_describe(files, handle, "");
	if (source->in_image)
		return host_stop(files, -error, "the image is damaged: cannot read its %s: %s", name, strerror(-error));
	if (error != -ENODATA)
		return host_stop(files, -error, "cannot read the host's %s: %s", name, strerror(-error));
	return host_stop_at_change(files, handle, "");
}

void host_source_close(struct host_source *source)
{
	if (source->is_open && source->fd >= 0)
		close(source->fd);
	*source = (struct host_source){.fd = -1};
}
