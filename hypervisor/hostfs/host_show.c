/* SPDX-License-Identifier: MIT */
/* What a guest sees is a copy, because nobody may change it while the guest runs. */
#include "hostfs/host_show.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/layout.h"
#include "confine/keeper.h"
#include "guest/content_store.h"
#include "guest/guest_contents.h"
#include "hostfs/host_look.h"
#include "hostfs/host_sealed.h"
#include "hostfs/host_source.h"
#include "hostfs/host_stop.h"

#define COPY_BYTES (1UL << 18) /* bytes read and hashed at a time; they stay in the processor's cache */

/* Copies a file to `to`, and hashes it. Returns 0 or the error of reading it. */
static int copy_source(const struct host_source *source, uint64_t bytes, uint8_t *to)
{
	for (uint64_t at = 0; at < bytes;) {
		const uint64_t left = bytes - at, count = left < COPY_BYTES ? left : COPY_BYTES;
		int result = host_source_read(source, to + at, count, at);
		if (result)
			return result;
		content_sums_add(to + at, count);
		at += count;
	}
	return 0;
}

static int64_t stop_showing(struct host_files *files, uint32_t handle, int error)
{
	return host_stop(files, -error, "cannot show the host's %s to the program: %s%s",
	                 host_stop_describe(files, handle, ""), strerror(-error),
	                 error == -ENOMEM  ? "; raise 'ulimit -v'"
	                 : error == -EFBIG ? "; raise the hard limit of 'ulimit -f'"
	                                   : "");
}

/* Shows a copy in memory of an open file. Returns 0, with the file's SHA-256 in hash[] if wanted; or the answer. */
static int64_t show_copy(struct host_files *files, const struct host_source *source, struct guest_content *content,
                         uint8_t hash[DIGEST_BYTES])
{
	uint8_t *to = guest_contents_begin_copy(files->contents, content->bytes);
	if (!to)
		return stop_showing(files, content->handle, -errno);
	content_sums_begin(files->hash || source->is_sealed);
	int error = copy_source(source, content->bytes, to);
	content_sums_end(hash, content->keyed);
	int result = guest_contents_end_copy(files->contents, content, to, error);
	if (error)
		return host_source_report(files, content->handle, source, error);
	return result ? stop_showing(files, content->handle, result) : 0;
}

/* Shows a copy in the cache. If the cache has no copy of this size, asks the keeper to make one for later runs, and
 * returns -ENOENT. Otherwise returns the answer. */
static int64_t show_stored(struct host_files *files, const struct host_source *source, struct guest_content *content,
                           uint8_t hash[DIGEST_BYTES])
{
	struct stored_content stored;
	if (source->is_sealed)
		return -ENOENT;
	if (content_store_find(source->fd, &stored)) {
		if (keeper_is_there())
			keeper_store_add(source->fd);
		return -ENOENT;
	}
	/* The file may have grown by this run's own output (host_streams.h). */
	if (stored.copy.seal.size != content->bytes) {
		close(stored.fd);
		return -ENOENT;
	}
	if (stored.is_to_be_touched && keeper_is_there())
		keeper_store_touch(source->fd);
	memcpy(content->keyed, stored.keyed, sizeof(content->keyed));
	if (files->hash)
		memcpy(hash, stored.hash, sizeof(stored.hash));
	content->stored = stored.copy;
	int result = guest_contents_add_stored(files->contents, content, stored.fd);
	close(stored.fd);
	if (result && result != -ENFILE)
		return stop_showing(files, content->handle, result);
	if (result)
		content->stored = (struct content_seal){0};
	return result ? -ENOENT : 0;
}

/* Shows an open file. Returns the answer. */
static int64_t show_source(struct host_files *files, const struct host_source *source, struct guest_content *content)
{
	uint8_t hash[DIGEST_BYTES] = {0};
	struct host_stamp now;
	int64_t result = show_stored(files, source, content, hash);
	if (result == -ENOENT && !files->error[0])
		result = show_copy(files, source, content, hash);
	if (result)
		return result;
	int changed = host_source_check(source, host_look_stamp(files, content->handle), &now);
	if (changed)
		return host_source_report(files, content->handle, source, changed);
	if (source->is_sealed && host_sealed_check(files, content->handle, hash))
		return -EUCLEAN;
	return host_files_note(files, content->handle, &now, hash);
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
	const struct guest_contents *contents = files->contents;
	for (size_t i = 0; contents && i < contents->count; i++) {
		const struct content_seal *stored = &contents->list[i].stored;
		if (stored->name[0] && !content_store_is_whole(stored))
			return (int)host_stop(files, EUCLEAN,
			                      "the copy of the host's %s in the cache was changed during the run: run "
			                      "again; if it happens again, remove the cache",
			                      host_stop_describe(files, contents->list[i].handle, ""));
	}
	return 0;
}
