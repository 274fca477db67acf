/* SPDX-License-Identifier: MIT */
/* Bytecode is searched once for each source, when the guest first looks the source up. The result is removed with the
 * source's handle, so an undone answer leaves nothing. Python keeps the bytecode of a symbolic link beside the link,
 * and compares it with the file's time. So a source that is reached by a link has the time in the link's bytecode.
 */
#include "hostfs/host_bytecode.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/search.h"
#include "guest/content_sums.h"
#include "hostfs/host_files.h"
#include "hostfs/host_look.h"
#include "hostfs/host_stop.h"
#include "hostfs/tree/host_live_open.h"
#include "hostfs/tree/host_tree_ops.h"

#define CACHE "__pycache__"
#define SOURCE_SUFFIX ".py"
#define BYTECODE_SUFFIX ".pyc"
#define NS_PER_S 1000000000L

/* The header, in little-endian words (PEP 552). */
enum { MAGIC, FLAGS, TIME, SIZE };

static uint32_t header_word(const uint8_t header[HOST_BYTECODE_HEADER_BYTES], unsigned which)
{
	const uint8_t *at = header + 4UL * which;
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool has_suffix(const char *name, const char *suffix)
{
	size_t length = strlen(name), end = strlen(suffix);
	return length >= end && !strcmp(name + length - end, suffix);
}

static bool is_tree_root(const struct host_files *files, uint32_t handle)
{
	return files->objects.objects[handle].parent == handle;
}

/* The name of an object; of a tree, its last one in the guest, because a tree can be a single file. */
static const char *source_name(const struct host_files *files, uint32_t handle)
{
	const char *slash = is_tree_root(files, handle) ? strrchr(files->trees[handle].guest, '/') : NULL;
	return slash ? slash + 1 : files->objects.names + files->objects.objects[handle].name;
}

static bool is_python_source(const struct host_files *files, uint32_t handle, mode_t type)
{
	return (files->objects.objects[handle].stamp.mode & S_IFMT) == type &&
	       has_suffix(source_name(files, handle), SOURCE_SUFFIX);
}

static bool is_source(const struct host_files *files, uint32_t handle)
{
	return is_python_source(files, handle, S_IFREG);
}

/* Whether an error belongs to the object, so that the program could not read it either. Any other error of the host
 * stops the run. */
static bool is_nothing(struct host_files *files, uint32_t dir, const char *name, int error)
{
	host_stop_unless_told(files, dir, name, error);
	return !files->error.text[0];
}

/* --- names --- */

static int is_bytecode_entry(const struct dirent *entry)
{
	return has_suffix(entry->d_name, BYTECODE_SUFFIX) && (entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN);
}

static int by_entry_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void free_listing(struct host_bytecode_listing *listing)
{
	for (int i = 0; i < listing->count; i++)
		free(listing->names[i]);
	free(listing->names);
}

/* Reads the names in a directory's __pycache__. Returns 0 or a negative errno. */
static int read_listing(struct host_files *files, uint32_t dir, struct host_bytecode_listing *listing)
{
	struct host_stamp stamp;
	int fd = host_live_open_path(files, dir, CACHE, O_RDONLY | O_DIRECTORY, &stamp);
	if (fd < 0)
		return is_nothing(files, dir, CACHE, fd) ? 0 : fd;
	int count = scandirat(fd, ".", &listing->names, is_bytecode_entry, by_entry_name);
	int reason = errno;
	close(fd);
	if (count < 0)
		return is_nothing(files, dir, CACHE, -reason) ? 0 : -reason;
	listing->count = count;
	return 0;
}

/* Returns the names in a directory's __pycache__, and reads them for the source `owner` if they are not kept. Returns
 * NULL if the run cannot go on. */
static const struct host_bytecode_listing *listing_of(struct host_files *files, uint32_t dir, uint32_t owner)
{
	struct host_bytecode *bytecode = &files->bytecode;
	struct host_bytecode_listing *at = bytecode->listings, listing = {.dir = dir, .owner = owner};
	for (unsigned i = bytecode->listing_count; i; i--)
		if (at[i - 1].dir == dir)
			return &at[i - 1];
	if (read_listing(files, dir, &listing))
		return NULL;
	if (bytecode->listing_count == HOST_BYTECODE_LISTINGS_MAX) {
		free_listing(at);
		memmove(at, at + 1, --bytecode->listing_count * sizeof(*at));
	}
	at[bytecode->listing_count] = listing;
	return &at[bytecode->listing_count++];
}

/* Returns the index of the first name that is not before a text in byte order. */
static int first_from(const struct host_bytecode_listing *listing, const char *text, size_t length)
{
	return (int)search_first((size_t)listing->count, i, strncmp(listing->names[i]->d_name, text, length) < 0);
}

/* --- links --- */

/* Returns the guest path of an object in a buffer of PATH_MAX bytes, which the caller frees; or NULL. */
static char *source_guest_path(const struct host_files *files, uint32_t handle)
{
	char below[PATH_MAX], *path = malloc(PATH_MAX);
	int64_t root = host_objects_path(&files->objects, handle, "", below);
	if (path && root >= 0 && host_notes_path(path, PATH_MAX, &files->trees[root], below) < PATH_MAX)
		return path;
	free(path);
	return NULL;
}

/* Resolves the target of a link: replaces the path of the link's directory, which contains no links, by the path that
 * the target names. Links in the target are not followed. */
static bool follow_link_target(char path[PATH_MAX], const char *target)
{
	size_t at = *target == '/' || !path[1] ? 0 : strlen(path);
	for (size_t length; *target; target += length) {
		target += strspn(target, "/");
		length = strcspn(target, "/");
		bool is_dot = length == 1 && target[0] == '.', is_up = length == 2 && !strncmp(target, "..", 2);
		if (at + 1 + length >= PATH_MAX)
			return false;
		while (is_up && at && path[--at] != '/')
			;
		if (!length || is_dot || is_up)
			continue;
		path[at++] = '/';
		memcpy(path + at, target, length);
		at += length;
	}
	path[at] = 0;
	return true;
}

/* Remembers the target of a link that has the name of a source. */
static int add_source_link(struct host_files *files, uint32_t link, const char *target)
{
	struct host_bytecode *bytecode = &files->bytecode;
	char *path = source_guest_path(files, files->objects.objects[link].parent);
	if (!path)
		return (int)host_stop_without_memory(files);
	if (!array_reserve(bytecode->links, bytecode->link_room, bytecode->link_count + 1UL)) {
		free(path);
		return (int)host_stop_without_memory(files);
	}
	bool is_short = follow_link_target(path, target);
	char *copy = is_short ? strdup(path) : NULL;
	free(path);
	if (is_short && !copy)
		return (int)host_stop_without_memory(files);
	if (is_short)
		bytecode->links[bytecode->link_count++] = (struct host_bytecode_link){link, copy};
	return 0;
}

/* Finds the last link that was looked up before a source. Returns false if it does not lead to the source. */
static bool find_source_link(const struct host_files *files, uint32_t source, uint32_t *link)
{
	const struct host_bytecode *bytecode = &files->bytecode;
	size_t next = search_first(bytecode->link_count, i, bytecode->links[i].link < source);
	char *path = next ? source_guest_path(files, source) : NULL;
	bool leads_there = path && !strcmp(path, bytecode->links[next - 1].target);
	/* A directory of an image has no __pycache__ on this host. */
	leads_there =
		leads_there && files->trees[host_objects_root(&files->objects, bytecode->links[next - 1].link)].ops ==
				       files->trees[host_objects_root(&files->objects, source)].ops;
	if (leads_there)
		*link = bytecode->links[next - 1].link;
	free(path);
	return leads_there;
}

/* --- contents --- */

/* The time by its contents of a source that was read, or NULL. */
static struct host_content_time *source_time(const struct host_files *files, uint32_t source)
{
	const struct host_bytecode *bytecode = &files->bytecode;
	size_t i = search_first(bytecode->time_count, at, bytecode->times[at].source < source);
	return i < bytecode->time_count && bytecode->times[i].source == source ? &bytecode->times[i] : NULL;
}

/* Finds the time of a source by its contents, and keeps it if the source is the newest object: others are read at the
 * end only. Returns 1, 0 if the program could not read the source either, or a negative errno. */
static int find_time(struct host_files *files, uint32_t source, uint32_t *seconds)
{
	struct host_bytecode *bytecode = &files->bytecode;
	const struct host_content_time *known = source_time(files, source);
	struct host_content_time time = {.source = source};
	const struct host_tree_ops *ops = files->trees[host_objects_root(&files->objects, source)].ops;
	int result = known ? 1 : ops->content_time ? ops->content_time(files, source, &time) : 0;
	*seconds = known ? known->seconds : time.seconds;
	const bool is_newest = !bytecode->time_count || bytecode->times[bytecode->time_count - 1].source < source;
	if (known || result <= 0 || !is_newest)
		return result;
	if (!array_reserve(bytecode->times, bytecode->time_room, bytecode->time_count + 1UL))
		return (int)host_stop_without_memory(files);
	bytecode->times[bytecode->time_count++] = time;
	return 1;
}

/* Checks that a source whose time is by its contents still has them. */
static int check_time(struct host_files *files, uint32_t source)
{
	const struct host_content_time *was = source_time(files, source);
	const struct host_tree_ops *ops = files->trees[host_objects_root(&files->objects, source)].ops;
	struct host_content_time now;
	char path[PATH_MAX];
	if (!was)
		return 0;
	int64_t root = host_objects_path(&files->objects, source, "", path);
	if (was->is_old && root >= 0 && !host_place_stamp(&files->place, &files->trees[root], path, &now.stamp) &&
	    host_stamp_is_untouched(&was->stamp, &now.stamp))
		return 0;
	int result = ops->content_time(files, source, &now);
	if (result >= 0 && (!result || now.seconds != was->seconds))
		result = (int)host_stop_at_change(files, source, "");
	return result < 0 ? result : 0;
}

/* --- headers --- */

const struct host_bytecode_file *host_bytecode_of(const struct host_files *files, uint32_t source)
{
	const struct host_bytecode *bytecode = &files->bytecode;
	size_t i = search_first(bytecode->count, at, bytecode->files[at].source < source);
	return i < bytecode->count && bytecode->files[i].source == source ? &bytecode->files[i] : NULL;
}

/* Whether a file that was found is as it was when its header was read. Its times tell, as it was not young then. */
static bool is_untouched(struct host_files *files, const struct host_bytecode_file *found)
{
	char path[PATH_MAX];
	struct host_stamp now;
	int64_t root = host_objects_path(&files->objects, found->dir, found->name, path);
	return found->is_old && root >= 0 && !host_place_stamp(&files->place, &files->trees[root], path, &now) &&
	       host_stamp_is_untouched(&found->stamp, &now);
}

/* Whether the program has read all of a file that was found: host_notes_check has then checked it at the end. */
static bool was_bytecode_read(const struct host_files *files, const struct host_bytecode_file *found)
{
	uint32_t handle;
	if (!host_objects_find(&files->objects, found->dir, CACHE, &handle) ||
	    !host_objects_find(&files->objects, handle, found->name + strlen(CACHE "/"), &handle))
		return false;
	const struct host_object *object = &files->objects.objects[handle];
	return object->is_noted && host_stamp_is_untouched(&object->stamp, &found->stamp);
}

/* Whether a file is the bytecode that was found for a source, and its header is known to be the same. */
static bool is_known_bytecode(struct host_files *files, uint32_t dir, const char *name, struct host_bytecode_file *file)
{
	const struct host_bytecode_file *found = host_bytecode_of(files, file->source);
	if (!found || found->dir != dir || strcmp(found->name, name) ||
	    (!was_bytecode_read(files, found) && !is_untouched(files, found)))
		return false;
	file->stamp = found->stamp;
	file->is_old = found->is_old;
	memcpy(file->header, found->header, sizeof(file->header));
	return true;
}

/* Reads the header of a file. Returns 1, 0 if the program could read no header there, or a negative errno. */
static int read_bytecode_header(struct host_files *files, uint32_t dir, const char *name,
                                struct host_bytecode_file *file)
{
	if (is_known_bytecode(files, dir, name, file))
		return 1;
	int fd = host_live_open_path(files, dir, name, O_RDONLY, &file->stamp);
	if (fd < 0)
		return is_nothing(files, dir, name, fd) ? 0 : fd;
	ssize_t got = 0;
	if (S_ISREG(file->stamp.mode))
		do
			got = pread(fd, file->header, sizeof(file->header), 0);
		while (got < 0 && errno == EINTR);
	int reason = errno;
	const struct stat st = {.st_mtim = file->stamp.mtime, .st_ctim = file->stamp.ctime};
	file->is_old = !content_is_young(&st);
	close(fd);
	if (got < 0)
		return is_nothing(files, dir, name, -reason) ? 0 : -reason;
	return got == sizeof(file->header);
}

/* Whether the bytecode in a file was compiled from a source as it is now. It names the size and the time of its source,
 * as CPython checks them. Within that second of the host, the nanoseconds tell whether the source was written after it;
 * the file is doubtful if so. A guest that compiles a source names the time that it sees, which is by its contents.
 * Returns 1, 0 or a negative errno. */
static int is_compiled_from(struct host_files *files, struct host_bytecode_file *file)
{
	const struct host_stamp *source = host_look_stamp(files, file->source);
	const struct timespec *written = &source->mtime, *compiled = &file->stamp.mtime;
	const uint32_t time = header_word(file->header, TIME);
	const bool is_host_time = time == (uint32_t)written->tv_sec;
	const bool is_after = written->tv_sec > compiled->tv_sec ||
	                      (written->tv_sec == compiled->tv_sec && written->tv_nsec > compiled->tv_nsec);
	uint32_t seconds = 0;
	if (header_word(file->header, FLAGS) || header_word(file->header, SIZE) != (uint32_t)source->size)
		return 0;
	if (!files->content_times) /* as 0.9.0, whose guests named the time of all files for any contents */
		return (is_host_time || time == (uint32_t)(files->time_ns / NS_PER_S)) && !is_after;
	file->is_doubtful = is_host_time && is_after;
	if (is_host_time || !host_content_time_is(time))
		return is_host_time && !is_after;
	int result = find_time(files, file->source, &seconds);
	return result <= 0 ? result : seconds == time;
}

/* Whether a name is one of bytecode of a source whose name, up to its last dot, has `stem` bytes. */
static bool is_candidate(const char *name, size_t stem)
{
	return strlen(name) >= stem + strlen(BYTECODE_SUFFIX);
}

/* Looks at a file of a source's __pycache__, and chooses it if it is the first that was compiled from the source.
 * Returns 0 or a negative errno. */
static int judge_bytecode(struct host_files *files, const char *path, struct host_bytecode_file *file)
{
	struct host_bytecode_file candidate = {.source = file->source, .dir = file->dir};
	int result = read_bytecode_header(files, file->dir, path, &candidate);
	if (result > 0)
		result = is_compiled_from(files, &candidate);
	file->is_doubtful |= candidate.is_doubtful;
	if (result <= 0 || file->name)
		return result < 0 ? result : 0;
	*file = candidate;
	file->name = strdup(path);
	return file->name ? 0 : (int)host_stop_without_memory(files);
}

/* Finds the bytecode of a source beside `beside`, which is the source or a link to it. A doubtful file leaves none, for
 * Python would take either. Returns 1, 0 if there is none, or a negative errno. */
static int find_beside(struct host_files *files, uint32_t source, uint32_t beside, struct host_bytecode_file *file)
{
	uint32_t dir = files->objects.objects[beside].parent;
	const char *name = source_name(files, beside);
	size_t stem = strlen(name) - strlen(SOURCE_SUFFIX) + 1; /* length of the stem, with its dot */
	const struct host_bytecode_listing *listing = listing_of(files, dir, source);
	int result = 0;
	*file = (struct host_bytecode_file){.source = source, .dir = dir};
	if (!listing)
		return -EIO;
	for (int i = first_from(listing, name, stem); i < listing->count && !result; i++) {
		const char *candidate = listing->names[i]->d_name;
		char path[sizeof(CACHE "/") + NAME_MAX];
		if (strncmp(candidate, name, stem) || (file->name && !files->content_times))
			break;
		if (!is_candidate(candidate, stem))
			continue;
		strcat(strcpy(path, CACHE "/"), candidate);
		result = judge_bytecode(files, path, file);
	}
	if (file->name && (result || file->is_doubtful)) {
		free(file->name);
		file->name = NULL;
	}
	return result ? result : file->name != NULL;
}

int host_bytecode_find_live(struct host_files *files, uint32_t source, struct host_bytecode_file *file)
{
	uint32_t link;
	*file = (struct host_bytecode_file){.source = source};
	if (is_tree_root(files, source)) /* a single file, whose directory is not shown */
		return 0;
	int result = find_beside(files, source, source, file);
	if (result || file->is_doubtful || !find_source_link(files, source, &link))
		return result;
	return find_beside(files, source, link, file);
}

static int find_bytecode_file(struct host_files *files, uint32_t source, struct host_bytecode_file *file)
{
	return files->trees[host_objects_root(&files->objects, source)].ops->find_bytecode(files, source, file);
}

/* Whether the time of a source is by its bytecode or its contents. */
static bool has_time(const struct host_files *files, uint32_t handle)
{
	return files->bytecode_times && is_source(files, handle) &&
	       (files->content_times || !is_tree_root(files, handle));
}

int host_bytecode_look(struct host_files *files, uint32_t handle, const char *target)
{
	struct host_bytecode *bytecode = &files->bytecode;
	struct host_bytecode_file file;
	uint32_t seconds;
	if (files->bytecode_times && is_python_source(files, handle, S_IFLNK))
		return add_source_link(files, handle, target);
	int result = has_time(files, handle) ? find_bytecode_file(files, handle, &file) : 0;
	if (!result && files->content_times && is_source(files, handle))
		return find_time(files, handle, &seconds) < 0 ? -ESTALE : 0;
	if (result <= 0)
		return result;
	if (!array_reserve(bytecode->files, bytecode->room, bytecode->count + 1UL)) {
		free(file.name);
		return (int)host_stop_without_memory(files);
	}
	bytecode->files[bytecode->count++] = file;
	return 0;
}

int64_t host_bytecode_time_ns(const struct host_files *files, uint32_t handle)
{
	const struct host_bytecode_file *file = host_bytecode_of(files, handle);
	const struct host_content_time *time = file ? NULL : source_time(files, handle);
	return file ? header_word(file->header, TIME) * NS_PER_S : time ? time->seconds * NS_PER_S : files->time_ns;
}

/* --- the end --- */

/* Stops the run because the bytecode of a source has changed. `file` is that bytecode, or NULL. */
static int stop_at_change(struct host_files *files, uint32_t source, const struct host_bytecode_file *file)
{
	bool is_there = file && file->name;
	uint32_t dir = is_there ? file->dir : files->objects.objects[source].parent;
	return (int)host_stop_at_change(files, dir, is_there ? file->name : CACHE);
}

/* Notes the header that was read for a source. For later runs, also notes which file it was in, or that there was none.
 * */
static int note_bytecode(struct host_files *files, uint32_t source, const struct host_bytecode_file *file)
{
	static const struct host_bytecode_file none;
	char path[PATH_MAX];
	struct host_note *added;
	uint8_t hash[DIGEST_BYTES] = {0};
	int64_t root = host_objects_path(&files->objects, source, "", path);
	if (root < 0)
		return host_stop_without_memory(files);
	if (!file)
		file = &none;
	const struct host_content_time *time = file == &none ? source_time(files, source) : NULL;
	if (time)
		memcpy(hash, &time->seconds, sizeof(time->seconds));
	int result = host_notes_add(&files->notes, files->run, HOST_NOTE_CHOICE, &files->trees[root], path,
	                            &file->stamp, hash, &added);
	if (!result && file != &none && host_objects_path(&files->objects, file->dir, file->name, path) >= 0) {
		struct digest_sum sum;
		digest_begin(&sum);
		digest_add(&sum, file->header, sizeof(file->header));
		if (files->hash)
			digest_end(&sum, hash);
		result = host_notes_add(&files->notes, files->run, HOST_NOTE_HEADER, &files->trees[root], path,
		                        &file->stamp, hash, &added);
	}
	return result == -ESTALE ? stop_at_change(files, source, file)
	       : result          ? (int)host_stop_without_memory(files)
	                         : 0;
}

static int check_bytecode(struct host_files *files, uint32_t source)
{
	const struct host_bytecode_file *was = host_bytecode_of(files, source);
	struct host_bytecode_file now = {0};
	int result = find_bytecode_file(files, source, &now);
	bool is_same = result > 0 ? was && was->dir == now.dir && !strcmp(was->name, now.name) &&
	                                    host_stamp_is_untouched(&was->stamp, &now.stamp)
	                          : !was;
	if (result >= 0 && !is_same)
		result = stop_at_change(files, source, was ? was : &now);
	if (result >= 0)
		result = check_time(files, source);
	free(now.name);
	return result < 0 ? result : note_bytecode(files, source, was);
}

static void forget_listings(struct host_bytecode *bytecode)
{
	while (bytecode->listing_count)
		free_listing(&bytecode->listings[--bytecode->listing_count]);
}

int host_bytecode_check(struct host_files *files)
{
	int result = 0;
	if (!files->bytecode_times)
		return 0;
	forget_listings(&files->bytecode);
	for (uint32_t handle = 0; handle < files->objects.count && !result; handle++)
		if (has_time(files, handle))
			result = check_bytecode(files, handle);
	forget_listings(&files->bytecode);
	return result;
}

void host_bytecode_truncate(struct host_files *files, uint32_t handle)
{
	struct host_bytecode *bytecode = &files->bytecode;
	while (bytecode->listing_count && bytecode->listings[bytecode->listing_count - 1].owner >= handle)
		free_listing(&bytecode->listings[--bytecode->listing_count]);
	while (bytecode->count && bytecode->files[bytecode->count - 1].source >= handle)
		free(bytecode->files[--bytecode->count].name);
	while (bytecode->time_count && bytecode->times[bytecode->time_count - 1].source >= handle)
		bytecode->time_count--;
	while (bytecode->link_count && bytecode->links[bytecode->link_count - 1].link >= handle)
		free(bytecode->links[--bytecode->link_count].target);
}

void host_bytecode_fini(struct host_bytecode *bytecode)
{
	forget_listings(bytecode);
	while (bytecode->count)
		free(bytecode->files[--bytecode->count].name);
	while (bytecode->link_count)
		free(bytecode->links[--bytecode->link_count].target);
	free(bytecode->files);
	free(bytecode->times);
	free(bytecode->links);
	*bytecode = (struct host_bytecode){0};
}
