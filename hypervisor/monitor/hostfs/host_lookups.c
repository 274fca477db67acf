/* SPDX-License-Identifier: MIT */
/* Names are kept by the directory's path, because answers that are undone give their handles to other objects. Names
 * that have gone, or are new, make a prediction wrong, and nothing else. */
#include "hostfs/host_lookups.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/search.h"
#include "hostfs/host_look.h"
#include "hostfs/tree/host_tree_ops.h"

#define RIGHT_MIN 7        /* requests in a row; few programs look up so many names in order by chance */
#define RIGHT_LONG 32      /* requests in a row after which one that was not predicted does not end the prediction */
#define READ_MAX 16        /* directories read for one prediction: a tree may have many without files */
#define TEXT_MAX (4 << 20) /* bytes of a directory's names; longer ones are not worth reading for a guess */

/* --- the names of a directory --- */

static void free_list(struct host_lookups_list *list)
{
	free(list->path);
	free(list->text);
	free(list->names);
	*list = (struct host_lookups_list){0};
}

static int by_listed_name(const void *a, const void *b, void *text)
{
	const uint32_t *left = a, *right = b;
	return strcmp((char *)text + *left, (char *)text + *right);
}

/* Adds a name, if the guest may see objects of its type. */
static bool add_listed_name(struct host_lookups_list *list, size_t *bytes, const struct dirent64 *entry)
{
	const size_t length = strlen(entry->d_name);
	const bool is_dir = entry->d_type == DT_DIR;
	if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") || !host_tree_shows_type(DTTOIF(entry->d_type)))
		return true;
	if (*bytes + length + 2 > TEXT_MAX || !array_reserve(list->text, list->text_room, *bytes + length + 2) ||
	    !array_reserve(list->names, list->name_room, list->count + 1UL))
		return false;
	list->names[list->count++] = (uint32_t)*bytes;
	memcpy(list->text + *bytes, entry->d_name, length);
	*bytes += length;
	if (is_dir)
		list->text[(*bytes)++] = '/';
	list->text[(*bytes)++] = 0;
	return true;
}

static bool read_list(struct host_lookups_list *list, int fd)
{
	static _Alignas(struct dirent64) char buffer[1 << 16]; /* too large for a stack */
	size_t bytes = 0;
	ssize_t got;
	while ((got = getdents64(fd, buffer, sizeof(buffer))) > 0)
		for (ssize_t at = 0; at < got; at += ((struct dirent64 *)(void *)(buffer + at))->d_reclen)
			if (!add_listed_name(list, &bytes, (void *)(buffer + at)))
				return false;
	if (list->count)
		qsort_r(list->names, list->count, sizeof(*list->names), by_listed_name, list->text);
	return !got;
}

/* Takes the names of a directory that was read ahead. */
static bool copy_lookup_list(struct host_lookups_list *list, const struct host_scout_item *directory)
{
	size_t bytes = 0;
	for (uint32_t i = 0; i < directory->count; i++) {
		struct dirent64 entry = {.d_type = directory->names[i].type};
		strcpy(entry.d_name, directory->text + directory->names[i].text);
		if (!add_listed_name(list, &bytes, &entry))
			return false;
	}
	if (list->count)
		qsort_r(list->names, list->count, sizeof(*list->names), by_listed_name, list->text);
	return true;
}

/* The names of a directory that is not kept yet, in the place of those that were not used for the longest time. */
static struct host_lookups_list *open_lookup_list(struct host_lookups *lookups, const struct host_files *files,
                                                  uint32_t root, const char *path)
{
	struct host_lookups_list *list = lookups->lists;
	struct host_stamp stamp;
	if (!lookups->left || !files->trees[root].ops->read_ahead)
		return NULL;
	lookups->left--;
	for (unsigned i = 1; i < HOST_LOOKUPS_LISTS; i++)
		if (lookups->lists[i].used < list->used)
			list = &lookups->lists[i];
	free_list(list);
	struct host_scout_item *scouted = host_scout_peek(files->scout, &files->trees[root], path);
	bool is_read = scouted && copy_lookup_list(list, scouted);
	host_scout_put(scouted);
	if (!is_read)
		free_list(list);
	int fd = is_read ? -1 : host_tree_open_object(&files->trees[root], path, O_RDONLY | O_DIRECTORY, &stamp);
	if (fd >= 0) {
		is_read = read_list(list, fd);
		close(fd);
	}
	list->root = root;
	list->path = is_read ? strdup(path) : NULL;
	if (!list->path)
		free_list(list);
	return list->path ? list : NULL;
}

/* The names of a directory, or NULL if they cannot be had. */
static struct host_lookups_list *lookups_list_of(struct host_lookups *lookups, const struct host_files *files,
                                                 uint32_t root, const char *path)
{
	struct host_lookups_list *list = NULL;
	for (unsigned i = 0; i < HOST_LOOKUPS_LISTS && !list; i++)
		if (lookups->lists[i].path && lookups->lists[i].root == root && !strcmp(lookups->lists[i].path, path))
			list = &lookups->lists[i];
	if (!list)
		list = open_lookup_list(lookups, files, root, path);
	if (list)
		list->used = ++lookups->uses;
	return list;
}

/* The index of the first name that is behind `name`, which ends with a slash if it is a directory's. */
static uint32_t name_behind(struct host_lookups_list *list, const char *name)
{
	if (list->at + 1 < list->count && !strcmp(list->text + list->names[list->at + 1], name))
		list->at++;
	else
		list->at = (uint32_t)search_first(list->count, i, strcmp(list->text + list->names[i], name) < 0);
	bool is_there = list->at < list->count && !strcmp(list->text + list->names[list->at], name);
	return list->at + is_there;
}

/* --- the next request --- */

static bool is_root_handle(const struct host_files *files, uint32_t handle)
{
	return files->objects.objects[handle].parent == handle;
}

static bool is_directory_handle(const struct host_files *files, uint32_t handle)
{
	return S_ISDIR(files->objects.objects[handle].stamp.mode);
}

static bool is_below_top(const struct host_files *files, uint32_t handle, uint32_t top)
{
	while (handle != top && !is_root_handle(files, handle))
		handle = files->objects.objects[handle].parent;
	return handle == top;
}

/* Sets `name` to that of an object, with a slash if it is a directory. */
static void ordered_name_of(const struct host_files *files, uint32_t handle, char name[NAME_MAX + 2])
{
	const struct host_object *object = &files->objects.objects[handle];
	strcpy(name, files->objects.names + object->name);
	if (is_directory_handle(files, handle))
		strcat(name, "/");
}

/* Makes a step to an entry of the directory step->handle, or below it if step->name, which then ends with a slash, is
 * not empty. Returns whether the program can look it up: it is no directory, and not known. */
static bool add_lookup_step(const struct host_files *files, struct host_lookups_step *step, const char *entry)
{
	const size_t at = strlen(step->name), length = strlen(entry);
	uint32_t known;
	if (at + length >= sizeof(step->name))
		return false;
	memcpy(step->name + at, entry, length + 1);
	return entry[length - 1] != '/' && (at || !host_objects_find(&files->objects, step->handle, entry, &known));
}

/* Whether the step is to a directory that has been looked up: names are then looked up in that. */
static bool enter_known(const struct host_files *files, struct host_lookups_step *step)
{
	char name[sizeof(step->name)];
	const size_t length = strlen(step->name);
	uint32_t known;
	memcpy(name, step->name, length);
	name[length - 1] = 0;
	if (strchr(name, '/') || !host_objects_find(&files->objects, step->handle, name, &known))
		return false;
	*step = (struct host_lookups_step){.handle = known};
	return true;
}

/* Finds the first file to look up in a directory, from the entry behind `name` on, and in those below it. */
static bool find_first(struct host_lookups *lookups, const struct host_files *files, struct host_lookups_step *step,
                       const char *name)
{
	char path[PATH_MAX];
	const struct host_lookups_step dir = *step;
	int64_t root = host_objects_path(&files->objects, dir.handle, dir.name, path);
	const size_t length = root < 0 ? 0 : strlen(path);
	if (length && path[length - 1] == '/')
		path[length - 1] = 0;
	struct host_lookups_list *list = root < 0 ? NULL : lookups_list_of(lookups, files, (uint32_t)root, path);
	for (uint32_t i = list ? name_behind(list, name) : 0; list && i < list->count; i++) {
		const char *entry = list->text + list->names[i];
		*step = dir;
		if (add_lookup_step(files, step, entry))
			return true;
		if (entry[strlen(entry) - 1] != '/' || strlen(step->name) == strlen(dir.name))
			continue;
		if (!*dir.name)
			enter_known(files, step);
		if (find_first(lookups, files, step, ""))
			return true;
		list = lookups->left ? lookups_list_of(lookups, files, (uint32_t)root, path) : NULL;
	}
	return false;
}

/* Ends a step at the first directory, if the program looks at directories, too. Returns true. */
static bool cut_step(const struct host_lookups *lookups, struct host_lookups_step *step)
{
	char *slash = strchr(step->name, '/');
	if (lookups->looks_at_dirs && slash)
		*slash = 0;
	return true;
}

bool host_lookups_next(struct host_lookups *lookups, const struct host_files *files, uint32_t at,
                       struct host_lookups_step *step)
{
	char name[NAME_MAX + 2];
	if (!at || at >= files->objects.count || lookups->top >= files->objects.count ||
	    !is_below_top(files, at, lookups->top))
		return false;
	lookups->left = READ_MAX;
	*step = (struct host_lookups_step){.handle = at};
	if (is_directory_handle(files, at) && find_first(lookups, files, step, ""))
		return cut_step(lookups, step);
	while (at != lookups->top && !is_root_handle(files, at)) {
		ordered_name_of(files, at, name);
		at = files->objects.objects[at].parent;
		*step = (struct host_lookups_step){.handle = at};
		if (find_first(lookups, files, step, name))
			return cut_step(lookups, step);
	}
	return false;
}

/* --- the position --- */

bool host_lookups_find(const struct host_files *files, const struct host_lookups_step *step, uint32_t *handle)
{
	return host_objects_follow(&files->objects, step->handle, step->name, handle) && *handle != step->handle;
}

bool host_lookups_is_likely(const struct host_lookups *lookups)
{
	return lookups->right >= RIGHT_MIN;
}

/* Whether the path of an object is behind that of another one, of the same tree. Sets the directory that both are
 * below. */
static bool is_behind(const struct host_files *files, uint32_t handle, uint32_t last, uint32_t *common)
{
	static char path[PATH_MAX], last_path[PATH_MAX]; /* too large for a stack; requests are served one at a time */
	int64_t root = host_objects_path(&files->objects, handle, "", path);
	if (root < 0 || root != host_objects_path(&files->objects, last, "", last_path))
		return false;
	if (is_directory_handle(files, handle) && strlen(path) + 1 < sizeof(path))
		strcat(path, "/"); /* the order of names that are looked up behind it */
	if (strcmp(path, last_path) <= 0)
		return false;
	while (!is_below_top(files, handle, *common))
		*common = files->objects.objects[*common].parent;
	return !is_root_handle(files, *common) || files->trees[root].guest[1];
}

bool host_lookups_follow(struct host_lookups *lookups, const struct host_files *files,
                         const struct host_lookups_step *step, bool is_predicted)
{
	uint32_t at, top = lookups->top;
	if (!host_lookups_find(files, step, &at))
		return false;
	const bool is_dir = is_directory_handle(files, at);
	const bool was_likely = host_lookups_is_likely(lookups);
	if (lookups->at && is_behind(files, at, lookups->at, &top)) {
		lookups->top = top;
		lookups->right = is_predicted || !was_likely    ? lookups->right + 1
		                 : lookups->right >= RIGHT_LONG ? RIGHT_MIN
		                                                : 0;
	} else {
		lookups->top = files->objects.objects[at].parent;
		lookups->right = 0;
	}
	if (is_dir || strchr(step->name, '/'))
		lookups->looks_at_dirs = is_dir;
	lookups->at = at;
	return is_predicted;
}

void host_lookups_stop(struct host_lookups *lookups)
{
	lookups->right = 0;
}

void host_lookups_take(struct host_lookups *lookups, uint32_t at)
{
	lookups->at = at;
	lookups->right++;
}

void host_lookups_fini(struct host_lookups *lookups)
{
	for (unsigned i = 0; i < HOST_LOOKUPS_LISTS; i++)
		free_list(&lookups->lists[i]);
	*lookups = (struct host_lookups){0};
}
