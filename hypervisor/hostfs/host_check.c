/* SPDX-License-Identifier: MIT */
#include "hostfs/host_check.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hostfs/host_stop.h"

/* Of a file its mode, size and perhaps date were told, of a link its target, which no call changes, of a directory its
 * mode, and it must be the same one. */
static bool is_as_told(const struct host_files *files, const struct host_stamp *was, const struct host_stamp *now)
{
	if (S_ISLNK(was->mode))
		return host_stamp_is_untouched(was, now);
	if (S_ISDIR(was->mode))
		return host_stamp_is_same(was, now);
	bool same_date = !files->times || !memcmp(&was->mtime, &now->mtime, sizeof(was->mtime));
	return was->mode == now->mode && was->size == now->size && same_date;
}

static int check(struct host_files *files, uint32_t handle)
{
	const struct host_object *object = &files->objects.objects[handle];
	struct host_stamp now;
	if (object->is_noted)
		return 0;
	int fd = host_files_open_path(files, handle, "", O_PATH, &now);
	if (fd >= 0)
		close(fd);
	if (fd < 0 && fd != -ENOENT && fd != -ENOTDIR && fd != -ELOOP)
		return (int)host_stop(files, -fd, "cannot check the host's %s for changes: %s",
		                      host_stop_describe(files, handle, ""), strerror(-fd));
	return fd < 0 || !is_as_told(files, &object->stamp, &now) ? (int)host_stop_at_change(files, handle, "") : 0;
}

int host_files_check(struct host_files *files)
{
	int result = 0;
	for (uint32_t handle = 0; handle < files->objects.count && !result; handle++)
		result = check(files, handle);
	return result ? result : host_bytecode_check(files);
}
