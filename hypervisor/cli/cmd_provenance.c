/* SPDX-License-Identifier: MIT */
/* `eremite provenance`: describes the runs of a sealed image for archives of research data, as an RO-Crate. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "base/directory.h"
#include "base/error.h"
#include "base/hold_stops.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "base/value.h"
#include "base/write_all.h"
#include "cli/cmd.h"
#include "cmdline/verb_option.h"
#include "library/json_out.h"
#include "option/verb_options.h"
#include "sealed/crate.h"

#define OUTPUT_BYTES_MAX (1UL << 40)
#define METADATA "ro-crate-metadata.json"

struct provenance_options {
	const char *dir;
	struct crate_given given;
};

OPTION_SETS(take_provenance_output, struct provenance_options, dir, text)

static void take_provenance_agent(struct provenance_options *options, char *text)
{
	if (!*text || !utf8_is(text))
		die("provenance: --agent needs a name in UTF-8");
	options->given.agent = text;
}

static void take_provenance_option(void *options, size_t row, char *text)
{
	static void (*const takes[])(struct provenance_options *, char *) = {PROVENANCE_OPTIONS(OPTION_TAKE)};
	takes[row](options, text);
}

/* When the crate is made: SOURCE_DATE_EPOCH (reproducible-builds.org), or now. */
static int64_t date(void)
{
	uint64_t seconds;
	const char *given = getenv("SOURCE_DATE_EPOCH");
	if (!given || !*given)
		return (int64_t)time(NULL);
	if (value_number(given, &seconds) || seconds > INT32_MAX * 64L)
		die("provenance: SOURCE_DATE_EPOCH is %s; give seconds since 1970, or unset it", given);
	return (int64_t)seconds;
}

/* Opens a new file below the directory, and makes the directories above it. */
static int create(int dir, const char *path)
{
	char above[PATH_MAX];
	for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
		snprintf(above, sizeof(above), "%.*s", (int)(slash - path), path);
		if (mkdirat(dir, above, 0755) && errno != EEXIST)
			return -errno;
	}
	int fd = openat(dir, path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	return fd < 0 ? -errno : fd;
}

static void write_output(const struct eri_image *image, const struct eri_step *step, const struct eri_output *output,
                         int dir)
{
	struct error error;
	char path[PATH_MAX];
	struct eri_block block;
	if (crate_path(step, output, path))
		die("%s is not a sound image: its manifest has a bad output", image->path);
	if (eri_image_see(image, output->stored, OUTPUT_BYTES_MAX, output->sha256, &block, &error))
		die("%s", error.text);
	int fd = create(dir, path), result = fd < 0 ? fd : write_all(fd, block.data, block.bytes, 0);
	if (fd >= 0 && close(fd) && !result)
		result = -errno;
	if (result)
		die("provenance: cannot write %s: %s", path, strerror(-result));
	free(block.copy);
}

/* The crate that is being written. */
static struct {
	const struct eri_image *image; /* NULL: none, or it is complete */
	const char *path;
	int dir;
	bool made; /* the directory is new */
} unfinished;

/* Removes a file of the crate, and the directories above it that are empty then. */
static void remove_path(int dir, char *path)
{
	char *slash;
	unlinkat(dir, path, 0);
	while ((slash = strrchr(path, '/'))) {
		*slash = 0;
		unlinkat(dir, path, AT_REMOVEDIR);
	}
}

/* Removes what was written: the directory was empty before. */
static void remove_unfinished(void)
{
	char path[PATH_MAX];
	const struct eri_image *image = unfinished.image;
	for (unsigned i = 0; image && i < image->manifest.step_count; i++) {
		const struct eri_step *step = &image->manifest.steps[i];
		for (unsigned k = 0; k < step->output_count; k++)
			if (!crate_path(step, &step->outputs[k], path))
				remove_path(unfinished.dir, path);
	}
	if (image)
		unlinkat(unfinished.dir, METADATA, 0);
	if (image && unfinished.made)
		rmdir(unfinished.path);
	unfinished.image = NULL;
}

/* Opens a new or empty directory. */
static int open_dir(const char *path)
{
	unfinished.made = !mkdir(path, 0755);
	if (!unfinished.made && errno != EEXIST)
		die("provenance: cannot make the directory %s: %s", path, strerror(errno));
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		die("provenance: cannot open the directory %s: %s", path, strerror(errno));
	if (!directory_is_empty(dir))
		die("provenance: %s is not empty; name a new or an empty directory", path);
	return dir;
}

static void write_crate(const struct eri_image *image, const cJSON *json, const char *path)
{
	struct error error;
	sigset_t before;
	hold_stops_begin(&before); /* until all is written, or removed again */
	int dir = open_dir(path);
	unfinished.image = image;
	unfinished.path = path;
	unfinished.dir = dir;
	atexit(remove_unfinished); /* of die */
	for (unsigned i = 0; i < image->manifest.step_count; i++) {
		const struct eri_step *step = &image->manifest.steps[i];
		for (unsigned k = 0; k < step->output_count && step->was_run && !hold_stops_came(); k++)
			if (*step->outputs[k].stored)
				write_output(image, step, &step->outputs[k], dir);
	}
	if (eri_image_check(image, &error))
		die("provenance: %s", error.text);
	int fd = create(dir, METADATA);
	FILE *to = fd < 0 ? NULL : fdopen(fd, "w");
	if (to && !json_out_print(to, json) && !fclose(to)) {
		if (hold_stops_came())
			remove_unfinished();
		unfinished.image = NULL;
		close(dir);
		hold_stops_end(&before);
		return;
	}
	const int reason = fd < 0 ? -fd : errno;
	die("provenance: cannot write %s/" METADATA ": %s", path, strerror(reason));
}

int cmd_provenance(int argc, char **argv)
{
	static const struct verb_line line = {
		.rows = option_table_provenance,
		.take = take_provenance_option,
		.most = 1,
		.too_many = "provenance: one image at a time; '%s' is a second one",
		.args_doc = "FILE.eri",
		.doc = "Describe the runs of a sealed image as a Process Run Crate (RO-Crate 1.1): print "
		       "ro-crate-metadata.json, or write a crate with the outputs.",
	};
	static struct eri_image image; /* too large for a stack */
	struct provenance_options options = {0};
	struct error error;
	char *path = NULL;
	verb_option_line(&line, argc, argv, &options, &path);
	if (!path)
		die("provenance: no image given; see 'eremite provenance --help'");
	options.given.date_s = date();
	if (eri_image_open(&image, path, &error))
		die("%s", error.text);
	cJSON *json = crate_make(&image, &options.given, &error);
	if (!json)
		die("%s", error.text);
	if (options.dir)
		write_crate(&image, json, options.dir);
	else
		memory_check(!json_out_print(stdout, json));
	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %s", strerror(errno));
	cjson.Delete(json);
	eri_image_close(&image);
	return 0;
}
