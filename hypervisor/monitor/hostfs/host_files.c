/* SPDX-License-Identifier: MIT */
/* Serves the host's files to a guest, which may be hostile, and lists its directories. */
#include "hostfs/host_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/host_file.h"
#include "base/array.h"
#include "hostfs/host_denied.h"
#include "hostfs/host_load.h"
#include "hostfs/host_look.h"
#include "hostfs/host_show.h"
#include "hostfs/host_stop.h"
#include "hostfs/host_streams.h"
#include "hostfs/tree/host_tree_ops.h"

/* A name of a directory, with its DT_REG etc. (readdir(3)). */
struct listed_name {
	uint8_t type;
	char text[];
};

struct host_listing {
	uint32_t handle;
	uint32_t count;
	size_t room;
	struct host_stamp stamp;
	struct listed_name **names;
};

/* --- HOST_FILE_LIST --- */

void host_files_forget_listing(struct host_files *files)
{
	struct host_listing *listing = files->listing;
	for (uint32_t i = 0; listing && i < listing->count; i++)
		free(listing->names[i]);
	free(listing ? listing->names : NULL);
	free(listing);
	files->listing = NULL;
}

/* Adds a name to the listing. */
static int64_t host_files_add_name(struct host_files *files, uint32_t handle, const char *name, uint8_t type)
{
	struct host_listing *listing = files->listing;
	size_t length = strlen(name), bytes = sizeof(struct listed_name) + length + 1;
	if (host_look_is_absent(files, handle, name))
		return host_stop_at_appearance(files, handle, name);
	if (length > NAME_MAX)
		return host_stop(
			files, ENAMETOOLONG,
			"the host's %s has a name longer than %u bytes; rename it, or give the files by --root DIR",
			host_stop_describe(files, handle, ""), NAME_MAX);
	if (listing->count == HOST_FILES_LIST_MAX)
		return host_stop(files, ENFILE,
		                 "the host's %s has more than %u names, the limit for a directory; split it",
		                 host_stop_describe(files, handle, ""), HOST_FILES_LIST_MAX);
	struct listed_name *copy =
		array_reserve(listing->names, listing->room, listing->count + 1UL) ? malloc(bytes) : NULL;
	if (!copy)
		return host_stop_without_memory(files);
	copy->type = type;
	memcpy(copy->text, name, length + 1);
	listing->names[listing->count++] = copy;
	return 0;
}

static int by_file_name(const void *a, const void *b)
{
	return strcmp((*(struct listed_name *const *)a)->text, (*(struct listed_name *const *)b)->text);
}

int64_t host_files_note(struct host_files *files, uint32_t handle, const struct host_stamp *stamp,
                        const uint8_t hash[DIGEST_BYTES])
{
	char path[PATH_MAX];
	int64_t root = host_objects_path(&files->objects, handle, "", path);
	unsigned run = files->is_ahead ? HOST_NOTES_NO_RUN : files->run;
	int result = root < 0 ? (int)root
	                      : host_notes_add(&files->notes, run, HOST_NOTE_READ, &files->trees[root], path, stamp,
	                                       hash, &files->noted);
	if (!files->is_ahead)
		files->objects.objects[handle].is_noted = !result;
	return result == -ESTALE ? host_stop_at_change(files, handle, "")
	       : result          ? host_stop_without_memory(files)
	                         : 0;
}

/* Notes the names that a directory shows, and their types, in order. */
static int64_t note_listing(struct host_files *files)
{
	const struct host_listing *listing = files->listing;
	struct host_stamp stamp = listing->stamp;
	uint8_t hash[DIGEST_BYTES] = {0};
	struct digest_sum sum;
	digest_begin(&sum);
	for (uint32_t i = 0; files->hash && i < listing->count; i++) {
		const struct listed_name *entry = listing->names[i];
		digest_add(&sum, &entry->type, sizeof(entry->type));
		digest_add(&sum, entry->text, strlen(entry->text) + 1);
	}
	digest_end(&sum, hash);
	if (!files->hash)
		memset(hash, 0, sizeof(hash));
	stamp.size = listing->count;
	return host_files_note(files, listing->handle, &stamp, hash);
}

/* Reads and sorts the names of a directory, and makes the directory files->place. */
static int64_t read_directory(struct host_files *files, uint32_t handle)
{
	static char path[PATH_MAX]; /* too large for a stack */
	struct host_stamp stamp = *host_look_stamp(files, handle);
	int64_t root = host_objects_path(&files->objects, handle, "", path);
	const struct host_tree_ops *ops = files->trees[root].ops;
	int64_t result = ops->list_open ? ops->list_open(files, handle, path, &stamp) : 0;
	if (result)
		return result;
	host_files_forget_listing(files);
	files->listing = calloc(1, sizeof(*files->listing));
	if (!files->listing)
		return host_stop_without_memory(files);
	*files->listing = (struct host_listing){.handle = handle, .stamp = stamp};
	result = ops->list(files, handle, host_files_add_name);
	if (!result && files->listing->count)
		qsort(files->listing->names, files->listing->count, sizeof(*files->listing->names), by_file_name);
	if (!result)
		result = note_listing(files);
	if (result)
		host_files_forget_listing(files);
	return result;
}

/* Makes files->listing the listing of a directory. A request for a later part needs the listing that the first part was
 * from. */
static int64_t prepare_listing(struct host_files *files, uint32_t handle, uint64_t offset)
{
	struct host_listing *listing = files->listing;
	if (offset && listing && listing->handle == handle)
		return 0;
	if (offset)
		return host_stop_at_nonsense(files, "a part of a list whose beginning it has not seen");
	return read_directory(files, handle);
}

/* Where the answer to a list is written, and how much of the buffer is left. */
struct writer {
	uint8_t *to;
	uint64_t left;
};

static bool write_entry(struct writer *writer, const struct listed_name *entry)
{
	size_t length = strlen(entry->text);
	struct host_file_name head = {.type = entry->type, .length = (uint8_t)length};
	if (sizeof(head) + length > writer->left)
		return false;
	memcpy(writer->to, &head, sizeof(head));
	memcpy(writer->to + sizeof(head), entry->text, length);
	writer->to += sizeof(head) + length;
	writer->left -= sizeof(head) + length;
	return true;
}

/* Writes a name with the object's attributes, if there is room for the longest link. */
static bool write_looked(struct host_files *files, const struct host_file_request *request, const char *path,
                         struct writer *writer, const struct listed_name *entry)
{
	const bool looks = request->op == HOST_FILE_LIST_LOOK || entry->type == DT_DIR;
	static char target[PATH_MAX];
	struct host_file_looked looked = {0};
	if (writer->left < HOST_FILE_LISTED_BYTES)
		return false;
	looked.handle = looks ? host_look_listed(files, request->handle, path, entry->text, &looked.attributes, target)
	                      : -EAGAIN;
	memcpy(writer->to, &looked, sizeof(looked));
	writer->to += sizeof(looked);
	writer->left -= sizeof(looked);
	write_entry(writer, entry);
	if (looked.handle >= 0 && S_ISLNK(looked.attributes.mode)) {
		memcpy(writer->to, target, looked.attributes.size);
		writer->to += looked.attributes.size;
		writer->left -= looked.attributes.size;
	}
	return !files->error.text[0];
}

static int64_t list_directory(struct host_files *files, const struct guest_memory *memory,
                              struct host_file_request *request)
{
	const bool looks = request->op != HOST_FILE_LIST;
	struct writer writer = {guest_memory_at(memory, gpa(request->buffer), request->buffer_bytes),
	                        request->buffer_bytes};
	char path[PATH_MAX];
	if (!S_ISDIR(host_look_stamp(files, request->handle)->mode))
		return host_stop_at_nonsense(files, "a list of an object that is not a directory");
	if (!writer.to || writer.left < (looks ? HOST_FILE_LISTED_BYTES : sizeof(struct host_file_name) + NAME_MAX))
		return host_stop_at_nonsense(files, "a buffer too small for a name, or outside its memory");
	int64_t result = prepare_listing(files, request->handle, request->offset);
	if (!result && looks)
		result = host_look_enter(files, request->handle, path);
	if (result)
		return result;
	const struct host_listing *listing = files->listing;
	uint64_t next = request->offset;
	while (next < listing->count && (looks ? write_looked(files, request, path, &writer, listing->names[next])
	                                       : write_entry(&writer, listing->names[next])))
		next++;
	request->attributes = (struct host_file_attributes){.size = listing->count};
	request->buffer_bytes -= writer.left;
	return next > request->offset ? (int64_t)(next - request->offset) : 0;
}

int host_files_look_all(struct host_files *files, uint32_t handle)
{
	static char path[PATH_MAX], target[PATH_MAX]; /* too large for a stack */
	struct host_file_attributes attributes;
	int64_t result = read_directory(files, handle);
	if (!result)
		result = host_look_enter(files, handle, path);
	for (uint32_t i = 0; !result && i < files->listing->count; i++) {
		host_look_listed(files, handle, path, files->listing->names[i]->text, &attributes, target);
		result = files->error.text[0] ? -ESTALE
		                              : 0; /* a name that the host does not permit to look up has no object */
	}
	return (int)result;
}

const char *host_files_listed(const struct host_files *files, uint32_t which, uint32_t *mode)
{
	const struct host_listing *listing = files->listing;
	if (!listing || which >= listing->count)
		return NULL;
	*mode = DTTOIF(listing->names[which]->type);
	return listing->names[which]->text;
}

/* --- the whole --- */

int64_t host_files_answer(struct host_files *files, const struct guest_memory *memory,
                          struct host_file_request *request)
{
	if (request->handle >= files->objects.count)
		return host_stop_at_nonsense(files, "a handle that it was never given");
	switch (request->op) {
	case HOST_FILE_LOOK:
		return host_look(files, memory, request);
	case HOST_FILE_LIST:
	case HOST_FILE_LIST_LOOK:
	case HOST_FILE_LIST_DIRECTORIES:
		return host_denied_note(files, request->handle, "", list_directory(files, memory, request));
	case HOST_FILE_LOOK_MANY:
		return host_look_many(files, memory, request);
	case HOST_FILE_SEARCH:
		return host_denied_note(files, request->handle, "", host_look_search(files, request->handle));
	case HOST_FILE_SHOW:
		return host_denied_note(files, request->handle, "", host_show(files, request));
	case HOST_FILE_LOAD:
		return host_denied_note(files, request->handle, "", host_load(files, memory, request));
	default:
		return host_stop_at_nonsense(files, "an unknown operation");
	}
}

int64_t host_files_take(struct host_files *files, const struct guest_memory *memory, gpa_t address,
                        struct host_file_request *request)
{
	return guest_memory_read(memory, address, request, sizeof(*request))
	               ? host_stop_at_nonsense(files, "a request outside its memory")
	               : 0;
}

void host_files_return(const struct guest_memory *memory, gpa_t address, const struct host_file_request *request,
                       int64_t answer)
{
	if (host_file_is_list(request->op) && answer >= 0)
		guest_memory_write(memory, gpa(address.value + offsetof(struct host_file_request, attributes)),
		                   &request->attributes, sizeof(request->attributes));
}

int64_t host_files_serve(struct host_files *files, const struct guest_memory *memory, gpa_t address)
{
	struct host_file_request request;
	int64_t answer = host_files_take(files, memory, address, &request);
	if (answer)
		return answer;
	answer = host_files_answer(files, memory, &request);
	host_files_return(memory, address, &request, answer);
	return answer;
}

bool host_files_find(const struct host_files *files, const char *path, uint32_t *handle)
{
	for (unsigned i = files->tree_count; i; i--) { /* later trees hide earlier ones */
		const char *guest = files->trees[i - 1].guest;
		const size_t length = guest[1] ? strlen(guest) : 0;
		if (!strncmp(path, guest, length) && strchr("/", path[length]))
			return host_objects_follow(&files->objects, i - 1, path + length + (path[length] == '/'),
			                           handle);
	}
	return false;
}

void host_files_forget_scouted(struct host_files *files)
{
	if (!files->scout)
		return;
	host_places_forget(&files->scout->places, &files->place);
	host_scout_drop(files->scout);
}

static void forget_file(struct host_files *files)
{
	host_files_forget_scouted(files);
	host_place_close(&files->place);
	host_chunks_fini(&files->chunks);
	host_files_forget_listing(files);
	host_objects_fini(&files->objects);
	host_objects_fini(&files->absent);
	host_bytecode_fini(&files->bytecode);
	files->error.text[0] = 0;
}

int host_files_begin(struct host_files *files)
{
	forget_file(files);
	files->run++;
	for (unsigned i = 0; i < files->tree_count; i++) {
		struct host_stamp stamp;
		int result = files->trees[i].ops->begin(files, &files->trees[i], &stamp);
		if (result)
			return result;
		if (host_objects_add_root(&files->objects, &stamp) < 0)
			return (int)host_stop_without_memory(files);
		result = files->content_times ? host_bytecode_look(files, i, NULL) : 0;
		if (result)
			return result;
	}
	return 0;
}

int host_files_open(struct host_files *files, struct host_tree *trees, unsigned count, struct error *error)
{
	*files = (struct host_files){.trees = trees, .tree_count = count};
	host_streams_begin();
	for (unsigned i = 0; i < count; i++) {
		trees[i].later = &trees[i + 1];
		trees[i].later_count = count - i - 1;
		int result = host_tree_open(&trees[i], error);
		if (result) {
			host_files_close(files);
			return result;
		}
	}
	return 0;
}

void host_files_close(struct host_files *files)
{
	forget_file(files);
	host_notes_fini(&files->notes);
	for (unsigned i = 0; i < files->tree_count; i++)
		host_tree_close(&files->trees[i]);
	*files = (struct host_files){0};
}
