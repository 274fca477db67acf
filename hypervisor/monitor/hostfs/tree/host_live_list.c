/* SPDX-License-Identifier: MIT */
/* A directory may hold objects that programs never see. They are left out of its list, and are not found by name
 * either (host_tree.c). */
#include "hostfs/tree/host_live_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "hostfs/host_look.h"
#include "hostfs/host_recording.h"
#include "hostfs/host_stop.h"
#include "hostfs/tree/host_live_open.h"

/* Whether a directory may have names that are not in the part of its tree that is shown, or masked. */
static bool has_hidden_names(const struct host_files *files, uint32_t handle)
{
	char path[PATH_MAX];
	const struct host_tree *tree = &files->trees[host_objects_root(&files->objects, handle)];
	return tree->part ||
	       (host_objects_path(&files->objects, handle, "", path) >= 0 && host_tree_masks_below(tree, path));
}

/* Whether a name in such a directory is in the part of its tree that is shown, and not masked. A name whose path is too
 * long is shown; looking it up tells that. */
static bool is_in_part(const struct host_files *files, uint32_t handle, const char *name)
{
	char path[PATH_MAX];
	const struct host_tree *tree = &files->trees[host_objects_root(&files->objects, handle)];
	return host_objects_path(&files->objects, handle, name, path) < 0 ||
	       (!host_tree_is_masked(tree, path) && tree->ops->shows(tree, path));
}

/* Whether the guest may see a directory entry. Finds its type if the file system did not give it. */
static bool is_entry_shown(const struct host_files *files, uint32_t handle, bool has_hidden, int dir,
                           struct dirent64 *entry)
{
	struct stat st;
	if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
		return false;
	if (handle < files->tree_count && host_tree_is_state(&files->trees[handle], entry->d_name))
		return false;
	if (host_tree_is_own(entry->d_name) || (has_hidden && !is_in_part(files, handle, entry->d_name)))
		return false;
	/* some file systems leave the type out */
	if (entry->d_type == DT_UNKNOWN && !fstatat(dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
		entry->d_type = (unsigned char)IFTODT(st.st_mode);
	return host_tree_shows_type(DTTOIF(entry->d_type)) &&
	       (entry->d_type != DT_DIR || !host_recording_is(files, handle, entry->d_name, dir, entry->d_name));
}

/* Gives the names of an open directory. */
static int64_t live_read_names(struct host_files *files, uint32_t handle, int fd, host_tree_name *each)
{
	static _Alignas(struct dirent64) char buffer[1 << 16]; /* too large for a stack */
	const bool has_hidden = has_hidden_names(files, handle);
	int64_t result = 0;
	ssize_t got;
	do {
		do
			got = getdents64(fd, buffer, sizeof(buffer));
		while (got < 0 && errno == EINTR);
		if (got < 0)
			return host_stop_unless_told(files, handle, "", -errno);
		for (ssize_t at = 0; at < got && !result;) {
			struct dirent64 *entry = (void *)(buffer + at);
			at += entry->d_reclen;
			if (is_entry_shown(files, handle, has_hidden, fd, entry))
				result = each(files, handle, entry->d_name, entry->d_type);
		}
	} while (got > 0 && !result);
	return result;
}

/* Gives the names of a directory that was read ahead. */
static int64_t give_scouted_names(struct host_files *files, uint32_t handle, const struct host_scout_item *directory,
                                  host_tree_name *each)
{
	const bool has_hidden = has_hidden_names(files, handle);
	int64_t result = 0;
	for (uint32_t i = 0; i < directory->count && !result; i++) {
		struct dirent64 entry = {.d_type = directory->names[i].type};
		strcpy(entry.d_name, directory->text + directory->names[i].text);
		if (is_entry_shown(files, handle, has_hidden, files->place.fd, &entry))
			result = each(files, handle, entry.d_name, entry.d_type);
	}
	return result;
}

int64_t host_live_list_open(struct host_files *files, uint32_t handle, const char *path, struct host_stamp *stamp)
{
	const struct host_tree *tree = &files->trees[host_objects_root(&files->objects, handle)];
	struct host_scout_item *directory = host_live_open_scouted(files, handle, tree, path);
	if (directory) {
		*stamp = directory->stamp;
		host_place_set_scouted(&files->place, directory);
		return 0;
	}
	int fd = host_live_open(files, handle, O_RDONLY | O_DIRECTORY, stamp);
	if (fd >= 0)
		host_place_set(&files->place, tree, path, fd);
	return fd < 0 ? fd : 0;
}

int64_t host_live_list(struct host_files *files, uint32_t handle, host_tree_name *each)
{
	if (files->place.scouted)
		return give_scouted_names(files, handle, files->place.scouted, each);
	return live_read_names(files, handle, files->place.fd, each);
}
