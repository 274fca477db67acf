/* SPDX-License-Identifier: MIT */
/* The stamp shows whether what was opened is still the object that was looked up. */
#include "hostfs/tree/host_live_open.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "hostfs/host_look.h"
#include "hostfs/host_stop.h"

int host_live_open_path(const struct host_files *files, uint32_t handle, const char *name, int flags,
                        struct host_stamp *stamp)
{
	char path[PATH_MAX];
	int64_t root = host_objects_path(&files->objects, handle, name, path);
	return root < 0 ? (int)root : host_tree_open_object(&files->trees[root], path, flags, stamp);
}

int host_live_open(struct host_files *files, uint32_t handle, int flags, struct host_stamp *stamp)
{
	int fd = host_live_open_path(files, handle, "", flags, stamp);
	/* With a tree of one file, Landlock confines the monitor to this file. EACCES may then mean that another file
	 * has its name. */
	if (fd == -EACCES && !(flags & O_PATH)) {
		int error = host_live_open(files, handle, O_PATH, stamp);
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

struct host_scout_item *host_live_open_scouted(const struct host_files *files, uint32_t handle,
                                               const struct host_tree *tree, const char *path)
{
	struct host_scout_item *directory = host_scout_take(files->scout, tree, path, false);
	if (!directory || host_stamp_is_same(host_look_stamp(files, handle), &directory->stamp))
		return directory;
	host_scout_put(directory);
	return NULL;
}
