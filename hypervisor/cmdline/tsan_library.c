/* SPDX-License-Identifier: MIT */
/* The program's loader looks for the library where the host has it; if the host has none, the first of its directories
 * gets it. */
#include "cmdline/tsan_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/own_path.h"
#include "base/text.h"
#include "guest/program_needs.h"
#include "report/report_told.h"
#include "report/search_races.h"

static const char *const directories[] = {"/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib"};

#define DIRECTORIES (sizeof(directories) / sizeof(directories[0]))

/* Where the program finds the library; the caller frees it. NULL: nowhere. */
static char *guest_path(const char *name)
{
	char *first = NULL;
	for (unsigned i = 0; i < DIRECTORIES; i++) {
		char *path = text_of("%s/%s", directories[i], name);
		if (!access(path, F_OK)) {
			free(first);
			return path;
		}
		if (first || access(directories[i], F_OK))
			free(path);
		else
			first = path;
	}
	return first;
}

static bool own_library(char path[PATH_MAX])
{
	static const char *const places[] = {"lib/eremite-tsan.so", "../lib/eremite/eremite-tsan.so"};
	if (own_path(path))
		return false;
	char *slash = strrchr(path, '/');
	const size_t left = slash ? PATH_MAX - (size_t)(slash + 1 - path) : 0;
	for (unsigned i = 0; slash && i < sizeof(places) / sizeof(places[0]); i++)
		if (snprintf(slash + 1, left, "%s", places[i]) < (int)left && !access(path, R_OK))
			return true;
	return false;
}

char *tsan_library_bind(const char *program)
{
	char own[PATH_MAX], name[PROGRAM_NEEDS_BYTES];
	char *path = program_needs(program, "libtsan.so.", name) ? guest_path(name) : NULL;
	char *bind = path && own_library(own) ? text_of("%s:%s:ro", own, path) : NULL;
	free(path);
	return bind;
}

/* Called at the end of the run. */
static void say_races(void *, const struct race_log *log, const struct guest_memory *memory, const struct image *image)
{
	struct search_races races = {.left_out = 0};
	char *text;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	if (!to)
		return;
	report_told(to, image, memory, log, NULL);
	if (fclose(to))
		return;
	search_races_add(&races, 0, text);
	races.unjudged = log->lost_accesses + log->lost_kept;
	races.unshown = log->lost_races;
	search_races_put(stderr, &races, NULL, 1);
	free(text);
}

void tsan_library_report(struct session *options)
{
	static struct race_log log;
	if (options->run.race_log)
		return;
	options->run.race_log = &log;
	options->run.observer.raced = say_races;
}
