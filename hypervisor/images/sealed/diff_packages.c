/* SPDX-License-Identifier: MIT */
#include "sealed/diff_packages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/die.h"
#include "base/error.h"
#include "base/text.h"
#include "eri/eri_packages.h"

/* A package of one image or of both. */
struct pair {
	const struct eri_package *in[2]; /* NULL: that image does not have it */
	uint64_t both, only[2];          /* files that differ */
};

static struct eri_packages lists[2];
static bool *counted[2]; /* for each file of a list */
static struct pair *pairs;
static size_t count, room;

static int compare_packages(const struct eri_package *x, const struct eri_package *y)
{
	int order = strcmp(x->name, y->name);
	return order ? order : strcmp(x->architecture, y->architecture);
}

static const struct eri_package *any_of(const struct pair *pair)
{
	return pair->in[0] ? pair->in[0] : pair->in[1];
}

static int by_package(const void *a, const void *b)
{
	return compare_packages(any_of(a), any_of(b));
}

static struct pair *pair_of(const struct eri_package *package)
{
	const struct pair key = {.in = {package}};
	return count ? bsearch(&key, pairs, count, sizeof(*pairs), by_package) : NULL;
}

/* Adds the packages of a list that have no pair yet. An image can name one twice: the first counts. */
static void add_pairs(unsigned side)
{
	const size_t before = count;
	for (size_t i = 0; i < lists[side].count; i++) {
		const struct eri_package *package = &lists[side].all[i];
		const struct pair key = {.in = {package}};
		struct pair *found = before ? bsearch(&key, pairs, before, sizeof(*pairs), by_package) : NULL;
		if (!found && !array_reserve(pairs, room, count + 1))
			die("out of memory");
		if (!found) {
			found = &pairs[count++];
			*found = (struct pair){0};
		}
		if (!found->in[side])
			found->in[side] = package;
	}
	if (count)
		qsort(pairs, count, sizeof(*pairs), by_package);
}

int diff_packages_open(const struct eri_image *first, const struct eri_image *second, struct error *error)
{
	const struct eri_image *const images[2] = {first, second};
	for (unsigned side = 0; side < 2; side++) {
		int result = eri_packages_open(&lists[side], images[side], error);
		if (result)
			return result;
		counted[side] = calloc(lists[side].file_count + 1, sizeof(**counted));
		if (!counted[side])
			return error_set(error, ENOMEM, "out of memory");
		add_pairs(side);
	}
	return 0;
}

bool diff_packages_has(const char *path)
{
	return eri_packages_find(&lists[0], path) || eri_packages_find(&lists[1], path);
}

void diff_packages_count(const char *path, const bool in[2])
{
	const unsigned side = !eri_packages_find(&lists[0], path);
	const struct eri_packaged *file = eri_packages_find(&lists[side], path);
	if (!file || counted[side][file - lists[side].files])
		return;
	counted[side][file - lists[side].files] = true;
	struct pair *pair = pair_of(&lists[side].all[file->index]);
	if (in[0] && in[1])
		pair->both++;
	else
		pair->only[in[1]]++;
}

/* --- lines --- */

static const char *package_version(const struct eri_package *package)
{
	return *package->version ? package->version : "unknown version";
}

static char *package_name(const struct eri_package *package)
{
	const bool is_any = !*package->architecture || !strcmp(package->architecture, "all");
	return text_of("package %s%s%s", package->name, is_any ? "" : ":", is_any ? "" : package->architecture);
}

/* Describes how the files of a package differ that both images have. */
static char *describe_files(const struct pair *pair)
{
	char differ[64] = "", gone[64] = "", new[64] = "";
	if (pair->both)
		snprintf(differ, sizeof(differ), ", %" PRIu64 " %s", pair->both,
		         pair->both == 1 ? "file differs" : "files differ");
	if (pair->only[0])
		snprintf(gone, sizeof(gone), ", %" PRIu64 " removed", pair->only[0]);
	if (pair->only[1])
		snprintf(new, sizeof(new), ", %" PRIu64 " added", pair->only[1]);
	return text_of("%s%s%s", *differ || *gone || *new ? differ : ", no file differs", gone, new);
}

static void print_package_pair(const struct pair *pair, void (*print)(char sign, const char *text))
{
	const struct eri_package *a = pair->in[0], *b = pair->in[1], *any = any_of(pair);
	char *name = package_name(any), *files = NULL, *text;
	if (!a || !b) {
		text = text_of("%s: %s, %" PRIu64 " %s", name, package_version(any), any->files,
		               any->files == 1 ? "file" : "files");
	} else {
		const bool is_same = !strcmp(a->version, b->version);
		files = describe_files(pair);
		text = text_of("%s: %s%s%s%s", name, package_version(a), is_same ? "" : " -> ",
		               is_same ? "" : package_version(b), files);
	}
	print(!b ? '-' : !a ? '+' : '~', text);
	free(name);
	free(files);
	free(text);
}

void diff_packages_print(void (*print)(char sign, const char *text))
{
	for (size_t i = 0; i < count; i++) {
		const struct pair *pair = &pairs[i];
		const bool is_same = pair->in[0] && pair->in[1] && !strcmp(pair->in[0]->version, pair->in[1]->version);
		if (!is_same || pair->both || pair->only[0] || pair->only[1])
			print_package_pair(pair, print);
	}
}
