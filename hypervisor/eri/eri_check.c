/* SPDX-License-Identifier: MIT */
/* First lists the files, then hashes them. All files are hashed even if one differs, so that the message does not
 * depend on which thread was first. */
#include "eri/eri_check.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "base/utf8.h"
#include "eri/eri_bound.h"
#include "eri/erofs_space.h"
#include "eri/erofs_walk.h"

#define MANIFEST_BYTES_MAX (1UL << 28)
#define PIECE_BYTES (1UL << 22)
#define THREADS_MAX 16U
#define GROWTH_MAX 256U /* LZ4 makes at most 255 bytes of one, so files of a sound image have no more in all */

/* A file to be hashed. */
struct task {
	const struct eri_bound *bound;
	struct erofs_node node;
};

struct check {
	const struct eri_image *image;
	struct eri_bounds bounds;
	struct erofs_space space;
	struct task *tasks;
	size_t count, room;
	size_t next; /* atomic: the next file to be hashed */
	struct eri_check_progress *progress;
	uint64_t bytes;
	struct error *error;
	pthread_mutex_t lock; /* of the fields below */
	const char *wrong;    /* the first path whose contents differ, or NULL */
	size_t wrong_count;
	int result; /* of a file that could not be read */
};

static int fail_check(const struct check *check, const char *path, const char *why)
{
	return error_set(check->error, EUCLEAN, "%.60s is not a sound image: its %.100s %s", check->image->path, path,
	                 why);
}

/* --- the list --- */

static int add_task(struct check *check, struct eri_bound *bound, const struct erofs_node *node)
{
	if (!array_reserve(check->tasks, check->room, check->count + 1))
		return error_set(check->error, ENOMEM, "out of memory");
	bound->is_found = true;
	check->tasks[check->count++] = (struct task){bound, *node};
	check->bytes += node->size;
	if (node->size > GROWTH_MAX * check->image->bytes || check->bytes > GROWTH_MAX * check->image->bytes)
		return fail_check(check, bound->path, "is larger than an image of this size can have");
	return 0;
}

static int check_link(const struct check *check, const char *path, const struct erofs_node *node)
{
	static char target[PATH_MAX]; /* too large for a stack */
	if (node->size >= sizeof(target) || erofs_file_read(&check->image->files, node, target, node->size, 0))
		return fail_check(check, path, "is a link that cannot be read");
	target[node->size] = 0;
	return eri_bounds_find(&check->bounds, path, ERI_BOUND_LINK, target)
	               ? 0
	               : fail_check(check, path, "is a link that nothing in it names, or leads elsewhere");
}

static int check_image_node(void *context, const char *path, const struct erofs_node *node)
{
	struct check *check = context;
	int result = erofs_space_add(&check->space, &check->image->files, node);
	if (result)
		return result;
	if (S_ISREG(node->mode) && !strcmp(path, ERI_MANIFEST)) /* whose identity was checked */
		return 0;
	if (S_ISLNK(node->mode))
		return check_link(check, path, node);
	if (S_ISDIR(node->mode) &&
	    (eri_bounds_find(&check->bounds, path, ERI_BOUND_DIRECTORY, NULL) || eri_bounds_lead(&check->bounds, path)))
		return 0;
	struct eri_bound *bound =
		S_ISREG(node->mode) ? eri_bounds_find(&check->bounds, path, ERI_BOUND_FILE, NULL) : NULL;
	return bound ? add_task(check, bound, node)
	             : fail_check(check, path, "is in the image, but nothing in it names it");
}

static int find_missing(const struct check *check)
{
	for (size_t i = 0; i < check->bounds.count; i++)
		if (check->bounds.all[i].kind == ERI_BOUND_FILE && !check->bounds.all[i].is_found)
			return fail_check(check, check->bounds.all[i].path, "is missing");
	return 0;
}

static int list_image_files(struct check *check)
{
	check->error->text[0] = 0;
	int result = erofs_walk(&check->image->files, "", check_image_node, check);
	if (result && !check->error->text[0])
		error_set(check->error, -result, "%.100s is not a sound image: cannot list its files: %s",
		          check->image->path, strerror(-result));
	return result ? result : find_missing(check);
}

/* Checks that the image has nothing beside its objects. */
static int check_space(struct check *check)
{
	const struct erofs_file *file = &check->image->files;
	struct erofs_node root;
	int result = erofs_file_node(file, file->root, &root);
	if (!result)
		result = erofs_space_add(&check->space, file, &root);
	if (!result)
		result = erofs_space_check(&check->space, file);
	return result == -EUCLEAN
	               ? error_set(check->error, EUCLEAN,
	                           "%.100s is not a sound image: it has bytes outside of its files", check->image->path)
	       : result ? error_set(check->error, -result, "out of memory")
	                : 0;
}

/* --- the hashes --- */

static void count_done(const struct check *check, uint64_t bytes)
{
	if (check->progress)
		__atomic_fetch_add(&check->progress->bytes_done, bytes, __ATOMIC_RELAXED);
}

/* Hashes a file. `piece` has PIECE_BYTES for contents that do not lie in the image. Returns 0 or a negative errno. */
static int hash_image_file(const struct check *check, const struct task *task, uint8_t *piece,
                           uint8_t hash[DIGEST_BYTES])
{
	const uint8_t *data = erofs_file_at(&check->image->files, &task->node);
	struct digest_sum sum;
	digest_begin(&sum);
	for (uint64_t at = 0; at < task->node.size;) {
		uint64_t left = task->node.size - at, bytes = left < PIECE_BYTES ? left : PIECE_BYTES;
		int result = data ? 0 : erofs_file_read(&check->image->files, &task->node, piece, bytes, at);
		if (result)
			return result;
		digest_add(&sum, data ? data + at : piece, bytes);
		count_done(check, bytes);
		at += bytes;
	}
	digest_end(&sum, hash);
	return 0;
}

static void note_wrong(struct check *check, const struct task *task, int result)
{
	pthread_mutex_lock(&check->lock);
	if (!check->wrong || strcmp(task->bound->path, check->wrong) < 0) {
		check->wrong = task->bound->path;
		check->result = result;
	}
	check->wrong_count++;
	pthread_mutex_unlock(&check->lock);
}

static void *hash_files(void *context)
{
	struct check *check = context;
	uint8_t hash[DIGEST_BYTES], *piece = malloc(PIECE_BYTES);
	for (size_t i; (i = __atomic_fetch_add(&check->next, 1, __ATOMIC_RELAXED)) < check->count;) {
		int result = piece ? hash_image_file(check, &check->tasks[i], piece, hash) : -ENOMEM;
		if (result || memcmp(hash, check->tasks[i].bound->hash, DIGEST_BYTES))
			note_wrong(check, &check->tasks[i], result);
	}
	free(piece);
	return NULL;
}

static int hash_all_tasks(struct check *check, unsigned threads)
{
	struct digest_sum sum;
	pthread_t others[THREADS_MAX];
	unsigned count = 0;
	const unsigned wanted = threads < THREADS_MAX ? threads : THREADS_MAX;
	digest_begin(&sum); /* which asks the processor what it can do, once and not by several threads */
	while (count + 1 < wanted && count + 1 < check->count &&
	       !pthread_create(&others[count], NULL, hash_files, check))
		count++;
	hash_files(check);
	while (count)
		pthread_join(others[--count], NULL);
	if (!check->wrong)
		return 0;
	if (check->result && check->result != -EUCLEAN)
		return error_set(check->error, -check->result, "cannot read %.80s of the image %.100s: %s",
		                 check->wrong, check->image->path, strerror(-check->result));
	char why[80] = "is damaged or was edited";
	if (check->wrong_count > 1)
		snprintf(why, sizeof(why), "and %zu more file%s are damaged or were edited", check->wrong_count - 1,
		         text_s(check->wrong_count - 1));
	return fail_check(check, check->wrong, why);
}

/* Checks that the manifest is UTF-8, which JSON requires. eremite info shows another one, escaped. */
static int check_text(const struct eri_image *image, struct error *error)
{
	struct eri_block block;
	int result = eri_image_load(image, ERI_MANIFEST, MANIFEST_BYTES_MAX, NULL, &block, error);
	if (result)
		return result;
	block.copy[block.bytes] = 0;
	if (!utf8_is(block.copy))
		result = error_set(error, EUCLEAN, "%.100s is not a sound image: its manifest is not UTF-8",
		                   image->path);
	free(block.copy);
	return result;
}

int eri_check(const struct eri_image *image, unsigned threads, struct eri_check_progress *progress, struct error *error)
{
	struct check check = {.image = image, .progress = progress, .error = error};
	int result = check_text(image, error);
	if (!result)
		result = eri_bounds_make(&check.bounds, image, error);
	if (result)
		return result;
	pthread_mutex_init(&check.lock, NULL);
	result = list_image_files(&check);
	if (!result)
		result = check_space(&check);
	if (!result && progress) {
		__atomic_store_n(&progress->files, check.count, __ATOMIC_RELAXED);
		__atomic_store_n(&progress->bytes, check.bytes, __ATOMIC_RELAXED);
	}
	if (!result)
		result = hash_all_tasks(&check, threads);
	pthread_mutex_destroy(&check.lock);
	free(check.tasks);
	erofs_space_fini(&check.space);
	eri_bounds_fini(&check.bounds);
	return result;
}
