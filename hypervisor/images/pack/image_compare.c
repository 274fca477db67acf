/* SPDX-License-Identifier: MIT */
/* Outputs of both runs are sorted by kind and path, and then compared pair by pair. Contents are compared themselves,
 * and not by the SHA-256 of the manifest, so that the first byte that differs is known. */
#include "pack/image_compare.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/printable.h"
#include "cmdline/record_option.h"
#include "pack/run_outputs.h"
#include "run/event_log.h"

#define PIECE_BYTES (1UL << 16)
#define BEFORE_BYTES 24U  /* shown of a text before the byte that differs */
#define EXCERPT_BYTES 64U /* shown in all */
#define OUTPUT_BYTES_MAX (1UL << 40)
#define EVENTS_BYTES_MAX (1UL << 28)

const char *const image_compare_kinds[] = {
#define DIFFERENCE_NAME(name, text) text,
	DIFFERENCE_KINDS(DIFFERENCE_NAME)
#undef DIFFERENCE_NAME
};

/* --- texts --- */

static char *copy_difference_text(const char *text)
{
	return printable(text, strlen(text));
}

/* Adds a difference; texts may be NULL. */
static struct difference *append_difference(struct comparison *c, enum difference_kind kind, const char *name,
                                            const char *expected, const char *actual)
{
	memory_check(array_reserve(c->all, c->room, c->count + 1));
	c->all[c->count] = (struct difference){.kind = kind,
	                                       .name = copy_difference_text(name),
	                                       .expected = expected ? copy_difference_text(expected) : NULL,
	                                       .actual = actual ? copy_difference_text(actual) : NULL};
	return &c->all[c->count++];
}

void image_compare_fini(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->count; i++) {
		free(comparison->all[i].name);
		free(comparison->all[i].expected);
		free(comparison->all[i].actual);
	}
	free(comparison->all);
	comparison->all = NULL;
	comparison->count = comparison->room = 0;
}

/* --- the run --- */

static void compare_number(struct comparison *c, const char *name, uint64_t expected, uint64_t actual)
{
	char texts[2][32];
	snprintf(texts[0], sizeof(texts[0]), "%" PRIu64, expected);
	snprintf(texts[1], sizeof(texts[1]), "%" PRIu64, actual);
	if (expected != actual)
		append_difference(c, DIFFERENCE_VALUE, name, texts[0], texts[1]);
}

static const char *digest_part(const struct trace *trace, const char *name)
{
	for (unsigned i = 0; i < trace->part_count; i++)
		if (!strcmp(trace->parts[i].name, name))
			return trace->parts[i].sum;
	return "none";
}

/* Compares the digest, and lists its parts that differ. */
static void compare_digests(struct comparison *c)
{
	const struct eri_step *step = c->step;
	size_t at = 0;
	for (unsigned i = 0; i < step->part_count; i++) {
		const char *actual = digest_part(c->trace, step->parts[i].name);
		if (!strcmp(step->parts[i].sum, actual) || at >= sizeof(c->parts))
			continue;
		char *name = copy_difference_text(step->parts[i].name);
		at += (size_t)snprintf(c->parts + at, sizeof(c->parts) - at, "%s%s", at ? ", " : "", name);
		free(name);
	}
	if (strcmp(step->digest, c->trace->digest))
		append_difference(c, DIFFERENCE_VALUE, "digest", step->digest, c->trace->digest);
	else if (at) /* they are what the digest is made of */
		append_difference(c, DIFFERENCE_VALUE, "digest_parts", c->parts, NULL);
	else if (step->part_count != c->trace->part_count)
		compare_number(c, "digest_parts", step->part_count, c->trace->part_count);
}

/* Checks that the log of events is one. Its records name the first event that differs, and are not compared. */
static int check_events(struct comparison *c, struct error *error)
{
	char path[PATH_MAX];
	struct event_file_head head;
	struct eri_block block;
	if (!*c->step->events_sha256)
		return 0;
	eri_image_step_path(c->step, "events", path);
	int result = eri_image_see(c->image, path, EVENTS_BYTES_MAX, c->step->events_sha256, &block, error);
	if (result)
		return result;
	if (event_log_head(block.data, block.bytes, &head))
		append_difference(c, DIFFERENCE_VALUE, "log of events", "damaged", NULL);
	free(block.copy);
	return 0;
}

/* The first word that differs, as both sides have it. */
static void compare_words(struct comparison *c, const char *name, char *const *expected, size_t expected_count,
                          const char *const *actual, size_t actual_count)
{
	size_t i = 0;
	while (i < expected_count && i < actual_count &&
	       (!strcmp(expected[i], actual[i]) || record_option_is_completed(expected[i], actual[i])))
		i++;
	if (i < expected_count || i < actual_count)
		append_difference(c, DIFFERENCE_VALUE, name, i < expected_count ? expected[i] : "none",
		                  i < actual_count ? actual[i] : "none");
}

static bool has_option_word(const char *const *words, size_t count, const char *word)
{
	size_t i = 0;
	while (i < count && strcmp(words[i], word))
		i++;
	return i < count;
}

/* Compares the command line of a step that repeats a recording, which has one of its own. Other steps run by the line
 * in the manifest. */
static void compare_line(struct comparison *c)
{
	const struct eri_step *step = c->step;
	const struct trace *trace = c->trace;
	const char **options = memory_or_die(calloc(trace->option_count + 1, sizeof(*options)));
	size_t count = 0;
	for (size_t i = 0; i < trace->option_count; i++) /* as pack keeps them */
		if (eri_manifest_takes(trace->options[i]) &&
		    (has_option_word((const char *const *)step->options, step->option_count, trace->options[i]) ||
		     !record_option_is_completed(NULL, trace->options[i])))
			options[count++] = trace->options[i];
	compare_words(c, "option", step->options, step->option_count, options, count);
	compare_words(c, "argument", step->arguments, step->argument_count, trace->arguments, trace->argument_count);
	/* A later version may have more defaults. */
	for (unsigned i = 0; i < step->default_count; i++)
		if (!has_option_word(trace->defaults, trace->default_count, step->defaults[i]) &&
		    !has_option_word(trace->options, trace->option_count, step->defaults[i]))
			append_difference(c, DIFFERENCE_VALUE, "default", step->defaults[i], "none");
	free(options);
}

static void compare_run(struct comparison *c)
{
	const struct eri_step *step = c->step;
	const struct trace *trace = c->trace;
	char texts[2][64];
	snprintf(texts[0], sizeof(texts[0]), "%.40s %d", step->end, step->status);
	snprintf(texts[1], sizeof(texts[1]), "%.40s %d", trace->end, trace->status);
	if (strcmp(step->end, trace->end) || step->status != trace->status)
		append_difference(c, DIFFERENCE_VALUE, "end", texts[0], texts[1]);
	compare_number(c, "events", step->events, trace->events);
	compare_number(c, "virtual_ns", step->virtual_ns, trace->virtual_ns);
	compare_digests(c);
	if (*step->log_sha256)
		compare_line(c);
}

/* --- outputs --- */

/* The output as it is named to the user. */
static const char *output_name(const char *what, const char *path, char name[PATH_MAX])
{
	snprintf(name, PATH_MAX, "%s%s", !strcmp(what, "out") ? "/out" : !strcmp(what, "file") ? "" : what, path);
	return name;
}

/* Writes the contents of both runs below --keep. */
static int keep_difference(const struct comparison *c, const struct eri_output *expected,
                           const struct run_output *actual, struct error *error)
{
	char path[PATH_MAX], hex[STAGE_HEX_BYTES];
	struct eri_block block;
	int result = 0;
	if (expected && *expected->stored) {
		if (eri_image_see(c->image, expected->stored, OUTPUT_BYTES_MAX, NULL, &block, error))
			return -EUCLEAN;
		snprintf(path, sizeof(path), "%s/expected/%s%s", c->step->name, expected->what, expected->path);
		result = stage_text(c->keep, block.data, block.bytes, path, hex);
		free(block.copy);
	}
	int fd = actual && !result ? run_output_open(actual) : -1;
	if (fd >= 0) {
		snprintf(path, sizeof(path), "%s/actual/%s%s", c->step->name, actual->what, actual->path);
		result = stage_copy(c->keep, fd, actual->at, actual->bytes, path, 0644, hex);
		close(fd);
	}
	return result ? error_set(error, -result, "cannot keep %.160s: %s", path, strerror(-result)) : 0;
}

/* Describes contents that differ at an offset. */
static int describe_output(struct comparison *c, const char *name, const struct eri_block *block, int fd,
                           const struct run_output *actual, uint64_t offset, struct error *error)
{
	char text[EXCERPT_BYTES];
	struct difference *difference = append_difference(c, DIFFERENCE_CONTENTS, name, NULL, NULL);
	const uint64_t from = offset > BEFORE_BYTES ? offset - BEFORE_BYTES : 0;
	const uint64_t left = block->bytes - from;
	difference->offset = offset;
	difference->line = 1;
	for (uint64_t i = 0; i < offset; i++)
		difference->line += block->data[i] == '\n';
	difference->expected = printable(block->data + from, left < EXCERPT_BYTES ? left : EXCERPT_BYTES);
	ssize_t got = pread(fd, text, actual->bytes - from < EXCERPT_BYTES ? actual->bytes - from : EXCERPT_BYTES,
	                    (off_t)(actual->at + from));
	if (got < 0)
		return error_set(error, errno, "cannot read the output %.160s: %s", name, strerror(errno));
	difference->actual = printable(text, (size_t)got);
	return 0;
}

/* Finds the first byte that differs: the smaller size if one is the beginning of the other. Returns 1 if there is one,
 * 0, or a negative errno. */
static int find_byte(const struct eri_block *block, int fd, const struct run_output *actual, uint64_t *offset)
{
	static char piece[PIECE_BYTES]; /* too large for a stack */
	const uint64_t common = block->bytes < actual->bytes ? block->bytes : actual->bytes;
	for (uint64_t at = 0; at < common;) {
		size_t part = common - at < sizeof(piece) ? common - at : sizeof(piece);
		ssize_t got = pread(fd, piece, part, (off_t)(actual->at + at));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : -ENODATA;
		if (memcmp(piece, block->data + at, (size_t)got)) {
			size_t i = 0;
			while (piece[i] == block->data[at + i])
				i++;
			*offset = at + i;
			return 1;
		}
		at += (uint64_t)got;
	}
	*offset = common;
	return block->bytes != actual->bytes;
}

/* Compares contents. Returns 1 if they differ, 0, or a negative errno with one line in *error. */
static int compare_contents(struct comparison *c, const char *name, const struct eri_output *expected,
                            const struct run_output *actual, struct error *error)
{
	struct eri_block block;
	uint64_t offset = 0;
	int result = eri_image_see(c->image, expected->stored, OUTPUT_BYTES_MAX, expected->sha256, &block, error);
	if (result)
		return result;
	compare_number(c, name, expected->bytes, block.bytes);
	int fd = run_output_open(actual);
	result = fd < 0 ? fd : find_byte(&block, fd, actual, &offset);
	if (result < 0)
		error_set(error, -result, "cannot read the output %.160s: %s", name, strerror(-result));
	else if (result && describe_output(c, name, &block, fd, actual, offset, error))
		result = -EIO;
	if (fd >= 0)
		close(fd);
	free(block.copy);
	return result;
}

/* Compares an output that both runs left. */
static int compare_pair(struct comparison *c, const struct eri_output *expected, const struct run_output *actual,
                        struct error *error)
{
	char name[PATH_MAX], texts[2][32];
	const bool is_stored = *expected->stored;
	int result = 0;
	output_name(actual->what, actual->path, name);
	snprintf(texts[0], sizeof(texts[0]), expected->mode ? "%06o" : "removed", expected->mode);
	snprintf(texts[1], sizeof(texts[1]), actual->mode ? "%06o" : "removed", actual->mode);
	if (expected->mode != actual->mode)
		append_difference(c, DIFFERENCE_MODE, name, texts[0], texts[1]);
	if (strcmp(expected->target, actual->target))
		append_difference(c, DIFFERENCE_TARGET, name, expected->target, actual->target);
	if (is_stored && run_output_has_contents(actual))
		result = compare_contents(c, name, expected, actual, error);
	else if (is_stored != run_output_has_contents(actual) && expected->mode == actual->mode)
		result = append_difference(c, DIFFERENCE_MODE, name, is_stored ? "with contents" : "without contents",
		                           is_stored ? "without contents" : "with contents") != NULL;
	else if (!is_stored)
		compare_number(c, name, expected->bytes, actual->bytes);
	return result > 0 && c->keep ? keep_difference(c, expected, actual, error) : result < 0 ? result : 0;
}

/* Whether a path is below the working directory that one of the options gives. */
static bool is_below_workdir(char *const *options, unsigned count, const char *path)
{
	for (unsigned i = 0; i < count; i++) {
		const char *dir = options[i] + strlen("--workdir=");
		if (!strncmp(options[i], "--workdir=/tmp/", 15) && !strncmp(path, dir, strlen(dir)))
			return true;
	}
	return false;
}

/* Whether a change is in the guest's own /tmp, of which a packed run reports none. */
static bool is_own_tmp_output(const struct eri_step *step, const struct run_output *actual)
{
	return !strcmp(actual->what, "file") && !strncmp(actual->path, "/tmp/", 5) &&
	       !is_below_workdir(step->options, step->option_count, actual->path) &&
	       !is_below_workdir(step->defaults, step->default_count, actual->path);
}

/* Reports an output that only one of the runs left. */
static int report_single(struct comparison *c, const struct eri_output *expected, const struct run_output *actual,
                         struct error *error)
{
	char name[PATH_MAX];
	if (!expected && is_own_tmp_output(c->step, actual))
		return 0;
	output_name(expected ? expected->what : actual->what, expected ? expected->path : actual->path, name);
	append_difference(c, expected ? DIFFERENCE_MISSING : DIFFERENCE_NEW, name, NULL, NULL);
	return c->keep ? keep_difference(c, expected, actual, error) : 0;
}

static int by_difference_place(const void *a, const void *b)
{
	const struct eri_output *x = *(const struct eri_output *const *)a, *y = *(const struct eri_output *const *)b;
	int order = run_output_order(x->what, x->path, y->what, y->path);
	return order ? order : (x > y) - (x < y);
}

static int compare_outputs(struct comparison *c, const struct eri_output **expected, const struct run_outputs *actual,
                           struct error *error)
{
	int result = 0;
	for (size_t i = 0, j = 0; !result && (i < c->step->output_count || j < actual->count);) {
		const struct eri_output *x = i < c->step->output_count ? expected[i] : NULL;
		const struct run_output *y = j < actual->count ? &actual->all[j] : NULL;
		int order = !x ? 1 : !y ? -1 : run_output_order(x->what, x->path, y->what, y->path);
		if (!order)
			result = compare_pair(c, x, y, error);
		else
			result = report_single(c, order < 0 ? x : NULL, order < 0 ? NULL : y, error);
		i += order <= 0;
		j += order >= 0;
	}
	return result;
}

int image_compare(struct comparison *comparison, struct error *error)
{
	const struct eri_step *step = comparison->step;
	struct run_outputs actual;
	const struct eri_output **expected = calloc(step->output_count + 1UL, sizeof(*expected));
	if (!expected)
		return error_set(error, ENOMEM, "out of memory");
	for (unsigned i = 0; i < step->output_count; i++)
		expected[i] = &step->outputs[i];
	qsort(expected, step->output_count, sizeof(*expected), by_difference_place);
	compare_run(comparison);
	int result = check_events(comparison, error);
	if (result) {
		free(expected);
		return result;
	}
	result = run_outputs_list(&actual, comparison->trace, comparison->fds, comparison->out, error);
	if (!result)
		result = compare_outputs(comparison, expected, &actual, error);
	run_outputs_fini(&actual);
	free(expected);
	return result;
}
