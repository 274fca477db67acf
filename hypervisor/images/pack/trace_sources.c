/* SPDX-License-Identifier: MIT */
#include "pack/trace_sources.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CACHE "/__pycache__"
#define SOURCE_SUFFIX ".py"
#define BYTECODE_SUFFIX ".pyc"

/* Marks the source with a path in the guest, or the one that it leads to as a link. */
static void mark_source(const struct host_files *files, const char *path, bool *sources)
{
	const struct host_bytecode *bytecode = &files->bytecode;
	uint32_t handle, link;
	if (!host_files_find(files, path, &handle))
		return;
	link = handle;
	for (uint32_t i = 0; i < bytecode->link_count; i++)
		if (bytecode->links[i].link == link && !host_files_find(files, bytecode->links[i].target, &handle))
			return;
	sources[handle] = S_ISREG(files->objects.objects[handle].stamp.mode);
}

/* Replaces STEM.TAG.pyc or STEM.TAG.opt-LEVEL.pyc at the end of a path by STEM.py (PEP 3147, PEP 488), and leaves out
 * __pycache__ before it. Returns false for other names. */
static bool name_source(char *path)
{
	char *name = strrchr(path, '/') + 1, *dot;
	size_t length = strlen(name), cache = sizeof(CACHE) - 1;
	if (length < sizeof(BYTECODE_SUFFIX) || strcmp(name + length - strlen(BYTECODE_SUFFIX), BYTECODE_SUFFIX))
		return false;
	name[length - strlen(BYTECODE_SUFFIX)] = 0;
	dot = strrchr(name, '.');
	if (dot && !strncmp(dot, ".opt-", 5)) {
		*dot = 0;
		dot = strrchr(name, '.');
	}
	if (!dot || dot == name)
		return false;
	strcpy(dot, SOURCE_SUFFIX); /* fits: .pyc was behind it */
	if ((size_t)(name - 1 - path) >= cache && !strncmp(name - 1 - cache, CACHE "/", cache + 1))
		memmove(name - 1 - cache, name - 1, strlen(name - 1) + 1);
	return true;
}

bool *trace_sources_find(const struct host_files *files)
{
	static char below[PATH_MAX], path[2 * PATH_MAX]; /* too large for a stack */
	bool *sources = calloc(files->objects.count + 1UL, sizeof(*sources));
	for (uint32_t handle = 0; sources && handle < files->objects.count; handle++) {
		const int64_t root = host_objects_path(&files->objects, handle, "", below);
		if (root < 0 || !S_ISREG(files->objects.objects[handle].stamp.mode) ||
		    host_notes_path(path, sizeof(path), &files->trees[root], below) >= sizeof(path) ||
		    !name_source(path) || !host_notes_find(&files->notes, files->run, &files->trees[root], below))
			continue;
		/* The path below PYTHONPYCACHEPREFIX is the whole path of the source. */
		for (const char *at = path; at; at = strchr(at + 1, '/'))
			mark_source(files, at, sources);
	}
	return sources;
}
