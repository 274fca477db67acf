/* SPDX-License-Identifier: MIT */
/* `eremite extract`: writes the files of an EROFS image, which may be a stranger's, into a new or empty directory. */
#include "cli/cmd.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/directory.h"
#include "base/error.h"
#include "base/hold_stops.h"
#include "base/mapped_file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmdline/verb_option.h"
#include "verify/image_settle.h"
#include "eri/extract.h"
#include "library/lz4.h"
#include "sealed/extract_root.h"

struct extract_options {
	const char *image;
	const char *directory;
	const char *const *paths;
	size_t path_count;
};

/* Maps the image, until the process ends. */
static void open_image(const char *path, struct mapped_source *source, struct erofs_file *file)
{
	struct error error;
	int fd = source->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		image_settle(fd);
	if (fd < 0 || fstat(fd, &source->was))
		die("cannot open '%s': %s", path, strerror(errno));
	const struct stat *st = &source->was;
	if (!S_ISREG(st->st_mode))
		die("'%s' is not a regular file; give an image", path);
	void *data = NULL;
	int result = st->st_size ? mapped_file(fd, 0, (size_t)st->st_size, &data) : 0;
	if (result)
		die("cannot map '%s': %s", path, strerror(-result));
	source->data = data;
	if (erofs_file_open(file, data, (uint64_t)st->st_size, &error))
		die("%s cannot be read: %s", path, error.text);
}

/* Opens the directory; *made says whether it is new. */
static int open_directory(const char *path, bool *made)
{
	*made = !mkdir(path, 0700);
	if (!*made && errno != EEXIST)
		die("cannot make the directory '%s': %s", path, strerror(errno));
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		die("cannot open the directory '%s': %s", path, strerror(errno));
	if (!*made && !directory_is_empty(dir))
		die("the directory '%s' is not empty; name a new or empty one", path);
	return dir;
}

/* Whether a path leads to what belongs to the image itself. */
static bool names_own(const struct extract_options *options)
{
	for (size_t i = 0; i < options->path_count; i++) {
		const char *path = options->paths[i] + strspn(options->paths[i], "/");
		const size_t length = strlen(EXTRACT_PLAN_OWN);
		if (!strncmp(path, EXTRACT_PLAN_OWN, length) && (!path[length] || path[length] == '/'))
			return true;
	}
	return false;
}

static void say_extracted(const struct extract_options *options, const struct extract_plan *plan)
{
	unsigned long files = 0, directories = 0, links = 0;
	for (size_t i = 1; i < plan->count; i++) { /* item 0 is DIRECTORY itself */
		const mode_t mode = plan->items[i].node.mode;
		files += S_ISREG(mode);
		directories += S_ISDIR(mode);
		links += S_ISLNK(mode);
	}
	say("%s: wrote %lu file%s, %lu director%s and %lu symbolic link%s to %s", options->image, files, text_s(files),
	    directories, directories == 1 ? "y" : "ies", links, text_s(links), options->directory);
}

static void extract_image(const struct extract_options *options)
{
	struct mapped_source source;
	struct erofs_file file;
	struct extract_plan plan;
	struct error error;
	bool made;
	sigset_t before;
	open_image(options->image, &source, &file);
	if ((!names_own(options) && extract_root(&file, &error)) ||
	    extract_plan_make(&plan, &file, options->paths, options->path_count, &error))
		die("%s cannot be extracted: %s", options->image, error.text);
	if (plan.compressed && lz4_load(&error))
		die("%s", error.text);
	hold_stops_begin(&before); /* until all is written, or removed again */
	int dir = open_directory(options->directory, &made);
	if (extract(&plan, &source, dir, options->directory, made, &error)) {
		if (made)
			rmdir(options->directory);
		hold_stops_end(&before);
		die("%s cannot be extracted: %s", options->image, error.text);
	}
	hold_stops_end(&before);
	say_extracted(options, &plan);
	if (plan.special)
		say("%lu devices, FIFOs and sockets of %s are left out", plan.special, options->image);
	close(dir);
	extract_plan_fini(&plan);
}

int cmd_extract(int argc, char **argv)
{
	static const struct verb_line line = {
		.rows = option_table_none,
		.most = UINT_MAX,
		.args_doc = "FILE DIRECTORY [PATH...]",
		.doc = "Write the files of the EROFS image FILE into DIRECTORY, which is new or empty: all but "
		       "/.eremite, or those with the given paths in the image and what is below them. "
		       "Of an image whose program sees a root file system of its own, these are its files. "
		       "If something goes wrong, nothing is left behind.",
	};
	char **words = memory_or_die(calloc((size_t)argc + 1, sizeof(*words)));
	verb_option_line(&line, argc, argv, NULL, words);
	if (!words[0])
		die("extract: no image given; see 'eremite extract --help'");
	if (!words[1])
		die("extract: no directory given; name a new or empty one after '%s'", words[0]);
	struct extract_options options = {words[0], words[1], (const char *const *)words + 2, 0};
	while (options.paths[options.path_count])
		options.path_count++;
	extract_image(&options);
	free(words);
	return 0;
}
