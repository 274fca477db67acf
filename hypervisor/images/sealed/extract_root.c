/* SPDX-License-Identifier: MIT */
#include "sealed/extract_root.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"
#include "eri/extract_plan.h"
#include "library/lz4.h"

#define STEPS EXTRACT_PLAN_OWN "/steps"
#define PIECE (1UL << 20) /* bytes that are read at once */

/* The names of the image's root. */
struct content {
	bool has_own, has_others;
};

static int note_name(void *context, const char *name, size_t length, uint64_t, unsigned)
{
	struct content *content = context;
	const bool is_own = length == strlen(EXTRACT_PLAN_OWN) && !memcmp(name, EXTRACT_PLAN_OWN, length);
	*(is_own ? &content->has_own : &content->has_others) = true;
	return 0;
}

/* The root file systems of the steps. */
struct roots {
	const struct erofs_file *file;
	unsigned count;
	struct erofs_node node; /* of the first */
};

static int note_step(void *context, const char *name, size_t length, uint64_t, unsigned)
{
	struct roots *roots = context;
	struct erofs_node node;
	char path[NAME_MAX + 32];
	snprintf(path, sizeof(path), STEPS "/%.*s/root", (int)length, name);
	int result = erofs_file_find(roots->file, path, &node);
	if (!result && !roots->count++)
		roots->node = node;
	return result == -ENOENT || result == -ENOTDIR ? 0 : result;
}

/* Returns the contents, in the image or, if they are compressed there, in memory; NULL with a line in *error. */
static const uint8_t *read_root_file(const struct erofs_file *file, const struct erofs_node *node, struct error *error)
{
	const uint8_t *data = erofs_file_at(file, node);
	int result = 0;
	if (data)
		return data;
	if (file->compressed && lz4_load(error))
		return NULL;
	uint8_t *copy = node->size ? mmap(NULL, node->size, PROT_READ | PROT_WRITE,
	                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
	                           : MAP_FAILED;
	if (copy == MAP_FAILED) {
		error_set(error, ENOMEM, "there is not enough memory for its root file system");
		return NULL;
	}
	for (uint64_t at = 0; at < node->size && !result; at += PIECE)
		result = erofs_file_read(file, node, copy + at, node->size - at < PIECE ? node->size - at : PIECE, at);
	if (result) {
		munmap(copy, node->size);
		error_set(error, -result, "the root file system in it is damaged");
		return NULL;
	}
	return copy;
}

int extract_root(struct erofs_file *file, struct error *error)
{
	struct content content = {0};
	struct roots roots = {.file = file};
	struct erofs_node node;
	if (erofs_file_node(file, file->root, &node) || erofs_file_list(file, &node, note_name, &content) ||
	    !content.has_own || content.has_others)
		return 0;
	int result = erofs_file_find(file, STEPS, &node);
	if (!result)
		result = erofs_file_list(file, &node, note_step, &roots);
	if (result && result != -ENOENT && result != -ENOTDIR)
		return error_set(error, -result, "its directory /" STEPS " is damaged; make or copy the image again");
	if (!roots.count)
		return error_set(
			error, ENOENT,
			"it has no files of a guest, because its program sees none; give the path " EXTRACT_PLAN_OWN
			" for eremite's own");
	if (roots.count > 1)
		return error_set(error, ENOENT,
		                 "each of %u steps has a root file system; give the path of one, such as " STEPS
		                 "/NAME/root, and extract that file",
		                 roots.count);
	const uint8_t *data = read_root_file(file, &roots.node, error);
	if (!data)
		return -EUCLEAN;
	result = erofs_file_open(file, data, roots.node.size, error);
	return result ? error_prefix(error, -result, "the root file system in it cannot be read: ") : 0;
}
