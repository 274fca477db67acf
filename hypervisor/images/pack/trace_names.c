/* SPDX-License-Identifier: MIT */
/* The objects that the broker remembers are the names that the guest has looked up. For a directory that it has listed,
 * all other names are looked up now, so the table has them, too. */
#include "pack/trace_names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/write_all.h"
#include "eri/eri_names.h"
#include "hostfs/host_look.h"
#include "hostfs/tree/host_live_open.h"
#include "hostfs/tree/host_source.h"
#include "pack/pattern.h"
#include "pack/trace.h"
#include "pack/trace_includes.h"
#include "pack/trace_sources.h"

#define READ_BYTES (1UL << 18)

/* Work on one table. */
struct work {
	struct host_files *files;
	FILE *to;
	struct trace_includes includes;
	char *const *excludes;
	bool *sources;         /* for each handle, whether it is the source of bytecode that the run has read */
	bool reads_include;    /* the object being written is read for --include */
	char path[PATH_MAX];   /* of the object being written, below its tree */
	char guest[PATH_MAX];  /* its path in the guest */
	char target[PATH_MAX]; /* of a link */
	struct eri_bytecode bytecode;
};

/* --- lines --- */

/* The modification time that the guest sees. */
static int64_t noted_time(const struct host_files *files, uint32_t handle)
{
	const struct host_stamp *stamp = host_look_stamp(files, handle);
	if (S_ISREG(stamp->mode) && files->times)
		return host_stamp_mtime_ns(stamp);
	if (S_ISREG(stamp->mode) && files->bytecode_times)
		return host_bytecode_time_ns(files, handle);
	return files->time_ns;
}

/* Hashes the contents of an object that the run has not read. */
static int hash_noted_file(struct host_files *files, uint32_t handle, uint8_t hash[DIGEST_BYTES])
{
	static uint8_t buffer[READ_BYTES];
	struct host_source source;
	struct host_stamp stamp;
	struct digest_sum sum;
	int result = host_source_open(files, handle, &source, &stamp);
	digest_begin(&sum);
	for (uint64_t at = 0; !result && at < stamp.size;) {
		uint64_t bytes = stamp.size - at < sizeof(buffer) ? stamp.size - at : sizeof(buffer);
		result = host_source_read(&source, buffer, bytes, at);
		digest_add(&sum, buffer, bytes);
		at += bytes;
	}
	digest_end(&sum, hash);
	host_source_close(&source);
	return result;
}

/* Sets work->guest. */
static int find_guest_path(struct work *work, const char *tree)
{
	return eri_names_join(tree, work->path, work->guest, sizeof(work->guest));
}

static int describe_noted_file(struct work *work, uint32_t handle, const struct host_note *note, struct eri_name *name)
{
	struct host_files *files = work->files;
	name->size = host_look_stamp(files, handle)->size;
	name->kind = ERI_FILE;
	name->has_hash = true;
	if (note) {
		memcpy(name->hash, note->hash, DIGEST_BYTES);
		return 0;
	}
	work->reads_include =
		trace_includes_has(&work->includes, handle) && !pattern_matches(work->excludes, work->guest);
	if (work->reads_include)
		return hash_noted_file(files, handle, name->hash);
	struct host_source source;
	struct host_stamp stamp;
	int result = host_source_open(files, handle, &source, &stamp);
	host_source_close(&source);
	if (!result && work->sources[handle] && !pattern_matches(work->excludes, work->guest))
		return hash_noted_file(files, handle,
		                       name->hash); /* readers of the image look for the source of what ran */
	name->has_hash = false;
	name->kind = result == -EACCES ? ERI_DENIED : ERI_SEEN;
	return result == -EACCES ? 0 : result;
}

/* Finds out whether the host permits to list and to search a directory. Returns 0 or a negative errno. */
static int find_permissions(struct host_files *files, uint32_t handle, bool *lists, bool *searches)
{
	struct host_stamp stamp;
	int fd = host_live_open(files, handle, O_PATH, &stamp);
	if (fd < 0)
		return fd;
	*lists = !faccessat(fd, "", R_OK, AT_EACCESS | AT_EMPTY_PATH);
	*searches = !faccessat(fd, "", X_OK, AT_EACCESS | AT_EMPTY_PATH);
	close(fd);
	return 0;
}

/* Describes a directory by what the host permits. */
static int describe_directory(struct work *work, uint32_t handle, bool is_listed, struct eri_name *name)
{
	bool lists = false, searches = false;
	int result = find_permissions(work->files, handle, &lists, &searches);
	if (searches)
		name->kind = is_listed ? ERI_DIRECTORY : lists ? ERI_PART : ERI_CLOSED;
	else
		name->kind = lists ? ERI_LISTED : ERI_SHUT;
	return result;
}

/* Reads the target of a link into work->target. */
static int describe_link(struct work *work, uint32_t handle, struct eri_name *name)
{
	struct host_stamp stamp;
	int fd = host_live_open(work->files, handle, O_PATH, &stamp);
	if (fd < 0)
		return fd;
	ssize_t length = readlinkat(fd, "", work->target, sizeof(work->target) - 1);
	close(fd);
	if (length <= 0)
		return length ? -errno : -ENOENT;
	work->target[length] = 0;
	name->kind = ERI_LINK;
	name->size = (uint64_t)length;
	return 0;
}

/* Finds the bytecode that gave a source its time. */
static const struct eri_bytecode *bytecode_of(struct work *work, uint32_t handle)
{
	const struct host_bytecode_file *file = host_bytecode_of(work->files, handle);
	struct eri_bytecode *bytecode = &work->bytecode;
	if (!file || host_objects_path(&work->files->objects, file->dir, "", bytecode->dir) < 0)
		return NULL;
	snprintf(bytecode->name, sizeof(bytecode->name), "%s", file->name);
	memcpy(bytecode->header, file->header, sizeof(bytecode->header));
	return bytecode;
}

/* Writes the line of an object. */
static int write_object(struct work *work, uint32_t handle)
{
	struct host_files *files = work->files;
	struct eri_name name = {.mode = host_look_stamp(files, handle)->mode, .mtime_ns = noted_time(files, handle)};
	int64_t root = host_objects_path(&files->objects, handle, "", work->path);
	if (root < 0)
		return (int)root;
	const struct host_note *note = host_notes_find(&files->notes, files->run, &files->trees[root], work->path);
	int result = find_guest_path(work, files->trees[root].guest);
	work->reads_include = false;
	if (result)
		return result;
	if (S_ISREG(name.mode))
		result = describe_noted_file(work, handle, note, &name);
	else if (S_ISDIR(name.mode))
		result = describe_directory(work, handle, note, &name);
	else
		result = describe_link(work, handle, &name);
	if (!result)
		eri_names_write(work->to, (unsigned)root, work->path, &name,
		                name.kind == ERI_LINK ? work->target : NULL,
		                S_ISREG(name.mode) ? bytecode_of(work, handle) : NULL);
	return result;
}

static int write_absent(struct work *work, uint32_t which)
{
	const struct host_files *files = work->files;
	const struct host_object *object = &files->absent.objects[which];
	const struct eri_name name = {.kind = ERI_NONE};
	uint32_t handle;
	int64_t root =
		host_objects_path(&files->objects, object->parent, files->absent.names + object->name, work->path);
	if (root < 0 || host_objects_find(&files->objects, object->parent, files->absent.names + object->name, &handle))
		return root < 0 ? (int)root : 0;
	eri_names_write(work->to, (unsigned)root, work->path, &name, NULL, NULL);
	return 0;
}

/* --- the whole --- */

static int fail_names(struct work *work, int result, struct error *error)
{
	if (work->files->error.text[0])
		return error_set(error, -result, "%s", work->files->error.text);
	if (work->reads_include)
		return error_set(error, -result,
		                 "pack: --include: cannot read %.160s: %s; leave it out by --exclude=PATH", work->guest,
		                 strerror(-result));
	return error_set(error, -result, "cannot describe %.160s for the image: %s", work->path, strerror(-result));
}

/* Writes the names of the directory that was listed last which the host did not permit to look up. */
static int write_hidden(struct work *work, uint32_t dir)
{
	const struct host_files *files = work->files;
	struct eri_name hidden = {.kind = ERI_HIDDEN};
	const char *name;
	uint32_t handle;
	for (uint32_t i = 0; (name = host_files_listed(files, i, &hidden.mode)); i++) {
		int64_t root = host_objects_path(&files->objects, dir, name, work->path);
		if (root < 0)
			return (int)root;
		if (!host_objects_find(&files->objects, dir, name, &handle))
			eri_names_write(work->to, (unsigned)root, work->path, &hidden, NULL, NULL);
	}
	return 0;
}

/* Looks up all names of a directory that the run has listed, or that may only be listed. */
static int write_listing(struct work *work, uint32_t handle)
{
	struct host_files *files = work->files;
	bool lists = false, searches = false;
	int64_t root = host_objects_path(&files->objects, handle, "", work->path);
	if (!S_ISDIR(host_look_stamp(files, handle)->mode) || root < 0)
		return 0;
	int result = find_permissions(files, handle, &lists, &searches);
	bool is_listed = host_notes_find(&files->notes, files->run, &files->trees[root], work->path);
	if (!result && (is_listed || (lists && !searches)))
		result = host_files_look_all(files, handle);
	return result || searches || !lists ? result : write_hidden(work, handle);
}

/* Writes all lines, not sorted. */
static int write_lines(struct work *work, const struct trace_given *given, struct error *error)
{
	struct host_files *files = work->files;
	work->excludes = given->excludes;
	int result = trace_includes_look(&work->includes, files, given->includes, given->include_count, error);
	if (!result && given->no_run &&
	    files->workdir) /* the program starts there; where it is missing, the run says so */
		trace_includes_only_look(files, files->workdir);
	if (!result && files->error.text[0])
		result = fail_names(work, -EIO, error);
	if (result)
		return result;
	for (uint32_t handle = 0; handle < files->objects.count && !result; handle++)
		result = write_listing(work, handle);
	work->sources = trace_sources_find(files); /* no object is added from here on */
	if (!work->sources)
		return error_set(error, ENOMEM, "out of memory");
	for (uint32_t handle = 0; handle < files->objects.count && !result; handle++)
		result = write_object(work, handle);
	for (uint32_t i = 0; i < files->absent.count && !result; i++)
		result = write_absent(work, i);
	return result ? fail_names(work, result, error) : 0;
}

int trace_names_write(int fd, struct host_files *files, const struct trace_given *given, struct error *error)
{
	struct work *work = calloc(1, sizeof(*work));
	char *text = NULL;
	size_t bytes = 0;
	if (work)
		work->files = files;
	if (work)
		work->to = open_memstream(&text, &bytes);
	if (!work || !work->to) {
		free(work);
		return error_set(error, ENOMEM, "out of memory");
	}
	int result = write_lines(work, given, error);
	if (fclose(work->to) && !result)
		result = error_set(error, ENOMEM, "out of memory");
	if (!result && eri_names_sort(text, bytes))
		result = error_set(error, ENOMEM, "out of memory");
	int failed = result ? 0 : write_all(fd, ERI_NAMES_FIRST, strlen(ERI_NAMES_FIRST), 0);
	if (!failed && !result)
		failed = write_all(fd, text, bytes, (off_t)strlen(ERI_NAMES_FIRST));
	if (failed)
		result = error_set(error, -failed, "cannot keep the names of files: %s", strerror(-failed));
	free(text);
	trace_includes_fini(&work->includes);
	free(work->sources);
	free(work);
	return result;
}
