/* SPDX-License-Identifier: MIT */
#include "hostfs/host_source.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "hostfs/host_files.h"
#include "hostfs/host_look.h"
#include "hostfs/host_sealed.h"

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

void host_source_close(struct host_source *source)
{
	if (source->is_open && source->fd >= 0)
		close(source->fd);
	*source = (struct host_source){.fd = -1};
}
