/* SPDX-License-Identifier: MIT */
/* Looks objects up by name. An object is remembered by its directory and name, not by a descriptor. It is opened again
 * each time, beneath its tree, and must be unchanged. */
#include "hostfs/host_look.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "hostfs/host_denied.h"
#include "hostfs/host_names.h"
#include "hostfs/host_recording.h"
#include "hostfs/tree/host_sealed.h"
#include "hostfs/host_stop.h"

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

int host_look_open_path(const struct host_files *files, uint32_t handle, const char *name, int flags,
                        struct host_stamp *stamp)
{
	char path[PATH_MAX];
	int64_t root = host_objects_path(&files->objects, handle, name, path);
	return root < 0 ? (int)root : host_tree_open_object(&files->trees[root], path, flags, stamp);
}

int host_look_open(struct host_files *files, uint32_t handle, int flags, struct host_stamp *stamp)
{
	int fd = host_look_open_path(files, handle, "", flags, stamp);
	/* With a tree of one file, Landlock confines the monitor to this file. EACCES may then mean that another file
	 * has its name. */
	if (fd == -EACCES && !(flags & O_PATH)) {
		int error = host_look_open(files, handle, O_PATH, stamp);
		if (error < 0)
			return error;
		close(error);
	}
	if (fd == -ENOENT || fd == -ELOOP || fd == -ENOTDIR)
		return (int)host_stop_at_change(files, handle, "");
	if (fd >= 0 && !host_stamp_is_same(host_look_stamp(files, handle), stamp)) {
		close(fd);
		return (int)host_stop_at_change(files, handle, "");
	}
	return (int)host_stop_unless_told(files, handle, "", fd);
}

struct host_scout_item *host_look_scouted(const struct host_files *files, uint32_t handle, const struct host_tree *tree,
                                          const char *path)
{
	struct host_scout_item *directory = host_scout_take(files->scout, tree, path, false);
	if (!directory || host_stamp_is_same(host_look_stamp(files, handle), &directory->stamp))
		return directory;
	host_scout_put(directory);
	return NULL;
}

/* Gives an object the next handle in one of the two lists. */
static int64_t add(struct host_files *files, struct host_objects *list, uint32_t parent, const char *name,
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

/* --- requests --- */

/* Sets the attributes that follow from the stamp. */
static void tell_stamp(const struct host_files *files, const struct host_stamp *stamp,
                       struct host_file_attributes *attributes)
{
	*attributes = (struct host_file_attributes){.mode = stamp->mode, .mtime_ns = files->time_ns};
	if (S_ISREG(stamp->mode))
		attributes->size = stamp->size;
	if (S_ISREG(stamp->mode) && files->times)
		attributes->mtime_ns = host_stamp_mtime_ns(stamp);
}

/* The attributes of an object of the host. */
struct seen {
	struct host_stamp stamp;
	uint32_t flags;     /* host_tree_access */
	const char *target; /* of a link, if it is known already; NULL: it is not */
};

/* Sets the attributes that the guest may know of an object: of `name` in the directory `fd`, or of `fd` itself if the
 * name is empty. For a link, also sets the target. Returns 0 or a negative errno. */
static int tell(const struct host_files *files, int fd, const char *name, const struct seen *seen,
                struct host_file_attributes *attributes, char target[PATH_MAX])
{
	const struct host_stamp *stamp = &seen->stamp;
	tell_stamp(files, stamp, attributes);
	attributes->flags = seen->flags;
	if (!S_ISLNK(stamp->mode))
		return 0;
	ssize_t length = seen->target ? stpcpy(target, seen->target) - target : readlinkat(fd, name, target, PATH_MAX);
	if (length < 0)
		return -errno;
	if (length == 0 || length == PATH_MAX)
		return -ENOENT; /* Linux does not allow anybody to make such a link */
	target[length] = 0;
	attributes->size = (uint64_t)length;
	return 0;
}

/* Adds a new object, and finds the bytecode that gives it its time. Returns its handle or a negative errno. */
static int64_t remember(struct host_files *files, uint32_t dir, const char *name, const struct host_stamp *stamp,
                        struct host_file_attributes *attributes, const char *target)
{
	int64_t added = add(files, &files->objects, dir, name, stamp);
	if (added >= 0 && host_bytecode_look(files, (uint32_t)added, target))
		return -ESTALE;
	if (added >= 0 && files->bytecode_times && S_ISREG(stamp->mode))
		attributes->mtime_ns = host_bytecode_time_ns(files, (uint32_t)added);
	return added;
}

/* Returns the handle of a known object that has been looked up again, and sets its time. */
static int64_t know(const struct host_files *files, uint32_t handle, const struct host_stamp *stamp,
                    struct host_file_attributes *attributes)
{
	if (files->bytecode_times && S_ISREG(stamp->mode))
		attributes->mtime_ns = host_bytecode_time_ns(files, handle);
	return handle;
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

/* Whether a directory, which must be unchanged, has a name, shown or not. Returns 1, 0 or a negative errno. */
static int has_name(struct host_files *files, uint32_t handle, const char *name)
{
	char path[PATH_MAX];
	struct host_stamp now;
	struct stat st;
	int fd = host_look_open(files, handle, O_PATH, &now);
	if (fd < 0)
		return fd;
	int64_t root = host_objects_path(&files->objects, handle, name, path);
	bool is_masked = root >= 0 && host_tree_is_masked(&files->trees[root], path);
	int result = is_masked ? -ENOENT : fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) ? -errno : 1;
	close(fd);
	return result == -ENOENT ? 0 : (int)host_stop_unless_told(files, handle, name, result);
}

/* Opens a name that is not yet known. Returns a descriptor or a negative errno. -ENOENT is remembered, also if an
 * object of this name exists that is not shown. */
static int64_t open_name(struct host_files *files, uint32_t dir, const char *name, bool listed,
                         struct host_stamp *stamp)
{
	static const struct host_stamp none;
	int fd = host_look_open_path(files, dir, name, O_PATH, stamp);
	if (fd >= 0 && !listed && S_ISDIR(stamp->mode) && host_recording_is(files, dir, name, fd, ".")) {
		close(fd);
		fd = -ENOENT;
	}
	if (fd >= 0 && host_look_is_absent(files, dir, name)) {
		close(fd);
		return host_stop_at_appearance(files, dir, name);
	}
	if (fd != -ENOENT && fd != -ENOTDIR && fd != -ELOOP)
		return host_stop_unless_told(files, dir, name, fd);
	int there = has_name(files, dir, name); /* finds out whether the name is missing, or the directory */
	if (there < 0 || host_look_is_absent(files, dir, name))
		return there < 0 ? there : -ENOENT;
	if (listed && !there)
		return host_stop_at_change(files, dir, name);
	int64_t result = add(files, &files->absent, dir, name, &none);
	return result < 0 ? result : -ENOENT;
}

static bool is_sealed(const struct host_files *files, uint32_t handle)
{
	return files->trees[host_objects_root(&files->objects, handle)].sealed;
}

/* Looks up a name in a directory of an image, or the object itself. Returns its handle or a negative errno. */
static int64_t look_sealed(struct host_files *files, uint32_t dir, const char *name,
                           struct host_file_attributes *attributes, char target[PATH_MAX])
{
	struct eri_name found;
	uint32_t handle = dir;
	int result = host_sealed_look(files, dir, name, &found);
	if (result)
		return result;
	const struct host_stamp stamp =
		host_sealed_stamp(&files->trees[host_objects_root(&files->objects, dir)], &found);
	int length = S_ISLNK(stamp.mode) ? eri_names_text(found.detail, found.detail_bytes, target, PATH_MAX) : 1;
	if (length <= 0)
		return host_stop(files, EUCLEAN, "the image is damaged: what it has of %s is not valid",
		                 host_stop_describe(files, dir, name));
	tell_stamp(files, &stamp, attributes);
	if (S_ISLNK(stamp.mode))
		attributes->size = (uint64_t)length;
	if (host_sealed_is_closed(&found))
		attributes->flags = HOST_FILE_UNLISTABLE;
	if (host_sealed_is_unsearchable(&found))
		attributes->flags |= HOST_FILE_UNSEARCHABLE;
	if (*name && !host_objects_find(&files->objects, dir, name, &handle))
		return remember(files, dir, name, &stamp, attributes, target);
	return know(files, handle, &stamp, attributes);
}

int64_t host_look_search(struct host_files *files, uint32_t handle)
{
	struct eri_name found;
	struct host_stamp now;
	if (!S_ISDIR(host_look_stamp(files, handle)->mode))
		return host_stop_at_nonsense(files, "a search of an object that is not a directory");
	if (is_sealed(files, handle)) {
		int error = host_sealed_look(files, handle, "", &found);
		return error ? error : host_sealed_is_unsearchable(&found) ? -EACCES : 0;
	}
	int fd = host_look_open(files, handle, O_PATH, &now);
	if (fd < 0)
		return fd;
	bool is_denied = faccessat(fd, "", X_OK, AT_EACCESS | AT_EMPTY_PATH) && errno == EACCES;
	close(fd);
	return is_denied ? -EACCES : 0;
}

/* Looks up a name in files->place, whose path then ends with the name; by what was read ahead, if it was. Returns 0 or
 * a negative errno as host_tree_stamp. */
static int see_in_place(struct host_files *files, uint32_t dir, const char *name, struct seen *seen)
{
	const struct host_tree *tree = files->place.tree;
	struct host_place *place = &files->place;
	const struct host_scout_name *scouted =
		files->scout ? host_place_scouted(place, name, files->scout->life_ns) : NULL;
	if (scouted) {
		const char *target = scouted->target ? place->scouted->text + scouted->target : NULL;
		*seen = (struct seen){scouted->stamp, scouted->flags, target};
		return scouted->result;
	}
	struct host_stamp now;
	if (place->fd < 0)
		place->fd = host_look_open(files, dir, O_PATH, &now);
	if (place->fd < 0)
		return -EAGAIN;
	seen->target = NULL;
	int result = host_tree_stamp(tree, place->fd, place->path, name, &seen->stamp);
	seen->flags = result ? 0 : host_tree_access(place->fd, name, &seen->stamp);
	return result;
}

/* Looks up a name in files->place without opening the object, because opening costs four times as much. Returns its
 * handle; -ENOENT, which is remembered, if the directory did not list the name; or -EAGAIN if look_by_path has to be
 * used, also for a known object that has changed. */
static int64_t look_in_place(struct host_files *files, uint32_t dir, const char *path, const char *name, bool listed,
                             struct host_file_attributes *attributes, char target[PATH_MAX])
{
	static const struct host_stamp none;
	struct host_place *place = &files->place;
	struct seen seen;
	uint32_t handle;
	size_t length = place->length, bytes = strlen(name) + 1;
	const struct host_tree *tree = &files->trees[host_objects_root(&files->objects, dir)];
	if (!*name || !host_names_is_one(name) || length + 1 + bytes > sizeof(place->path) ||
	    !host_place_is(place, tree, path) || host_look_is_absent(files, dir, name))
		return -EAGAIN;
	const bool known = host_objects_find(&files->objects, dir, name, &handle);
	if (length)
		place->path[length++] = '/';
	memcpy(place->path + length, name, bytes);
	int result = see_in_place(files, dir, name, &seen);
	if (!result && !known && !listed && S_ISDIR(seen.stamp.mode) &&
	    host_recording_is(files, dir, name, place->fd, name))
		result = -ENOENT;
	bool is_absent = result == -ENOENT && !listed && !known;
	if (!result && known && !host_stamp_is_same(host_look_stamp(files, handle), &seen.stamp))
		result = -EAGAIN;
	if (!result)
		result = tell(files, place->fd, name, &seen, attributes, target);
	place->path[place->length] = 0;
	if (!result)
		return known ? know(files, handle, &seen.stamp, attributes)
		             : remember(files, dir, name, &seen.stamp, attributes, target);
	int64_t added = is_absent ? add(files, &files->absent, dir, name, &none) : -EAGAIN;
	return added < 0 ? added : -ENOENT;
}

/* Looks up a name in a directory, or the object itself, by its path. Returns its handle or a negative errno. */
static int64_t look_by_path(struct host_files *files, uint32_t dir, const char *name, bool listed,
                            struct host_file_attributes *attributes, char target[PATH_MAX])
{
	struct seen seen = {.target = NULL};
	uint32_t handle = dir;
	bool known = !*name || host_objects_find(&files->objects, dir, name, &handle);
	int64_t opened = known ? host_look_open(files, handle, O_PATH, &seen.stamp)
	                       : open_name(files, dir, name, listed, &seen.stamp);
	if (opened < 0)
		return opened;
	int fd = (int)opened;
	seen.flags = host_tree_access(fd, "", &seen.stamp);
	int result = (int)host_stop_unless_told(files, dir, name, tell(files, fd, "", &seen, attributes, target));
	close(fd);
	if (result < 0)
		return result;
	return known ? know(files, handle, &seen.stamp, attributes)
	             : remember(files, dir, name, &seen.stamp, attributes, target);
}

/* Looks up a name in a directory; `listed` if the directory listed it before. `path` is the directory's path below its
 * tree. Returns its handle or a negative errno. */
static int64_t look_at(struct host_files *files, uint32_t dir, const char *path, const char *name, bool listed,
                       struct host_file_attributes *attributes, char target[PATH_MAX])
{
	if (!host_names_is_one(name))
		return host_stop_at_nonsense(files, "an invalid name");
	if (*name && !S_ISDIR(host_look_stamp(files, dir)->mode))
		return host_stop_at_nonsense(files, "a name in an object that is not a directory");
	if (is_sealed(files, dir))
		return look_sealed(files, dir, name, attributes, target);
	int64_t handle = look_in_place(files, dir, path, name, listed, attributes, target);
	return handle == -EAGAIN ? look_by_path(files, dir, name, listed, attributes, target) : handle;
}

int64_t host_look_name(struct host_files *files, uint32_t dir, const char *name,
                       struct host_file_attributes *attributes, char target[PATH_MAX])
{
	char path[PATH_MAX];
	int64_t root = host_objects_path(&files->objects, dir, "", path);
	return root < 0 ? root : look_at(files, dir, path, name, false, attributes, target);
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
			looked.handle = look_at(files, handle, path, name, request->offset && !count,
			                        &looked.attributes, target);
		looked.handle = host_denied_note(files, handle, name, looked.handle);
		if (files->error[0] || (looked.handle < 0 && !count))
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
	int error = *request->name && !is_sealed(files, dir) ? check_directory(files, dir) : 0;
	return error ? error : (int64_t)count;
}

int64_t host_look_listed(struct host_files *files, uint32_t dir, const char *path, const char *name,
                         struct host_file_attributes *attributes, char target[PATH_MAX])
{
	return look_at(files, dir, path, name, true, attributes, target);
}

/* Makes a directory that is not the place the place. */
static int enter_by_path(struct host_files *files, uint32_t handle, const struct host_tree *tree, const char *path)
{
	struct host_stamp now;
	struct host_scout *scout = files->scout;
	if (scout && host_places_enter(&scout->places, &files->place, tree, path, scout->life_ns))
		return 0;
	if (scout)
		host_places_leave(&scout->places, &files->place);
	struct host_scout_item *directory = host_look_scouted(files, handle, tree, path);
	if (directory) {
		host_place_set_scouted(&files->place, directory);
		return 0;
	}
	int fd = host_look_open(files, handle, O_PATH, &now);
	if (fd >= 0)
		host_place_set(&files->place, tree, path, fd);
	return fd < 0 ? fd : 0;
}

int host_look_enter(struct host_files *files, uint32_t handle, char path[PATH_MAX])
{
	int64_t root = host_objects_path(&files->objects, handle, "", path);
	if (!S_ISDIR(host_look_stamp(files, handle)->mode))
		return (int)host_stop_at_nonsense(files, "a name in an object that is not a directory");
	if (root < 0 || files->trees[root].sealed || host_place_is(&files->place, &files->trees[root], path))
		return root < 0 ? (int)root : 0;
	return enter_by_path(files, handle, &files->trees[root], path);
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
		if (files->error[0])
			return looked.handle;
		write_target(memory, gpa(request->buffer), &looked, target, &end);
		guest_memory_write(memory, gpa(request->buffer + i * sizeof(looked)), &looked, sizeof(looked));
	}
	request->buffer_bytes = end;
	return 0;
}
