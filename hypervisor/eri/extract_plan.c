/* SPDX-License-Identifier: MIT */
/* The plan grows breadth first: no recursion, and each directory is listed once, because a directory that occurs twice
 * is damage. Names and bytes are counted against what an image of that size holds. */
#include "eri/extract_plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"

#define NID_BYTES 32      /* each object has as much of the image to itself, at least */
#define NAME_BYTES 13     /* each name of a directory, too: an entry of 12 bytes, and a byte of text */
#define LZ4_RATIO_MAX 255 /* contents that LZ4 makes of one byte */

enum wanted {
	WANTED_NOT,
	WANTED_ABOVE, /* a directory in which something is wanted */
	WANTED_WHOLE, /* with all that is in it */
};

struct making {
	struct extract_plan *plan;
	const char *const *paths;
	size_t path_count;
	uint32_t parent;     /* the directory that is listed */
	char path[PATH_MAX]; /* of it, then of a name in it */
	uint8_t *seen;       /* a bit for each nid: the object is in the plan */
	uint64_t names;      /* listed */
	uint64_t bytes;      /* of uncompressed contents */
	uint64_t compressed; /* bytes of compressed contents, before compression */
	struct error *error;
};

/* A path of the command line without slashes at its ends. */
static const char *trim(const char *path, size_t *length)
{
	path += strspn(path, "/");
	*length = strlen(path);
	while (*length && path[*length - 1] == '/')
		--*length;
	return path;
}

/* Whether `path` is `above` or in it. */
static bool is_in_tree(const char *path, size_t length, const char *above, size_t above_length)
{
	return length >= above_length && !memcmp(path, above, above_length) &&
	       (!above_length || length == above_length || path[above_length] == '/');
}

static enum wanted wanted_item(const struct making *making, const char *path, size_t length)
{
	const bool own = is_in_tree(path, length, EXTRACT_PLAN_OWN, strlen(EXTRACT_PLAN_OWN));
	enum wanted wanted = making->path_count || own ? WANTED_NOT : WANTED_WHOLE;
	for (size_t i = 0; i < making->path_count && wanted != WANTED_WHOLE; i++) {
		size_t named_length;
		const char *named = trim(making->paths[i], &named_length);
		if (is_in_tree(path, length, named, named_length) && (named_length || !own))
			wanted = WANTED_WHOLE;
		else if (is_in_tree(named, named_length, path, length))
			wanted = WANTED_ABOVE;
	}
	return wanted;
}

static int refuse_damaged(const struct making *making, const char *what)
{
	return error_set(making->error, EUCLEAN, "%s /%.130s is damaged; make or copy the image again", what,
	                 making->path);
}

static int check_node(const struct making *making, int result)
{
	if (result == -EOPNOTSUPP)
		return error_set(making->error, EOPNOTSUPP,
		                 "/%.110s is compressed in a way that eremite does not read; make the image with "
		                 "mkfs.erofs -E legacy-compress",
		                 making->path);
	return result ? refuse_damaged(making, "the object") : 0;
}

/* Counts the contents of a file that is not in the plan yet. */
static int count_contents(struct making *making, const struct erofs_node *node)
{
	const uint64_t bytes = making->plan->file->bytes;
	bool compressed = node->layout == EROFS_FILE_COMPRESSED;
	uint64_t *sum = compressed ? &making->compressed : &making->bytes;
	if (node->size > INT64_MAX - *sum)
		return refuse_damaged(making, "the size of");
	*sum += node->size;
	making->plan->compressed |= compressed;
	if (making->bytes > bytes || making->compressed / LZ4_RATIO_MAX > bytes)
		return error_set(making->error, EUCLEAN,
		                 "its files are larger than an image of its size can hold; do not trust it");
	return 0;
}

/* Adds an object with making->path. */
static int add_extract_item(struct making *making, const struct erofs_node *node, const char *name, size_t length)
{
	struct extract_plan *plan = making->plan;
	uint8_t *seen = &making->seen[node->nid / 8], bit = (uint8_t)(1 << node->nid % 8);
	if (!S_ISDIR(node->mode) && !S_ISREG(node->mode) && !S_ISLNK(node->mode)) {
		plan->special++;
		return 0;
	}
	if (S_ISDIR(node->mode) && *seen & bit)
		return error_set(making->error, EUCLEAN, "the directory /%.110s is in it twice; do not trust the image",
		                 making->path);
	int result = *seen & bit || S_ISDIR(node->mode) ? 0 : count_contents(making, node);
	if (result)
		return result;
	*seen |= bit;
	if (!array_reserve(plan->items, plan->room, plan->count + 1) ||
	    !array_reserve(plan->names, plan->name_room, plan->name_bytes + length + 1))
		return error_set(making->error, ENOMEM, "out of memory");
	memcpy(plan->names + plan->name_bytes, name, length);
	plan->items[plan->count] = (struct extract_item){
		.node = *node,
		.name = plan->name_bytes,
		.parent = making->parent,
		.first = (uint32_t)plan->count,
		.length = (uint16_t)length,
		.path_length = (uint16_t)strlen(making->path),
	};
	plan->name_bytes += length;
	plan->count++;
	return 0;
}

static int add_entry_item(void *context, const char *name, size_t length, uint64_t nid, unsigned)
{
	struct making *making = context;
	const struct erofs_file *file = making->plan->file;
	const size_t above = making->plan->items[making->parent].path_length;
	const size_t start = above + (above != 0);
	struct erofs_node node;
	if (++making->names > file->bytes / NAME_BYTES || making->plan->count == UINT32_MAX)
		return error_set(making->error, EUCLEAN,
		                 "it has more names than an image of its size can hold; do not trust it");
	if (start + length >= PATH_MAX)
		return error_set(making->error, ENAMETOOLONG,
		                 "the paths in the directory /%.110s are longer than %d bytes", making->path,
		                 PATH_MAX - 1);
	if (above)
		making->path[above] = '/';
	memcpy(making->path + start, name, length);
	making->path[start + length] = 0;
	enum wanted wanted = wanted_item(making, making->path, start + length);
	int result = 0;
	if (wanted != WANTED_NOT) {
		result = check_node(making, erofs_file_node(file, nid, &node));
		if (!result && (wanted == WANTED_WHOLE || S_ISDIR(node.mode)))
			result = add_extract_item(making, &node, name, length);
	}
	making->path[above] = 0;
	return result;
}

/* Says which of the paths are not in the image. */
static int check_paths(struct making *making)
{
	for (size_t i = 0; i < making->path_count; i++) {
		struct erofs_node node;
		char *path = making->path;
		size_t length;
		const char *named = trim(making->paths[i], &length);
		if (length >= sizeof(making->path))
			return error_set(making->error, ENAMETOOLONG, "the path that begins with /%.100s is too long",
			                 named);
		memcpy(path, named, length);
		path[length] = 0;
		int result = erofs_file_find(making->plan->file, path, &node);
		if (result == -ENOENT)
			return error_set(making->error, ENOENT, "/%.200s is not in it", path);
		if (result == -ENOTDIR)
			return error_set(making->error, ENOTDIR,
			                 "/%.110s is not in it, because a name before the last is not a directory's",
			                 path);
		if (result == -EUCLEAN)
			return error_set(making->error, EUCLEAN,
			                 "/%.110s, or a directory above it, is damaged; make or copy the image again",
			                 path);
	}
	return 0;
}

struct file_number {
	uint64_t nid;
	uint32_t index;
};

static int compare_node_numbers(const void *left, const void *right)
{
	const struct file_number *a = left, *b = right;
	int order = (a->nid > b->nid) - (a->nid < b->nid);
	return order ? order : (a->index > b->index) - (a->index < b->index);
}

/* Finds the hard links. */
static int find_links(struct making *making)
{
	struct extract_plan *plan = making->plan;
	struct file_number *numbers = calloc(plan->count, sizeof(*numbers));
	size_t count = 0;
	if (!numbers)
		return error_set(making->error, ENOMEM, "out of memory");
	for (size_t i = 0; i < plan->count; i++)
		if (S_ISREG(plan->items[i].node.mode))
			numbers[count++] = (struct file_number){plan->items[i].node.nid, (uint32_t)i};
	qsort(numbers, count, sizeof(*numbers), compare_node_numbers);
	for (size_t i = 1; i < count; i++)
		if (numbers[i].nid == numbers[i - 1].nid)
			plan->items[numbers[i].index].first = plan->items[numbers[i - 1].index].first;
	free(numbers);
	return 0;
}

int extract_plan_make(struct extract_plan *plan, const struct erofs_file *file, const char *const *paths,
                      size_t path_count, struct error *error)
{
	struct making making = {.plan = plan, .paths = paths, .path_count = path_count, .error = error};
	struct erofs_node node;
	*plan = (struct extract_plan){.file = file};
	making.seen = calloc(file->bytes / NID_BYTES / 8 + 1, 1);
	if (!making.seen)
		return error_set(error, ENOMEM, "out of memory");
	int result = check_paths(&making);
	making.path[0] = 0;
	if (!result)
		result = check_node(&making, erofs_file_node(file, file->root, &node));
	if (!result)
		result = add_extract_item(&making, &node, "", 0);
	for (uint32_t i = 0; !result && i < plan->count; i++) {
		if (!S_ISDIR(plan->items[i].node.mode))
			continue;
		making.parent = i;
		extract_plan_path(plan, i, making.path);
		node = plan->items[i].node; /* adding names moves the items */
		error->text[0] = 0;
		result = erofs_file_list(file, &node, add_entry_item, &making);
		if (result && !error->text[0])
			refuse_damaged(&making, "the directory");
	}
	if (!result)
		result = find_links(&making);
	free(making.seen);
	if (result)
		extract_plan_fini(plan);
	return result;
}

void extract_plan_fini(struct extract_plan *plan)
{
	free(plan->items);
	free(plan->names);
	*plan = (struct extract_plan){0};
}

void extract_plan_path(const struct extract_plan *plan, size_t index, char path[PATH_MAX])
{
	const struct extract_item *item = &plan->items[index];
	path[item->path_length] = 0;
	for (; item != plan->items; item = &plan->items[item->parent]) {
		memcpy(path + item->path_length - item->length, plan->names + item->name, item->length);
		if (item->path_length > item->length)
			path[item->path_length - item->length - 1] = '/';
	}
}
