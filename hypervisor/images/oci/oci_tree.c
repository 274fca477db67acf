/* SPDX-License-Identifier: MIT */
#include "oci/oci_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "oci/oci_marks.h"

#define NOTE_BYTES_MAX (256UL << 20) /* of paths; a large distribution has 10 MB */
#define LINKS_MAX 40                 /* symbolic links on one way, as in Linux */
#define STEPS_PER_ENTRY 16           /* of walks, beside the limit of entries: 2 are usual */
#define WRITABLE 0700                /* of directories until all layers are unpacked */

int oci_tree_fail(const struct oci_tree *tree, const char *path, int reason)
{
	return error_set(tree->error, reason, "%.100s cannot be unpacked: %s", path[0] ? path : "/", strerror(reason));
}

int oci_tree_open(int dir, const char *path, int flags)
{
	const struct open_how how = {
		.flags = (uint64_t)(flags | O_CLOEXEC),
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
	};
	int fd = (int)syscall(SYS_openat2, dir, path[0] ? path : ".", &how, sizeof(how));
	return fd < 0 ? -errno : fd;
}

void oci_tree_leave(struct oci_tree *tree)
{
	if (tree->parent >= 0)
		close(tree->parent);
	tree->parent = -1;
}

int oci_tree_init(struct oci_tree *tree, int dir, const struct oci_limits *limits, struct oci_attributes *attributes,
                  struct error *error)
{
	struct stat stat;
	*tree = (struct oci_tree){.dir = dir, .limits = limits, .error = error, .attributes = attributes, .parent = -1};
	if (fstat(dir, &stat))
		return error_set(error, errno, "the directory to unpack it into cannot be used: %s", strerror(errno));
	if (stat.st_mode & 0077)
		return error_set(error, EACCES,
		                 "the directory to unpack it into is open to other users; give it the mode 0700");
	int fd = oci_tree_open(dir, "", O_RDONLY | O_DIRECTORY);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	if (!list) {
		if (fd >= 0)
			close(fd);
		return error_set(error, fd < 0 ? -fd : ENOMEM, "the directory to unpack it into cannot be read");
	}
	unsigned count = 0;
	while (readdir(list))
		count++;
	closedir(list);
	return count == 2 ? 0 : error_set(error, ENOTEMPTY, "the directory to unpack it into is not empty");
}

void oci_tree_fini(struct oci_tree *tree)
{
	oci_tree_leave(tree);
	for (size_t i = 0; i < tree->note_count; i++)
		free(tree->notes[i].path);
	free(tree->notes);
	oci_marks_fini(&tree->marks);
	*tree = (struct oci_tree){.parent = -1};
}

int oci_tree_count(struct oci_tree *tree, uint64_t entries, uint64_t bytes)
{
	tree->entries += entries;
	if (tree->entries > tree->limits->entries)
		return error_set(tree->error, EFBIG, "it has more than %llu files, which is too much for an image",
		                 (unsigned long long)tree->limits->entries);
	if (bytes > tree->limits->bytes || tree->bytes + bytes > tree->limits->bytes)
		return error_set(tree->error, EFBIG,
		                 "its files have more than %llu bytes, which is too much for an image",
		                 (unsigned long long)tree->limits->bytes);
	tree->bytes += bytes;
	return 0;
}

void oci_tree_begin_layer(struct oci_tree *tree)
{
	oci_tree_leave(tree);
	oci_marks_clear(&tree->marks);
}

int oci_tree_mark(struct oci_tree *tree, const char *path)
{
	return oci_marks_add(&tree->marks, path, strlen(path)) ? 0 : oci_tree_fail(tree, path, ENOMEM);
}

int oci_tree_note(struct oci_tree *tree, const char *path, uint32_t mode, int64_t seconds, uint32_t nanoseconds)
{
	size_t bytes = strlen(path) + 1;
	if (tree->note_bytes + bytes > NOTE_BYTES_MAX)
		return error_set(tree->error, EFBIG, "it has too many directories with long names");
	if (!array_reserve(tree->notes, tree->note_room, tree->note_count + 1))
		return oci_tree_fail(tree, path, ENOMEM);
	char *copy = strdup(path);
	if (!copy)
		return oci_tree_fail(tree, path, ENOMEM);
	tree->note_bytes += bytes;
	tree->notes[tree->note_count] = (struct oci_tree_note){copy, tree->note_count, seconds, nanoseconds, mode};
	tree->note_count++;
	return 0;
}

/* --- the way to a directory --- */

int oci_tree_join(char path[PATH_MAX], const char *name)
{
	size_t length = strlen(path), more = strlen(name);
	if (length + more + 2 > PATH_MAX)
		return -ENAMETOOLONG;
	if (length)
		path[length++] = '/';
	memcpy(path + length, name, more + 1);
	return 0;
}

int oci_tree_path(struct oci_tree *tree, const char *name, char path[PATH_MAX])
{
	strcpy(path, tree->parent_path);
	return oci_tree_join(path, name) ? oci_tree_fail(tree, name, ENAMETOOLONG) : 0;
}

static void go_up_path(char *path)
{
	char *slash = strrchr(path, '/');
	*(slash ? slash : path) = 0;
}

/* Enters the directory at tree->parent_path. */
static int enter_path(struct oci_tree *tree)
{
	oci_tree_leave(tree);
	tree->parent = oci_tree_open(tree->dir, tree->parent_path, O_PATH | O_DIRECTORY);
	return tree->parent < 0 ? tree->parent : 0;
}

/* Puts the target of a symbolic link before what is left of the way. */
static int follow_tree_link(struct oci_tree *tree, int link)
{
	char target[PATH_MAX];
	ssize_t bytes = readlinkat(link, "", target, sizeof(target));
	size_t more = strlen(tree->left);
	if (bytes < 0)
		return -errno;
	if ((size_t)bytes + more + 2 > PATH_MAX)
		return -ENAMETOOLONG;
	memmove(tree->left + bytes + 1, tree->left, more + 1);
	memcpy(tree->left, target, (size_t)bytes);
	tree->left[bytes] = '/';
	if (target[0] != '/')
		return 0;
	tree->parent_path[0] = 0;
	return enter_path(tree);
}

/* Creates a directory that no layer has an entry for. */
static int create_directory(struct oci_tree *tree, const char *name)
{
	int result = oci_tree_count(tree, 1, 0);
	if (result)
		return result;
	if (mkdirat(tree->parent, name, WRITABLE))
		return -errno;
	const struct oci_attribute attribute = {.mode = 0755, .seconds = OCI_NO_TIME};
	if (!oci_attributes_put(tree->attributes, tree->parent_path, attribute))
		return -ENOMEM;
	return oci_tree_note(tree, tree->parent_path, 0755, OCI_NO_TIME, 0);
}

/* Takes one step of the way: to the object `name` in the directory entered. */
static int step_tree(struct oci_tree *tree, const char *name, unsigned *links, bool creates)
{
	struct stat stat;
	int object = oci_tree_open(tree->parent, name, O_PATH | O_NOFOLLOW), result;
	if (object == -ENOENT && creates) {
		char *end = tree->parent_path + strlen(tree->parent_path);
		result = oci_tree_join(tree->parent_path, name);
		if (!result)
			result = create_directory(tree, name);
		*end = 0;
		if (result)
			return result;
		object = oci_tree_open(tree->parent, name, O_PATH | O_NOFOLLOW);
	}
	if (object < 0)
		return object;
	result = fstat(object, &stat) ? -errno : 0;
	if (!result && S_ISLNK(stat.st_mode)) {
		result = ++*links > LINKS_MAX ? -ELOOP : follow_tree_link(tree, object);
	} else if (!result && S_ISDIR(stat.st_mode)) {
		result = oci_tree_join(tree->parent_path, name);
		oci_tree_leave(tree);
		tree->parent = object;
		return result;
	} else if (!result) {
		result = -ENOTDIR;
	}
	close(object);
	return result;
}

/* Goes to a directory step by step, and follows symbolic links, as the kernel would with `dir` as its root. */
static int walk(struct oci_tree *tree, const char *path, bool creates)
{
	char name[NAME_MAX + 1];
	unsigned links = 0;
	strcpy(tree->left, path);
	tree->parent_path[0] = 0;
	int result = enter_path(tree);
	while (!result && tree->left[0]) {
		size_t length = strcspn(tree->left, "/"), next = length + (tree->left[length] == '/');
		if (length > NAME_MAX)
			return -ENAMETOOLONG;
		if (++tree->steps / STEPS_PER_ENTRY > tree->limits->entries)
			return error_set(tree->error, EFBIG, "its files are behind too many symbolic links");
		memcpy(name, tree->left, length);
		name[length] = 0;
		memmove(tree->left, tree->left + next, strlen(tree->left + next) + 1);
		if (!strcmp(name, "..")) {
			go_up_path(tree->parent_path);
			result = enter_path(tree);
		} else if (length && strcmp(name, ".")) {
			result = step_tree(tree, name, &links, creates);
		}
	}
	return result;
}

/* Marks the directory entered and those above it, because the current layer has something in them. */
static int mark_way(struct oci_tree *tree)
{
	const char *path = tree->parent_path;
	for (size_t length = strlen(path); length && !tree->is_marked; length--)
		if ((!path[length] || path[length] == '/') && !oci_marks_add(&tree->marks, path, length))
			return oci_tree_fail(tree, path, ENOMEM);
	tree->is_marked = true;
	return 0;
}

int oci_tree_enter(struct oci_tree *tree, const char *path, bool creates)
{
	if (tree->parent >= 0 && !strcmp(tree->given, path))
		return creates ? mark_way(tree) : 0;
	tree->error->text[0] = 0;
	tree->is_marked = false;
	strcpy(tree->parent_path, path);
	int result = enter_path(tree);
	if (result == -ELOOP || result == -ENOENT)
		result = walk(tree, path, creates);
	if (!result) {
		strcpy(tree->given, path);
		return creates ? mark_way(tree) : 0;
	}
	oci_tree_leave(tree);
	if (!creates && result == -ENOTDIR)
		result = -ENOENT;
	if (tree->error->text[0] || (result == -ENOENT && !creates))
		return result;
	if (result == -ENOTDIR)
		return error_set(tree->error, EINVAL, "it has a file below %.100s, which is not a directory", path);
	return oci_tree_fail(tree, path, -result);
}

/* --- the end --- */

static int compare_notes(const void *a, const void *b)
{
	const struct oci_tree_note *one = a, *other = b;
	int order = strcmp(one->path, other->path);
	return order ? order : (one->number > other->number) - (one->number < other->number);
}

static int apply(struct oci_tree *tree, const struct oci_tree_note *note)
{
	const struct timespec times[] = {{note->seconds, note->nanoseconds}, {note->seconds, note->nanoseconds}};
	int fd = oci_tree_open(tree->dir, note->path, O_RDONLY | O_DIRECTORY);
	if (fd == -ENOENT || fd == -ENOTDIR || fd == -ELOOP) /* a later layer removed or replaced it */
		return 0;
	int result = fd < 0 ? fd : futimens(fd, times) || fchmod(fd, note->mode) ? -errno : 0;
	if (fd >= 0)
		close(fd);
	return result ? oci_tree_fail(tree, note->path, -result) : 0;
}

int oci_tree_finish(struct oci_tree *tree)
{
	int result = 0;
	if (tree->note_count)
		qsort(tree->notes, tree->note_count, sizeof(*tree->notes), compare_notes);
	/* What is below a directory comes after it, and its mode may close it, so the last one is first. */
	for (size_t i = tree->note_count; i-- && !result;)
		if (i + 1 == tree->note_count || strcmp(tree->notes[i].path, tree->notes[i + 1].path))
			result = apply(tree, &tree->notes[i]);
	return result;
}
