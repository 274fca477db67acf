/* SPDX-License-Identifier: MIT */
/* --bind. The last colon before a slash separates the two paths, so both may contain other colons. */
#include "hostfs/tree/binds.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/own_paths.h"

/* Directories that the guest replaces with its own. The host's files below them are never shown. */
static const char *const own[] = {
#define OWN_PATH(name, of_host, closed, early) OWN_PATH_IF_##closed("/" #name, )
	OWN_PATH_LIST(OWN_PATH)
#undef OWN_PATH
};

bool binds_is_guest_path(const char *path)
{
	if (*path != '/' || strlen(path) >= PATH_MAX)
		return false;
	while (*path == '/' && path[1]) {
		size_t length = strcspn(++path, "/");
		if (length == 0 || length > NAME_MAX || (length <= 2 && !strncmp(path, "..", length)))
			return false;
		path += length;
	}
	return true;
}

static bool is_path_below_bind(const char *path, const char *of)
{
	size_t length = strlen(of);
	return length == 1 || (!strncmp(path, of, length) && (!path[length] || path[length] == '/'));
}

const char *binds_own(const char *path)
{
	for (unsigned i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (is_path_below_bind(path, own[i]))
			return own[i];
	return NULL;
}

bool binds_hide(const struct binds *binds, const char *path)
{
	for (unsigned i = 0; i < binds->count; i++)
		if (is_path_below_bind(path, binds->trees[BINDS_FIRST + i].guest))
			return true;
	return binds_own(path);
}

const char *binds_current_directory(void)
{
	static char path[PATH_MAX];
	if (!getcwd(path, sizeof(path)) || !binds_is_guest_path(path) || binds_own(path))
		return NULL;
	return path;
}

/* Splits "HOST:GUEST" in place and returns GUEST, or NULL if the text has another form. */
static char *cut_bind_text(char *text)
{
	for (char *c = text + strlen(text); c-- > text;) {
		if (c > text && c[0] == ':' && c[1] == '/') {
			*c = 0;
			return c + 1;
		}
	}
	return NULL;
}

/* Adds a tree. Returns 0, or a negative errno with one line in *error; then the caller keeps the strings. */
static int add_bind_tree(struct binds *binds, const struct host_tree *tree, bool replaces, const char *text,
                         struct error *error)
{
	const char *option = replaces ? "--replace" : "--bind";
	if (binds_own(tree->guest))
		return error_set(error, EINVAL, "%s '%.160s': %s is the guest's own; show the tree elsewhere", option,
		                 text, binds_own(tree->guest));
	if (binds->count == BINDS_MAX)
		return error_set(error, E2BIG,
		                 "--bind and --replace are given more than %d times; show a directory above several of "
		                 "these",
		                 BINDS_MAX);
	binds->replaces[BINDS_FIRST + binds->count] = replaces;
	binds->trees[BINDS_FIRST + binds->count++] = *tree;
	return 0;
}

static void cut_slash(char *path)
{
	size_t end = strlen(path);
	if (end > 1 && path[end - 1] == '/')
		path[end - 1] = 0;
}

int binds_add(struct binds *binds, const char *text, struct error *error)
{
	struct host_tree tree = {0};
	char *copy = strdup(text);
	if (!copy)
		return error_set(error, ENOMEM, "out of memory");
	size_t length = strlen(copy);
	if (length > 3 && !strcmp(copy + length - 3, ":ro")) {
		tree.read_only = true;
		copy[length - 3] = 0;
	}
	bool says_writable = length > 3 && !strcmp(copy + length - 3, ":rw");
	char *guest = cut_bind_text(copy);
	if (guest)
		cut_slash(guest);
	tree.host = copy;
	tree.guest = guest;
	int result = 0;
	if (!guest || !binds_is_guest_path(guest))
		result = error_set(error, EINVAL,
		                   "--bind '%.100s': give it as HOST:GUEST or HOST:GUEST:ro, GUEST an absolute path "
		                   "without . or ..",
		                   text);
	else if (says_writable)
		result =
			error_set(error, EINVAL,
		                  "--bind '%.100s': leave out :rw, because the program changes a copy in memory, never "
		                  "the host's files; to a path that ends in :rw, append a slash",
		                  text);
	else
		result = add_bind_tree(binds, &tree, false, text, error);
	if (result)
		free(copy);
	return result;
}

int binds_replace(struct binds *binds, const char *text, struct error *error)
{
	char *copy = strdup(text);
	if (!copy)
		return error_set(error, ENOMEM, "out of memory");
	char *host = strchr(copy, '=');
	if (host)
		*host++ = 0;
	cut_slash(copy);
	const struct host_tree tree = {.guest = copy, .host = host};
	int result = 0;
	if (!host || !*host || !binds_is_guest_path(copy))
		result = error_set(error, EINVAL,
		                   "--replace '%.100s': give it as GUEST=HOST, GUEST an absolute path without . or ..",
		                   text);
	else
		result = add_bind_tree(binds, &tree, true, text, error);
	if (result)
		free(copy);
	return result;
}

bool binds_replace_any(const struct binds *binds)
{
	for (unsigned i = 0; i < binds->count; i++)
		if (binds->replaces[BINDS_FIRST + i])
			return true;
	return false;
}

int binds_open(struct binds *binds, bool whole, struct host_files *files, struct error *error)
{
	unsigned first = BINDS_FIRST;
	if (whole && !host_part_is_empty(&binds->tmp))
		binds->trees[--first] = (struct host_tree){.host = BINDS_TMP, .guest = BINDS_TMP, .part = &binds->tmp};
	if (whole)
		binds->trees[--first] = (struct host_tree){.host = "/", .guest = "/"};
	return host_files_open(files, &binds->trees[first], BINDS_FIRST - first + binds->count, error);
}
