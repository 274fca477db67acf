/* SPDX-License-Identifier: MIT */
/* Serves the host's files to a guest, which may be hostile. An object is remembered by its directory and name, not by a
 * descriptor. It is opened again each time, beneath its tree, and must be unchanged.
 *
 * Long: all requests, of a few lines each, share the code that finds, opens and checks an object. */
#include "hostfs/host_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/host_file.h"
#include "hostfs/host_names.h"
#include "hostfs/host_stop.h"
#include "hostfs/host_streams.h"

#define CHUNK_BYTES (1UL << 18) /* read, hashed and given to the guest at a time: it stays in the processor's cache */

struct host_listing {
	uint32_t handle;
	uint32_t count, room;
	struct host_stamp stamp;
	struct dirent **names;
};

/* --- objects --- */

static const struct host_stamp *stamp_of(const struct host_files *files, uint32_t handle)
{
	return &files->objects.objects[handle].stamp;
}

/* Whether the program has been told that there is nothing of a name. */
static bool is_absent(const struct host_files *files, uint32_t dir, const char *name)
{
	uint32_t which;
	return host_objects_find(&files->absent, dir, name, &which);
}

int host_files_open_path(const struct host_files *files, uint32_t handle, const char *name, int flags,
                         struct host_stamp *stamp)
{
	char path[PATH_MAX];
	int64_t root = host_objects_path(&files->objects, handle, name, path);
	return root < 0 ? (int)root : host_tree_open_object(&files->trees[root], path, flags, stamp);
}

/* Opens an object that is known, and must be what it was. A descriptor or a negative errno. */
static int open_known(struct host_files *files, uint32_t handle, int flags, struct host_stamp *stamp)
{
	int fd = host_files_open_path(files, handle, "", flags, stamp);
	/* A tree that is one file confines the monitor to that, and it may be another one. */
	if (fd == -EACCES && !(flags & O_PATH)) {
		int error = open_known(files, handle, O_PATH, stamp);
		if (error < 0)
			return error;
		close(error);
	}
	if (fd == -ENOENT || fd == -ELOOP || fd == -ENOTDIR)
		return (int)host_stop_at_change(files, handle, "");
	if (fd >= 0 && !host_stamp_is_same(stamp_of(files, handle), stamp)) {
		close(fd);
		return (int)host_stop_at_change(files, handle, "");
	}
	return (int)host_stop_unless_told(files, handle, "", fd);
}

/* Gives an object the next handle in one of the two lists. */
static int64_t add(struct host_files *files, struct host_objects *list, uint32_t parent, const char *name,
                   const struct host_stamp *stamp)
{
	int64_t handle = host_objects_add(list, parent, name, stamp);
	if (handle == -ENFILE)
		return host_stop(
			files, ENFILE,
			"the program has looked up more than %u of the host's files; give it fewer by --root DIR",
			list->count);
	return handle < 0 ? host_stop_without_memory(files) : handle;
}

/* --- HOST_FILE_LOOK --- */

/* The attributes that the guest may know; of a link also its target, if that is wanted. 0 or a negative errno. */
static int tell(const struct host_files *files, int fd, const struct host_stamp *stamp,
                struct host_file_attributes *attributes, char target[PATH_MAX])
{
	*attributes = (struct host_file_attributes){.mode = stamp->mode, .mtime_ns = files->times ? 0 : files->time_ns};
	if (S_ISREG(stamp->mode))
		attributes->size = stamp->size;
	if (S_ISREG(stamp->mode) && files->times)
		attributes->mtime_ns = host_stamp_mtime_ns(stamp);
	if (S_ISDIR(stamp->mode) && faccessat(fd, "", R_OK, AT_EMPTY_PATH | AT_EACCESS) && errno == EACCES)
		attributes->flags = HOST_FILE_UNLISTABLE;
	if (!S_ISLNK(stamp->mode))
		return 0;
	if (!target)
		return -ELOOP;
	ssize_t length = readlinkat(fd, "", target, PATH_MAX);
	if (length < 0)
		return -errno;
	if (length == 0 || length == PATH_MAX)
		return -ENOENT; /* no link that Linux lets anybody make */
	target[length] = 0;
	attributes->size = (uint64_t)length;
	return 0;
}

/* Whether a directory is still the one in which names were just found. 0 or a negative errno. */
static int check_directory(struct host_files *files, uint32_t handle)
{
	struct host_stamp now;
	int fd = open_known(files, handle, O_PATH, &now);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

/* Whether a directory, which must be what it was, has anything of a name, whether that is shown or not. 1, 0 or a
 * negative errno. */
static int has_name(struct host_files *files, uint32_t handle, const char *name)
{
	struct host_stamp now;
	struct stat st;
	int fd = open_known(files, handle, O_PATH, &now);
	if (fd < 0)
		return fd;
	int result = fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) ? -errno : 1;
	close(fd);
	return result == -ENOENT ? 0 : (int)host_stop_unless_told(files, handle, name, result);
}

/* Looks at a name that is not known. A descriptor; -ENOENT, which is remembered unless there is something that is not
 * shown; or another negative errno. */
static int64_t open_name(struct host_files *files, uint32_t dir, const char *name, bool listed,
                         struct host_stamp *stamp)
{
	static const struct host_stamp none;
	int fd = host_files_open_path(files, dir, name, O_PATH, stamp);
	if (fd >= 0 && is_absent(files, dir, name)) {
		close(fd);
		return host_stop_at_appearance(files, dir, name);
	}
	if (fd != -ENOENT && fd != -ENOTDIR && fd != -ELOOP)
		return host_stop_unless_told(files, dir, name, fd);
	int there = has_name(files, dir, name); /* is it the name that is missing, or the directory? */
	if (there || is_absent(files, dir, name))
		return there < 0 ? there : -ENOENT;
	if (listed)
		return host_stop_at_change(files, dir, name);
	int64_t result = add(files, &files->absent, dir, name, &none);
	return result < 0 ? result : -ENOENT;
}

/* Looks at a name that ends, in a directory, which may have listed it before: the handle or a negative errno. Without a
 * target links are not told of. */
static int64_t look_at(struct host_files *files, uint32_t dir, const char *name, bool listed,
                       struct host_file_attributes *attributes, char target[PATH_MAX])
{
	struct host_stamp stamp;
	uint32_t handle = dir;
	if (!host_names_is_one(name))
		return host_stop_at_nonsense(files, "an invalid name");
	if (*name && !S_ISDIR(stamp_of(files, dir)->mode))
		return host_stop_at_nonsense(files, "a name in an object that is not a directory");
	bool known = !*name || host_objects_find(&files->objects, dir, name, &handle);
	int64_t opened =
		known ? open_known(files, handle, O_PATH, &stamp) : open_name(files, dir, name, listed, &stamp);
	if (opened < 0)
		return opened;
	int fd = (int)opened;
	int result = (int)host_stop_unless_told(files, dir, name, tell(files, fd, &stamp, attributes, target));
	close(fd);
	if (result < 0)
		return result;
	int64_t added = known ? handle : add(files, &files->objects, dir, name, &stamp);
	if (added >= 0 && !known && host_bytecode_look(files, (uint32_t)added, target))
		return -ESTALE;
	if (added >= 0 && files->bytecode_times && S_ISREG(stamp.mode))
		attributes->mtime_ns = host_bytecode_time_ns(files, (uint32_t)added);
	return added;
}

static int64_t look(struct host_files *files, const struct guest_memory *memory, struct host_file_request *request)
{
	char target[PATH_MAX];
	struct host_file_looked looked;
	uint64_t to = request->buffer;
	uint32_t handle = request->handle;
	if (!guest_memory_at(memory, gpa(to), HOST_FILE_LOOK_BYTES) || request->buffer_bytes < HOST_FILE_LOOK_BYTES)
		return host_stop_at_nonsense(files, "a buffer that is too small, or outside its memory");
	unsigned names = memchr(request->name, 0, sizeof(request->name)) ? host_names_split(request->name) : 0,
		 count = 0;
	if (!names)
		return host_stop_at_nonsense(files, "an invalid name");
	for (const char *name = request->name; count < names; name += strlen(name) + 1) {
		looked = (struct host_file_looked){0};
		looked.handle = look_at(files, handle, name, request->offset && !count, &looked.attributes, target);
		if (files->error[0] || (looked.handle < 0 && !count))
			return looked.handle;
		guest_memory_write(memory, gpa(to), &looked, sizeof(looked));
		to += sizeof(looked);
		count++;
		if (looked.handle < 0 || !S_ISDIR(looked.attributes.mode))
			break;
		handle = (uint32_t)looked.handle;
	}
	if (looked.handle >= 0 && S_ISLNK(looked.attributes.mode))
		guest_memory_write(memory, gpa(to), target, looked.attributes.size);
	int error = *request->name ? check_directory(files, request->handle) : 0;
	return error ? error : (int64_t)count;
}

static int64_t look_many(struct host_files *files, const struct guest_memory *memory, struct host_file_request *request)
{
	uint8_t list[HOST_FILE_LOOKS_MAX * 32]; /* longer names have to be fewer */
	const uint8_t *at = list;
	uint64_t count = request->offset, bytes = request->buffer_bytes;
	char name[NAME_MAX + 1];
	if (bytes > sizeof(list) || count > HOST_FILE_LOOKS_MAX ||
	    guest_memory_read(memory, gpa(request->buffer), list, bytes))
		return host_stop_at_nonsense(files, "an invalid list of names");
	for (uint64_t i = 0; i < count; i++) {
		if (!host_names_take(&at, list + bytes, name))
			return host_stop_at_nonsense(files, "an invalid list of names");
		struct host_file_looked looked = {0};
		looked.handle = look_at(files, request->handle, name, true, &looked.attributes, NULL);
		if (files->error[0])
			return looked.handle;
		if (guest_memory_write(memory, gpa(request->buffer + i * sizeof(looked)), &looked, sizeof(looked)))
			return host_stop_at_nonsense(files, "an invalid list of names");
	}
	return check_directory(files, request->handle);
}

/* --- HOST_FILE_LIST --- */

void host_files_forget_listing(struct host_files *files)
{
	struct host_listing *listing = files->listing;
	for (uint32_t i = 0; listing && i < listing->count; i++)
		free(listing->names[i]);
	free(listing ? listing->names : NULL);
	free(listing);
	files->listing = NULL;
}

/* Whether a name in a directory belongs to what is shown of its tree. */
static bool is_in_part(const struct host_files *files, uint32_t handle, const char *name)
{
	char path[PATH_MAX];
	const struct host_part *part = files->trees[host_objects_root(&files->objects, handle)].part;
	return !part || (host_objects_path(&files->objects, handle, name, path) >= 0 && host_part_shows(part, path));
}

/* Whether the guest may know that this is there. */
static bool is_shown(const struct host_files *files, uint32_t handle, DIR *dir, struct dirent *entry)
{
	static const char *const state[] = {"proc", "sys", "dev"};
	struct stat st;
	bool is_root = handle < files->tree_count && !files->trees[handle].real[1];
	if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
		return false;
	for (unsigned i = 0; is_root && i < 3; i++)
		if (!strcmp(entry->d_name, state[i]))
			return false;
	if (!is_in_part(files, handle, entry->d_name))
		return false;
	/* Some file systems do not tell. */
	if (entry->d_type == DT_UNKNOWN && !fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
		entry->d_type = (unsigned char)IFTODT(st.st_mode);
	return entry->d_type == DT_REG || entry->d_type == DT_DIR || entry->d_type == DT_LNK;
}

static int64_t add_name(struct host_files *files, uint32_t handle, const struct dirent *entry)
{
	struct host_listing *listing = files->listing;
	size_t length = strlen(entry->d_name), bytes = offsetof(struct dirent, d_name) + length + 1;
	if (is_absent(files, handle, entry->d_name))
		return host_stop_at_appearance(files, handle, entry->d_name);
	if (length > NAME_MAX)
		return host_stop(files, ENAMETOOLONG,
		                 "the host's %s has a name longer than %u bytes, which programs cannot see",
		                 host_stop_describe(files, handle, ""), NAME_MAX);
	if (listing->count == HOST_FILES_LIST_MAX)
		return host_stop(files, ENFILE,
		                 "the host's %s has more than %u names, and programs can be shown no more",
		                 host_stop_describe(files, handle, ""), HOST_FILES_LIST_MAX);
	if (listing->count == listing->room) {
		void *grown =
			host_objects_grow(listing->names, &listing->room, listing->count + 1, sizeof(*listing->names));
		if (!grown)
			return host_stop_without_memory(files);
		listing->names = grown;
	}
	struct dirent *copy = malloc(bytes);
	if (!copy)
		return host_stop_without_memory(files);
	memcpy(copy, entry, bytes);
	listing->names[listing->count++] = copy;
	return 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp((*(struct dirent *const *)a)->d_name, (*(struct dirent *const *)b)->d_name);
}

static int64_t note(struct host_files *files, uint32_t handle, const struct host_stamp *stamp,
                    const uint8_t hash[DIGEST_BYTES])
{
	char path[PATH_MAX];
	int64_t root = host_objects_path(&files->objects, handle, "", path);
	unsigned run = files->is_ahead ? HOST_NOTES_NO_RUN : files->run;
	int result = root < 0 ? (int)root
	                      : host_notes_add(&files->notes, run, HOST_NOTE_READ, &files->trees[root], path, stamp,
	                                       hash, &files->noted);
	if (!files->is_ahead)
		files->objects.objects[handle].is_noted = !result;
	return result == -ESTALE ? host_stop_at_change(files, handle, "")
	       : result          ? host_stop_without_memory(files)
	                         : 0;
}

/* Notes the names that a directory shows, and their types, in order. */
static int64_t note_listing(struct host_files *files)
{
	const struct host_listing *listing = files->listing;
	struct host_stamp stamp = listing->stamp;
	uint8_t hash[DIGEST_BYTES] = {0};
	struct digest_sum sum;
	digest_begin(&sum);
	for (uint32_t i = 0; i < listing->count; i++) {
		const struct dirent *entry = listing->names[i];
		digest_add(&sum, &entry->d_type, sizeof(entry->d_type));
		digest_add(&sum, entry->d_name, strlen(entry->d_name) + 1);
	}
	digest_end(&sum, hash);
	if (!files->hash)
		memset(hash, 0, sizeof(hash));
	stamp.size = listing->count;
	return note(files, listing->handle, &stamp, hash);
}

/* Reads a directory, and sorts it. */
static int64_t read_directory(struct host_files *files, uint32_t handle)
{
	struct host_stamp stamp;
	int64_t result = 0;
	int fd = open_known(files, handle, O_RDONLY | O_DIRECTORY, &stamp);
	if (fd < 0)
		return fd;
	DIR *dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return host_stop_without_memory(files);
	}
	host_files_forget_listing(files);
	files->listing = calloc(1, sizeof(*files->listing));
	if (!files->listing)
		result = host_stop_without_memory(files);
	else
		*files->listing = (struct host_listing){.handle = handle, .stamp = stamp};
	while (!result) {
		errno = 0;
		struct dirent *entry = readdir(dir);
		if (!entry) {
			result = host_stop_unless_told(files, handle, "", -errno);
			break;
		}
		if (is_shown(files, handle, dir, entry))
			result = add_name(files, handle, entry);
	}
	closedir(dir);
	if (!result && files->listing->count)
		qsort(files->listing->names, files->listing->count, sizeof(*files->listing->names), by_name);
	if (!result)
		result = note_listing(files);
	if (result)
		host_files_forget_listing(files);
	return result;
}

/* Has the listing of a directory at hand. For a later part it has to be the one that the first part was from. */
static int64_t prepare_listing(struct host_files *files, uint32_t handle, uint64_t offset)
{
	struct host_listing *listing = files->listing;
	if (offset && listing && listing->handle == handle)
		return 0;
	if (offset)
		return host_stop_at_nonsense(files, "a part of a list whose beginning it has not seen");
	return read_directory(files, handle);
}

static int64_t list(struct host_files *files, const struct guest_memory *memory, struct host_file_request *request)
{
	uint8_t *to = guest_memory_at(memory, gpa(request->buffer), request->buffer_bytes);
	if (!S_ISDIR(stamp_of(files, request->handle)->mode))
		return host_stop_at_nonsense(files, "a list of an object that is not a directory");
	if (!to || request->buffer_bytes < sizeof(struct host_file_name) + NAME_MAX)
		return host_stop_at_nonsense(files, "a buffer too small for a name, or outside its memory");
	int64_t result = prepare_listing(files, request->handle, request->offset);
	if (result)
		return result;
	const struct host_listing *listing = files->listing;
	uint64_t at = 0, next = request->offset;
	for (; next < listing->count; next++) {
		const struct dirent *entry = listing->names[next];
		size_t length = strlen(entry->d_name);
		struct host_file_name head = {.type = entry->d_type, .length = (uint8_t)length};
		if (sizeof(head) + length > request->buffer_bytes - at)
			break;
		memcpy(to + at, &head, sizeof(head));
		memcpy(to + at + sizeof(head), entry->d_name, length);
		at += sizeof(head) + length;
	}
	request->attributes = (struct host_file_attributes){.size = listing->count};
	request->buffer_bytes = at;
	return next > request->offset ? (int64_t)(next - request->offset) : 0;
}

/* --- HOST_FILE_LOAD --- */

/* Reads so many bytes. 0, -ENODATA when the file is shorter, or a negative errno of the host's. */
static int read_all(int fd, uint8_t *to, uint64_t bytes, uint64_t offset)
{
	for (uint64_t done = 0; done < bytes;) {
		ssize_t got = pread(fd, to + done, bytes - done, (off_t)(offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -ENODATA;
		done += (uint64_t)got;
	}
	return 0;
}

/* Reads a piece as read_all, and hashes it. What is hashed is a copy of the monitor's, for the guest can change its
 * memory meanwhile, and the sum is to be the file's. */
static int read_piece(int fd, uint8_t *to, uint64_t bytes, uint64_t offset, struct digest_sum *sum)
{
	static uint8_t copy[CHUNK_BYTES]; /* too large for a stack; requests are served one at a time */
	if (!sum)
		return read_all(fd, to, bytes, offset);
	while (bytes) {
		uint64_t chunk = bytes < CHUNK_BYTES ? bytes : CHUNK_BYTES;
		int result = read_all(fd, copy, chunk, offset);
		if (result)
			return result;
		digest_add(sum, copy, chunk);
		memcpy(to, copy, chunk);
		to += chunk;
		bytes -= chunk;
		offset += chunk;
	}
	return 0;
}

/* The pieces, copied out of the guest and checked: inside its memory, and as large as the file. NULL when they are not.
 */
static struct host_file_piece *take_pieces(struct host_files *files, const struct guest_memory *memory,
                                           const struct host_file_request *request, uint64_t *count)
{
	uint64_t bytes = request->buffer_bytes, total = 0, size = stamp_of(files, request->handle)->size;
	*count = bytes / sizeof(struct host_file_piece);
	if (bytes % sizeof(struct host_file_piece) || *count > HOST_FILE_PIECES_MAX || request->offset) {
		host_stop_at_nonsense(files, "invalid pieces");
		return NULL;
	}
	struct host_file_piece *pieces = malloc(bytes + 1);
	if (!pieces) {
		host_stop_without_memory(files);
		return NULL;
	}
	bool good = !guest_memory_read(memory, gpa(request->buffer), pieces, bytes);
	for (uint64_t i = 0; good && i < *count; i++) {
		good = guest_memory_at(memory, gpa(pieces[i].address), pieces[i].bytes) &&
		       pieces[i].bytes <= size - total;
		total += pieces[i].bytes;
	}
	if (good && total == size)
		return pieces;
	free(pieces);
	host_stop_at_nonsense(files, "pieces outside its memory, or of another size than the file");
	return NULL;
}

/* Reads the contents of what is open into the pieces. */
static int64_t read_contents(struct host_files *files, const struct guest_memory *memory, uint32_t handle, int fd,
                             const struct host_file_piece *pieces, uint64_t count)
{
	const struct host_stamp *was = stamp_of(files, handle);
	uint8_t hash[DIGEST_BYTES] = {0}, beyond;
	struct digest_sum sum;
	struct stat st = {0};
	uint64_t offset = 0;
	int result = 0;
	digest_begin(&sum);
	for (uint64_t i = 0; !result && i < count; i++) {
		result = read_piece(fd, guest_memory_at(memory, gpa(pieces[i].address), pieces[i].bytes),
		                    pieces[i].bytes, offset, files->hash ? &sum : NULL);
		offset += pieces[i].bytes;
	}
	digest_end(&sum, hash);
	if (!files->hash)
		memset(hash, 0, sizeof(hash));
	if (!result && fstat(fd, &st))
		result = -errno;
	struct host_stamp now = host_stamp_of(&st);
	bool is_stream = host_streams_restore(&now); /* what is behind is output */
	if (!result && !is_stream && pread(fd, &beyond, 1, (off_t)offset) > 0)
		result = -ENODATA;
	if (result && result != -ENODATA)
		return host_stop(files, -result, "cannot read the host's %s: %s", host_stop_describe(files, handle, ""),
		                 strerror(-result));
	if (result || !host_stamp_is_untouched(was, &now))
		return host_stop_at_change(files, handle, "");
	return note(files, handle, &now, hash);
}

static int64_t load(struct host_files *files, const struct guest_memory *memory,
                    const struct host_file_request *request)
{
	struct host_stamp stamp;
	uint64_t count;
	if (!S_ISREG(stamp_of(files, request->handle)->mode))
		return host_stop_at_nonsense(files, "the contents of an object that is not a regular file");
	struct host_file_piece *pieces = take_pieces(files, memory, request, &count);
	if (!pieces)
		return -EPROTO;
	int64_t result = open_known(files, request->handle, O_RDONLY, &stamp);
	if (result >= 0) {
		int fd = (int)result;
		result = read_contents(files, memory, request->handle, fd, pieces, count);
		close(fd);
	}
	free(pieces);
	return result;
}

/* --- the whole --- */

int64_t host_files_answer(struct host_files *files, const struct guest_memory *memory,
                          struct host_file_request *request)
{
	if (request->handle >= files->objects.count)
		return host_stop_at_nonsense(files, "a handle that it was never given");
	switch (request->op) {
	case HOST_FILE_LOOK:
		return look(files, memory, request);
	case HOST_FILE_LIST:
		return list(files, memory, request);
	case HOST_FILE_LOOK_MANY:
		return look_many(files, memory, request);
	case HOST_FILE_LOAD:
		return load(files, memory, request);
	default:
		return host_stop_at_nonsense(files, "an unknown operation");
	}
}

int64_t host_files_serve_copy(struct host_files *files, const struct guest_memory *memory, gpa_t address,
                              struct host_file_request *request)
{
	int64_t answer = host_files_answer(files, memory, request);
	if (request->op == HOST_FILE_LIST && answer >= 0)
		guest_memory_write(memory, gpa(address.value + offsetof(struct host_file_request, attributes)),
		                   &request->attributes, sizeof(request->attributes));
	return answer;
}

int64_t host_files_serve(struct host_files *files, const struct guest_memory *memory, gpa_t address)
{
	struct host_file_request request;
	if (guest_memory_read(memory, address, &request, sizeof(request)))
		return host_stop_at_nonsense(files, "a request outside its memory");
	return host_files_serve_copy(files, memory, address, &request);
}

static void forget(struct host_files *files)
{
	host_files_forget_listing(files);
	host_objects_fini(&files->objects);
	host_objects_fini(&files->absent);
	host_bytecode_fini(&files->bytecode);
	files->error[0] = 0;
}

int host_files_begin(struct host_files *files)
{
	forget(files);
	files->run++;
	for (unsigned i = 0; i < files->tree_count; i++) {
		struct host_stamp stamp;
		int fd = host_tree_open_object(&files->trees[i], "", O_PATH, &stamp);
		if (fd >= 0)
			close(fd);
		if (fd < 0)
			return (int)host_stop(files, -fd, "cannot read the attributes of '%.180s': %s",
			                      files->trees[i].host, strerror(-fd));
		if (host_objects_add_root(&files->objects, &stamp) < 0)
			return (int)host_stop_without_memory(files);
	}
	return 0;
}

int host_files_open(struct host_files *files, struct host_tree *trees, unsigned count, char error[256])
{
	*files = (struct host_files){.trees = trees, .tree_count = count};
	host_streams_begin();
	for (unsigned i = 0; i < count; i++) {
		int result = host_tree_open(&trees[i], error);
		if (result) {
			host_files_close(files);
			return result;
		}
	}
	return 0;
}

void host_files_close(struct host_files *files)
{
	forget(files);
	host_notes_fini(&files->notes);
	for (unsigned i = 0; i < files->tree_count; i++)
		host_tree_close(&files->trees[i]);
	*files = (struct host_files){0};
}
