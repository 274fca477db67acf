/* SPDX-License-Identifier: MIT */
#include "hostfs/host_check.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/beside.h"
#include "hostfs/host_place.h"
#include "hostfs/host_show.h"
#include "hostfs/host_stop.h"
#include "hostfs/tree/host_tree_ops.h"

/* Number of objects from which a second thread checks half of them. Checking so many takes a millisecond, starting a
 * thread a tenth. */
#define PARALLEL_MIN 256

/* Whether what the guest was shown is unchanged: of a file mode, size and, with host times, mtime; of a directory
 * identity and mode; of a link its target. No call changes a target, so an untouched link has the same one. */
static bool is_as_told(const struct host_files *files, const struct host_stamp *was, const struct host_stamp *now)
{
	if (S_ISLNK(was->mode))
		return host_stamp_is_untouched(was, now);
	if (S_ISDIR(was->mode))
		return host_stamp_is_same(was, now);
	bool same_date = !files->times || !memcmp(&was->mtime, &now->mtime, sizeof(was->mtime));
	return was->mode == now->mode && was->size == now->size && same_date;
}

/* Whether an object is to be compared: the program knows it, it can change, and host_notes_check does not do it. */
static bool is_compared(const struct host_files *files, uint32_t handle)
{
	const struct host_object *object = &files->objects.objects[handle];
	return !object->is_unused && (!object->is_noted || S_ISDIR(object->stamp.mode)) &&
	       files->trees[host_objects_root(&files->objects, handle)].ops->stamp;
}

/* Compares an object with the attributes that the guest was shown. Returns 0, -ESTALE if they differ, or the error that
 * prevents the comparison. */
static int compare_object(const struct host_files *files, uint32_t handle, struct host_place *place)
{
	const struct host_object *object = &files->objects.objects[handle];
	char path[PATH_MAX];
	struct host_stamp now;
	int64_t root = host_objects_path(&files->objects, handle, "", path);
	if (root < 0)
		return (int)root;
	const struct host_tree *tree = &files->trees[root];
	int result = tree->ops->stamp(place, tree, path, &now);
	if (result < 0 && result != -ENOENT && result != -ENOTDIR && result != -ELOOP)
		return result;
	return result < 0 || !is_as_told(files, &object->stamp, &now) ? -ESTALE : 0;
}

/* Objects to compare. */
struct part {
	const struct host_files *files;
	const uint32_t *handles;
	uint32_t count;
	uint32_t first; /* index of the first object that differs or cannot be compared; or `count` */
	int result;     /* result of comparing it */
	struct host_place place;
};

static void *compare_part(void *argument)
{
	struct part *part = argument;
	for (part->first = 0; part->first < part->count && !part->result; part->first += !part->result)
		part->result = compare_object(part->files, part->handles[part->first], &part->place);
	host_place_close(&part->place);
	return NULL;
}

static int report_difference(struct host_files *files, const struct part *part)
{
	if (!part->result)
		return 0;
	const uint32_t handle = part->handles[part->first];
	if (part->result == -ESTALE)
		return (int)host_stop_at_change(files, handle, "");
	return (int)host_stop(files, -part->result, "cannot check the host's %s for changes: %s",
	                      host_stop_describe(files, handle, ""), strerror(-part->result));
}

static int by_directory(const void *a, const void *b, void *files)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct host_object *objects = ((const struct host_files *)files)->objects.objects;
	const uint32_t left = objects[x].parent, right = objects[y].parent;
	return left != right ? (left > right) - (left < right) : (x > y) - (x < y);
}

/* Compares objects, those of a directory one after another: to open it again costs more than to look at a name in it.
 */
static int compare_host_objects(struct host_files *files, uint32_t *handles, uint32_t count)
{
	static struct part parts[2]; /* too large for a stack */
	const uint32_t half = count < PARALLEL_MIN ? count : count / 2;
	pthread_t thread;
	qsort_r(handles, count, sizeof(*handles), by_directory, files);
	parts[0] = (struct part){.files = files, .handles = handles, .count = half};
	parts[1] = (struct part){.files = files, .handles = handles + half, .count = count - half};
	bool runs = half < count && beside_start(&thread, compare_part, &parts[1]);
	compare_part(&parts[0]);
	if (runs)
		pthread_join(thread, NULL);
	else
		compare_part(&parts[1]);
	int result = report_difference(files, &parts[0]);
	return result ? result : report_difference(files, &parts[1]);
}

int host_files_check(struct host_files *files)
{
	uint32_t *handles = malloc(files->objects.count * sizeof(*handles) + 1), count = 0;
	if (!handles)
		return (int)host_stop_without_memory(files);
	for (uint32_t handle = 0; handle < files->objects.count; handle++)
		if (is_compared(files, handle))
			handles[count++] = handle;
	int result = compare_host_objects(files, handles, count);
	free(handles);
	if (!result)
		result = host_bytecode_check(files);
	return result ? result : host_show_check(files);
}
