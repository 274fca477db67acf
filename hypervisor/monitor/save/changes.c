/* SPDX-License-Identifier: MIT */
/* Receives the changes that a guest, which may be hostile, reports. Contents to be saved go into an unnamed file, the
 * spool. No file of the host is touched before all changes are known. */
#include "save/changes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/doorbell.h"
#include "base/array.h"
#include "base/clean_path.h"
#include "hostfs/host_look.h"
#include "hostfs/host_notes.h"
#include "hostfs/tree/host_tree_ops.h"

#define COPY_BYTES 0x10000

void changes_begin(struct changes *changes, struct host_files *files, uint64_t bytes_max, bool (*stopped)(void))
{
	changes->files = files;
	changes->bytes_max = bytes_max;
	changes->stopped = stopped;
	changes->source = (struct host_source){.fd = -1};
}

bool change_is_told(const struct change_record *record)
{
	return record->what & ~CHANGE_LINKED;
}

/* --- one record --- */

static const struct host_tree *tree_of(const struct changes *changes, uint32_t root)
{
	return root == CHANGE_NO_ROOT ? NULL : &changes->files->trees[root];
}

/* Finds the handle of the object at a path below a root. */
static bool find_object(const struct changes *changes, uint32_t root, const char *path, uint64_t *handle)
{
	uint32_t at = root;
	while (*path) {
		char name[256];
		size_t length = strcspn(path, "/");
		if (length >= sizeof(name))
			return false;
		memcpy(name, path, length);
		name[length] = 0;
		if (!host_objects_find(&changes->files->objects, at, name, &at))
			return false;
		path += length + (path[length] == '/');
	}
	*handle = at;
	return true;
}

/* Whether the guest could change a path below a tree: the tree is not read-only, and no later tree, which may be,
 * covers the path. The directory of --save can contain both. */
static bool is_writable(const struct changes *changes, const struct change *change)
{
	const struct host_tree *tree = tree_of(changes, change->root);
	char path[PATH_MAX + sizeof(change->path)];
	if (!tree)
		return true;
	host_notes_path(path, sizeof(path), tree, change->path);
	for (unsigned i = change->root + 1; i < changes->files->tree_count; i++) {
		const char *guest = changes->files->trees[i].guest;
		const size_t length = guest[1] ? strlen(guest) : 0;
		if (!strncmp(path, guest, length) && (!path[length] || path[length] == '/'))
			return false;
	}
	return !tree->read_only;
}

static int check_change(struct changes *changes, const struct change *change)
{
	const uint32_t all = CHANGE_LINKED * 4 - 1;
	const unsigned roots = changes->files ? changes->files->tree_count : 0;
	if (change->root != CHANGE_NO_ROOT && change->root >= roots)
		return error_set(&changes->error, EPROTO, "the guest reported a change of files that it was not shown");
	if (!memchr(change->path, 0, sizeof(change->path)) || (*change->path && !clean_path(change->path)) ||
	    (!*change->path && change->root == CHANGE_NO_ROOT))
		return error_set(&changes->error, EPROTO, "the guest reported a change at a path that is not allowed");
	if (!is_writable(changes, change))
		return error_set(&changes->error, EPROTO,
		                 "the guest reported a change of files that it could not write");
	bool is_removed = change->what == CHANGE_REMOVED;
	if (!change->what || change->what & ~all || (!is_removed && change->what & CHANGE_REMOVED))
		return error_set(&changes->error, EPROTO, "the guest reported an impossible change");
	return 0;
}

/* Sets the path on the host of an object of an image, which is new there. Removed objects stay. */
static void place_sealed(const struct changes *changes, struct change_record *record)
{
	const char *from = changes->guest_dir;
	size_t length = from && from[1] ? strlen(from) : 0;
	if (!changes->dir || !from || strncmp(record->path, from, length) || record->path[length] != '/' ||
	    !(record->what & (CHANGE_CREATED | CHANGE_CONTENTS)))
		return;
	if (asprintf(&record->host, "%s%s", changes->dir->real, record->path + length) < 0)
		record->host = NULL;
	record->is_below = record->host && save_dir_has(changes->dir, record->host, &record->below);
	record->what = CHANGE_CREATED;
}

/* Sets the path of the object on the host, and whether it is to be saved. */
static void place_change(const struct changes *changes, const struct host_tree *tree, const char *path,
                         struct change_record *record)
{
	if (!tree->ops->host_path) {
		place_sealed(changes, record);
		return;
	}
	record->host = tree->ops->host_path(tree, path);
	if (record->host && changes->dir)
		record->is_below = save_dir_has(changes->dir, record->host, &record->below);
}

static struct change_record *make_record(struct changes *changes, const struct change *change)
{
	const struct host_tree *tree = tree_of(changes, change->root);
	const struct host_tree own = {.guest = "/"};
	size_t length = host_notes_path(NULL, 0, tree ? tree : &own, change->path);
	struct change_record *record = calloc(1, sizeof(*record) + length + 1);
	if (!record)
		return NULL;
	host_notes_path(record->path, length + 1, tree ? tree : &own, change->path);
	record->what = change->what;
	record->kind = change->kind;
	record->mode = change->mode & 07777;
	record->root = change->root;
	record->nlink = change->nlink;
	record->bytes = change->bytes;
	record->ino = change->ino;
	record->mtime_ns = change->mtime_ns;
	if (tree)
		place_change(changes, tree, change->path, record);
	if (tree && !(change->what & CHANGE_CREATED))
		record->is_known = find_object(changes, change->root, change->path, &record->handle);
	changes->path_bytes += sizeof(*record) + 3 * length;
	return record;
}

static int add_change_record(struct changes *changes, struct change_record *record)
{
	if (!array_reserve(changes->records, changes->room, changes->count + 1))
		return -ENOMEM;
	changes->records[changes->count++] = record;
	return 0;
}

static int by_change_object(const void *a, const void *b)
{
	const struct change_record *x = a, *y = b;
	if (x->root != y->root)
		return x->root < y->root ? -1 : 1;
	return (x->ino > y->ino) - (x->ino < y->ino);
}

/* Whether the guest must send the contents: not if another name of the object has them. Returns 1, 0 or -ENOMEM. */
static int wants(struct changes *changes, struct change_record *record)
{
	if (!(record->is_below || changes->takes_all) || !(record->what & (CHANGE_CREATED | CHANGE_CONTENTS)) ||
	    (record->kind != S_IFREG && record->kind != S_IFLNK))
		return 0;
	if (record->nlink > 1) {
		struct change_record **found = tsearch(record, &changes->linked, by_change_object);
		if (!found)
			return -ENOMEM;
		if (*found != record)
			return 0;
	}
	return 1;
}

/* Reserves room in the spool for contents, and notes the host's file that they come from, if any. */
static int expect_change(struct changes *changes, struct change_record *record, const struct change *change)
{
	if (record->bytes > changes->bytes_max - changes->spool_bytes)
		return error_set(&changes->error, EFBIG,
		                 "the program left more than %lu MiB to be saved, with %.120s; raise --memory for more",
		                 changes->bytes_max >> 20, record->path);
	if (record->kind == S_IFLNK && (!record->bytes || record->bytes >= SAVE_TARGET_BYTES))
		return error_set(&changes->error, EPROTO, "%.160s is a symbolic link of an impossible size",
		                 record->path);
	record->has_contents = true;
	record->at = changes->spool_bytes;
	changes->spool_bytes += record->bytes;
	changes->left = record->bytes;
	changes->current = record;
	changes->is_from = change->from && change->handle < changes->files->objects.count;
	changes->from = (uint32_t)change->handle;
	return 1;
}

static void forget_source(struct changes *changes)
{
	host_source_close(&changes->source);
}

static bool is_own_tmp(const struct changes *changes, const struct change *change)
{
	const struct host_tree *tree = tree_of(changes, change->root);
	return tree && !tree->ops->shows(tree, change->path);
}

int changes_take(struct changes *changes, const struct guest_memory *memory, gpa_t address)
{
	static struct change change; /* too large for a stack; one run at a time */
	if (changes->error.text[0])
		return -EPROTO;
	if (changes->left)
		return error_set(&changes->error, EPROTO, "the guest ended %.160s too early", changes->current->path);
	if (guest_memory_read(memory, address, &change, sizeof(change)))
		return error_set(&changes->error, EFAULT,
		                 "the guest reported a change at an address outside its memory");
	forget_source(changes);
	int result = check_change(changes, &change);
	if (result || is_own_tmp(changes, &change))
		return result;
	struct change_record *record = changes->path_bytes < changes->bytes_max ? make_record(changes, &change) : NULL;
	if (!record || add_change_record(changes, record)) {
		free(record);
		return error_set(&changes->error, ENOMEM,
		                 "the program has changed too many files to report; raise --memory");
	}
	result = wants(changes, record);
	if (result < 0)
		return error_set(&changes->error, ENOMEM, "out of memory");
	return result ? expect_change(changes, record, &change) : 0;
}

/* --- contents --- */

static int spool_of(const struct changes *changes)
{
	return changes->takes_all ? changes->spool : changes->dir->spool;
}

/* Writes the next bytes of the contents to the spool. */
static int spool(struct changes *changes, const uint8_t *from, size_t bytes)
{
	while (bytes) {
		off_t at = (off_t)(changes->current->at + changes->current->bytes - changes->left);
		ssize_t done = pwrite(spool_of(changes), from, bytes, at);
		if (done < 0 && errno == EINTR && !changes->stopped())
			continue;
		if (done < 0)
			return error_set(&changes->error, errno, "cannot keep %.160s until it is saved: %s",
			                 changes->current->path, strerror(errno));
		from += done;
		bytes -= (size_t)done;
		changes->left -= (size_t)done;
	}
	return 0;
}

static int take_change_memory(struct changes *changes, const struct guest_memory *memory, gpa_t from, uint64_t bytes)
{
	static uint8_t copy[COPY_BYTES];
	if (!guest_memory_at(memory, from, bytes))
		return error_set(&changes->error, EFAULT, "the guest gave data of %.160s outside its memory",
		                 changes->current->path);
	int result = 0;
	while (bytes && !result) {
		size_t part = bytes < sizeof(copy) ? bytes : sizeof(copy);
		if (changes->stopped())
			return error_set(&changes->error, EINTR, "stopped while changes were collected");
		if (guest_memory_read(memory, from, copy, part))
			return error_set(&changes->error, EFAULT, "the guest gave data outside its memory");
		result = spool(changes, copy, part);
		from.value += part;
		bytes -= part;
	}
	return result;
}

/* Opens the host's file that the contents come from, which must be unchanged. */
static int open_source(struct changes *changes)
{
	struct host_stamp now;
	if (changes->source.is_open)
		return 0;
	const struct host_stamp *was = changes->is_from ? &changes->files->objects.objects[changes->from].stamp : NULL;
	if (!was || !S_ISREG(was->mode))
		return error_set(&changes->error, EPROTO,
		                 "the guest gave %.160s contents from an object that is not a file of the host",
		                 changes->current->path);
	int result = host_source_open(changes->files, changes->from, &changes->source, &now);
	if (!result && host_stamp_is_untouched(was, &now))
		return 0;
	host_source_close(&changes->source);
	if (result == -EACCES)
		return error_set(
			&changes->error, EACCES,
			"nothing is saved: this user may not read the host's file of which %.120s is a new name",
			changes->current->path);
	return error_set(&changes->error, ESTALE,
	                 "the host's file from which %.120s takes its contents changed during the run",
	                 changes->current->path);
}

static int take_host(struct changes *changes, uint64_t bytes)
{
	static uint8_t copy[COPY_BYTES];
	int result = open_source(changes);
	while (bytes && !result) {
		size_t part = bytes < sizeof(copy) ? bytes : sizeof(copy);
		int failed = host_source_read(&changes->source, copy, part, changes->current->bytes - changes->left);
		if (changes->stopped())
			return error_set(&changes->error, EINTR, "stopped while changes were collected");
		if (failed)
			return error_set(&changes->error, ESTALE, "cannot read the contents of %.160s: %s",
			                 changes->current->path,
			                 failed == -ENODATA ? "they have become shorter" : strerror(-failed));
		result = spool(changes, copy, part);
		bytes -= part;
	}
	return result;
}

static int take_piece(struct changes *changes, const struct guest_memory *memory, const struct out_piece *piece)
{
	if (piece->bytes > changes->left)
		return error_set(&changes->error, EPROTO, "the guest gave more data for %.160s than it announced",
		                 changes->current ? changes->current->path : "nothing");
	if (piece->address == CHANGE_OF_HOST && changes->current->kind == S_IFREG)
		return take_host(changes, piece->bytes);
	if (piece->address == OUT_HOLE && changes->current->kind == S_IFREG) {
		changes->left -= piece->bytes;
		return 0;
	}
	return take_change_memory(changes, memory, gpa(piece->address), piece->bytes);
}

int changes_take_data(struct changes *changes, const struct guest_memory *memory, gpa_t list, uint64_t count)
{
	struct out_piece pieces[OUT_PIECES_MAX];
	if (changes->error.text[0])
		return -EPROTO;
	if (count > OUT_PIECES_MAX || guest_memory_read(memory, list, pieces, count * sizeof(pieces[0])))
		return error_set(&changes->error, EPROTO, "the guest gave an impossible list of pieces");
	int result = 0;
	for (uint64_t i = 0; i < count && !result; i++)
		result = pieces[i].bytes ? take_piece(changes, memory, &pieces[i]) : 0;
	return result;
}

static void keep_change(void *record)
{
	(void)record; /* belongs to changes->records */
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Adds a record for a directory of an image that the host does not have. `path` is its path in the guest. */
static int add_changed_directory(struct changes *changes, const char *path)
{
	struct change_record *record = calloc(1, sizeof(*record) + strlen(path) + 1);
	if (!record)
		return -ENOMEM;
	strcpy(record->path, path);
	record->what = CHANGE_CREATED;
	record->kind = S_IFDIR;
	record->mode = 0755;
	record->root = CHANGE_NO_ROOT;
	place_sealed(changes, record);
	int result = add_change_record(changes, record);
	if (result || faccessat(changes->dir->fd, record->host + record->below, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
		changes->count -= !result;
		free(record->host);
		free(record);
	}
	return result;
}

/* In a run from an image, makes sure that the directories of all objects to be saved are created, too. */
static int add_directories(struct changes *changes)
{
	void *known = NULL;
	int result = 0;
	const size_t count = changes->count, top = strlen(changes->guest_dir[1] ? changes->guest_dir : "");
	for (size_t i = 0; i < count && !result; i++)
		result = tsearch(changes->records[i]->path, &known, by_text) ? 0 : -ENOMEM;
	for (size_t i = 0; i < count && !result; i++) {
		char path[PATH_MAX];
		if (!changes->records[i]->is_below || strlen(changes->records[i]->path) >= sizeof(path))
			continue;
		strcpy(path, changes->records[i]->path);
		for (char *slash = strchr(path + top + 1, '/'); slash && !result; slash = strchr(slash + 1, '/')) {
			size_t before = changes->count;
			*slash = 0;
			if (!tfind(path, &known, by_text)) {
				result = add_changed_directory(changes, path);
				if (!result && changes->count > before)
					tsearch(changes->records[before]->path, &known, by_text);
			}
			*slash = '/';
		}
	}
	tdestroy(known, keep_change);
	return result;
}

int changes_end(struct changes *changes)
{
	forget_source(changes);
	if (!changes->error.text[0] && changes->left)
		return error_set(&changes->error, EPROTO, "the guest ended %.160s too early", changes->current->path);
	if (changes->error.text[0])
		return -EPROTO;
	if (changes->guest_dir && changes->dir && add_directories(changes))
		return error_set(&changes->error, ENOMEM, "out of memory");
	/* The last contents may end with a hole. */
	if ((changes->dir || changes->takes_all) && ftruncate(spool_of(changes), (off_t)changes->spool_bytes))
		return error_set(&changes->error, errno, "cannot keep the changes until they are saved: %s",
		                 strerror(errno));
	changes->is_complete = true;
	return 0;
}

void changes_fini(struct changes *changes)
{
	tdestroy(changes->linked, keep_change);
	for (size_t i = 0; i < changes->count; i++) {
		free(changes->records[i]->host);
		free(changes->records[i]);
	}
	free(changes->records);
	free(changes->here);
	changes->here = NULL;
	changes->records = NULL;
	changes->linked = NULL;
	changes->count = changes->room = 0;
}
