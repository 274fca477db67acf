/* SPDX-License-Identifier: MIT */
#include "hostfs/host_check.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/beside.h"
#include "hostfs/host_place.h"
#include "hostfs/host_stop.h"

/* Number of objects from which a second thread checks half of them. Checking so many takes much longer than starting a
 * thread. */
#define PARALLEL_MIN 1024

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

/* Compares an object with the attributes that the guest was shown. Returns 0, -ESTALE if they differ, or the error that
 * prevents the comparison. */
static int compare(const struct host_files *files, uint32_t handle, struct host_place *place)
{
	const struct host_object *object = &files->objects.objects[handle];
	char path[PATH_MAX];
	struct host_stamp now;
	if (object->is_unused || (object->is_noted && !S_ISDIR(object->stamp.mode)))
		return 0; /* the program does not know it, or host_notes_check checks it */
	int64_t root = host_objects_path(&files->objects, handle, "", path);
	if (root >= 0 && files->trees[root].sealed)
		return 0; /* eri_image_check checks the image */
	int result = root < 0 ? (int)root : host_place_stamp(place, &files->trees[root], path, &now);
	if (result < 0 && result != -ENOENT && result != -ENOTDIR && result != -ELOOP)
		return result;
	return result < 0 || !is_as_told(files, &object->stamp, &now) ? -ESTALE : 0;
}

/* A range of objects to compare. */
struct part {
	const struct host_files *files;
	uint32_t from, to;
	uint32_t first; /* first object that differs or cannot be compared; or `to` */
	int result;     /* result of comparing `first` */
	struct host_place place;
};

static void *compare_part(void *argument)
{
	struct part *part = argument;
	for (part->first = part->from; part->first < part->to && !part->result; part->first += !part->result)
		part->result = compare(part->files, part->first, &part->place);
	host_place_close(&part->place);
	return NULL;
}

static int report(struct host_files *files, const struct part *part)
{
	if (!part->result || part->result == -ESTALE)
		return part->result ? (int)host_stop_at_change(files, part->first, "") : 0;
	return (int)host_stop(files, -part->result, "cannot check the host's %s for changes: %s",
	                      host_stop_describe(files, part->first, ""), strerror(-part->result));
}

int host_files_check(struct host_files *files)
{
	static struct part parts[2]; /* too large for a stack */
	const uint32_t count = files->objects.count, half = count < PARALLEL_MIN ? count : count / 2;
	pthread_t thread;
	parts[0] = (struct part){.files = files, .to = half};
	parts[1] = (struct part){.files = files, .from = half, .to = count};
	bool runs = half < count && beside_start(&thread, compare_part, &parts[1]);
	compare_part(&parts[0]);
	if (runs)
		pthread_join(thread, NULL);
	else
		compare_part(&parts[1]);
	int result = report(files, &parts[0]);
	if (!result)
		result = report(files, &parts[1]);
	return result ? result : host_bytecode_check(files);
}
