/* SPDX-License-Identifier: MIT */
/* A file that the manifest or a table names without a SHA-256 is refused here, so that what passes is covered. */
#include "eri/eri_bound.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/recording_files.h"
#include "base/search.h"

#define NAMES_BYTES_MAX (1UL << 32)

/* Work on one image. */
struct binding {
	struct eri_bounds *bounds;
	const struct eri_image *image;
	const struct eri_step *step;
	struct error *error;
};

static int fail_binding(const struct binding *binding, const char *path, const char *why)
{
	return error_set(binding->error, EUCLEAN, "%.60s is not a sound image: its %.130s %s", binding->image->path,
	                 path, why);
}

/* --- the list --- */

/* Adds an object. Takes `target`, which may be NULL. */
static int add_bound(const struct binding *binding, const char *path, enum eri_bound_kind kind, const uint8_t *hash,
                     char *target)
{
	struct eri_bounds *bounds = binding->bounds;
	char *copy = strdup(path);
	if (!copy || !array_reserve(bounds->all, bounds->room, bounds->count + 1)) {
		free(copy);
		free(target);
		return error_set(binding->error, ENOMEM, "out of memory");
	}
	struct eri_bound *bound = &bounds->all[bounds->count++];
	*bound = (struct eri_bound){.path = copy, .kind = kind, .target = target};
	if (hash)
		memcpy(bound->hash, hash, DIGEST_BYTES);
	return 0;
}

static bool read_hash(const char *digits, uint8_t hash[DIGEST_BYTES])
{
	static const char all[] = "0123456789abcdef";
	if (strlen(digits) != 2 * DIGEST_BYTES || strspn(digits, all) != 2 * DIGEST_BYTES)
		return false;
	for (unsigned i = 0; i < DIGEST_BYTES; i++)
		hash[i] = (uint8_t)((strchr(all, digits[2 * i]) - all) << 4 | (strchr(all, digits[2 * i + 1]) - all));
	return true;
}

/* Adds a file whose SHA-256 the manifest has in digits. */
static int bind_file(const struct binding *binding, const char *path, const char *digits)
{
	uint8_t hash[DIGEST_BYTES];
	return read_hash(digits, hash) ? add_bound(binding, path, ERI_BOUND_FILE, hash, NULL)
	                               : fail_binding(binding, path, "is named without a SHA-256");
}

/* --- a step --- */

/* Adds what a line of the table of names has in the image. */
static int bind_name(const struct binding *binding, const char *guest, const struct eri_name *name)
{
	static char text[PATH_MAX]; /* too large for a stack */
	char path[128], digits[DIGEST_TEXT_BYTES];
	if (name->kind == ERI_LINK) {
		int bytes = eri_names_text(name->detail, name->detail_bytes, text, sizeof(text));
		char *target = bytes < 0 ? NULL : strdup(text);
		return target ? add_bound(binding, guest, ERI_BOUND_LINK, NULL, target)
		              : fail_binding(binding, guest, "is a link that cannot be read");
	}
	if (name->kind != ERI_FILE && name->kind != ERI_STORED)
		return S_ISDIR(name->mode) ? add_bound(binding, guest, ERI_BOUND_DIRECTORY, NULL, NULL) : 0;
	if (!name->has_hash)
		return fail_binding(binding, guest, "is named without a SHA-256");
	if (name->kind == ERI_FILE)
		return add_bound(binding, guest, ERI_BOUND_FILE, name->hash, NULL);
	digest_text(name->hash, digits);
	snprintf(path, sizeof(path), ERI_FILES "/%s", strchr(digits, ':') + 1);
	return add_bound(binding, path, ERI_BOUND_FILE, name->hash, NULL);
}

static int bind_lines(const struct binding *binding, const struct eri_names *names, const char *table)
{
	static char below[PATH_MAX], guest[2 * PATH_MAX + 1]; /* too large for a stack */
	const struct eri_step *step = binding->step;
	struct eri_name name;
	unsigned tree;
	size_t at = 0;
	int more, result = 0;
	while (!result && (more = eri_names_line(names, &at, &tree, below, &name)) > 0) {
		if (tree >= step->tree_count || *step->trees[tree].guest != '/')
			return fail_binding(binding, table, "has a tree that its manifest does not have");
		if (eri_names_join(step->trees[tree].guest + 1, below, guest, sizeof(guest)))
			return fail_binding(binding, table, "is not valid");
		result = bind_name(binding, guest, &name);
	}
	return result ? result : more < 0 ? fail_binding(binding, table, "is not valid") : 0;
}

static int bind_names(const struct binding *binding)
{
	char path[PATH_MAX];
	struct error why;
	struct eri_block block;
	struct eri_names names;
	if (!*binding->step->names_sha256)
		return 0;
	eri_image_step_path(binding->step, ERI_STEP_NAMES, path);
	int result = eri_image_load(binding->image, path, NAMES_BYTES_MAX, binding->step->names_sha256, &block,
	                            binding->error);
	if (result) /* a table that is missing was removed */
		return result == -ENOENT || result == -ENOTDIR ? -EUCLEAN : result;
	result = eri_names_open(&names, block.data, block.bytes, &why) ? fail_binding(binding, path, "is not valid")
	                                                               : bind_lines(binding, &names, path);
	free(block.copy);
	return result;
}

static int bind_step(const struct binding *binding)
{
	const struct eri_step *step = binding->step;
	const struct {
		const char *name, *sha256;
	} files[] = {
		{ERI_STEP_NAMES, step->names_sha256},
		{ERI_STEP_ROOT, step->root_sha256},
		{ERI_STEP_STDIN, step->stdin_sha256},
		{ERI_STEP_EVENTS, step->events_sha256},
		{ERI_STEP_SCHEDULE, step->schedule_sha256},
		{ERI_STEP_RECORDING "/" RECORDING_LOG, step->log_sha256},
		{ERI_STEP_RECORDING "/" RECORDING_CAPTURE, step->capture_sha256},
		{ERI_STEP_KERNEL, step->is_linux ? "" : step->kernel_sha256},
	};
	static char path[PATH_MAX]; /* too large for a stack */
	int result = step->is_linux ? bind_file(binding, ERI_KERNEL, step->kernel_sha256) : 0;
	if (!result && *step->kernel_symbols_sha256)
		result = bind_file(binding, ERI_KERNEL_SYMBOLS, step->kernel_symbols_sha256);
	if (!result && *step->code_sha256) {
		snprintf(path, sizeof(path), ERI_CODE "/%s", step->code_sha256);
		result = bind_file(binding, path, step->code_sha256);
	}
	for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]) && !result; i++) {
		eri_image_step_path(step, files[i].name, path);
		result = *files[i].sha256 ? bind_file(binding, path, files[i].sha256) : 0;
	}
	for (unsigned i = 0; i < step->output_count && !result; i++)
		if (*step->outputs[i].stored)
			result = bind_file(binding, step->outputs[i].stored, step->outputs[i].sha256);
	return result ? result : bind_names(binding);
}

/* --- all --- */

static int by_bound_path(const void *a, const void *b)
{
	const struct eri_bound *x = a, *y = b;
	int order = strcmp(x->path, y->path);
	return order ? order : (x->kind > y->kind) - (x->kind < y->kind);
}

/* Refuses a file that has two SHA-256. Leaves one entry for each file. */
static int merge_files(const struct binding *binding)
{
	struct eri_bounds *bounds = binding->bounds;
	size_t kept = 0;
	for (size_t i = 0; i < bounds->count; i++) {
		struct eri_bound *at = &bounds->all[i], *last = kept ? &bounds->all[kept - 1] : NULL;
		if (!last || at->kind != ERI_BOUND_FILE || by_bound_path(last, at)) {
			bounds->all[kept++] = *at;
			continue;
		}
		if (memcmp(last->hash, at->hash, DIGEST_BYTES))
			return fail_binding(binding, at->path, "is named with two SHA-256");
		free(at->path);
		at->path = NULL;
	}
	bounds->count = kept;
	return 0;
}

int eri_bounds_make(struct eri_bounds *bounds, const struct eri_image *image, struct error *error)
{
	struct binding binding = {.bounds = bounds, .image = image, .error = error};
	*bounds = (struct eri_bounds){0};
	const char *packages = image->manifest.packages_sha256;
	int result = *packages ? bind_file(&binding, ERI_PACKAGES, packages) : 0;
	for (unsigned i = 0; i < image->manifest.step_count && !result; i++) {
		binding.step = &image->manifest.steps[i];
		result = bind_step(&binding);
	}
	if (!result && bounds->count)
		qsort(bounds->all, bounds->count, sizeof(*bounds->all), by_bound_path);
	if (!result)
		result = merge_files(&binding);
	if (result)
		eri_bounds_fini(bounds);
	return result;
}

/* The first object that is not before a path and kind. */
static size_t first_bound_from(const struct eri_bounds *bounds, const struct eri_bound *key)
{
	return search_first(bounds->count, at, by_bound_path(&bounds->all[at], key) < 0);
}

struct eri_bound *eri_bounds_find(const struct eri_bounds *bounds, const char *path, enum eri_bound_kind kind,
                                  const char *target)
{
	const struct eri_bound key = {.path = (char *)path, .kind = kind};
	for (size_t i = first_bound_from(bounds, &key); i < bounds->count && !by_bound_path(&bounds->all[i], &key); i++)
		if (kind != ERI_BOUND_LINK || !strcmp(bounds->all[i].target, target))
			return &bounds->all[i];
	return NULL;
}

bool eri_bounds_lead(const struct eri_bounds *bounds, const char *dir)
{
	char prefix[PATH_MAX + 1];
	const struct eri_bound key = {.path = prefix};
	int bytes = snprintf(prefix, sizeof(prefix), "%s/", dir);
	size_t at = bytes < (int)sizeof(prefix) ? first_bound_from(bounds, &key) : bounds->count;
	return at < bounds->count && !strncmp(bounds->all[at].path, prefix, (size_t)bytes);
}

void eri_bounds_fini(struct eri_bounds *bounds)
{
	for (size_t i = 0; i < bounds->count; i++) {
		free(bounds->all[i].path);
		free(bounds->all[i].target);
	}
	free(bounds->all);
	*bounds = (struct eri_bounds){0};
}
