/* SPDX-License-Identifier: MIT */
/* A guest sees the host's file itself, or the part of an image that has it; or a copy in memory where a change of the
 * file could go unnoticed. */
#include "hostfs/host_show.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "abi/layout.h"
#include "confine/keeper.h"
#include "guest/content_sums.h"
#include "guest/guest_contents.h"
#include "hostfs/host_look.h"
#include "hostfs/host_stop.h"
#include "hostfs/tree/host_live_open.h"
#include "hostfs/host_streams.h"
#include "hostfs/tree/host_source.h"
#include "hostfs/tree/host_tree_ops.h"

#define PART_BYTES (1UL << 18) /* bytes read and hashed at a time; they stay in the processor's cache */

/* Reads all of a file and hashes it; `to`: also keeps it there, or NULL. Returns 0 or the error of reading it. */
static int read_shown_source(const struct host_source *source, uint64_t bytes, uint8_t *to)
{
	static uint8_t part[PART_BYTES];
	for (uint64_t at = 0; at < bytes;) {
		const uint64_t left = bytes - at, count = left < PART_BYTES ? left : PART_BYTES;
		uint8_t *here = to ? to + at : part;
		int result = host_source_read(source, here, count, at);
		if (result)
			return result;
		content_sums_add(here, count);
		at += count;
	}
	return 0;
}

/* Sets the hashes of a content. */
static void set_sums(const struct host_files *files, const struct host_source *source, const struct content_sums *sums,
                     struct guest_content *content)
{
	content->has_keyed = sums->has_keyed;
	memcpy(content->keyed, sums->keyed, sizeof(content->keyed));
	content->has_hash = host_source_is_hashed(files, source);
	if (content->has_hash)
		memcpy(content->hash, sums->hash, sizeof(content->hash));
}

static int64_t stop_showing(struct host_files *files, uint32_t handle, int error)
{
	return host_stop(files, -error, "cannot show the host's %s to the program: %s%s",
	                 host_stop_describe(files, handle, ""), strerror(-error),
	                 error == -ENOMEM  ? "; raise 'ulimit -v'"
	                 : error == -EFBIG ? "; raise the hard limit of 'ulimit -f'"
	                                   : "");
}

/* Shows a copy in memory of an open file. Returns 0, with the hashes, as far as they are wanted; or the answer. */
static int64_t show_copy(struct host_files *files, const struct host_source *source, struct guest_content *content,
                         struct content_sums *sums)
{
	uint8_t *to = guest_contents_begin_copy(files->contents, content->bytes);
	if (!to)
		return stop_showing(files, content->handle, -errno);
	content_sums_begin(host_source_is_hashed(files, source));
	int error = read_shown_source(source, content->bytes, to);
	content_sums_end(sums);
	set_sums(files, source, sums, content);
	int result = guest_contents_end_copy(files->contents, content, to, error);
	if (error)
		return host_source_report(files, content->handle, source, error);
	return result ? stop_showing(files, content->handle, result) : 0;
}

/* Whether the guest may see the file itself: whoever changes it then changes its times, so that host_files_check
 * notices it. The process engine executes code where it lies, which a mount with noexec forbids. */
static bool may_show_itself(const struct host_source *source, uint64_t bytes)
{
	struct stat st;
	struct statvfs fs;
	if (!source->ops->may_show || !source->ops->may_show(source, bytes, &st) || content_is_young(&st))
		return false;
	struct host_stamp stamp = host_stamp_of(&st);
	return !host_streams_restore(&stamp) && /* the run's own output makes it longer, and counts as no change */
	       !fstatvfs(source->fd, &fs) && !(fs.f_flag & ST_NOEXEC);
}

/* Finds the hashes of an open file: in the cache, in its image, or by reading it. Has the keeper note them for later
 * runs, if this one would have used them. Returns 0, or the answer. */
static int64_t find_sums(struct host_files *files, const struct host_source *source,
                         const struct guest_content *content, struct content_sums *sums)
{
	const struct content_part part = {.file = source->fd, .start = source->start, .bytes = content->bytes};
	if (source->ops->find_sums(files, content->handle, source, &part, sums))
		return 0;
	if (keeper_is_there())
		keeper_sums_keep(&part);
	content_sums_begin(host_source_is_hashed(files, source));
	int error = read_shown_source(source, content->bytes, NULL);
	content_sums_end(sums);
	return error ? host_source_report(files, content->handle, source, error) : 0;
}

/* Shows the file itself, if that is possible. Returns 0, -ENOTSUP if it is not, or the answer. */
static int64_t show_itself(struct host_files *files, const struct host_source *source, struct guest_content *content,
                           struct content_sums *sums)
{
	if (!may_show_itself(source, content->bytes))
		return -ENOTSUP;
	int64_t result = find_sums(files, source, content, sums);
	if (result)
		return result;
	set_sums(files, source, sums, content);
	return guest_contents_add_file(files->contents, content, source->fd, source->start) ? -ENOTSUP : 0;
}

/* Shows an open file. Returns the answer. */
static int64_t show_source(struct host_files *files, const struct host_source *source, struct guest_content *content)
{
	struct content_sums sums = {0};
	struct host_stamp now;
	int64_t result = show_itself(files, source, content, &sums);
	if (result == -ENOTSUP)
		result = show_copy(files, source, content, &sums);
	if (result)
		return result;
	int changed = host_source_check(source, host_look_stamp(files, content->handle), &now);
	if (changed)
		return host_source_report(files, content->handle, source, changed);
	if (host_source_verify(files, content->handle, source, sums.hash))
		return -EUCLEAN;
	return host_files_note(files, content->handle, &now, sums.hash);
}

/* Checks a request. Returns 0, or the answer. */
static int64_t check_request(struct host_files *files, const struct host_file_request *request)
{
	const struct host_stamp *stamp = host_look_stamp(files, request->handle);
	const uint64_t bytes = request->buffer_bytes, at = request->buffer;
	if (!S_ISREG(stamp->mode))
		return host_stop_at_nonsense(files, "the contents of an object that is not a regular file");
	if (bytes != stamp->size || bytes <= HOST_FILE_SHOWN_MIN || bytes > HOST_FILE_SHOWN_MAX)
		return host_stop_at_nonsense(files, "contents of another size than the file");
	if (at % BLOCK_SIZE || at < LAYOUT_CONTENTS || at - LAYOUT_CONTENTS > LAYOUT_CONTENTS_SIZE - bytes)
		return host_stop_at_nonsense(files, "contents at an impossible address");
	return at >= guest_contents_end(files->contents) && files->contents->count < HOST_FILE_SHOWN_FILES ? 0 : -EBUSY;
}

int64_t host_show(struct host_files *files, const struct host_file_request *request)
{
	struct guest_content content = {
		.address = request->buffer, .bytes = request->buffer_bytes, .handle = request->handle};
	struct host_source source;
	struct host_stamp stamp;
	const struct guest_content *shown =
		files->contents ? guest_contents_find(files->contents, request->buffer) : NULL;
	if (!files->contents)
		return -EBUSY;
	if (shown && shown->handle == request->handle && shown->address == request->buffer)
		return 0; /* by an earlier try of a guest that makes tries */
	int64_t result = check_request(files, request);
	if (result)
		return result;
	result = host_source_open(files, request->handle, &source, &stamp);
	if (result >= 0)
		result = show_source(files, &source, &content);
	host_source_close(&source);
	return result;
}

int host_show_check(struct host_files *files)
{
	uint32_t handle = 0;
	if (!files->checks_beside || (files->is_stopped && files->is_stopped()))
		return 0;
	files->checks_beside = false;
	const int result = keeper_sums_result(&handle);
	if (!result)
		return 0;
	const char *name = handle < files->objects.count ? host_stop_describe(files, handle, "") : "contents";
	if (result == -EUCLEAN)
		return (int)host_stop(files, EUCLEAN,
		                      "the image is damaged: its %s has other contents than were sealed", name);
	return (int)host_stop(files, -result, "cannot check the image's %s: %s", name, strerror(-result));
}

bool host_show_find_truncated(struct host_files *files)
{
	for (size_t i = 0; files->contents && i < files->contents->count; i++) {
		const struct guest_content *content = &files->contents->list[i];
		struct host_stamp now;
		if (!files->trees[host_objects_root(&files->objects, content->handle)].ops->stamp)
			continue;
		int fd = host_live_open_path(files, content->handle, "", O_PATH, &now);
		if (fd < 0)
			continue;
		close(fd);
		if (now.size < content->bytes)
			return host_stop_at_change(files, content->handle, "") < 0;
	}
	return false;
}
