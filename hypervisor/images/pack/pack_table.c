/* SPDX-License-Identifier: MIT */
/* Groups of files become rows, which are merged by name, sorted by size, and cut: the largest tell most. */
#include "pack/pack_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/die.h"
#include "base/memory.h"
#include "base/text.h"

#define PROGRAMS_SHOWN 3U
#define PACKAGES_SHOWN 7U
#define DIRECTORIES_SHOWN 4U
#define LEFT_OUT_SHOWN 2U /* of --exclude, and of --external */

struct row {
	char *name;
	uint64_t files, bytes;
};

struct rows {
	struct row *all;
	size_t count, room;
};

/* --- rows --- */

/* Adds a row. Takes the name. */
static void add_row(struct rows *rows, char *name, uint64_t bytes)
{
	memory_check(array_reserve(rows->all, rows->room, rows->count + 1));
	rows->all[rows->count++] = (struct row){name, 1, bytes};
}

static int by_table_name(const void *a, const void *b)
{
	return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

static int by_size(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	return x->bytes != y->bytes ? (x->bytes < y->bytes ? 1 : -1) : by_table_name(a, b);
}

/* Makes one row of those with one name, and puts the largest first. */
static void merge_rows(struct rows *rows)
{
	size_t kept = 0;
	if (rows->count)
		qsort(rows->all, rows->count, sizeof(*rows->all), by_table_name);
	for (size_t i = 0; i < rows->count; i++) {
		struct row *last = kept ? &rows->all[kept - 1] : NULL;
		if (!last || strcmp(last->name, rows->all[i].name)) {
			rows->all[kept++] = rows->all[i];
			continue;
		}
		last->files += rows->all[i].files;
		last->bytes += rows->all[i].bytes;
		free(rows->all[i].name);
	}
	rows->count = kept;
	if (kept)
		qsort(rows->all, kept, sizeof(*rows->all), by_size);
}

static void free_rows(struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		free(rows->all[i].name);
	free(rows->all);
}

static void say_row(const char *name, uint64_t files, uint64_t bytes)
{
	static const char *const units[] = {"kB", "MB", "GB", "TB"};
	unsigned unit = 0;
	if (bytes < 1000) {
		say("    %-44s %6" PRIu64 " %-5s %8" PRIu64 " B", name, files, files == 1 ? "file" : "files", bytes);
		return;
	}
	for (; bytes >= 1000000 && unit < 3; unit++)
		bytes /= 1000;
	say("    %-44s %6" PRIu64 " %-5s %6" PRIu64 ".%" PRIu64 " %s", name, files, files == 1 ? "file" : "files",
	    bytes / 1000, bytes / 100 % 10, units[unit]);
}

/* Says a group of rows; without any, nothing. Frees them. */
static void say_rows(const char *title, const char *others, struct rows *rows, size_t shown)
{
	uint64_t files = 0, bytes = 0;
	merge_rows(rows);
	if (rows->count == shown + 1) /* a line for the others would save nothing */
		shown++;
	if (rows->count)
		say("  %s", title);
	for (size_t i = 0; i < rows->count; i++) {
		if (i < shown)
			say_row(rows->all[i].name, rows->all[i].files, rows->all[i].bytes);
		files += i < shown ? 0 : rows->all[i].files;
		bytes += i < shown ? 0 : rows->all[i].bytes;
	}
	if (rows->count > shown) {
		char *name = text_of("and %zu more %s", rows->count - shown, others);
		say_row(name, files, bytes);
		free(name);
	}
	free_rows(rows);
}

/* --- groups --- */

static char *package_of(const struct eri_packages *packages, const struct stage_input *input)
{
	const struct eri_package *package = &packages->all[input->package];
	return text_of("%s %s", package->name, *package->version ? package->version : "(unknown version)");
}

static char *input_directory(const char *path)
{
	const char *slash = strrchr(path, '/');
	return text_of("%.*s", slash == path ? 1 : (int)(slash - path), path);
}

/* Says what steps read beside files. */
static void say_others(const struct pack_steps *steps)
{
	unsigned counts[4] = {0};
	static const char *const names[4] = {"standard input", "a schedule", "a recording", "a root file system"};
	for (unsigned i = 0; i < steps->count; i++) {
		const struct eri_step *step = &steps->steps[i];
		const char *const sums[4] = {step->stdin_sha256, step->schedule_sha256, step->log_sha256,
		                             step->root_sha256};
		for (unsigned j = 0; j < 4; j++)
			counts[j] += *sums[j] != 0;
	}
	for (unsigned j = 0; j < 4; j++)
		if (counts[j] > 1)
			say("  %s of %u steps", names[j], counts[j]);
		else if (counts[j])
			say("  %s", names[j]);
}

void pack_table_say(const struct stage *stage, const struct eri_packages *packages, const struct pack_steps *steps,
                    bool is_whole)
{
	struct rows programs = {0}, owned = {0}, others = {0}, excluded = {0}, external = {0};
	for (size_t i = 0; i < stage->input_count; i++) {
		const struct stage_input *input = &stage->inputs[i];
		if (input->kind == STAGE_EXCLUDED)
			add_row(&excluded, text_of("%s", input->guest), input->bytes);
		else if (input->kind == STAGE_EXTERNAL)
			add_row(&external, text_of("%s", input->guest), input->bytes);
		if (input->kind != STAGE_SEALED)
			continue;
		if (input->is_program)
			add_row(&programs, text_of("%s", input->guest), input->bytes);
		if (input->package >= 0)
			add_row(&owned, package_of(packages, input), input->bytes);
		else
			add_row(&others, input_directory(input->guest), input->bytes);
	}
	say("inputs of %s:", stage->output);
	say_rows("programs:", "programs", &programs, is_whole ? SIZE_MAX - 1 : PROGRAMS_SHOWN);
	say_rows("packages:", "packages", &owned, is_whole ? SIZE_MAX - 1 : PACKAGES_SHOWN);
	say_rows("files of no package:", "directories", &others, is_whole ? SIZE_MAX - 1 : DIRECTORIES_SHOWN);
	say_rows("left out by --exclude:", "files", &excluded, is_whole ? SIZE_MAX - 1 : LEFT_OUT_SHOWN);
	say_rows("left out by --external:", "files", &external, is_whole ? SIZE_MAX - 1 : LEFT_OUT_SHOWN);
	say_others(steps);
}
