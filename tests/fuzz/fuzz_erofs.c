/* SPDX-License-Identifier: MIT */
/* EROFS images, as anybody may send them: the input is an image, from its superblock on. All of its objects are listed,
 * found and read, and plans to extract it are made. */
#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "library/lz4.h"
#include "eri/erofs_file.h"
#include "eri/extract_plan.h"
#include "tests/fuzz/fuzz.h"

#define SUPER_OFFSET 1024
#define OBJECTS_MAX 400 /* a small image may show a directory in itself */

static struct erofs_file file;
static unsigned objects;

/* Reads some of an object: around its beginning, a boundary of blocks, and its end. */
static void read_object(const struct erofs_node *node)
{
	static const uint64_t starts[] = {0, 1, 4095, 8000, 12288, 70000};
	static uint8_t data[3][9000];
	for (unsigned i = 0; i <= sizeof(starts) / sizeof(*starts); i++) {
		const bool last = i == sizeof(starts) / sizeof(*starts);
		uint64_t at = last ? node->size - (node->size < 5000 ? node->size : 5000) : starts[i];
		uint64_t bytes = at > node->size ? 0 : node->size - at;
		bytes = bytes < sizeof(*data) ? bytes : sizeof(*data);
		memset(data[0], 0x11, sizeof(*data));
		memset(data[1], 0x22, sizeof(*data));
		int result = erofs_file_read(&file, node, data[0], bytes, at);
		if (result != erofs_file_read(&file, node, data[1], bytes, at) ||
		    (result && result != -EUCLEAN && (result != -EINVAL || at <= node->size)))
			abort();
		/* The contents depend on nothing but the image. */
		if (!result && memcmp(data[0], data[1], bytes))
			abort();
	}
	if (!erofs_file_read(&file, node, data[0], 1, node->size) ||
	    !erofs_file_read(&file, node, data[0], 2, UINT64_MAX))
		abort();
	const uint8_t *in_place = erofs_file_at(&file, node);
	if (in_place && node->size &&
	    (in_place < file.data || node->size > file.bytes - (uint64_t)(in_place - file.data)))
		abort();
}

static int take_name(void *context, const char *name, size_t length, uint64_t nid, unsigned type)
{
	const char *above = context;
	struct erofs_node node, found;
	char path[1000];
	if (!length || length > 255 || memchr(name, '/', length) || memchr(name, 0, length) || type > DT_SOCK)
		abort();
	if (objects++ > OBJECTS_MAX || strlen(above) > sizeof(path) - 300)
		return 1;
	snprintf(path, sizeof(path), "%s%s%.*s", above, *above ? "/" : "", (int)length, name);
	int result = erofs_file_find(&file, path, &found);
	if (!result && erofs_file_node(&file, found.nid, &node))
		abort();
	if (erofs_file_node(&file, nid, &node))
		return 0;
	if (node.nid != nid || node.mtime_ns >= 1000000000 || !(node.mode & S_IFMT))
		abort();
	read_object(&node);
	result = erofs_file_list(&file, &node, take_name, path);
	if (S_ISDIR(node.mode) ? result != 1 && result && result != -EUCLEAN : result != -ENOTDIR)
		abort();
	return result == 1;
}

/* A plan has proper paths, within its bounds, and no directory twice. */
static void make_plan(const char *const *paths, size_t count)
{
	struct extract_plan plan;
	struct error error = {0};
	char path[PATH_MAX];
	if (extract_plan_make(&plan, &file, paths, count, &error)) {
		if (!error.text[0])
			abort();
		return;
	}
	if (!plan.count || plan.count > file.bytes / 13 + 1)
		abort();
	for (size_t i = 0; i < plan.count; i++) {
		const struct extract_item *item = &plan.items[i];
		extract_plan_path(&plan, i, path);
		if (strlen(path) != item->path_length || item->parent > i || item->first > i ||
		    !S_ISDIR(plan.items[item->parent].node.mode) || plan.items[item->first].node.nid != item->node.nid)
			abort();
		const char *name = plan.names + item->name;
		if (i && (memcmp(path + item->path_length - item->length, name, item->length) || item->parent == i))
			abort();
	}
	extract_plan_fini(&plan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error error = {0};
	struct erofs_node root;
	uint8_t *image = calloc(1, SUPER_OFFSET + size);
	if (!image)
		abort();
	if (lz4_load(&error))
		abort();
	memcpy(image + SUPER_OFFSET, data, size);
	objects = 0;
	if (erofs_file_open(&file, image, SUPER_OFFSET + size, &error)) {
		if (!error.text[0])
			abort();
	} else {
		if (erofs_file_find(&file, "", &root) || !S_ISDIR(root.mode))
			abort();
		read_object(&root);
		erofs_file_list(&file, &root, take_name, (char[]){""});
		make_plan(NULL, 0);
		make_plan((const char *const[]){"/", "d/"}, 2);
		make_plan((const char *const[]){"/d/e/n1", "a", "f/"}, 3);
	}
	free(image);
	return 0;
}
