/* SPDX-License-Identifier: MIT */
#include "search/search_program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "session/command.h"
#include "session/environment.h"

/* The value of an option of the runs at *at, which then is at its last word; NULL: that is another option. */
static char *value_at(const struct search_option *option, int *at, const char *name, char letter)
{
	char *word = option->run[*at];
	const size_t bytes = strlen(name);
	const bool is_long = !strncmp(word, name, bytes), is_short = letter && word[0] == '-' && word[1] == letter;
	if (is_long && word[bytes] == '=')
		return word + bytes + 1;
	if (is_short && word[2])
		return word + 2;
	return (is_long && !word[bytes]) || is_short ? option->run[++*at] : NULL;
}

/* The guest's PATH, by which it finds the program, and the tree of --root, or NULL. */
static const char *find_places(const struct search_option *option, struct run_config *run)
{
	const char *root = NULL;
	bool has_defaults = true;
	struct error error;
	for (int at = 0; at < option->run_count; at++) {
		has_defaults &= strcmp(option->run[at], "--no-env") != 0;
		char *given = value_at(option, &at, "--env", 'e'), *setting = given ? text_of("%s", given) : NULL;
		if (setting && environment_set(run, setting, &error))
			die("search: %s", error.text);
		const char *tree = given ? NULL : value_at(option, &at, "--root", 0);
		root = tree ? tree : root;
	}
	if (has_defaults && environment_add_defaults(run))
		die("out of memory");
	return root;
}

/* Finds a word of the command line below the tree of --root, in path[]. Of an image, that is the image itself. */
static const char *file_below(const struct run_config *run, const char *root, const char *word, bool is_program,
                              char path[PATH_MAX])
{
	struct stat st;
	if (stat(root, &st) || !S_ISDIR(st.st_mode))
		return is_program && !stat(root, &st) && S_ISREG(st.st_mode) ? root : NULL;
	const bool is_searched = is_program && !strchr(word, '/');
	const char *at = is_searched ? environment_get(run, "PATH") : "";
	for (bool more = at; more; more = is_searched && *at) {
		const size_t bytes = strcspn(at, ":");
		if (snprintf(path, PATH_MAX, "%s/%.*s/%s", root, (int)bytes, at, word) < PATH_MAX && !stat(path, &st) &&
		    S_ISREG(st.st_mode))
			return path;
		at += bytes + (at[bytes] == ':');
	}
	return NULL;
}

const char *search_program_file(const struct search_option *option, unsigned index, char path[PATH_MAX])
{
	static struct run_config run;
	static const char *root;
	static bool is_known;
	static const struct binds binds;
	const char *word = option->program[index];
	struct stat st;
	if (!is_known)
		root = find_places(option, &run);
	is_known = true;
	if (root)
		return file_below(&run, root, word, !index, path);
	if (!index && command_is_searched(word) && command_find(&run, &binds, word, path))
		word = path;
	return stat(word, &st) || !S_ISREG(st.st_mode) ? NULL : word;
}

int search_program_add_contents(struct digest_sum *sum, int fd)
{
	static char piece[65536]; /* too large for a stack */
	ssize_t got;
	for (off_t at = 0; (got = pread(fd, piece, sizeof(piece), at)) > 0; at += got)
		digest_add(sum, piece, (size_t)got);
	return got < 0 ? -errno : 0;
}

void search_program_hash(const struct search_option *option, uint8_t to[DIGEST_BYTES])
{
	struct digest_sum sum;
	char path[PATH_MAX];
	digest_begin(&sum);
	for (int i = 0; i < option->program_count; i++) {
		const char *file = search_program_file(option, (unsigned)i, path);
		/* not to wait if a FIFO has taken its place */
		const int fd = file ? open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
		const int result = fd < 0 ? 0 : search_program_add_contents(&sum, fd);
		if (result)
			die("search: cannot read %s: %s", file, strerror(-result));
		if (fd >= 0)
			close(fd);
	}
	digest_end(&sum, to);
}

/* Writes a hash in hexadecimal digits, and a NUL. */
static void put_digits(const uint8_t digest[DIGEST_BYTES], char to[2 * DIGEST_BYTES + 1])
{
	for (unsigned i = 0; i < DIGEST_BYTES; i++)
		snprintf(to + 2 * (size_t)i, 3, "%02x", digest[i]);
}

/* The files of the program as they were when they were hashed. */
static struct stat *noted;

static void note_file(const struct search_option *option, unsigned index, struct stat *st)
{
	char path[PATH_MAX];
	const char *file = search_program_file(option, index, path);
	if (!file || stat(file, st))
		*st = (struct stat){0};
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

void search_program_note(struct search_option *option)
{
	uint8_t digest[DIGEST_BYTES];
	noted = memory_or_die(calloc((size_t)option->program_count, sizeof(*noted)));
	for (int i = 0; i < option->program_count; i++)
		note_file(option, (unsigned)i, &noted[i]);
	search_program_hash(option, digest);
	put_digits(digest, option->program_sha256);
}

const char *search_program_changed(const struct search_option *option)
{
	uint8_t digest[DIGEST_BYTES];
	char digits[sizeof(option->program_sha256)];
	const char *changed = NULL;
	for (int i = 0; noted && i < option->program_count && !changed; i++) {
		struct stat now;
		note_file(option, (unsigned)i, &now);
		changed = is_same_file(&now, &noted[i]) ? NULL : option->program[i];
	}
	if (!changed)
		return NULL;
	search_program_hash(option, digest); /* it may only have another name or time */
	put_digits(digest, digits);
	return strcmp(digits, option->program_sha256) ? changed : NULL;
}
