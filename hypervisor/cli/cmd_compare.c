/* SPDX-License-Identifier: MIT */
/* `eremite compare`: says how two runs differ, from what they left: their summaries (--summary=json:FILE), or their
 * events (--events-out=FILE). The runs may have been made on different hosts. */
#include <argp.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/die.h"
#include "base/error.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "cli/cmd.h"
#include "cmdline/verb_option.h"
#include "library/cjson.h"
#include "option/option_table.h"
#include "report/compare_events.h"

#define FILE_BYTES_MAX (1UL << 30)

/* What a run left. */
struct side {
	const char *path;
	uint8_t *bytes;
	size_t size;
	cJSON *summary; /* NULL: the file has events */
};

/* Members of a summary. Those of a run that ran are its inputs or its results; times of the host are neither. */
static const struct member {
	const char *path, *name;
} inputs[] =
	{
		{"eremite", "version of eremite"},
		{"image", "program"},
		{"seed", "--seed"},
		{"cpu", "--cpu"},
		{"cpus", "--cpus"},
		{"uptime", "--uptime"},
		{"file_times", "--file-times"},
		{"unknown_syscall", "--unknown-syscall"},
		{"root", "--root"},
		{"memory_bytes", "--memory"},
		{"clock", "--clock"},
		{"sched.option", "--sched"},
		{"sched.seed", "--sched-seed"},
		{"sealed.identity", "image"},
		{"sealed.step", "--step"},
		{"sealed.overrides", "options in place of the image's"},
		{"terminal", "--tty"},
},
  results[] = {
	  {"end", "end"},
	  {"status", "status"},
	  {"events", "number of events"},
	  {"virtual_ns", "virtual time, ns"},
	  {"memory_peak_bytes", "guest memory, bytes"},
	  {"digest_parts.events", "digest of the events"},
	  {"digest_parts.stdout", "digest of standard output"},
	  {"digest_parts.stderr", "digest of standard error"},
	  {"digest_parts.out", "digest of /out"},
	  {"digest_parts.files", "digest of the host's files that were read"},
	  {"digest_parts.memory", "digest of the memory"},
	  {"digest", "digest"},
};

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static void compare_read_side(struct side *side, const char *path)
{
	void *bytes;
	*side = (struct side){.path = path};
	const int error = whole_file_read(path, FILE_BYTES_MAX, &bytes, &side->size);
	if (error == -EINVAL || error == -EFBIG)
		die("compare: %s is neither a file of --summary=json:FILE nor one of --events-out=FILE", path);
	if (error)
		die("compare: cannot open %s: %s", path, strerror(-error));
	side->bytes = bytes;
	if (compare_events_is(side->bytes, side->size))
		return;
	side->summary = cjson.ParseWithLength((const char *)side->bytes, side->size);
	const cJSON *schema = cjson.GetObjectItemCaseSensitive(side->summary, "schema");
	if (!cjson.IsNumber(schema) || !cjson.GetObjectItemCaseSensitive(side->summary, "end"))
		die("compare: %s is neither a file of --summary=json:FILE nor one of --events-out=FILE", path);
	if (schema->valuedouble != 1)
		die("compare: %s was written by a newer eremite; compare by that one", path);
}

/* Returns a member as a text for a terminal; the caller frees it. */
static char *value_of(const cJSON *json, const char *path)
{
	char *copy = text_of("%s", path), *rest = copy, *name;
	while (json && (name = strsep(&rest, ".")))
		json = cjson.GetObjectItemCaseSensitive(json, name);
	free(copy);
	char *printed = json && !cjson.IsString(json) ? cjson.PrintUnformatted(json) : NULL;
	char *text = text_of("%s", !json ? "none" : printed ? printed : json->valuestring);
	cjson.free(printed);
	clean_text(text, strlen(text));
	return text;
}

/* Prints each member of a list that differs, below a heading. Returns whether one does. */
static bool compare_members(const struct side sides[2], const char *heading, const struct member *list, size_t count)
{
	bool differs = false;
	for (size_t i = 0; i < count; i++) {
		char *a = value_of(sides[0].summary, list[i].path), *b = value_of(sides[1].summary, list[i].path);
		if (strcmp(a, b)) {
			if (!differs)
				printf("%s differ:\n", heading);
			printf("  %s: %s in %s, %s in %s\n", list[i].name, a, sides[0].path, b, sides[1].path);
			differs = true;
		}
		free(a);
		free(b);
	}
	return differs;
}

static void print_hint(const struct side sides[2])
{
	char *a = value_of(sides[0].summary, "digest_parts.events"),
	     *b = value_of(sides[1].summary, "digest_parts.events");
	if (strcmp(a, b))
		puts("To find the first event that differs, run one again with --events-out=FILE, and the other, on "
		     "its host, "
		     "with --events=FILE.");
	free(a);
	free(b);
}

static int compare_summaries(const struct side sides[2])
{
	const bool inputs_differ = compare_members(sides, "The inputs", inputs, COUNT(inputs));
	if (compare_members(sides, "The results", results, COUNT(results))) {
		if (!inputs_differ)
			print_hint(sides);
		return 1;
	}
	char *digest = value_of(sides[0].summary, "digest");
	printf("the results are the same: digest %s\n", digest);
	free(digest);
	return inputs_differ;
}

static int compare_lists(const struct side sides[2])
{
	const struct compare_events a = {sides[0].path, sides[0].bytes, sides[0].size},
				    b = {sides[1].path, sides[1].bytes, sides[1].size};
	return compare_events(&a, &b);
}

int cmd_compare(int argc, char **argv)
{
	static const struct verb_line line = {
		.rows = option_table_none,
		.most = 2,
		.too_many = "compare: two files at a time; '%s' is a third one",
		.args_doc = "A B",
		.doc = "Say how two runs differ, also of different hosts: their inputs, their results, and the first "
		       "event "
		       "that differs. A and B are summaries, of 'eremite run --summary=json:FILE', or lists of events, "
		       "of "
		       "'eremite run --events-out=FILE'. The exit status is 0 if they do not differ, and 1 if they do.",
	};
	struct error error;
	char *paths[2] = {NULL, NULL};
	struct side sides[2];
	verb_option_line(&line, argc, argv, NULL, paths);
	if (!paths[1])
		die("compare: give two files; see 'eremite compare --help'");
	if (cjson_load(&error))
		die("%s", error.text);
	for (unsigned i = 0; i < 2; i++)
		compare_read_side(&sides[i], paths[i]);
	if (!sides[0].summary != !sides[1].summary)
		die("compare: %s is a summary, and %s a list of events; give two of one kind",
		    sides[!sides[0].summary].path, sides[!sides[1].summary].path);
	const int status = sides[0].summary ? compare_summaries(sides) : compare_lists(sides);
	for (unsigned i = 0; i < 2; i++) {
		cjson.Delete(sides[i].summary);
		free(sides[i].bytes);
	}
	return status;
}
