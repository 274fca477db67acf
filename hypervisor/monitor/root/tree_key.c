/* SPDX-License-Identifier: MIT */
/* Walks a tree in the order of its names. Two trees have the same key exactly when they make the same root image. */
#include "root/tree_key.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "cache/volume.h"

#define READ_BYTES 0x40000

/* A file with several names, and the number of the first name that the walk met. */
struct link {
	uint64_t dev, ino, number;
};

struct walk {
	struct stat_index *index;
	struct digest_sum sum;
	void *links;     /* tsearch tree of struct link */
	uint64_t number; /* of the object, in the order of the walk */
	unsigned depth;
	char path[PATH_MAX]; /* of the current object, for messages */
	struct error *error;
};

/* Sorted names of one directory. */
struct names {
	char **at;
	size_t count, room;
};

static int walk_directory(struct walk *walk, int fd);

static int refuse_errno(struct walk *walk)
{
	int reason = errno;
	return error_set(walk->error, reason, "cannot read %.180s: %s", walk->path, strerror(reason));
}

static bool same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mode == b->st_mode && !memcmp(&a->st_mtim, &b->st_mtim, sizeof(a->st_mtim)) &&
	       !memcmp(&a->st_ctim, &b->st_ctim, sizeof(a->st_ctim));
}

int tree_key_file(int fd, const struct stat *st, const char *path, uint8_t hash[DIGEST_BYTES], struct error *error)
{
	struct digest_sum sum;
	struct stat now;
	uint64_t total = 0;
	ssize_t got;
	char *buffer = malloc(READ_BYTES);
	if (!buffer)
		return error_set(error, ENOMEM, "out of memory");
	digest_begin(&sum);
	for (;;) {
		got = pread(fd, buffer, READ_BYTES, (off_t)total);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		digest_add(&sum, buffer, (size_t)got);
		total += (uint64_t)got;
	}
	int reason = errno;
	free(buffer);
	digest_end(&sum, hash);
	if (got < 0)
		return error_set(error, reason, "cannot read %.180s: %s", path, strerror(reason));
	if (fstat(fd, &now) || !same(&now, st) || total != (uint64_t)st->st_size)
		return error_set(error, EAGAIN,
		                 "%.140s changed while it was read; run again while nothing writes to it", path);
	return 0;
}

static int compare_links(const void *a, const void *b)
{
	const struct link *x = a, *y = b;
	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return x->ino == y->ino ? 0 : x->ino < y->ino ? -1 : 1;
}

/* Finds the number of the first name of a file. */
static int find_link(struct walk *walk, const struct stat *st, uint64_t *first)
{
	*first = walk->number;
	if (st->st_nlink < 2)
		return 0;
	struct link *link = malloc(sizeof(*link));
	if (!link)
		return error_set(walk->error, ENOMEM, "out of memory");
	*link = (struct link){st->st_dev, st->st_ino, walk->number};
	struct link **found = tsearch(link, &walk->links, compare_links);
	if (!found) {
		free(link);
		return error_set(walk->error, ENOMEM, "out of memory");
	}
	*first = (*found)->number;
	if (*found != link)
		free(link);
	return 0;
}

/* Begins the hash of an object with the attributes that all objects have. */
static void add_head(struct walk *walk, const struct stat *st, const char *name, uint64_t first, uint64_t bytes)
{
	const uint64_t head[] = {st->st_mode, first, bytes, strlen(name)};
	digest_add(&walk->sum, head, sizeof(head));
	digest_add(&walk->sum, name, head[3]);
}

static int add_key_file(struct walk *walk, int dir, const char *name, const struct stat *st)
{
	uint8_t hash[DIGEST_BYTES];
	uint64_t first;
	int result = find_link(walk, st, &first);
	if (result)
		return result;
	add_head(walk, st, name, first, (uint64_t)st->st_size);
	if (first != walk->number)
		return 0;
	const uint8_t *known = stat_index_find(walk->index, dir, st);
	if (!known) {
		int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		if (fd < 0)
			return refuse_errno(walk);
		const bool is_settled = volume_settle(fd, NULL);
		result = tree_key_file(fd, st, walk->path, hash, walk->error);
		close(fd);
		if (result)
			return result;
		if (is_settled)
			stat_index_add(walk->index, st, hash);
		known = hash;
	}
	digest_add(&walk->sum, known, DIGEST_BYTES);
	return 0;
}

static int add_link(struct walk *walk, int dir, const char *name, const struct stat *st)
{
	char target[PATH_MAX];
	uint64_t first;
	ssize_t bytes = readlinkat(dir, name, target, sizeof(target));
	if (bytes < 0)
		return refuse_errno(walk);
	int result = find_link(walk, st, &first);
	if (result)
		return result;
	add_head(walk, st, name, first, (uint64_t)bytes);
	digest_add(&walk->sum, target, (size_t)bytes);
	return 0;
}

static int add_key_directory(struct walk *walk, int dir, const char *name, const struct stat *st)
{
	add_head(walk, st, name, walk->number, 0);
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return refuse_errno(walk);
	int result = walk_directory(walk, fd);
	close(fd);
	return result;
}

static const char *kind_name(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFSOCK:
		return "socket";
	case S_IFIFO:
		return "named pipe";
	case S_IFBLK:
	case S_IFCHR:
		return "device";
	default:
		return "special file";
	}
}

static int add_object(struct walk *walk, int dir, const char *name)
{
	struct stat st;
	walk->number++;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW))
		return refuse_errno(walk);
	switch (st.st_mode & S_IFMT) {
	case S_IFREG:
		return add_key_file(walk, dir, name, &st);
	case S_IFLNK:
		return add_link(walk, dir, name, &st);
	case S_IFDIR:
		return add_key_directory(walk, dir, name, &st);
	default:
		return error_set(
			walk->error, EINVAL,
			"%.100s is a %s; a root holds only files, directories and symbolic links: remove it, or give a "
			"copy without it",
			walk->path, kind_name(st.st_mode));
	}
}

static int add_key_name(struct names *names, const char *name)
{
	if (!array_reserve(names->at, names->room, names->count + 1))
		return -1;
	names->at[names->count] = strdup(name);
	return names->at[names->count] ? (names->count++, 0) : -1;
}

static void free_names(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->at[i]);
	free(names->at);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int read_key_names(struct walk *walk, int fd, struct names *names)
{
	int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = copy < 0 ? NULL : fdopendir(copy);
	if (!stream) {
		int result = refuse_errno(walk);
		if (copy >= 0)
			close(copy);
		return result;
	}
	int result = 0;
	for (;;) {
		errno = 0;
		struct dirent *entry = readdir(stream);
		if (!entry)
			break;
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (add_key_name(names, entry->d_name)) {
			errno = ENOMEM;
			break;
		}
	}
	if (errno)
		result = refuse_errno(walk);
	closedir(stream);
	if (names->count)
		qsort(names->at, names->count, sizeof(*names->at), compare_names);
	return result;
}

static int walk_directory(struct walk *walk, int fd)
{
	struct names names = {0};
	size_t base = strlen(walk->path);
	if (++walk->depth > TREE_KEY_DEPTH_MAX)
		return error_set(walk->error, ELOOP, "%.140s is nested more than %d deep; give a flatter copy",
		                 walk->path, TREE_KEY_DEPTH_MAX);
	int result = read_key_names(walk, fd, &names);
	for (size_t i = 0; i < names.count && !result; i++) {
		snprintf(walk->path + base, sizeof(walk->path) - base, "/%s", names.at[i]);
		result = add_object(walk, fd, names.at[i]);
		walk->path[base] = 0;
	}
	free_names(&names);
	walk->depth--;
	digest_add(&walk->sum, "end of directory", 16);
	return result;
}

int tree_key(int dir, const char *path, struct stat_index *index, uint8_t key[DIGEST_BYTES], struct error *error)
{
	struct stat st;
	struct walk *walk = calloc(1, sizeof(*walk));
	if (!walk)
		return error_set(error, ENOMEM, "out of memory");
	walk->index = index;
	walk->error = error;
	snprintf(walk->path, sizeof(walk->path), "%s", path);
	digest_begin(&walk->sum);
	int result = fstat(dir, &st) ? refuse_errno(walk) : 0;
	if (!result) {
		add_head(walk, &st, "", 0, 0);
		result = walk_directory(walk, dir);
	}
	digest_end(&walk->sum, key);
	tdestroy(walk->links, free);
	free(walk);
	return result;
}
