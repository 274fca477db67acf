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

/* Hashes of a part: SHA-256 of a whole file, XXH3 of a chunk. */
struct part_sums {
	bool has_whole, has_chunk;
	struct digest_sum whole;
	XXH3_state_t *chunk;
};

static void begin_part_sums(struct part_sums *sums, const struct host_files *files, const struct part *part)
{
	static XXH3_state_t state; /* static because it must be aligned; requests are served one at a time */
	*sums = (struct part_sums){.has_whole = part->whole && files->hash, .has_chunk = !part->whole, .chunk = &state};
	digest_begin(&sums->whole);
	XXH3_128bits_reset(&state);
}

/* Bytes of a part that are read at once. Zero-initialised: none yet. */
struct stretch {
	uint64_t piece, done; /* the piece that receives them, and what it has before them */
	uint64_t offset, bytes;
	uint8_t *to;
	uint8_t *from; /* where they are read and hashed */
};

/* Moves on to the next stretch. What is hashed is read into the monitor's memory, because the guest can change its own
 * memory meanwhile and the hash must be the file's. Returns false behind the last one. */
static bool next_stretch(const struct part *part, const struct guest_memory *memory, const struct part_sums *sums,
                         struct stretch *at)
{
	const bool hashes = sums->has_whole || sums->has_chunk;
	at->offset = at->bytes ? at->offset + at->bytes : part->offset;
	at->done += at->bytes;
	for (; at->piece < part->count && at->done == part->pieces[at->piece].bytes; at->piece++)
		at->done = 0;
	if (at->piece == part->count)
		return false;
	const struct host_file_piece *piece = &part->pieces[at->piece];
	at->bytes = piece->bytes - at->done;
	if (hashes && at->bytes > COPY_BYTES)
		at->bytes = COPY_BYTES;
	at->to = guest_memory_at(memory, gpa(piece->address + at->done), at->bytes);
	at->from = hashes ? copy : at->to;
	return true;
}

/* Hashes a stretch that was read, and gives it to the guest. */
static void take_stretch(struct part_sums *sums, const struct stretch *at)
{
	if (sums->has_whole)
		digest_add(&sums->whole, at->from, at->bytes);
	if (sums->has_chunk)
		XXH3_128bits_update(sums->chunk, at->from, at->bytes);
	if (at->from != at->to)
		memcpy(at->to, at->from, at->bytes);
}

/* Checks, unless reading failed with `result`, that the file is unchanged, and notes the hash of what was read. */
static int64_t finish_part(struct host_files *files, uint32_t handle, const struct host_source *source,
                           const struct part *part, struct part_sums *sums, int result)
{
	uint8_t hash[DIGEST_BYTES] = {0};
	struct host_stamp now;
	digest_end(&sums->whole, hash);
	if (!sums->has_whole)
		memset(hash, 0, sizeof(hash));
	if (!result)
		result = host_source_check(source, host_look_stamp(files, handle), &now);
	if (result)
		return host_source_report(files, handle, source, result);
	if (part->whole && host_source_verify(files, handle, source, hash))
		return -EUCLEAN;
	if (part->whole)
		return host_files_note(files, handle, &now, hash);
	return host_chunks_loaded(files, handle, part->offset / HOST_FILE_CHUNK_BYTES, XXH3_128bits_digest(sums->chunk),
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

/* Opens the file of a part. Returns 0, or a negative errno; files->error says whether the run can go on. */
static int64_t open_part(struct host_files *files, uint32_t handle, const struct part *part, struct host_source *source)
{
	struct host_stamp stamp;
	int64_t result = host_source_open(files, handle, source, &stamp);
	if (result < 0 && part->offset && !files->error.text[0])
		return host_stop_at_change(files, handle, ""); /* an earlier part of the file was readable */
	return result;
}

int64_t host_load(struct host_files *files, const struct guest_memory *memory, const struct host_file_request *request)
{
	struct host_source source;
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
	result = open_part(files, request->handle, &part, &source);
	if (!result) {
		struct part_sums sums;
		struct stretch at = {0};
		int error = 0;
		begin_part_sums(&sums, files, &part);
		while (!error && next_stretch(&part, memory, &sums, &at)) {
			error = host_source_read(&source, at.from, at.bytes, at.offset);
			if (!error)
				take_stretch(&sums, &at);
		}
		result = finish_part(files, request->handle, &source, &part, &sums, error);
	}
	host_source_close(&source);
	free(part.pieces);
	return result;
}
