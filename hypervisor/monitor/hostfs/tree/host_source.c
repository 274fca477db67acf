/* SPDX-License-Identifier: MIT */
#include "hostfs/tree/host_source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "confine/keeper.h"
#include "guest/content_sums.h"
#include "hostfs/host_files.h"
#include "hostfs/host_look.h"
#include "hostfs/tree/host_tree_ops.h"

int host_source_open(struct host_files *files, uint32_t handle, struct host_source *source, struct host_stamp *stamp)
{
	const struct host_tree *tree = &files->trees[host_objects_root(&files->objects, handle)];
	*source = (struct host_source){.fd = -1};
	*stamp = *host_look_stamp(files, handle);
	int result = tree->ops->open_contents(files, handle, source, stamp);
	source->is_open = !result;
	return result;
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
	return source->ops->check(source, was, now);
}

bool host_source_is_hashed(const struct host_files *files, const struct host_source *source)
{
	return files->hash || source->ops->verify;
}

int host_source_verify(struct host_files *files, uint32_t handle, const struct host_source *source,
                       const uint8_t hash[DIGEST_BYTES])
{
	return source->ops && source->ops->verify ? source->ops->verify(files, handle, hash) : 0;
}

bool host_source_recall(const struct content_part *part, struct content_sums *sums)
{
	bool is_to_be_touched;
	if (!content_sums_find(part, sums, &is_to_be_touched))
		return false;
	if (is_to_be_touched && keeper_is_there())
		keeper_sums_touch(part);
	return true;
}

int64_t host_source_report(struct host_files *files, uint32_t handle, const struct host_source *source, int error)
{
	return source->ops->report(files, handle, source, error);
}

void host_source_close(struct host_source *source)
{
	if (source->is_open && source->fd >= 0)
		close(source->fd);
	*source = (struct host_source){.fd = -1};
}
