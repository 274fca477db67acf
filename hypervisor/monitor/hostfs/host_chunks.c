/* SPDX-License-Identifier: MIT */
/* The thread reads each file through its own descriptor, and uses only the structures of this module. If it cannot run,
 * the files are hashed at the end of the run. */
#include "hostfs/host_chunks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/host_file.h"
#include "base/array.h"
#include "base/beside.h"
#include "hostfs/host_files.h"
#include "hostfs/host_look.h"
#include "hostfs/tree/host_source.h"
#include "hostfs/host_stop.h"

#define READ_BYTES (1UL << 18) /* bytes read and hashed at a time; divides a chunk */
_Static_assert(HOST_FILE_CHUNK_BYTES % READ_BYTES == 0, "whole reads");

/* Files that the thread may have open. Further files are opened again, and hashed, at the end of the run. */
#define OPEN_MAX_FILES 16

struct chunk {
	XXH128_hash_t loaded; /* hash of the chunk as the guest got it */
	XXH128_hash_t whole;  /* its hash when the whole file was hashed */
	bool is_loaded;
};

struct host_chunked {
	uint32_t handle;
	struct host_source source; /* not open: opened at the end */
	uint64_t bytes;
	uint64_t count;
	uint8_t hash[DIGEST_BYTES];
	bool is_hashed;
	int error; /* error of reading the file; -ENODATA: the file has become shorter */
	struct chunk chunks[];
};

/* --- the whole file --- */

/* Whether the hashes are not needed any more. */
static bool is_chunk_queue_full(const struct host_chunks *chunks)
{
	return __atomic_load_n(&chunks->end, __ATOMIC_RELAXED) || (chunks->is_stopped && chunks->is_stopped());
}

/* Hashes a file and its chunks, and sets file->is_hashed at the end or at an error, but not if hashing is over. */
static void hash_whole(const struct host_chunks *chunks, struct host_chunked *file, uint8_t buffer[READ_BYTES])
{
	struct digest_sum sum;
	bool over = false;
	XXH3_state_t *state = XXH3_createState();
	if (!state) {
		file->error = -ENOMEM;
		file->is_hashed = true;
		return;
	}
	digest_begin(&sum);
	for (uint64_t at = 0; at < file->bytes && !file->error && !(over = is_chunk_queue_full(chunks));) {
		const uint64_t left = file->bytes - at, bytes = left < READ_BYTES ? left : READ_BYTES;
		if (at % HOST_FILE_CHUNK_BYTES == 0)
			XXH3_128bits_reset(state);
		file->error = host_source_read(&file->source, buffer, bytes, at);
		if (file->error)
			break;
		digest_add(&sum, buffer, bytes);
		XXH3_128bits_update(state, buffer, bytes);
		file->chunks[at / HOST_FILE_CHUNK_BYTES].whole = XXH3_128bits_digest(state);
		at += bytes;
	}
	digest_end(&sum, file->hash);
	XXH3_freeState(state);
	file->is_hashed = !over;
}

static void *hash_chunks(void *argument)
{
	static uint8_t buffer[READ_BYTES];
	struct host_chunks *chunks = argument;
	pthread_mutex_lock(&chunks->lock);
	while (!chunks->end) {
		if (chunks->next == chunks->count) {
			pthread_cond_wait(&chunks->changed, &chunks->lock);
			continue;
		}
		struct host_chunked *file = chunks->files[chunks->next];
		pthread_mutex_unlock(&chunks->lock);
		if (file->source.is_open)
			hash_whole(chunks, file, buffer);
		pthread_mutex_lock(&chunks->lock);
		chunks->next++;
		pthread_cond_broadcast(&chunks->changed);
	}
	pthread_mutex_unlock(&chunks->lock);
	return NULL;
}

/* --- files --- */

static struct host_chunked *add_chunked(struct host_files *files, uint32_t handle, const struct host_source *source)
{
	struct host_chunks *chunks = &files->chunks;
	const uint64_t bytes = host_look_stamp(files, handle)->size;
	const uint64_t count = (bytes + HOST_FILE_CHUNK_BYTES - 1) / HOST_FILE_CHUNK_BYTES;
	struct host_chunked *file = calloc(1, sizeof(*file) + count * sizeof(file->chunks[0]));
	if (!file)
		return NULL;
	*file = (struct host_chunked){.handle = handle, .source.fd = -1, .bytes = bytes, .count = count};
	if (files->hash && chunks->count < OPEN_MAX_FILES)
		host_source_copy(source, &file->source);
	if (!chunks->count) {
		pthread_mutex_init(&chunks->lock, NULL);
		pthread_cond_init(&chunks->changed, NULL);
		chunks->is_stopped = files->is_stopped;
	}
	pthread_mutex_lock(&chunks->lock);
	bool has_room = array_reserve(chunks->files, chunks->room, chunks->count + 1UL);
	if (has_room)
		chunks->files[chunks->count++] = file;
	pthread_cond_broadcast(&chunks->changed);
	pthread_mutex_unlock(&chunks->lock);
	if (chunks->count == 1 && has_room)
		chunks->running = beside_start(&chunks->thread, hash_chunks, chunks);
	if (has_room)
		return file;
	host_source_close(&file->source);
	free(file);
	return NULL;
}

static struct host_chunked *find_chunked(const struct host_chunks *chunks, uint32_t handle)
{
	for (uint32_t i = chunks->count; i--;)
		if (chunks->files[i]->handle == handle)
			return chunks->files[i];
	return NULL;
}

int64_t host_chunks_loaded(struct host_files *files, uint32_t handle, uint64_t index, XXH128_hash_t hash,
                           const struct host_source *source)
{
	struct host_chunked *file = find_chunked(&files->chunks, handle);
	if (!file)
		file = add_chunked(files, handle, source);
	if (!file)
		return host_stop_without_memory(files);
	struct chunk *chunk = &file->chunks[index];
	if (chunk->is_loaded && !XXH128_isEqual(chunk->loaded, hash))
		return host_stop_at_change(files, handle, "");
	chunk->is_loaded = true;
	chunk->loaded = hash;
	return 0;
}

/* --- the end --- */

/* Hashes a file that the thread has not hashed, and opens it if necessary. Returns 0 or a negative errno. */
static int hash_rest_now(struct host_files *files, struct host_chunked *file)
{
	static uint8_t buffer[READ_BYTES];
	struct host_stamp now;
	int result = file->source.is_open ? 0 : host_source_open(files, file->handle, &file->source, &now);
	if (result)
		return result;
	hash_whole(&files->chunks, file, buffer);
	return 0;
}

/* Whether a file is unchanged, and each loaded chunk has the hash that the whole file has there. */
static bool is_same_chunked(const struct host_files *files, const struct host_chunked *file)
{
	struct host_stamp now;
	if (file->error || !file->source.is_open)
		return false;
	for (uint64_t i = 0; i < file->count; i++)
		if (file->chunks[i].is_loaded && !XXH128_isEqual(file->chunks[i].loaded, file->chunks[i].whole))
			return false;
	return !host_source_check(&file->source, host_look_stamp(files, file->handle), &now);
}

int host_chunks_hash(struct host_files *files)
{
	struct host_chunks *chunks = &files->chunks;
	int result = 0;
	for (uint32_t i = 0; i < chunks->count && !result && !is_chunk_queue_full(chunks); i++) {
		pthread_mutex_lock(&chunks->lock);
		while (chunks->running && chunks->next <= i) /* the thread goes on soon after a stop */
			pthread_cond_wait(&chunks->changed, &chunks->lock);
		pthread_mutex_unlock(&chunks->lock);
		if (files->hash && !chunks->files[i]->is_hashed)
			result = hash_rest_now(files, chunks->files[i]);
	}
	return result;
}

int host_chunks_finish(struct host_files *files)
{
	struct host_chunks *chunks = &files->chunks;
	int64_t result = host_chunks_hash(files);
	for (uint32_t i = 0; i < chunks->count && !result; i++) {
		struct host_chunked *file = chunks->files[i];
		if (!result && file->error && file->error != -ENODATA)
			result = host_stop(files, -file->error, "cannot read the host's %s: %s",
			                   host_stop_describe(files, file->handle, ""), strerror(-file->error));
		if (!result && files->hash && !is_same_chunked(files, file))
			result = host_stop_at_change(files, file->handle, "");
		if (!result)
			result = host_source_verify(files, file->handle, &file->source, file->hash);
		if (!result)
			result = host_files_note(files, file->handle, host_look_stamp(files, file->handle), file->hash);
	}
	return (int)result;
}

void host_chunks_fini(struct host_chunks *chunks)
{
	if (chunks->count) {
		pthread_mutex_lock(&chunks->lock);
		__atomic_store_n(&chunks->end, true, __ATOMIC_RELAXED);
		pthread_cond_broadcast(&chunks->changed);
		pthread_mutex_unlock(&chunks->lock);
		if (chunks->running)
			pthread_join(chunks->thread, NULL);
		pthread_cond_destroy(&chunks->changed);
		pthread_mutex_destroy(&chunks->lock);
	}
	for (uint32_t i = 0; i < chunks->count; i++) {
		host_source_close(&chunks->files[i]->source);
		free(chunks->files[i]);
	}
	free(chunks->files);
	*chunks = (struct host_chunks){0};
}
