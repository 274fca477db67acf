/* SPDX-License-Identifier: MIT */
#include "hostfs/host_load.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "abi/host_file.h"
#include "hostfs/host_look.h"
#include "hostfs/host_stop.h"
#include "hostfs/tree/host_source.h"
#include "hostfs/tree/host_tree_ops.h"

#define COPY_BYTES (1UL << 18) /* bytes read, hashed and copied at a time; they stay in the processor's cache */

/* Too large for a stack; requests are served one at a time. */
static uint8_t copy[COPY_BYTES];

/* Pieces of the guest's memory, and the part of a file that they receive. */
struct part {
	struct host_file_piece *pieces;
	uint64_t count;
	uint64_t offset, bytes;
	bool whole;
};

/* Reads a part of a file. Hashes a copy in the monitor's memory, because the guest can change its own memory meanwhile
 * and the hash must be the file's. */
static int read_part(const struct host_source *source, const struct guest_memory *memory, const struct part *part,
                     struct digest_sum *sum, XXH3_state_t *chunk)
{
	uint64_t offset = part->offset;
	int result = 0;
	for (uint64_t i = 0; i < part->count && !result; i++) {
		uint8_t *to = guest_memory_at(memory, gpa(part->pieces[i].address), part->pieces[i].bytes);
		uint64_t left = part->pieces[i].bytes;
		if (!sum && !chunk) {
			result = host_source_read(source, to, left, offset);
			offset += left;
			continue;
		}
		while (left && !result) {
			uint64_t bytes = left < COPY_BYTES ? left : COPY_BYTES;
			result = host_source_read(source, copy, bytes, offset);
			if (result)
				break;
			if (sum)
				digest_add(sum, copy, bytes);
			if (chunk)
				XXH3_128bits_update(chunk, copy, bytes);
			memcpy(to, copy, bytes);
			to += bytes;
			left -= bytes;
			offset += bytes;
		}
	}
	return result;
}

/* Whether the pieces cover the whole file, or one chunk of a large file. */
static bool is_part(struct part *part, uint64_t size)
{
	uint64_t left = size - part->offset;
	part->whole = !part->offset && part->bytes == size;
	return part->whole ||
	       (size > HOST_FILE_WHOLE_MAX && part->offset < size && part->offset % HOST_FILE_CHUNK_BYTES == 0 &&
	        part->bytes == (left < HOST_FILE_CHUNK_BYTES ? left : HOST_FILE_CHUNK_BYTES));
}

/* Copies the list of pieces from guest memory and checks them: they must be in guest memory and add up to the part.
 * Returns 0 or a negative errno. */
static int64_t take_pieces(struct host_files *files, const struct guest_memory *memory,
                           const struct host_file_request *request, struct part *part)
{
	uint64_t bytes = request->buffer_bytes, size = host_look_stamp(files, request->handle)->size;
	*part = (struct part){.count = bytes / sizeof(*part->pieces), .offset = request->offset};
	if (bytes % sizeof(*part->pieces) || part->count > HOST_FILE_PIECES_MAX)
		return host_stop_at_nonsense(files, "invalid pieces");
	part->pieces = malloc(bytes + 1);
	if (!part->pieces)
		return host_stop_without_memory(files);
	bool good = !guest_memory_read(memory, gpa(request->buffer), part->pieces, bytes);
	for (uint64_t i = 0; good && i < part->count; i++) {
		good = guest_memory_at(memory, gpa(part->pieces[i].address), part->pieces[i].bytes) &&
		       part->pieces[i].bytes <= size - part->bytes;
		part->bytes += good ? part->pieces[i].bytes : 0;
	}
	if (good && is_part(part, size))
		return 0;
	free(part->pieces);
	return host_stop_at_nonsense(files, "pieces outside its memory, or of another size than the file");
}

/* Reads a part of an open file, and notes the hash of what was read. */
static int64_t read_file_contents(struct host_files *files, const struct guest_memory *memory, uint32_t handle,
                                  const struct host_source *source, const struct part *part)
{
	static XXH3_state_t state; /* static because it must be aligned; requests are served one at a time */
	uint8_t hash[DIGEST_BYTES] = {0};
	struct digest_sum sum;
	struct host_stamp now;
	bool sums = part->whole && files->hash;
	digest_begin(&sum);
	XXH3_128bits_reset(&state);
	int result = read_part(source, memory, part, sums ? &sum : NULL, part->whole ? NULL : &state);
	digest_end(&sum, hash);
	if (!sums)
		memset(hash, 0, sizeof(hash));
	if (!result)
		result = host_source_check(source, host_look_stamp(files, handle), &now);
	if (result)
		return host_source_report(files, handle, source, result);
	if (part->whole && host_source_verify(files, handle, source, hash))
		return -EUCLEAN;
	if (part->whole)
		return host_files_note(files, handle, &now, hash);
	return host_chunks_loaded(files, handle, part->offset / HOST_FILE_CHUNK_BYTES, XXH3_128bits_digest(&state),
	                          source);
}

/* Reads an open small file and one byte more. Returns 0 if it is unchanged since it was looked up. */
static int read_unchanged(int fd, const struct host_stamp *was)
{
	struct stat st;
	ssize_t got;
	do
		got = pread(fd, copy, was->size + 1, 0);
	while (got < 0 && errno == EINTR);
	if (got != (ssize_t)was->size || fstat(fd, &st))
		return -ENODATA;
	const struct host_stamp now = host_stamp_of(&st);
	return host_stamp_is_untouched(was, &now) ? 0 : -ENODATA;
}

/* Gives the guest the contents of a whole small file, and notes their hash. */
static int64_t give_part(struct host_files *files, const struct guest_memory *memory, uint32_t handle,
                         const struct part *part, const uint8_t *data, const uint8_t hash[DIGEST_BYTES])
{
	memcpy(guest_memory_at(memory, gpa(part->pieces->address), part->bytes), data, part->bytes);
	return host_files_note(files, handle, host_look_stamp(files, handle), hash);
}

/* Loads a whole small file that was read ahead. Returns 1 if it was not, or was not the object that was looked up, as
 * it was. */
static int64_t load_scouted(struct host_files *files, const struct guest_memory *memory, uint32_t handle,
                            const struct part *part, const char *path)
{
	const struct host_tree *tree = &files->trees[host_objects_root(&files->objects, handle)];
	struct host_scout_item *file = host_scout_take(files->scout, tree, path, true);
	int64_t result = 1;
	if (file && host_stamp_is_untouched(host_look_stamp(files, handle), &file->stamp))
		result = give_part(files, memory, handle, part, file->data, file->hash);
	host_scout_put(file);
	return result;
}

/* Loads a whole small file by four system calls. Its stamp is compared after it was read, which also finds out whether
 * it is the object that was looked up. Returns 1 if it is not that object as it was: read_contents then says why. */
static int64_t load_small(struct host_files *files, const struct guest_memory *memory, uint32_t handle,
                          const struct part *part)
{
	char path[PATH_MAX];
	uint8_t hash[DIGEST_BYTES] = {0};
	struct digest_sum sum;
	const struct host_stamp *was = host_look_stamp(files, handle);
	int64_t root = host_objects_path(&files->objects, handle, "", path);
	if (!part->whole || part->count != 1 || part->bytes >= COPY_BYTES || root < 0 ||
	    !files->trees[root].ops->reopen)
		return 1;
	const struct host_tree *tree = &files->trees[root];
	int64_t scouted = load_scouted(files, memory, handle, part, path);
	if (scouted <= 0)
		return scouted;
	int fd = tree->ops->reopen(&files->place, tree, path);
	if (fd < 0)
		return 1;
	int result = read_unchanged(fd, was);
	close(fd);
	if (result)
		return 1;
	if (files->hash) {
		digest_begin(&sum);
		digest_add(&sum, copy, part->bytes);
		digest_end(&sum, hash);
	}
	return give_part(files, memory, handle, part, copy, hash);
}

int64_t host_load(struct host_files *files, const struct guest_memory *memory, const struct host_file_request *request)
{
	struct host_source source;
	struct host_stamp stamp;
	struct part part;
	if (!S_ISREG(host_look_stamp(files, request->handle)->mode))
		return host_stop_at_nonsense(files, "the contents of an object that is not a regular file");
	int64_t result = take_pieces(files, memory, request, &part);
	if (result)
		return result;
	result = load_small(files, memory, request->handle, &part);
	if (result <= 0) {
		free(part.pieces);
		return result;
	}
	result = host_source_open(files, request->handle, &source, &stamp);
	if (result < 0 && part.offset && !files->error[0])
		result = host_stop_at_change(files, request->handle, ""); /* an earlier part of the file was readable */
	if (result >= 0)
		result = read_file_contents(files, memory, request->handle, &source, &part);
	host_source_close(&source);
	free(part.pieces);
	return result;
}
