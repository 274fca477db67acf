/* SPDX-License-Identifier: MIT */
#include "hostfs/host_walk.h"

#include <sys/stat.h>

#include "abi/host_file.h"

#define RIGHT_LONG 32 /* requests in a row after which one that was not predicted does not end the walk */
#define RIGHT_MIN 2   /* requests in a row; a program that opens a few files of a directory gets no answers ahead */

static bool is_walk_root(const struct host_objects *objects, uint32_t handle)
{
	return objects->objects[handle].parent == handle;
}

static bool is_child_object(const struct host_objects *objects, uint32_t handle, uint32_t parent)
{
	return handle < objects->count && objects->objects[handle].parent == parent && !is_walk_root(objects, handle);
}

/* Whether an object is the directory in which the walk began, or below it. */
static bool is_inside(const struct host_walk *walk, const struct host_objects *objects, uint32_t handle)
{
	while (handle != walk->top && !is_walk_root(objects, handle))
		handle = objects->objects[handle].parent;
	return handle == walk->top;
}

/* Finds the object behind *handle and all that is below it. Returns false at the end of the walk. */
static bool skip_object(const struct host_walk *walk, const struct host_objects *objects, uint32_t *handle)
{
	uint32_t at = *handle;
	while (at != walk->top && !is_walk_root(objects, at)) {
		const uint32_t parent = objects->objects[at].parent;
		if (is_child_object(objects, at + 1, parent)) {
			*handle = at + 1;
			return true;
		}
		at = parent;
	}
	return false;
}

/* Returns the request that a walk makes for an object, or 0. */
static uint32_t op_for(const struct host_walk *walk, const struct host_stamp *stamp)
{
	if (S_ISDIR(stamp->mode))
		return walk->list;
	if (!walk->loads || !S_ISREG(stamp->mode) || !stamp->size)
		return 0;
	return stamp->size > HOST_FILE_SHOWN_MIN ? HOST_FILE_SHOW : HOST_FILE_LOAD;
}

bool host_walk_next(const struct host_walk *walk, const struct host_objects *objects, struct host_walk_step *step)
{
	uint32_t handle = walk->at;
	if (!walk->list)
		return false;
	bool found = walk->is_listed && is_child_object(objects, walk->first, handle);
	if (found)
		handle = walk->first;
	else
		found = skip_object(walk, objects, &handle);
	for (; found; found = skip_object(walk, objects, &handle)) {
		*step = (struct host_walk_step){op_for(walk, &objects->objects[handle].stamp), handle};
		if (step->op)
			return true;
	}
	return false;
}

bool host_walk_is_likely(const struct host_walk *walk)
{
	return walk->right >= RIGHT_MIN;
}

/* Whether a request is the predicted one, of a walk that reads contents or of one that does not. */
static bool is_predicted(const struct host_walk *walk, const struct host_objects *objects,
                         const struct host_walk_step *step, bool loads)
{
	struct host_walk other = *walk;
	struct host_walk_step next;
	other.loads = loads;
	return host_walk_next(&other, objects, &next) && next.handle == step->handle;
}

/* Counts a request that was not predicted. */
static void count_wrong(struct host_walk *walk)
{
	walk->right = walk->right >= RIGHT_LONG ? RIGHT_MIN : 0;
}

static void follow_list(struct host_walk *walk, const struct host_objects *objects, const struct host_walk_step *step)
{
	if (walk->list && walk->loads && is_predicted(walk, objects, step, true)) {
		walk->right++;
	} else if (is_predicted(walk, objects, step, false)) {
		walk->right = walk->loads ? 0 : walk->right + 1;
		walk->loads = false;
	} else if (walk->list && is_inside(walk, objects, step->handle)) {
		count_wrong(walk);
	} else {
		walk->top = step->handle;
		walk->right = 0;
		walk->loads = false;
	}
	walk->list = step->op;
}

void host_walk_follow(struct host_walk *walk, const struct host_objects *objects, const struct host_walk_step *step,
                      uint64_t offset, uint32_t first, bool is_end)
{
	if (host_file_is_list(step->op)) {
		if (offset && walk->at == step->handle) {
			walk->is_listed = is_end;
			return;
		}
		follow_list(walk, objects, step);
		walk->first = first;
		walk->is_listed = is_end;
	} else if (step->op == HOST_FILE_LOAD || step->op == HOST_FILE_SHOW) {
		if (!walk->list || !is_inside(walk, objects, step->handle) || (walk->at == step->handle && walk->right))
			return; /* not of the walk, or a file that was asked for before by the other operation */
		if (is_predicted(walk, objects, step, true))
			walk->right++;
		else
			count_wrong(walk);
		walk->loads = true;
		walk->is_listed = false;
	} else {
		return;
	}
	walk->at = step->handle;
}
