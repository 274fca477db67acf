/* SPDX-License-Identifier: MIT */
#include "hostfs/tree/host_sealed.h"

#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "hostfs/host_files.h"
#include "hostfs/host_look.h"
#include "hostfs/host_stop.h"
#include "hostfs/tree/host_sealed_contents.h"
#include "hostfs/tree/host_tree_ops.h"

#define NS_PER_S 1000000000L

/* --- objects --- */

/* Whether a name that is not in the table is known to be missing, by what is known of its directory. */
static int missing(const struct host_sealed *sealed, const char *path)
{
	struct eri_name dir;
	char parent[PATH_MAX];
	const char *slash = strrchr(path, '/');
	size_t length = slash ? (size_t)(slash - path) : 0;
	if (length >= sizeof(parent) || !*path)
		return *path ? -ENAMETOOLONG : -EUCLEAN;
	memcpy(parent, path, length);
	parent[length] = 0;
	int result = eri_names_find(sealed->names, sealed->tree, parent, &dir);
	if (result)
		return result == -ENOENT ? -ENODATA : result;
	return dir.kind == ERI_DIRECTORY                        ? -ENOENT
	       : dir.kind == ERI_SHUT || dir.kind == ERI_LISTED ? -EACCES
	                                                        : -ENODATA;
}

int host_sealed_find(const struct host_tree *tree, const char *path, struct eri_name *name)
{
	const struct host_sealed *sealed = tree->sealed;
	int result = eri_names_find(sealed->names, sealed->tree, path, name);
	if (result == -ENOENT)
		return missing(sealed, path);
	return result ? result : name->kind == ERI_NONE ? -ENOENT : name->kind == ERI_HIDDEN ? -EACCES : 0;
}

static struct host_stamp sealed_stamp(const struct host_tree *tree, const struct eri_name *name)
{
	int64_t seconds = name->mtime_ns / NS_PER_S, rest = name->mtime_ns % NS_PER_S;
	return (struct host_stamp){
		.dev = tree->sealed->tree + 1,
		.ino = name->at,
		.size = name->size,
		.mtime = {rest < 0 ? seconds - 1 : seconds, rest < 0 ? rest + NS_PER_S : rest},
		.mode = name->mode,
	};
}

int host_sealed_stop_at_damage(struct host_files *files, uint32_t handle, const char *name)
{
	return (int)host_stop(files, EUCLEAN, "the image is damaged: what it has of %s is not valid",
	                      host_stop_describe(files, handle, name));
}

/* Whether a path is that of a tree of the host (--bind), or leads there. The guest makes the directories that lack. */
static bool leads_to_host(const struct host_files *files, const struct host_tree *tree, const char *below)
{
	static char path[PATH_MAX]; /* too large for a stack; requests are served one at a time */
	size_t length = host_notes_path(path, sizeof(path), tree, below);
	for (unsigned i = 0; i < files->tree_count && length < sizeof(path); i++)
		if (!files->trees[i].sealed && !strncmp(files->trees[i].guest, path, length) &&
		    strchr("/", files->trees[i].guest[length]))
			return true;
	return false;
}

/* Whether a path is a place of Python's bytecode, without which it compiles the source: a __pycache__, or a .pyc or a
 * part of one in it. The packed run has looked for those of its own sources, and Python makes others for sources that
 * --replace and
 * --bind show. */
static bool is_bytecode_path(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const size_t cache = strlen("__pycache__"), above = slash ? (size_t)(slash - path) : 0;
	if (!strcmp(name, "__pycache__"))
		return true;
	return above >= cache && !strncmp(slash - cache, "__pycache__", cache) &&
	       (above == cache || slash[-(ptrdiff_t)cache - 1] == '/') && strstr(name, ".pyc");
}

/* Takes a name that the image does not know for missing. An answer ahead is not noted: the guest must ask again, as for
 * denied names (host_denied.h). */
static int assume_missing(struct host_files *files, const struct host_tree *tree, const char *path)
{
	static const struct host_stamp none;
	static const uint8_t no_hash[DIGEST_BYTES];
	struct host_note *note;
	if (files->is_ahead)
		files->is_denied = true;
	else if (host_notes_add(&files->notes, files->run, HOST_NOTE_ASSUMED, tree, path, &none, no_hash, &note))
		return (int)host_stop_without_memory(files);
	return -ENOENT;
}

int host_sealed_look(struct host_files *files, uint32_t handle, const char *name, struct eri_name *found)
{
	char path[PATH_MAX];
	int64_t root = host_objects_path(&files->objects, handle, name, path);
	int result = root < 0 ? (int)root : host_sealed_find(&files->trees[root], path, found);
	if (result == -EUCLEAN)
		return host_sealed_stop_at_damage(files, handle, name);
	if (result == -ENODATA && (leads_to_host(files, &files->trees[root], path) || is_bytecode_path(path)))
		return -ENOENT;
	if (result == -ENODATA && files->trees[root].sealed->is_another)
		return assume_missing(files, &files->trees[root], path);
	if (result == -ENODATA)
		return (int)host_stop(
			files, ENODATA,
			"not in the image: %s, for which the packed run did not look; if it is there, pack it with "
			"--include",
			host_stop_describe(files, handle, name));
	return (int)host_stop_unless_told(files, handle, name, result);
}

/* Whether the program may not list a directory. */
static bool is_closed(const struct eri_name *name)
{
	return name->kind == ERI_CLOSED || name->kind == ERI_SHUT;
}

/* Whether the packed run could not look up names in a directory. */
static bool is_unsearchable(const struct eri_name *name)
{
	return name->kind == ERI_LISTED || name->kind == ERI_SHUT;
}

/* Looks up a name in a directory of an image, or the object itself. Returns its handle or a negative errno. */
static int64_t look_sealed(struct host_files *files, uint32_t dir, const char *path, const char *name, bool listed,
                           struct host_file_attributes *attributes, char target[PATH_MAX])
{
	struct eri_name found;
	uint32_t handle = dir;
	(void)path;
	(void)listed;
	int error = host_sealed_look(files, dir, name, &found);
	if (error)
		return error;
	const struct host_stamp stamp = sealed_stamp(&files->trees[host_objects_root(&files->objects, dir)], &found);
	int length = S_ISLNK(stamp.mode) ? eri_names_text(found.detail, found.detail_bytes, target, PATH_MAX) : 1;
	if (length <= 0)
		return host_sealed_stop_at_damage(files, dir, name);
	host_look_tell(files, &stamp, attributes);
	if (S_ISLNK(stamp.mode))
		attributes->size = (uint64_t)length;
	if (is_closed(&found))
		attributes->flags = HOST_FILE_UNLISTABLE;
	if (is_unsearchable(&found))
		attributes->flags |= HOST_FILE_UNSEARCHABLE;
	const bool is_new = *name && !host_objects_find(&files->objects, dir, name, &handle);
	const int64_t result = is_new ? host_look_remember(files, dir, name, &stamp, attributes, target)
	                              : host_look_know(files, handle, &stamp, attributes);
	if (files->times || files->content_times)
		attributes->mtime_ns = found.mtime_ns;
	return result;
}

static int64_t search_sealed(struct host_files *files, uint32_t handle)
{
	struct eri_name found;
	int error = host_sealed_look(files, handle, "", &found);
	return error ? error : is_unsearchable(&found) ? -EACCES : 0;
}

/* --- bytecode --- */

/* Finds the bytecode of a source, of which an image has the header alone. */
static int find_bytecode_sealed(struct host_files *files, uint32_t source, struct host_bytecode_file *file)
{
	static struct eri_bytecode bytecode; /* too large for a stack; requests are served one at a time */
	struct eri_name name;
	int result = host_sealed_look(files, source, "", &name);
	if (!result)
		result = eri_names_bytecode(&name, &bytecode);
	*file = (struct host_bytecode_file){.source = source};
	if (result < 0 && !files->error.text[0])
		host_sealed_stop_at_damage(files, source, "");
	if (result <= 0 ||
	    !host_objects_follow(&files->objects, host_objects_root(&files->objects, source), bytecode.dir, &file->dir))
		return result < 0 ? result : 0;
	memcpy(file->header, bytecode.header, sizeof(file->header));
	file->name = strdup(bytecode.name);
	return file->name ? 1 : (int)host_stop_without_memory(files);
}

/* --- directories --- */

/* Whether a name of a directory is behind another one in the order of the table. */
static bool is_after(const struct eri_name *name, const struct eri_name *before)
{
	size_t both = name->name_bytes < before->name_bytes ? name->name_bytes : before->name_bytes;
	int order = memcmp(name->name, before->name, both);
	return order ? order > 0 : name->name_bytes > before->name_bytes;
}

static int64_t list_sealed(struct host_files *files, uint32_t handle, host_tree_name *each)
{
	struct eri_name dir, found, before = {.name = ""};
	char path[PATH_MAX], name[NAME_MAX + 1];
	size_t at = 0;
	int result = host_sealed_look(files, handle, "", &dir);
	if (result)
		return result;
	if (is_closed(&dir))
		return -EACCES;
	int64_t root = host_objects_path(&files->objects, handle, "", path);
	const struct host_sealed *sealed = files->trees[root].sealed;
	if (dir.kind != ERI_DIRECTORY && dir.kind != ERI_LISTED && !sealed->never_ran)
		return (int)host_stop(files, ENODATA,
		                      "not in the image: the names in %s, which the packed run did not list; pack it "
		                      "with --include",
		                      host_stop_describe(files, handle, ""));
	while (!result && (result = eri_names_next(sealed->names, sealed->tree, path, &at, &found)) > 0) {
		/* a name that is there twice would be two objects */
		if (!is_after(&found, &before) || eri_names_text(found.name, found.name_bytes, name, sizeof(name)) < 0)
			return host_sealed_stop_at_damage(files, handle, "");
		before = found;
		result = found.kind == ERI_NONE ? 0 : (int)each(files, handle, name, (uint8_t)IFTODT(found.mode));
	}
	return result == -EUCLEAN ? host_sealed_stop_at_damage(files, handle, "") : result;
}

/* --- the tree --- */

static const char *origin_sealed(const struct host_tree *tree)
{
	return tree->sealed->image->identity;
}

static int open_sealed(struct host_tree *tree, struct error *error)
{
	tree->real = strdup(tree->guest);
	return tree->real ? 0 : error_set(error, ENOMEM, "out of memory");
}

/* An image has the part of /tmp that was shown, and of other trees all that the packed run was told. */
static bool shows_sealed(const struct host_tree *tree, const char *path)
{
	char top[NAME_MAX + 1];
	struct eri_name name;
	if (strcmp(tree->guest, "/tmp"))
		return true;
	snprintf(top, sizeof(top), "%.*s", (int)strcspn(path, "/"), path);
	return !*top || !host_sealed_find(tree, top, &name);
}

static int begin_sealed(struct host_files *files, const struct host_tree *tree, struct host_stamp *stamp)
{
	struct eri_name name;
	if (host_sealed_find(tree, "", &name) || (!S_ISREG(name.mode) && !S_ISDIR(name.mode)))
		return (int)host_stop(files, EUCLEAN, "the image is damaged: what it has of %.180s is not valid",
		                      tree->guest);
	*stamp = sealed_stamp(tree, &name);
	return 0;
}

static int64_t stop_at_denial_sealed(struct host_files *files, uint32_t handle, const char *name)
{
	return host_stop(files, EACCES,
	                 "--strict-files: the image lacks %s, which the program asked for and the user who made "
	                 "the image was not permitted to read; make it with that permission, or run it without "
	                 "--strict-files",
	                 host_stop_describe(files, handle, name));
}

/* eri_image_check notices a change of the image, so its objects are not compared one by one. */
const struct host_tree_ops host_sealed_ops = {
	.origin = origin_sealed,
	.open = open_sealed,
	.shows = shows_sealed,
	.begin = begin_sealed,
	.look = look_sealed,
	.search = search_sealed,
	.list = list_sealed,
	.open_contents = host_sealed_contents_open,
	.stop_at_denial = stop_at_denial_sealed,
	.find_bytecode = find_bytecode_sealed,
};
