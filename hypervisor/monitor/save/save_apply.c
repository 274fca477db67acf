/* SPDX-License-Identifier: MIT */
/* The order is: directories, files, removals, then files that replace directories, further names of files, and last the
 * modes and times of objects that stay. */
#include "save/save_apply.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/attributes.h"
#include "base/hold_stops.h"
#include "base/new_file.h"
#include "base/write_all.h"
#include "confine/keeper.h"

#define COPY_BYTES 0x10000
#define TEMPORARY ".eremite-save" /* prefix of the names of unfinished files */

/* Changes one name in its directory. Returns 0 or a negative errno. */
typedef int (*deed)(const struct save_plan *plan, const struct save_step *step, int parent, const char *leaf);

static int set_attributes(int fd, const char *leaf, uint32_t mode, int64_t time_ns)
{
	return keeper_is_there() ? keeper_set_attributes(fd, leaf, mode, time_ns)
	                         : attributes_set(fd, leaf, mode, time_ns);
}

static int make_directory(const struct save_plan *plan, const struct save_step *step, int parent, const char *leaf)
{
	(void)plan;
	if (step->old_kind == S_IFDIR)
		return 0;
	if (step->old_kind && unlinkat(parent, leaf, 0))
		return -errno;
	return mkdirat(parent, leaf, (step->new->mode & 0777) | 0700) ? -errno : 0;
}

/* Returns where the first data of the spool at `from` or behind it begins, or `end` if that is earlier. */
static uint64_t skip_hole(int spool, uint64_t from, uint64_t end)
{
	off_t data = lseek(spool, (off_t)from, SEEK_DATA);
	if (data < 0)
		return errno == ENXIO ? end : from; /* ENXIO: only a hole follows */
	return (uint64_t)data < end ? (uint64_t)data : end;
}

/* Copies contents from the spool. Blocks of zeros become holes. */
static int copy_change(const struct save_plan *plan, const struct change_record *record, int fd)
{
	static uint8_t part[COPY_BYTES];
	static const uint8_t zeros[COPY_BYTES];
	const int spool = plan->changes->dir->spool;
	const uint64_t end = record->at + record->bytes;
	for (uint64_t at = 0; (at = skip_hole(spool, record->at + at, end) - record->at) < record->bytes;) {
		size_t bytes = record->bytes - at < sizeof(part) ? record->bytes - at : sizeof(part);
		ssize_t got = pread(spool, part, bytes, (off_t)(record->at + at));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -EIO;
		int result = memcmp(part, zeros, (size_t)got) ? write_all(fd, part, (size_t)got, (off_t)at) : 0;
		if (result)
			return result;
		at += (uint64_t)got;
	}
	return ftruncate(fd, (off_t)record->bytes) ? -errno : 0;
}

static int apply_file(const struct save_plan *plan, const struct save_step *step, int parent, const char *leaf)
{
	struct new_file file;
	struct stat st;
	const uint32_t mode = step->new->mode & 0777;
	int result = new_file_make(&file, parent, mode, new_file_can_link(), TEMPORARY);
	if (!result)
		result = copy_change(plan, step->new, file.fd);
	if (!result && fstat(file.fd, &st))
		result = -errno;
	if (!result) {
		const char *name = file.temporary;
		result = set_attributes(*name ? parent : file.fd, name,
		                        (st.st_mode & 07777) == mode ? ATTRIBUTES_NO_MODE : mode, step->time_ns);
	}
	if (result) {
		new_file_drop(&file);
		return result;
	}
	return new_file_put(&file, leaf, step->old_kind);
}

static int apply_symlink(const struct save_plan *plan, const struct save_step *step, int parent, const char *leaf)
{
	static char target[SAVE_TARGET_BYTES];
	const struct change_record *record = step->new;
	ssize_t got = pread(plan->changes->dir->spool, target, record->bytes, (off_t)record->at);
	if (got != (ssize_t)record->bytes || memchr(target, 0, record->bytes))
		return -EIO;
	target[got] = 0;
	return new_file_symlink(parent, target, TEMPORARY, leaf, step->old_kind);
}

static int make_object(const struct save_plan *plan, const struct save_step *step, int parent, const char *leaf)
{
	if (!step->new->has_contents)
		return -EPROTO; /* the guest has sent no contents */
	return step->new->kind == S_IFLNK ? apply_symlink(plan, step, parent, leaf)
	                                  : apply_file(plan, step, parent, leaf);
}

/* Makes a link, or a copy where the file system or Landlock's first version allows no links between directories. */
static int apply_link(const struct save_plan *plan, const struct save_step *step, int parent, const char *leaf)
{
	const char *from_leaf;
	int from = save_dir_open_parent(plan->changes->dir, step->source->host + step->source->below, &from_leaf);
	if (from < 0)
		return from;
	int result = new_file_link(from, from_leaf, parent, TEMPORARY, leaf, step->old_kind);
	close(from);
	if ((result == -EXDEV || result == -EPERM || result == -EMLINK) && step->source->has_contents) {
		struct save_step other = *step;
		struct change_record record = *step->new;
		record.at = step->source->at;
		record.has_contents = true;
		other.new = &record;
		step->new->lacks = "being one file with its other names";
		result = apply_file(plan, &other, parent, leaf);
	}
	return result;
}

static int remove_name(const struct save_plan *plan, const struct save_step *step, int parent, const char *leaf)
{
	(void)plan;
	return unlinkat(parent, leaf, step->old_kind == S_IFDIR ? AT_REMOVEDIR : 0) ? -errno : 0;
}

static int set_last(const struct save_plan *plan, const struct save_step *step, int parent, const char *leaf)
{
	const struct change_record *record = step->new;
	uint32_t mode = ATTRIBUTES_NO_MODE;
	int64_t time_ns = ATTRIBUTES_NO_TIME;
	(void)plan;
	if (record->kind == S_IFDIR ? !step->is_in_place || record->what & CHANGE_MODE : record->what & CHANGE_MODE)
		mode = record->mode & 0777;
	if (record->kind == S_IFREG && record->what & CHANGE_TIME)
		time_ns = step->time_ns;
	return mode == ATTRIBUTES_NO_MODE && time_ns == ATTRIBUTES_NO_TIME
	               ? 0
	               : set_attributes(parent, leaf, mode, time_ns);
}

/* --- which names --- */

static bool is_new_directory(const struct save_step *step)
{
	return step->new && !step->is_in_place && step->new->kind == S_IFDIR;
}

static bool is_object(const struct save_step *step)
{
	if (!step->new || step->new->kind == S_IFDIR || step->source)
		return false;
	return !step->is_in_place || step->new->what &CHANGE_CONTENTS;
}

static bool is_early_step(const struct save_step *step)
{
	return is_object(step) && step->old_kind != S_IFDIR;
}

static bool is_late(const struct save_step *step)
{
	return is_object(step) && step->old_kind == S_IFDIR;
}

static bool is_link(const struct save_step *step)
{
	return step->new && step->source;
}

static bool is_removed(const struct save_step *step)
{
	if (!step->new)
		return step->old_kind;
	return step->old_kind == S_IFDIR && step->new->kind != S_IFDIR;
}

static bool is_last(const struct save_step *step)
{
	if (!step->new || step->source)
		return false;
	return step->new->kind == S_IFDIR || (step->is_in_place && !(step->new->what &CHANGE_CONTENTS));
}

static const struct {
	bool (*is_meant)(const struct save_step *step);
	deed does;
	const char *what;
	bool backwards; /* objects in a directory come before the directory */
} phases[] = {
	{is_new_directory, make_directory, "make the directory", false},
	{is_early_step, make_object, "write", false},
	{is_removed, remove_name, "remove", true},
	{is_late, make_object, "write", false},
	{is_link, apply_link, "link", false},
	{is_last, set_last, "set the mode and time of", true},
};

static int do_step(const struct save_plan *plan, const struct save_step *step, deed does)
{
	const char *leaf;
	int parent = save_dir_open_parent(plan->changes->dir, step->path, &leaf);
	if (parent < 0)
		return parent;
	int result = does(plan, step, parent, leaf);
	close(parent);
	return result;
}

static void mark_applied(const struct save_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct save_step *step = &plan->steps[i];
		if (step->new)
			step->new->is_saved = true;
		if (step->old)
			step->old->is_saved = true;
	}
}

int save_apply(const struct save_plan *plan, struct error *error)
{
	sigset_t old;
	hold_stops_begin(&old); /* all other threads block them already */
	mode_t mask = umask(0); /* objects are made with exactly the given mode */
	int result = 0;
	for (size_t phase = 0; phase < sizeof(phases) / sizeof(phases[0]) && !result; phase++) {
		for (size_t i = 0; i < plan->count && !result; i++) {
			size_t at = phases[phase].backwards ? plan->count - 1 - i : i;
			const struct save_step *step = &plan->steps[at];
			if (phases[phase].is_meant(step))
				result = do_step(plan, step, phases[phase].does);
			if (result)
				error_set(error, -result, "changes were saved only in part: cannot %s %.150s: %s",
				          phases[phase].what, step->path, strerror(-result));
		}
	}
	umask(mask);
	if (!result)
		mark_applied(plan);
	hold_stops_end(&old); /* a signal that came meanwhile ends eremite here */
	return result;
}
