/* SPDX-License-Identifier: MIT */
/* An object of the host is looked up in its directory, which files->place keeps open, or else by its path. */
#include "hostfs/tree/host_live_look.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostfs/host_look.h"
#include "hostfs/host_names.h"
#include "hostfs/host_recording.h"
#include "hostfs/host_stop.h"
#include "hostfs/tree/host_live_open.h"

/* The attributes of an object of the host. */
struct seen {
	struct host_stamp stamp;
	uint32_t flags;     /* host_tree_access */
	const char *target; /* of a link, if it is known already; NULL: it is not */
};

/* Sets the attributes that the guest may know of an object: of `name` in the directory `fd`, or of `fd` itself if the
 * name is empty. For a link, also sets the target. Returns 0 or a negative errno. */
static int tell_attributes(const struct host_files *files, int fd, const char *name, const struct seen *seen,
                           struct host_file_attributes *attributes, char target[PATH_MAX])
{
	const struct host_stamp *stamp = &seen->stamp;
	host_look_tell(files, stamp, attributes);
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

/* --- by its path --- */

/* Whether a directory, which must be unchanged, has a name, shown or not. Returns 1, 0 or a negative errno. */
static int has_exact_name(struct host_files *files, uint32_t handle, const char *name)
{
	char path[PATH_MAX];
	struct host_stamp now;
	struct stat st;
	int fd = host_live_open(files, handle, O_PATH, &now);
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
	int fd = host_live_open_path(files, dir, name, O_PATH, stamp);
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
	int there = has_exact_name(files, dir, name); /* finds out whether the name is missing, or the directory */
	if (there < 0 || host_look_is_absent(files, dir, name))
		return there < 0 ? there : -ENOENT;
	if (listed && !there)
		return host_stop_at_change(files, dir, name);
	return host_look_remember_absent(files, dir, name);
}

/* Looks up a name in a directory, or the object itself, by its path. Returns its handle or a negative errno. */
static int64_t look_by_path(struct host_files *files, uint32_t dir, const char *name, bool listed,
                            struct host_file_attributes *attributes, char target[PATH_MAX])
{
	struct seen seen = {.target = NULL};
	uint32_t handle = dir;
	bool known = !*name || host_objects_find(&files->objects, dir, name, &handle);
	int64_t opened = known ? host_live_open(files, handle, O_PATH, &seen.stamp)
	                       : open_name(files, dir, name, listed, &seen.stamp);
	if (opened < 0)
		return opened;
	int fd = (int)opened;
	seen.flags = host_tree_access(fd, "", &seen.stamp);
	int result =
		(int)host_stop_unless_told(files, dir, name, tell_attributes(files, fd, "", &seen, attributes, target));
	close(fd);
	if (result < 0)
		return result;
	return known ? host_look_know(files, handle, &seen.stamp, attributes)
	             : host_look_remember(files, dir, name, &seen.stamp, attributes, target);
}

/* --- in its directory --- */

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
		place->fd = host_live_open(files, dir, O_PATH, &now);
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
		result = tell_attributes(files, place->fd, name, &seen, attributes, target);
	place->path[place->length] = 0;
	if (!result)
		return known ? host_look_know(files, handle, &seen.stamp, attributes)
		             : host_look_remember(files, dir, name, &seen.stamp, attributes, target);
	return is_absent ? host_look_remember_absent(files, dir, name) : -EAGAIN;
}

int64_t host_live_look(struct host_files *files, uint32_t dir, const char *path, const char *name, bool listed,
                       struct host_file_attributes *attributes, char target[PATH_MAX])
{
	int64_t handle = look_in_place(files, dir, path, name, listed, attributes, target);
	return handle == -EAGAIN ? look_by_path(files, dir, name, listed, attributes, target) : handle;
}

/* --- directories --- */

int64_t host_live_look_search(struct host_files *files, uint32_t handle)
{
	struct host_stamp now;
	int fd = host_live_open(files, handle, O_PATH, &now);
	if (fd < 0)
		return fd;
	bool is_denied = faccessat(fd, "", X_OK, AT_EACCESS | AT_EMPTY_PATH) && errno == EACCES;
	close(fd);
	return is_denied ? -EACCES : 0;
}

int host_live_look_enter(struct host_files *files, uint32_t handle, const char *path)
{
	const struct host_tree *tree = &files->trees[host_objects_root(&files->objects, handle)];
	struct host_stamp now;
	struct host_scout *scout = files->scout;
	if (host_place_is(&files->place, tree, path))
		return 0;
	if (scout && host_places_enter(&scout->places, &files->place, tree, path, scout->life_ns))
		return 0;
	if (scout)
		host_places_leave(&scout->places, &files->place);
	struct host_scout_item *directory = host_live_open_scouted(files, handle, tree, path);
	if (directory) {
		host_place_set_scouted(&files->place, directory);
		return 0;
	}
	int fd = host_live_open(files, handle, O_PATH, &now);
	if (fd >= 0)
		host_place_set(&files->place, tree, path, fd);
	return fd < 0 ? fd : 0;
}
