/* SPDX-License-Identifier: MIT */
/* The code that serves the guest also makes these answers, so a false list can do no more than a hostile guest. An
 * error is not an error of the run, because the guest has not asked. The guest may run meanwhile, so nothing that is
 * read from its memory is trusted. */
#include "hostfs/host_unasked.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#define LOAD_MAX 131072UL    /* bytes; for larger files, the guest's own request costs little in comparison */
#define ROOM_MIN (20 * 1024) /* bytes for an answer: HOST_FILE_LOOK_BYTES, or the names of HOST_FILE_LOOK_MANY */

_Static_assert(ROOM_MIN >= HOST_FILE_LOOK_BYTES, "an answer has room");

static uint64_t aligned(uint64_t bytes)
{
	return (bytes + HOST_FILE_AHEAD_ALIGN - 1) & ~(HOST_FILE_AHEAD_ALIGN - 1);
}

static gpa_t in_area(const struct host_ahead *ahead, uint64_t offset)
{
	return gpa(ahead->area.value + offset);
}

/* Notes a request of a walk for the list of the next run, unless the walk is long. */
static void note_walked(struct host_ahead *ahead, const struct host_ahead_answer *answer)
{
	char path[PATH_MAX];
	int64_t root = host_objects_path(&ahead->files->objects, answer->handle, "", path);
	const struct host_asked asked = {.op = answer->op, .root = (uint32_t)root, .path = path};
	if (root < 0 || ahead->walk.right >= HOST_WALK_LONG)
		host_asked_skip(&ahead->now);
	else
		host_asked_add(&ahead->now, &asked);
}

void host_unasked_confirm(struct host_ahead *ahead, const struct host_ahead_answer *answer)
{
	struct host_files *files = ahead->files;
	struct host_asked asked;
	size_t at = answer->at;
	ahead->follows_list = !answer->op;
	if (answer->op == HOST_FILE_LOOK) {
		host_lookups_take(&ahead->lookups, answer->found);
		host_asked_skip(&ahead->now);
	} else if (answer->op) {
		ahead->walk = answer->walk;
		note_walked(ahead, answer);
	} else if (host_asked_next(&ahead->before, &at, &asked)) {
		const struct host_walk_step step = {asked.op, answer->handle};
		host_asked_add(&ahead->now, &asked);
		host_walk_follow(&ahead->walk, &files->objects, &step, asked.offset, answer->objects, true);
	}
	if (answer->note) {
		answer->note->run = files->run;
		files->objects.objects[answer->handle].is_noted = true;
	}
	ahead->foreseen++;
}

void host_unasked_undo(struct host_ahead *ahead, const struct host_ahead_answer *answer)
{
	host_bytecode_truncate(ahead->files, answer->objects);
	host_objects_truncate(&ahead->files->objects, answer->objects);
	host_objects_truncate(&ahead->files->absent, answer->absent);
	ahead->next = answer->at;
}

/* Finds the handle of the object that a request is about, if the object is known. */
static bool find_asked_object(const struct host_files *files, const struct host_asked *asked, uint32_t *handle)
{
	return asked->root < files->tree_count &&
	       host_objects_follow(&files->objects, asked->root, asked->path, handle);
}

/* Whether a request looks up objects. Requests behind it can be about these objects, so they are answered only after
 * it. */
static bool is_look(const struct host_asked *asked)
{
	return asked->op == HOST_FILE_LOOK || asked->op == HOST_FILE_LOOK_MANY || asked->op == HOST_FILE_LIST_LOOK ||
	       asked->op == HOST_FILE_LIST_DIRECTORIES;
}

/* Writes to guest memory what the request needs there. Returns false if the guest has to make the request itself. */
static bool prepare_request(const struct host_ahead *ahead, const struct host_asked *asked,
                            struct host_file_request *request)
{
	const struct host_stamp *stamp = &ahead->files->objects.objects[request->handle].stamp;
	struct host_file_piece piece = {request->buffer, stamp->size};
	switch (asked->op) {
	case HOST_FILE_LOOK:
		memcpy(request->name, asked->key, asked->key_bytes); /* fits, as host_asked_adopt has checked */
		return true;
	case HOST_FILE_LOOK_MANY:
		request->buffer_bytes = asked->key_bytes;
		return asked->offset <= HOST_FILE_LOOKS_MAX &&
		       !guest_memory_write(ahead->memory, gpa(request->buffer), asked->key, asked->key_bytes);
	case HOST_FILE_LIST:
	case HOST_FILE_LIST_LOOK:
	case HOST_FILE_LIST_DIRECTORIES:
		if (request->buffer_bytes > HOST_FILE_LIST_BYTES)
			request->buffer_bytes = HOST_FILE_LIST_BYTES; /* the guest reads longer lists in parts */
		return !asked->offset;
	case HOST_FILE_LOAD:
		request->buffer += aligned(piece.bytes);
		request->buffer_bytes = sizeof(piece);
		return !asked->offset && S_ISREG(stamp->mode) && piece.bytes && piece.bytes <= LOAD_MAX &&
		       !guest_memory_write(ahead->memory, gpa(request->buffer), &piece, sizeof(piece));
	default:
		return false;
	}
}

/* Returns the number of bytes that the answer has in the buffer. */
static uint64_t data_bytes(const struct host_ahead *ahead, const struct host_file_request *request, int64_t answer)
{
	struct host_file_looked last;
	uint64_t count = answer > 0 ? (uint64_t)answer : 0;
	switch (request->op) {
	case HOST_FILE_LOOK:
		if (!count || guest_memory_read(ahead->memory, gpa(request->buffer + (count - 1) * sizeof(last)), &last,
		                                sizeof(last)))
			return 0;
		return count * sizeof(last) +
		       (last.handle >= 0 && S_ISLNK(last.attributes.mode) ? last.attributes.size % PATH_MAX : 0);
	case HOST_FILE_LOOK_MANY:
	case HOST_FILE_LIST:
	case HOST_FILE_LIST_LOOK:
	case HOST_FILE_LIST_DIRECTORIES:
		return request->buffer_bytes;
	default:
		return ahead->files->objects.objects[request->handle].stamp.size;
	}
}

/* Serves a request that the guest has not made. Returns whether the answer is the one that the guest would get. */
static bool serve_unasked(struct host_ahead *ahead, struct host_file_request *request, int64_t *answer)
{
	struct host_files *files = ahead->files;
	struct host_listing *listing = files->listing; /* kept, because the guest may want the next part */
	files->listing = NULL;
	files->noted = NULL;
	files->is_ahead = true;
	files->is_denied = false;
	*answer = host_files_answer(files, ahead->memory, request);
	files->is_ahead = false;
	host_files_forget_listing(files);
	files->listing = listing;
	/* A denied name is noted when the guest asks for it. Of errors, only -ENOENT of a look-up is an answer: it
	 * comes from the host's files. */
	bool good = !files->error.text[0] && !files->is_denied &&
	            (*answer >= 0 || (request->op == HOST_FILE_LOOK && *answer == -ENOENT));
	files->error.text[0] = 0;
	return good && (!host_file_is_list(request->op) || (uint64_t)*answer == request->attributes.size);
}

/* Returns the number of bytes that an answer may need in the area. */
static uint64_t room_for(const struct host_files *files, const struct host_asked *asked, uint32_t handle)
{
	const uint64_t bytes = files->objects.objects[handle].stamp.size;
	if (asked->op != HOST_FILE_LOAD || bytes > LOAD_MAX)
		return ROOM_MIN;
	return aligned(bytes) + sizeof(struct host_file_piece);
}

/* Appends an entry for a request about an object, of which *answer has what the caller knows. */
static bool append_answer(struct host_ahead *ahead, const struct host_asked *asked, struct host_ahead_answer *answer)
{
	struct host_files *files = ahead->files;
	struct host_file_ahead_entry entry = {
		.op = asked->op, .handle = answer->handle, .offset = asked->offset, .key_bytes = asked->key_bytes};
	uint64_t offset = ahead->count ? answer[-1].end : sizeof(struct host_file_ahead);
	uint64_t key = offset + sizeof(entry), data = key + aligned(asked->key_bytes);
	if (data + room_for(files, asked, entry.handle) > HOST_FILE_AHEAD_BYTES)
		return false;
	struct host_file_request request = {.op = asked->op,
	                                    .handle = entry.handle,
	                                    .buffer = in_area(ahead, data).value,
	                                    .buffer_bytes = HOST_FILE_AHEAD_BYTES - data,
	                                    .offset = asked->offset};
	answer->objects = files->objects.count;
	answer->absent = files->absent.count;
	bool answered = prepare_request(ahead, asked, &request) && serve_unasked(ahead, &request, &entry.answer);
	if (!answered && is_look(asked)) {
		host_unasked_undo(ahead, answer);
		return false;
	}
	answer->is_asked_for = !answered;
	answer->note = answered ? files->noted : NULL;
	if (!answered)
		entry.answer = HOST_FILE_AGAIN;
	entry.listed = request.attributes.size;
	entry.data_bytes = answered ? (uint32_t)data_bytes(ahead, &request, entry.answer) : 0;
	answer->end = data + aligned(entry.data_bytes);
	guest_memory_write(ahead->memory, in_area(ahead, offset), &entry, sizeof(entry));
	guest_memory_write(ahead->memory, in_area(ahead, key), asked->key, asked->key_bytes);
	ahead->count++;
	return true;
}

bool host_unasked_answer(struct host_ahead *ahead, size_t at, const struct host_asked *asked)
{
	struct host_ahead_answer *answer = &ahead->answers[ahead->count];
	if (ahead->count == HOST_AHEAD_MAX)
		return false;
	*answer = (struct host_ahead_answer){.at = at};
	return find_asked_object(ahead->files, asked, &answer->handle) && append_answer(ahead, asked, answer);
}

bool host_unasked_walk(struct host_ahead *ahead, const struct host_walk *from)
{
	struct host_ahead_answer *answer = &ahead->answers[ahead->count];
	struct host_walk_step step;
	if (ahead->count == HOST_AHEAD_MAX || !host_walk_next(from, &ahead->files->objects, &step))
		return false;
	const struct host_asked asked = {.op = step.op};
	*answer = (struct host_ahead_answer){.at = ahead->next, .op = step.op, .handle = step.handle, .walk = *from};
	if (!append_answer(ahead, &asked, answer))
		return false;
	host_walk_follow(&answer->walk, &ahead->files->objects, &step, 0, answer->objects, true);
	return true;
}

bool host_unasked_look(struct host_ahead *ahead, uint32_t *at)
{
	struct host_ahead_answer *answer = &ahead->answers[ahead->count];
	struct host_lookups_step step;
	if (ahead->count == HOST_AHEAD_MAX || !host_lookups_next(&ahead->lookups, ahead->files, *at, &step))
		return false;
	const struct host_asked asked = {
		.op = HOST_FILE_LOOK, .key = step.name, .key_bytes = (uint32_t)strlen(step.name) + 1};
	*answer = (struct host_ahead_answer){.at = ahead->next, .op = asked.op, .handle = step.handle, .found = *at};
	if (!append_answer(ahead, &asked, answer) || !host_lookups_find(ahead->files, &step, at))
		return false;
	answer->found = *at;
	return true;
}
