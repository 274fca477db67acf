/* SPDX-License-Identifier: MIT */
/* Looks objects up by name. An object is remembered by its directory and name, not by a descriptor. */
#include "hostfs/host_look.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "hostfs/host_denied.h"
#include "hostfs/host_names.h"
#include "hostfs/host_stop.h"
#include "hostfs/tree/host_tree_ops.h"

/* --- objects --- */

const struct host_stamp *host_look_stamp(const struct host_files *files, uint32_t handle)
{
	return &files->objects.objects[handle].stamp;
}

bool host_look_is_absent(const struct host_files *files, uint32_t dir, const char *name)
{
	uint32_t which;
	return host_objects_find(&files->absent, dir, name, &which);
}

/* Gives an object the next handle in one of the two lists. */
static int64_t add_looked_up(struct host_files *files, struct host_objects *list, uint32_t parent, const char *name,
                             const struct host_stamp *stamp)
{
	int64_t handle = host_objects_add(list, parent, name, stamp);
	if (handle == -ENFILE)
		return host_stop(
			files, ENFILE,
			"the program has looked up more than %u of the host's files; give it fewer by --root DIR",
			list->count);
	return handle < 0 ? host_stop_without_memory(files) : handle;
}

void host_look_tell(const struct host_files *files, const struct host_stamp *stamp,
                    struct host_file_attributes *attributes)
{
	*attributes = (struct host_file_attributes){.mode = stamp->mode, .mtime_ns = files->time_ns};
	if (S_ISREG(stamp->mode))
		attributes->size = stamp->size;
	if (S_ISREG(stamp->mode) && files->times)
		attributes->mtime_ns = host_stamp_mtime_ns(stamp);
}

int64_t host_look_remember(struct host_files *files, uint32_t dir, const char *name, const struct host_stamp *stamp,
                           struct host_file_attributes *attributes, const char *target)
{
	int64_t added = add_looked_up(files, &files->objects, dir, name, stamp);
	if (added >= 0 && host_bytecode_look(files, (uint32_t)added, target))
		return -ESTALE;
	if (added >= 0 && files->bytecode_times && S_ISREG(stamp->mode))
		attributes->mtime_ns = host_bytecode_time_ns(files, (uint32_t)added);
	return added;
}

int64_t host_look_know(const struct host_files *files, uint32_t handle, const struct host_stamp *stamp,
                       struct host_file_attributes *attributes)
{
	if (files->bytecode_times && S_ISREG(stamp->mode))
		attributes->mtime_ns = host_bytecode_time_ns(files, handle);
	return handle;
}

int64_t host_look_remember_absent(struct host_files *files, uint32_t dir, const char *name)
{
	static const struct host_stamp none;
	int64_t added = add_looked_up(files, &files->absent, dir, name, &none);
	return added < 0 ? added : -ENOENT;
}

/* --- requests --- */

static const struct host_tree_ops *ops_of(const struct host_files *files, uint32_t handle)
{
	return files->trees[host_objects_root(&files->objects, handle)].ops;
}

/* Sets the path of a directory below its tree. Makes the directory the place if a name in it is to be looked up: that
 * and a look in the place take fewer calls than to look the name up by its path. Returns 0 or more, or a negative
 * errno. */
static int64_t enter_for(struct host_files *files, uint32_t dir, const char *name, char path[PATH_MAX])
{
	if (*name && host_names_is_one(name) && S_ISDIR(host_look_stamp(files, dir)->mode))
		return host_look_enter(files, dir, path);
	return host_objects_path(&files->objects, dir, "", path);
}

/* Checks that a directory is still the one in which names were just found, and makes it the place, where the program's
 * next names probably are. Returns 0 or a negative errno. */
static int check_directory(struct host_files *files, uint32_t handle)
{
	char path[PATH_MAX];
	return host_look_enter(files, handle, path);
}

/* Looks up a name in a directory; `listed` if the directory listed it before. `path` is the directory's path below its
 * tree. Returns its handle or a negative errno. */
static int64_t look_at_name(struct host_files *files, uint32_t dir, const char *path, const char *name, bool listed,
                            struct host_file_attributes *attributes, char target[PATH_MAX])
{
	if (!host_names_is_one(name))
		return host_stop_at_nonsense(files, "an invalid name");
	if (*name && !S_ISDIR(host_look_stamp(files, dir)->mode))
		return host_stop_at_nonsense(files, "a name in an object that is not a directory");
	return ops_of(files, dir)->look(files, dir, path, name, listed, attributes, target);
}

int64_t host_look_search(struct host_files *files, uint32_t handle)
{
	if (!S_ISDIR(host_look_stamp(files, handle)->mode))
		return host_stop_at_nonsense(files, "a search of an object that is not a directory");
	return ops_of(files, handle)->search(files, handle);
}

int64_t host_look_name(struct host_files *files, uint32_t dir, const char *name,
                       struct host_file_attributes *attributes, char target[PATH_MAX])
{
	char path[PATH_MAX];
	int64_t root = host_objects_path(&files->objects, dir, "", path);
	return root < 0 ? root : look_at_name(files, dir, path, name, false, attributes, target);
}

int64_t host_look(struct host_files *files, const struct guest_memory *memory, struct host_file_request *request)
{
	static char target[PATH_MAX], path[PATH_MAX]; /* too large for a stack; requests are served one at a time */
	struct host_file_looked looked;
	uint64_t to = request->buffer;
	uint32_t handle = request->handle, dir = handle; /* where the last name is */
	if (!guest_memory_at(memory, gpa(to), HOST_FILE_LOOK_BYTES) || request->buffer_bytes < HOST_FILE_LOOK_BYTES)
		return host_stop_at_nonsense(files, "a buffer that is too small, or outside its memory");
	unsigned names = memchr(request->name, 0, sizeof(request->name)) ? host_names_split(request->name) : 0,
		 count = 0;
	if (!names)
		return host_stop_at_nonsense(files, "an invalid name");
	for (const char *name = request->name; count < names; name += strlen(name) + 1) {
		looked = (struct host_file_looked){0};
		dir = handle;
		looked.handle = count + 1 == names ? enter_for(files, handle, name, path)
		                                   : host_objects_path(&files->objects, handle, "", path);
		if (looked.handle >= 0)
			looked.handle = look_at_name(files, handle, path, name, request->offset && !count,
			                             &looked.attributes, target);
		looked.handle = host_denied_note(files, handle, name, looked.handle);
		if (files->error.text[0] || (looked.handle < 0 && !count))
			return looked.handle;
		guest_memory_write(memory, gpa(to), &looked, sizeof(looked));
		to += sizeof(looked);
		count++;
		if (looked.handle < 0 || !S_ISDIR(looked.attributes.mode))
			break;
		handle = (uint32_t)looked.handle;
	}
	if (looked.handle >= 0 && S_ISLNK(looked.attributes.mode))
		guest_memory_write(memory, gpa(to), target, looked.attributes.size);
	int error = *request->name ? check_directory(files, dir) : 0;
	return error ? error : (int64_t)count;
}

int64_t host_look_listed(struct host_files *files, uint32_t dir, const char *path, const char *name,
                         struct host_file_attributes *attributes, char target[PATH_MAX])
{
	return look_at_name(files, dir, path, name, true, attributes, target);
}

int host_look_enter(struct host_files *files, uint32_t handle, char path[PATH_MAX])
{
	int64_t root = host_objects_path(&files->objects, handle, "", path);
	if (!S_ISDIR(host_look_stamp(files, handle)->mode))
		return (int)host_stop_at_nonsense(files, "a name in an object that is not a directory");
	if (root < 0)
		return (int)root;
	const struct host_tree_ops *ops = files->trees[root].ops;
	return ops->enter ? ops->enter(files, handle, path) : 0;
}

/* Writes the target of a link behind the answers, which end at *end. Without room for it, answers -ELOOP, so that the
 * guest asks for this name again. */
static void write_target(const struct guest_memory *memory, gpa_t to, struct host_file_looked *looked,
                         const char *target, uint64_t *end)
{
	const uint64_t bytes = looked->attributes.size;
	if (looked->handle < 0 || !S_ISLNK(looked->attributes.mode))
		return;
	if (bytes > HOST_FILE_LOOK_BYTES - *end) {
		looked->handle = -ELOOP;
		return;
	}
	guest_memory_write(memory, gpa(to.value + *end), target, bytes);
	*end += bytes;
}

int64_t host_look_many(struct host_files *files, const struct guest_memory *memory, struct host_file_request *request)
{
	static uint8_t list[HOST_FILE_LOOKS_MAX * 32]; /* too large for a stack; longer names leave room for fewer */
	const uint8_t *at = list;
	uint64_t count = request->offset, bytes = request->buffer_bytes;
	uint64_t end = count * sizeof(struct host_file_looked); /* end of the answer */
	char name[NAME_MAX + 1], path[PATH_MAX];
	static char target[PATH_MAX];
	if (bytes > sizeof(list) || count > HOST_FILE_LOOKS_MAX ||
	    !guest_memory_at(memory, gpa(request->buffer), HOST_FILE_LOOK_BYTES) ||
	    guest_memory_read(memory, gpa(request->buffer), list, bytes))
		return host_stop_at_nonsense(files, "an invalid list of names");
	int result = host_look_enter(files, request->handle, path);
	if (result < 0)
		return result;
	for (uint64_t i = 0; i < count; i++) {
		struct host_file_looked looked = {0};
		if (!host_names_take(&at, list + bytes, name))
			return host_stop_at_nonsense(files, "an invalid list of names");
		looked.handle = host_look_listed(files, request->handle, path, name, &looked.attributes, target);
		if (files->error.text[0])
			return looked.handle;
		write_target(memory, gpa(request->buffer), &looked, target, &end);
		guest_memory_write(memory, gpa(request->buffer + i * sizeof(looked)), &looked, sizeof(looked));
	}
	request->buffer_bytes = end;
	return 0;
}
