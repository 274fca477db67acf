/* SPDX-License-Identifier: MIT */
/* The system calls are those of a request, by the same functions, so a path that is never shown is not read. */
#include "hostfs/scout/host_scout_read.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/search.h"

#define TEXT_MAX (1 << 18) /* bytes of a directory's names; larger ones are left to the request */

static uint64_t scout_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000UL + (uint64_t)now.tv_nsec;
}

bool host_scout_is_old(const struct host_scout_item *item, uint64_t life_ns)
{
	return scout_now_ns() - item->read_ns > life_ns;
}

static struct host_scout_item *make_scout_item(const struct host_tree *tree, const char *path)
{
	const size_t bytes = strlen(path) + 1;
	struct host_scout_item *item = calloc(1, sizeof(*item) + bytes);
	if (!item)
		return NULL;
	*item = (struct host_scout_item){.references = 1, .tree = tree, .read_ns = scout_now_ns()};
	memcpy(item->path, path, bytes);
	return item;
}

void host_scout_put(struct host_scout_item *item)
{
	if (!item || __atomic_sub_fetch(&item->references, 1, __ATOMIC_ACQ_REL))
		return;
	free(item->names);
	free(item->text);
	free(item->data);
	free(item);
}

/* --- directories --- */

static int by_scouted_name(const void *a, const void *b, void *text)
{
	const struct host_scout_name *left = a, *right = b;
	return strcmp((char *)text + left->text, (char *)text + right->text);
}

/* A directory that is being read: the item, the room of its arrays, and how much of the text is used. */
struct reader {
	struct host_scout_item *item;
	int fd;
	size_t names, text, used;
};

/* Adds a text. Returns its offset, or -1 if it does not fit. */
static int64_t add_name_text(struct reader *reader, const char *text)
{
	const size_t bytes = strlen(text) + 1, at = reader->used;
	if (at + bytes > TEXT_MAX || !array_reserve(reader->item->text, reader->text, at + bytes))
		return -1;
	memcpy(reader->item->text + at, text, bytes);
	reader->used += bytes;
	return (int64_t)at;
}

/* Adds a name. Returns false if it does not fit. */
static bool add_scouted_name(struct reader *reader, const struct dirent64 *entry)
{
	struct host_scout_item *item = reader->item;
	if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
		return true;
	const int64_t text = add_name_text(reader, entry->d_name);
	if (text < 0 || !array_reserve(item->names, reader->names, item->count + 1UL))
		return false;
	item->names[item->count++] = (struct host_scout_name){.text = (uint32_t)text, .type = entry->d_type};
	return true;
}

static bool read_directory_names(struct reader *reader)
{
	static _Alignas(struct dirent64) char buffer[1 << 16]; /* too large for a stack; one thread uses it */
	struct host_scout_item *item = reader->item;
	ssize_t got;
	while ((got = getdents64(reader->fd, buffer, sizeof(buffer))) > 0)
		for (ssize_t at = 0; at < got; at += ((struct dirent64 *)(void *)(buffer + at))->d_reclen)
			if (!add_scouted_name(reader, (void *)(buffer + at)))
				return false;
	if (item->count)
		qsort_r(item->names, item->count, sizeof(*item->names), by_scouted_name, item->text);
	return !got;
}

/* Reads the target of a link. Without it the name is left to the request. */
static void read_target(struct reader *reader, struct host_scout_name *name)
{
	static char target[PATH_MAX]; /* too large for a stack; one thread uses it */
	const ssize_t length = readlinkat(reader->fd, reader->item->text + name->text, target, sizeof(target));
	name->is_stamped = length > 0 && length < (ssize_t)sizeof(target);
	if (!name->is_stamped)
		return;
	target[length] = 0;
	const int64_t text = add_name_text(reader, target);
	name->is_stamped = text > 0;
	name->target = (uint32_t)text;
}

/* Looks up a name. `path` is the directory's path, of `length` bytes, with room for the name behind it. */
static void look_up_name(struct reader *reader, struct host_scout_name *name, char path[PATH_MAX], size_t length)
{
	const char *text = reader->item->text + name->text;
	const size_t bytes = strlen(text) + 1;
	if (length + 1 + bytes > PATH_MAX)
		return;
	if (length)
		path[length++] = '/';
	memcpy(path + length, text, bytes);
	name->result = host_tree_stamp(reader->item->tree, reader->fd, path, text, &name->stamp);
	name->is_stamped = name->result != -EAGAIN;
	if (name->result)
		return;
	name->flags = (uint8_t)host_tree_access(reader->fd, text, &name->stamp);
	name->type = (uint8_t)IFTODT(name->stamp.mode);
	if (S_ISLNK(name->stamp.mode))
		read_target(reader, name);
}

/* Looks up names, and those whose type the file system left out. Returns false if a type remains unknown. */
static bool look_up_names(struct reader *reader, enum host_scout_looks looks)
{
	static char path[PATH_MAX]; /* too large for a stack; one thread uses it */
	const struct host_scout_item *item = reader->item;
	const size_t length = strlen(item->path);
	memcpy(path, item->path, length);
	for (uint32_t i = 0; i < item->count; i++) {
		struct host_scout_name *name = &item->names[i];
		const uint8_t type = name->type;
		if (type == DT_UNKNOWN ||
		    (looks == HOST_SCOUT_ALL_NAMES ? host_tree_shows_type(DTTOIF(type)) : looks && type == DT_DIR))
			look_up_name(reader, name, path, length);
		if (name->type == DT_UNKNOWN && !name->is_stamped)
			return false;
	}
	return true;
}

struct host_scout_item *host_scout_read_directory(const struct host_tree *tree, const char *path,
                                                  enum host_scout_looks looks, int *fd)
{
	struct reader reader = {.item = make_scout_item(tree, path)};
	if (!reader.item)
		return NULL;
	reader.fd = host_tree_open_object(tree, path, O_RDONLY | O_DIRECTORY, &reader.item->stamp);
	if (reader.fd >= 0 && read_directory_names(&reader) && look_up_names(&reader, looks)) {
		*fd = reader.fd;
		reader.item->bytes = reader.text + reader.names * sizeof(*reader.item->names);
		return reader.item;
	}
	if (reader.fd >= 0)
		close(reader.fd);
	host_scout_put(reader.item);
	return NULL;
}

uint32_t host_scout_find_name(const struct host_scout_item *directory, const char *name, uint32_t from)
{
	const struct host_scout_name *names = directory->names;
	const char *text = directory->text;
	if (from < directory->count && !strcmp(text + names[from].text, name))
		return from;
	uint32_t i = (uint32_t)search_first(directory->count, at, strcmp(text + names[at].text, name) < 0);
	return i < directory->count && !strcmp(text + names[i].text, name) ? i : directory->count;
}

/* --- files --- */

/* Reads all of an open file, and one byte more to find out whether it has become longer. */
static bool read_data(struct host_scout_item *item, int fd, uint64_t bytes)
{
	struct stat st;
	ssize_t got;
	item->data = malloc(bytes + 1);
	if (!item->data)
		return false;
	do
		got = pread(fd, item->data, bytes + 1, 0);
	while (got < 0 && errno == EINTR);
	if (got != (ssize_t)bytes || fstat(fd, &st) || !S_ISREG(st.st_mode))
		return false;
	item->stamp = host_stamp_of(&st);
	item->bytes = bytes;
	return item->stamp.size == bytes;
}

struct host_scout_item *host_scout_read_file(const struct host_tree *tree, int dir, const char *path, uint64_t bytes,
                                             bool hashes)
{
	const char *slash = strrchr(path, '/');
	struct digest_sum sum;
	int fd = dir < 0 ? host_tree_reopen(tree, tree->dir, path, path)
	                 : host_tree_reopen(tree, dir, path, slash ? slash + 1 : path);
	struct host_scout_item *item = fd < 0 ? NULL : make_scout_item(tree, path);
	bool is_read = item && read_data(item, fd, bytes);
	if (fd >= 0)
		close(fd);
	if (!is_read) {
		host_scout_put(item);
		return NULL;
	}
	if (hashes) {
		digest_begin(&sum);
		digest_add(&sum, item->data, item->stamp.size);
		digest_end(&sum, item->hash);
	}
	return item;
}
