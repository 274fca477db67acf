/* SPDX-License-Identifier: MIT */
/* What a guest sees is a copy, because nobody may change it while the guest runs. */
#include "hostfs/host_show.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/layout.h"
#include "base/write_all.h"
#include "cache/cache.h"
#include "confine/keeper.h"
#include "guest/content_store.h"
#include "hostfs/host_look.h"
#include "hostfs/host_sealed.h"
#include "hostfs/host_source.h"
#include "hostfs/host_stop.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define COPY_BYTES (1UL << 18) /* bytes read, hashed and written at a time; they stay in the processor's cache */

/* Copies a file into content->fd, and hashes it. Returns 0, the error of reading it, or -EBUSY if there is no room for
 * the copy. */
static int copy(const struct host_source *source, struct guest_content *content, struct digest_sum *sum)
{
	static uint8_t bytes[COPY_BYTES]; /* too large for a stack; requests are served one at a time */
	static XXH3_state_t state;        /* must be aligned */
	XXH3_128bits_reset_withSecret(&state, cache_secret(), CACHE_SECRET_BYTES);
	for (uint64_t at = 0; at < content->bytes;) {
		const uint64_t left = content->bytes - at, count = left < COPY_BYTES ? left : COPY_BYTES;
		int result = host_source_read(source, bytes, count, at);
		if (result)
			return result;
		XXH3_128bits_update(&state, bytes, count);
		if (sum)
			digest_add(sum, bytes, count);
		if (write_all(content->fd, bytes, count, (off_t)at))
			return -EBUSY;
		at += count;
	}
	const XXH128_hash_t hash = XXH3_128bits_digest(&state);
	content->hash[0] = hash.low64;
	content->hash[1] = hash.high64;
	return 0;
}

/* Makes a copy of an open file in content->fd, and its SHA-256 in hash[] if wanted. Returns 0; or a negative errno,
 * which is -EBUSY if only memory for the copy is missing. */
static int make_copy(const struct host_files *files, const struct host_source *source, struct guest_content *content,
                     uint8_t hash[DIGEST_BYTES])
{
	struct digest_sum sum;
	content->fd = memfd_create("content", MFD_CLOEXEC);
	if (content->fd < 0)
		return -EBUSY;
	digest_begin(&sum);
	const bool sums = files->hash || source->is_sealed;
	int result = copy(source, content, sums ? &sum : NULL);
	if (!result && sums)
		digest_end(&sum, hash);
	return result;
}

/* Takes a copy from the cache. Returns whether there is one. If not, has the keeper make one for later runs. */
static bool take_stored(const struct host_files *files, int fd, struct guest_content *content,
                        uint8_t hash[DIGEST_BYTES])
{
	struct stored_content stored;
	if (content_store_find(fd, &stored)) {
		if (keeper_is_there())
			keeper_store_add(fd);
		return false;
	}
	if (stored.is_to_be_touched && keeper_is_there())
		keeper_store_touch(fd);
	content->fd = stored.fd;
	content->seal = stored.seal;
	content->is_stored = true;
	memcpy(content->hash, stored.keyed, sizeof(content->hash));
	if (files->hash)
		memcpy(hash, stored.hash, sizeof(stored.hash));
	return true;
}

/* Shows an open file. Returns the answer. */
static int64_t show(struct host_files *files, struct guest_contents *contents, const struct host_source *source,
                    struct guest_content *content)
{
	uint8_t hash[DIGEST_BYTES] = {0};
	struct host_stamp now;
	const bool is_stored = !source->is_sealed && take_stored(files, source->fd, content, hash);
	int result = is_stored ? 0 : make_copy(files, source, content, hash);
	if (!result)
		result = host_source_check(source, host_look_stamp(files, content->handle), &now);
	if (result && result != -EBUSY)
		return host_source_report(files, content->handle, source, result);
	if (!result && source->is_sealed && host_sealed_check(files, content->handle, hash))
		return -EUCLEAN;
	if (!result && guest_contents_add(contents, content))
		result = -EBUSY;
	if (result)
		return result;
	content->fd = -1;
	return host_files_note(files, content->handle, &now, hash);
}

/* Checks a request. Returns 0, or the answer. */
static int64_t understand(struct host_files *files, const struct guest_contents *contents,
                          const struct host_file_request *request)
{
	const struct host_stamp *stamp = host_look_stamp(files, request->handle);
	const uint64_t bytes = request->buffer_bytes, at = request->buffer;
	if (!S_ISREG(stamp->mode))
		return host_stop_at_nonsense(files, "the contents of an object that is not a regular file");
	if (bytes != stamp->size || bytes <= HOST_FILE_SHOWN_MIN || bytes > HOST_FILE_SHOWN_MAX)
		return host_stop_at_nonsense(files, "contents of another size than the file");
	if (at % BLOCK_SIZE || at < LAYOUT_CONTENTS || at - LAYOUT_CONTENTS > LAYOUT_CONTENTS_SIZE - HOST_FILE_SHOWN_MAX)
		return host_stop_at_nonsense(files, "contents at an impossible address");
	return contents && at >= guest_contents_end(contents) ? 0 : -EBUSY;
}

int64_t host_show(struct host_files *files, const struct guest_memory *memory, const struct host_file_request *request)
{
	struct guest_contents *contents = memory->contents;
	struct guest_content content = {
		.address = request->buffer, .bytes = request->buffer_bytes, .handle = request->handle, .fd = -1};
	struct host_source source;
	struct host_stamp stamp;
	const struct guest_content *shown = contents ? guest_contents_find(contents, request->buffer) : NULL;
	if (shown && shown->handle == request->handle && shown->address == request->buffer)
		return 0; /* by an earlier try of a guest that makes tries */
	int64_t result = understand(files, contents, request);
	if (result)
		return result;
	result = host_source_open(files, request->handle, &source, &stamp);
	if (result >= 0)
		result = show(files, contents, &source, &content);
	host_source_close(&source);
	if (content.fd >= 0)
		close(content.fd);
	return result;
}
