/* SPDX-License-Identifier: MIT */
/* A plan begins with the guest's report, one step for each name below the directory. Removed directories are then
 * searched on the host, because the guest reports only the directories themselves. */
#include "save/save_plan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"

#define TIME_STEP_NS 1000 /* time between files that have different times in the guest */

static int no_memory(struct error *error)
{
	return error_set(error, ENOMEM, "nothing is saved: out of memory");
}

static int conflict(const struct save_plan *plan, const char *path, const char *what, struct error *error)
{
	return error_set(error, ESTALE, "nothing is saved: %.150s/%.60s %s", plan->changes->dir->real, path, what);
}

static int by_path(const void *a, const void *b)
{
	const struct save_step *x = a, *y = b;
	return strcmp(x->path, y->path);
}

static void sort_plan(struct save_plan *plan)
{
	if (plan->count)
		qsort(plan->steps, plan->count, sizeof(plan->steps[0]), by_path);
}

/* Returns the step of a path, or NULL. */
static struct save_step *step_of_path(const struct save_plan *plan, const char *path)
{
	const struct save_step key = {.path = path};
	return plan->count ? bsearch(&key, plan->steps, plan->count, sizeof(key), by_path) : NULL;
}

static int add_plan_step(struct save_plan *plan, const struct save_step *step)
{
	if (!array_reserve(plan->steps, plan->room, plan->count + 1))
		return -ENOMEM;
	plan->steps[plan->count++] = *step;
	return 0;
}

/* --- the guest's report --- */

/* Notes the part of an object that cannot be saved. Returns whether the rest can be. */
static bool note_lacks(struct change_record *record)
{
	switch (record->kind) {
	case S_IFIFO:
		record->lacks = "a FIFO";
		return false;
	case S_IFSOCK:
		record->lacks = "a socket";
		return false;
	case S_IFCHR:
	case S_IFBLK:
		record->lacks = "a device";
		return false;
	default:
		break;
	}
	if (record->mode & 07000 && record->kind != S_IFLNK &&
	    record->what & (CHANGE_CREATED | CHANGE_MODE | CHANGE_CONTENTS))
		record->lacks = "its setuid, setgid or sticky bit";
	else if (record->what & CHANGE_OWNER)
		record->lacks = "its owner or attributes";
	return record->kind == S_IFREG || record->kind == S_IFDIR || record->kind == S_IFLNK;
}

static int add_records(struct save_plan *plan, struct error *error)
{
	for (size_t i = 0; i < plan->changes->count; i++) {
		struct change_record *record = plan->changes->records[i];
		struct save_step step = {0};
		if (!record->is_below)
			continue;
		step.path = record->host + record->below;
		bool is_removed = record->what == CHANGE_REMOVED;
		if (!is_removed && !note_lacks(record))
			continue;
		*(is_removed ? &step.old : &step.new) = record;
		step.is_in_place = !is_removed && !(record->what & CHANGE_CREATED);
		if (add_plan_step(plan, &step))
			return no_memory(error);
	}
	return 0;
}

/* Merges two steps for one name: removal and creation. */
static int merge(struct save_plan *plan, struct error *error)
{
	size_t to = 0;
	sort_plan(plan);
	for (size_t i = 0; i < plan->count; i++) {
		struct save_step *step = &plan->steps[i], *last = to ? &plan->steps[to - 1] : NULL;
		if (!last || strcmp(last->path, step->path)) {
			plan->steps[to++] = *step;
			continue;
		}
		if ((last->new && step->new) || (last->old && step->old) || last->is_in_place || step->is_in_place)
			return conflict(plan, step->path, "was changed by two names of its directory (--bind)", error);
		*(step->new ? &last->new : &last->old) = step->new ? step->new : step->old;
	}
	plan->count = to;
	return 0;
}

static const struct host_stamp *stamp_of(const struct save_plan *plan, uint64_t handle)
{
	return &plan->changes->files->objects.objects[handle].stamp;
}

/* Adds to each step what the name was at the start, as the monitor recorded it. */
static int note_old(struct save_plan *plan, struct error *error)
{
	for (size_t i = 0; i < plan->count; i++) {
		struct save_step *step = &plan->steps[i];
		const struct change_record *was = step->is_in_place ? step->new : step->old;
		if (!was)
			continue;
		if (!was->is_known)
			return conflict(plan, step->path, "was changed by the program, which has never looked it up",
			                error);
		step->handle = was->handle;
		step->was = *stamp_of(plan, was->handle);
		step->old_kind = step->was.mode & S_IFMT;
		if (step->is_in_place && step->old_kind != step->new->kind)
			return conflict(plan, step->path, "is of another kind than the guest reports", error);
	}
	return 0;
}

/* --- directories that were removed --- */

/* Adds a name in a removed directory of the host. It is a conflict if the program has not seen the name. The first
 * `known` steps are sorted. */
static int add_child(struct save_plan *plan, size_t known, const struct save_step *above, const char *name,
                     struct error *error)
{
	uint32_t handle;
	char *path;
	if (asprintf(&path, "%s/%s", above->path, name) < 0)
		return no_memory(error);
	const struct save_step key = {.path = path};
	struct save_step *found = bsearch(&key, plan->steps, known, sizeof(key), by_path);
	int result = 0;
	if (!host_objects_find(&plan->changes->files->objects, (uint32_t)above->handle, name, &handle)) {
		result = conflict(plan, path, "is in a directory that the program removed, and it has not seen it",
		                  error);
	} else if (found) {
		found->handle = handle;
		found->was = *stamp_of(plan, handle);
		found->old_kind = found->was.mode & S_IFMT;
	} else {
		const struct save_step step = {.path = path,
		                               .made = path,
		                               .old = above->old,
		                               .handle = handle,
		                               .was = *stamp_of(plan, handle),
		                               .old_kind = stamp_of(plan, handle)->mode & S_IFMT};
		result = add_plan_step(plan, &step) ? no_memory(error) : 0;
		path = result ? path : NULL;
	}
	free(path);
	return result;
}

static int look_through(struct save_plan *plan, size_t known, const struct save_step *above, struct error *error)
{
	const struct open_how how = {
		.flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
	};
	int fd = (int)syscall(SYS_openat2, plan->changes->dir->fd, above->path, &how, sizeof(how));
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	if (!stream) {
		int result = conflict(plan, above->path, "cannot be listed on the host", error);
		if (fd >= 0)
			close(fd);
		return result;
	}
	int result = 0;
	for (const struct dirent *entry; !result && (entry = readdir(stream));)
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			result = add_child(plan, known, above, entry->d_name, error);
	closedir(stream);
	return result;
}

static int expand_plan(struct save_plan *plan, struct error *error)
{
	const size_t known = plan->count;
	int result = 0;
	for (bool again = true; again && !result;) {
		again = false;
		for (size_t i = 0; i < plan->count && !result; i++) {
			struct save_step step = plan->steps[i];
			if (step.old_kind != S_IFDIR || step.is_in_place || step.is_expanded)
				continue;
			plan->steps[i].is_expanded = again = true;
			result = look_through(plan, known, &step, error);
		}
	}
	sort_plan(plan);
	return result;
}

/* --- conflicts --- */

/* Whether the plan makes a directory of the path. */
static bool is_in_made(const struct save_plan *plan, const char *path)
{
	char part[PATH_MAX];
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", (int)(slash - path), path);
		const struct save_step *step = step_of_path(plan, part);
		if (step && step->new && step->new->kind == S_IFDIR && step->old_kind != S_IFDIR)
			return true;
	}
	return false;
}

/* A program from an image has not seen the host's files: one in the place of what it leaves is replaced, as when the
 * image is run a second time, but never by an object of another kind. */
static int take_step_place(const struct save_plan *plan, struct save_step *step, const struct stat *st,
                           struct error *error)
{
	const uint32_t kind = st->st_mode & S_IFMT;
	const bool both = kind == S_IFDIR && step->new->kind == S_IFDIR;
	if (!both && (step->new->kind == S_IFDIR || (kind != S_IFREG && kind != S_IFLNK)))
		return conflict(plan, step->path, "is of another kind than what the program left; move it away", error);
	step->old_kind = kind;
	return 0;
}

static int check_step(const struct save_plan *plan, struct save_step *step, struct error *error)
{
	const char *leaf;
	struct stat st;
	int parent = save_dir_open_parent(plan->changes->dir, step->path, &leaf);
	if (parent == -ENOENT || parent == -ENOTDIR || parent == -ELOOP)
		return is_in_made(plan, step->path)
		               ? 0
		               : conflict(plan, step->path, "has lost its directory since the program has seen it",
		                          error);
	if (parent < 0)
		return error_set(error, -parent, "nothing is saved: cannot open the directory of %.150s: %s",
		                 step->path, strerror(-parent));
	bool is_there = !fstatat(parent, leaf, &st, AT_SYMLINK_NOFOLLOW);
	int reason = is_there || errno == ENOENT ? 0 : errno;
	if (!reason && faccessat(parent, ".", W_OK | X_OK, 0))
		reason = errno;
	close(parent);
	if (reason)
		return error_set(error, reason, "nothing is saved: cannot change %.150s: %s", step->path,
		                 strerror(reason));
	if (is_there && plan->changes->guest_dir)
		return take_step_place(plan, step, &st, error);
	if (is_there != (step->old_kind != 0))
		return conflict(plan, step->path,
		                is_there ? "has appeared since the program looked" : "is gone since the program looked",
		                error);
	if (!is_there)
		return 0;
	const struct host_stamp now = host_stamp_of(&st), *was = &step->was;
	if (S_ISDIR(was->mode) ? !host_stamp_is_same(was, &now) : !host_stamp_is_untouched(was, &now))
		return conflict(plan, step->path, "has changed since the program looked", error);
	return 0;
}

/* --- files with several names, and times --- */

static int by_plan_object(const void *a, const void *b)
{
	const struct change_record *x = (*(struct save_step *const *)a)->new, *y = (*(struct save_step *const *)b)->new;
	if (x->root != y->root)
		return x->root < y->root ? -1 : 1;
	return (x->ino > y->ino) - (x->ino < y->ino);
}

static int by_time(const void *a, const void *b)
{
	const struct change_record *x = (*(struct save_step *const *)a)->new, *y = (*(struct save_step *const *)b)->new;
	return (x->mtime_ns > y->mtime_ns) - (x->mtime_ns < y->mtime_ns);
}

/* Lists the steps of regular files, for sorting. Returns NULL without memory. */
static struct save_step **files_of(const struct save_plan *plan, size_t *count)
{
	struct save_step **files = malloc((plan->count + 1) * sizeof(struct save_step *));
	*count = 0;
	for (size_t i = 0; files && i < plan->count; i++)
		if (plan->steps[i].new && plan->steps[i].new->kind == S_IFREG)
			files[(*count)++] = &plan->steps[i];
	return files;
}

static bool is_as_it_was(const struct save_step *step)
{
	return step->is_in_place && !(step->new->what &CHANGE_CONTENTS);
}

/* For each object with several names, chooses one name that keeps or gets the file; the others become links to it. */
static void find_sources(struct save_step **files, size_t count)
{
	qsort(files, count, sizeof(files[0]), by_plan_object);
	for (size_t i = 0, end; i < count; i = end) {
		struct change_record *source = NULL;
		for (end = i; end < count && !by_plan_object(&files[i], &files[end]); end++)
			if (is_as_it_was(files[end]) || (!source && files[end]->new->has_contents))
				source = files[end]->new;
		for (size_t j = i; j < end; j++)
			if (files[j]->new != source && !is_as_it_was(files[j]))
				files[j]->source = source;
	}
}

/* Sets times just before now, in the order of the guest's times. */
static void set_times(struct save_step **files, size_t count)
{
	struct timespec now;
	int64_t different = 1;
	qsort(files, count, sizeof(files[0]), by_time);
	for (size_t i = 1; i < count; i++)
		different += files[i]->new->mtime_ns != files[i - 1]->new->mtime_ns;
	clock_gettime(CLOCK_REALTIME, &now);
	int64_t time_ns = now.tv_sec * 1000000000 + now.tv_nsec - different * TIME_STEP_NS;
	for (size_t i = 0; i < count; i++) {
		if (!i || files[i]->new->mtime_ns != files[i - 1]->new->mtime_ns)
			time_ns += TIME_STEP_NS;
		files[i]->time_ns = time_ns;
	}
}

static int arrange_files(struct save_plan *plan, void (*arrange)(struct save_step **, size_t), struct error *error)
{
	size_t count;
	struct save_step **files = files_of(plan, &count);
	if (!files)
		return no_memory(error);
	arrange(files, count);
	free(files);
	return 0;
}

int save_plan_make(struct save_plan *plan, struct changes *changes, struct error *error)
{
	plan->changes = changes;
	int result = add_records(plan, error);
	if (!result)
		result = merge(plan, error);
	if (!result)
		result = note_old(plan, error);
	if (!result)
		result = expand_plan(plan, error);
	return result ? result : arrange_files(plan, find_sources, error);
}

int save_plan_check(struct save_plan *plan, struct error *error)
{
	int result = 0;
	for (size_t i = 0; i < plan->count && !result; i++)
		result = check_step(plan, &plan->steps[i], error);
	return result ? result : arrange_files(plan, set_times, error);
}

void save_plan_fini(struct save_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		free(plan->steps[i].made);
	free(plan->steps);
	*plan = (struct save_plan){0};
}
