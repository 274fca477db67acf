/* SPDX-License-Identifier: MIT */
#include "eri/eri_packages.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/search.h"

#define BYTES_MAX (1UL << 30)

int64_t eri_packages_add(struct eri_packages *packages, const char *name, const char *version, const char *architecture)
{
	if (!array_reserve(packages->all, packages->room, packages->count + 1))
		return -ENOMEM;
	struct eri_package *package = &packages->all[packages->count];
	*package = (struct eri_package){strdup(name), strdup(version), strdup(architecture), 0};
	packages->count++;
	return package->name && package->version && package->architecture ? (int64_t)packages->count - 1 : -ENOMEM;
}

int eri_packages_add_file(struct eri_packages *packages, uint32_t package, const char *path)
{
	if (!array_reserve(packages->files, packages->file_room, packages->file_count + 1))
		return -ENOMEM;
	packages->files[packages->file_count] = (struct eri_packaged){strdup(path), package};
	packages->all[package].files++;
	return packages->files[packages->file_count++].path ? 0 : -ENOMEM;
}

void eri_packages_fini(struct eri_packages *packages)
{
	for (size_t i = 0; i < packages->count; i++) {
		free(packages->all[i].name);
		free(packages->all[i].version);
		free(packages->all[i].architecture);
	}
	for (size_t i = 0; i < packages->file_count; i++)
		free(packages->files[i].path);
	free(packages->all);
	free(packages->files);
	*packages = (struct eri_packages){0};
}

/* --- writing --- */

char *eri_packages_text(const struct eri_packages *packages, size_t *bytes)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, bytes);
	if (!to)
		return NULL;
	fputs(ERI_PACKAGES_FIRST, to);
	for (size_t i = 0, file = 0; i < packages->count; i++) {
		const struct eri_package *package = &packages->all[i];
		fprintf(to, "%s\t%s\t%s\n", package->name, package->version, package->architecture);
		for (; file < packages->file_count && packages->files[file].index == i; file++) {
			fputc('\t', to);
			eri_names_escape(to, packages->files[file].path);
			fputc('\n', to);
		}
	}
	if (!fclose(to))
		return text;
	free(text);
	return NULL;
}

/* --- reading --- */

/* Adds the package of a line, whose tabs become the ends of its fields. */
static int add_package(struct eri_packages *packages, char *line)
{
	char *fields[3] = {line};
	for (unsigned i = 1; i < 3; i++) {
		char *tab = strchr(fields[i - 1], '\t');
		if (!tab)
			return -EUCLEAN;
		*tab = 0;
		fields[i] = tab + 1;
	}
	if (!*fields[0] || strchr(fields[2], '\t') || packages->count == UINT32_MAX)
		return -EUCLEAN;
	int64_t added = eri_packages_add(packages, fields[0], fields[1], fields[2]);
	return added < 0 ? (int)added : 0;
}

static int add_package_line(struct eri_packages *packages, char *line)
{
	static char path[PATH_MAX]; /* too large for a stack */
	if (*line != '\t')
		return add_package(packages, line);
	if (!packages->count || eri_names_text(line + 1, strlen(line + 1), path, sizeof(path)) <= 0)
		return -EUCLEAN;
	return eri_packages_add_file(packages, (uint32_t)packages->count - 1, path);
}

/* Reads a text, in which the ends of lines and fields become NULs. */
static int read_package_lines(struct eri_packages *packages, char *text, size_t bytes)
{
	const size_t first = strlen(ERI_PACKAGES_FIRST);
	int result = strlen(text) == bytes && !strncmp(text, ERI_PACKAGES_FIRST, first) ? 0 : -EUCLEAN;
	for (char *line = text + first, *end; !result && *line; line = end + 1) {
		end = strchr(line, '\n');
		if (!end)
			return -EUCLEAN;
		*end = 0;
		result = add_package_line(packages, line);
	}
	return result;
}

static int by_package_path(const void *a, const void *b)
{
	const struct eri_packaged *x = a, *y = b;
	int order = strcmp(x->path, y->path);
	return order ? order : (x->index > y->index) - (x->index < y->index);
}

int eri_packages_open(struct eri_packages *packages, const struct eri_image *image, struct error *error)
{
	const char *sha256 = image->manifest.packages_sha256;
	struct eri_block block;
	*packages = (struct eri_packages){0};
	if (!*sha256)
		return 0;
	int result = eri_image_load(image, ERI_PACKAGES, BYTES_MAX, sha256, &block, error);
	if (result)
		return result;
	char *text = strndup(block.data, block.bytes);
	result = text ? read_package_lines(packages, text, block.bytes) : -ENOMEM;
	free(text);
	free(block.copy);
	if (packages->file_count)
		qsort(packages->files, packages->file_count, sizeof(*packages->files), by_package_path);
	if (!result)
		return 0;
	eri_packages_fini(packages);
	return error_set(error, -result,
	                 result == -ENOMEM ? "out of memory"
	                                   : "%.100s is not a sound image: its list of packages is not valid",
	                 image->path);
}

const struct eri_packaged *eri_packages_find(const struct eri_packages *packages, const char *path)
{
	size_t found = search_first(packages->file_count, at, strcmp(packages->files[at].path, path) < 0);
	return found < packages->file_count && !strcmp(packages->files[found].path, path) ? &packages->files[found]
	                                                                                  : NULL;
}
