/* SPDX-License-Identifier: MIT */
/* Each line of a list is looked up in a hash table of the wanted paths: a host has some 200,000 lines. What cannot be
 * read has no packages: they are information. */
#include "pack/dpkg.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

#define PLACE "/var/lib/dpkg"
#define LIST_BYTES_MAX (1UL << 28)
#define SUFFIX ".list"

/* Work on one database. */
struct lookup {
	struct dpkg *dpkg;
	struct dpkg_file *files;
	char **keys;     /* the path of each file in the lists */
	uint32_t *slots; /* of a hash table: 1 + index of a file; 0: free. Files with one key have several slots */
	size_t count, mask;
	char *buffer; /* contents of the last file that was read, with a NUL behind them */
	size_t room;
	char merged[6][8]; /* top directories that are links to those of /usr */
	unsigned merged_count;
};

/* --- wanted paths --- */

static size_t hash_dpkg_path(const char *text, size_t bytes)
{
	uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ (uint8_t)text[i]) * 0x100000001b3;
	return (size_t)(hash ^ hash >> 32);
}

/* The path that lists have of a file: for DIR/__pycache__/STEM.TAG.pyc, which no list has, DIR/STEM.py. */
static char *path_key(const char *path)
{
	static const char cache[] = "/__pycache__/";
	const char *at = strstr(path, cache), *stem = at ? at + strlen(cache) : NULL,
		   *dot = stem ? strchr(stem, '.') : NULL;
	const size_t length = strlen(path);
	char *key = NULL;
	if (!dot || strchr(stem, '/') || length < 4 || strcmp(path + length - 4, ".pyc"))
		return strdup(path);
	return asprintf(&key, "%.*s/%.*s.py", (int)(at - path), path, (int)(dot - stem), stem) < 0 ? NULL : key;
}

static int index_files(struct lookup *lookup)
{
	size_t slots = 64;
	while (slots < 2 * lookup->count)
		slots *= 2;
	lookup->mask = slots - 1;
	lookup->slots = calloc(slots, sizeof(*lookup->slots));
	lookup->keys = calloc(lookup->count + 1, sizeof(*lookup->keys));
	if (!lookup->slots || !lookup->keys)
		return -ENOMEM;
	for (size_t i = 0; i < lookup->count; i++) {
		lookup->files[i].package = -1;
		lookup->keys[i] = path_key(lookup->files[i].path);
		if (!lookup->keys[i])
			return -ENOMEM;
		size_t at = hash_dpkg_path(lookup->keys[i], strlen(lookup->keys[i])) & lookup->mask;
		while (lookup->slots[at])
			at = (at + 1) & lookup->mask;
		lookup->slots[at] = (uint32_t)i + 1;
	}
	return 0;
}

/* Debian's lists name files of a merged /usr as they were before: /lib/libx.so.1 is at /usr/lib/libx.so.1. */
static void find_merged(struct lookup *lookup)
{
	static const char *const tops[] = {"/bin/", "/sbin/", "/lib/", "/lib32/", "/lib64/", "/libx32/"};
	char path[8];
	struct stat st;
	for (unsigned i = 0; i < sizeof(tops) / sizeof(tops[0]); i++) {
		snprintf(path, sizeof(path), "%.*s", (int)strlen(tops[i]) - 1, tops[i]);
		if (!lstat(path, &st) && S_ISLNK(st.st_mode))
			strcpy(lookup->merged[lookup->merged_count++], tops[i]);
	}
}

/* --- lists --- */

/* Reads a file into the buffer. Returns its size; 0 if it cannot be read; or -ENOMEM. */
static int64_t read_dpkg_file(struct lookup *lookup, int dir, const char *name)
{
	struct stat st;
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	const bool is_sound = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size < (off_t)LIST_BYTES_MAX;
	int64_t got = 0;
	if (is_sound && !array_reserve(lookup->buffer, lookup->room, (size_t)st.st_size + 1))
		got = -ENOMEM;
	else if (is_sound)
		got = read(fd, lookup->buffer, (size_t)st.st_size);
	if (fd >= 0)
		close(fd);
	if (got >= 0 && lookup->buffer)
		lookup->buffer[got] = 0;
	return got < 0 && got != -ENOMEM ? 0 : got;
}

/* Gives files of a path to the package of this list, which is added with its first file. Returns 0 or -ENOMEM. */
static int take_path(struct lookup *lookup, const char *list, int64_t *package, const char *path, size_t bytes)
{
	for (size_t at = hash_dpkg_path(path, bytes) & lookup->mask; lookup->slots[at]; at = (at + 1) & lookup->mask) {
		const size_t i = lookup->slots[at] - 1;
		if (strncmp(lookup->keys[i], path, bytes) || lookup->keys[i][bytes] || lookup->files[i].package >= 0)
			continue;
		if (*package < 0) {
			struct dpkg *dpkg = lookup->dpkg;
			const int name = (int)strcspn(list, ":"), all = (int)(strlen(list) - strlen(SUFFIX));
			if (!array_reserve(dpkg->all, dpkg->room, dpkg->count + 1))
				return -ENOMEM;
			*package = (int64_t)dpkg->count;
			dpkg->all[dpkg->count++] = (struct dpkg_package){
				strndup(list, (size_t)(name < all ? name : all)),
				strndup(list + name + 1, name < all ? (size_t)(all - name - 1) : 0), strdup("")};
		}
		lookup->files[i].package = *package;
	}
	return 0;
}

/* Takes a line of a list. */
static int take_list_line(struct lookup *lookup, const char *list, int64_t *package, const char *line, size_t bytes)
{
	static char path[PATH_MAX + 8]; /* too large for a stack */
	int result = take_path(lookup, list, package, line, bytes);
	for (unsigned i = 0; i < lookup->merged_count && !result; i++) {
		const char *top = lookup->merged[i];
		if (bytes >= PATH_MAX || strncmp(line, top, strlen(top)))
			continue;
		snprintf(path, sizeof(path), "/usr%.*s", (int)bytes, line);
		result = take_path(lookup, list, package, path, bytes + 4);
	}
	return result;
}

static int take_package_list(struct lookup *lookup, int dir, const char *list)
{
	int64_t bytes = read_dpkg_file(lookup, dir, list), package = -1;
	int result = bytes < 0 ? (int)bytes : 0;
	for (const char *line = lookup->buffer; bytes > 0 && *line && !result;) {
		size_t length = strcspn(line, "\n");
		result = take_list_line(lookup, list, &package, line, length);
		line += length + (line[length] == '\n');
	}
	return result;
}

static int is_list(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name), suffix = strlen(SUFFIX);
	return length > suffix && !strcmp(entry->d_name + length - suffix, SUFFIX);
}

/* Bytes, not the user's collation: a file of two packages is of the first one. */
static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int take_package_lists(struct lookup *lookup, int top)
{
	struct dirent **lists = NULL;
	int result = 0, dir = openat(top, "info", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int count = dir < 0 ? 0 : scandirat(top, "info", &lists, is_list, by_bytes);
	for (int i = 0; i < count; i++) {
		result = result ? result : take_package_list(lookup, dir, lists[i]->d_name);
		free(lists[i]);
	}
	free(lists);
	if (dir >= 0)
		close(dir);
	return result;
}

/* --- versions --- */

/* Copies the value of a field of a stanza (deb-control(5)), which ends at an empty line. */
static char *copy_field(const char *stanza, const char *end, const char *name)
{
	const size_t length = strlen(name);
	for (const char *line = stanza; line < end; line += strcspn(line, "\n") + 1)
		if (!strncmp(line, name, length))
			return strndup(line + length, strcspn(line + length, "\n\t"));
	return strdup("");
}

/* Gives the packages of a stanza their versions. Returns 0 or -ENOMEM. */
static int take_stanza(struct dpkg *dpkg, const char *stanza, const char *end)
{
	char *name = copy_field(stanza, end, "Package: ");
	int result = name ? 0 : -ENOMEM;
	for (size_t i = 0; i < dpkg->count && !result; i++) {
		struct dpkg_package *package = &dpkg->all[i];
		char *architecture;
		if (strcmp(package->name, name) || *package->version)
			continue;
		architecture = copy_field(stanza, end, "Architecture: ");
		if (architecture && (!*package->architecture || !strcmp(package->architecture, architecture))) {
			free(package->version);
			free(package->architecture);
			package->version = copy_field(stanza, end, "Version: ");
			package->architecture = architecture;
			architecture = NULL;
			result = package->version ? 0 : -ENOMEM;
		}
		free(architecture);
	}
	free(name);
	return result;
}

static int take_versions(struct lookup *lookup, int top)
{
	int64_t bytes = lookup->dpkg->count ? read_dpkg_file(lookup, top, "status") : 0;
	int result = bytes < 0 ? (int)bytes : 0;
	const char *end = bytes > 0 ? lookup->buffer + strlen(lookup->buffer) : NULL;
	for (const char *stanza = lookup->buffer; end && stanza < end && !result;) {
		const char *next = strstr(stanza, "\n\n");
		result = take_stanza(lookup->dpkg, stanza, next ? next : end);
		stanza = next ? next + 2 : end;
	}
	return result;
}

/* --- the whole --- */

static bool has_all_strings(const struct dpkg *dpkg)
{
	for (size_t i = 0; i < dpkg->count; i++)
		if (!dpkg->all[i].name || !dpkg->all[i].architecture || !dpkg->all[i].version)
			return false;
	return true;
}

int dpkg_find(struct dpkg *dpkg, struct dpkg_file *files, size_t count)
{
	struct lookup lookup = {.dpkg = dpkg, .files = files, .count = count < UINT32_MAX ? count : 0};
	const char *given = getenv("DPKG_ADMINDIR");
	int top = open(given && *given ? given : PLACE, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int result = index_files(&lookup);
	find_merged(&lookup);
	if (!result && top >= 0)
		result = take_package_lists(&lookup, top);
	if (!result)
		result = has_all_strings(dpkg) ? 0 : -ENOMEM;
	if (!result && top >= 0)
		result = take_versions(&lookup, top);
	if (top >= 0)
		close(top);
	for (size_t i = 0; lookup.keys && i < lookup.count; i++)
		free(lookup.keys[i]);
	free(lookup.keys);
	free(lookup.slots);
	free(lookup.buffer);
	return result;
}

void dpkg_fini(struct dpkg *dpkg)
{
	for (size_t i = 0; i < dpkg->count; i++) {
		free(dpkg->all[i].name);
		free(dpkg->all[i].architecture);
		free(dpkg->all[i].version);
	}
	free(dpkg->all);
	*dpkg = (struct dpkg){0};
}
