/* SPDX-License-Identifier: MIT */
/* `eremite diff`: says how two sealed images differ: packages, then files of no package, then the rest. Each image
 * becomes a sorted list of items, a key and a value; the lists are merged. All text is an image's and may be hostile.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/die.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cli/cmd.h"
#include "cmdline/verb_option.h"
#include "verify/diff_code.h"
#include "sealed/diff_packages.h"
#include "sealed/image_text.h"
#include "eri/erofs_walk.h"
#include "option/verb_options.h"
#include "pack/code_compare.h"

#define FUNCTIONS_PRINTED 20U /* of a file */
#define CODE_BYTES_MAX (1UL << 31)

/* Sections of an image or a step, in the order in which they are printed. */
enum section { ABOUT, STEP, EXTERNAL, PROGRAM, OPTION, TREE, INPUT, RESULT, OUTPUT, NAME };

struct item {
	const char *step; /* name of the step; empty: about the image */
	enum section section;
	size_t order; /* keeps equal keys in the order of the image */
	char *key;
	char *value;   /* parts, each but the last ended by a newline */
	char *content; /* path in the image of the contents of a file, or NULL */
};

/* An image and its list. */
struct side {
	struct eri_image image;
	struct item *items;
	size_t count, room;
	const struct eri_step *step; /* whose items are added; NULL: the image's */
};

static struct side sides[2];
static bool differs, is_verbose;

/* Adds an item without its value. */
__attribute__((format(printf, 3, 4))) static struct item *add(struct side *side, enum section section, const char *fmt,
                                                              ...)
{
	va_list arguments;
	memory_check(array_reserve(side->items, side->room, side->count + 1));
	struct item *item = &side->items[side->count];
	va_start(arguments, fmt);
	*item = (struct item){.step = side->step ? side->step->name : "",
	                      .section = section,
	                      .order = side->count,
	                      .key = text_of_list(fmt, arguments)};
	va_end(arguments);
	side->count++;
	return item;
}

/* --- the list of an image --- */

static void add_image(struct side *side)
{
	const struct eri_manifest *manifest = &side->image.manifest;
	add(side, ABOUT, "identity")->value = text_copy(side->image.identity);
	add(side, ABOUT, "made by eremite")->value = text_copy(manifest->version);
	add(side, ABOUT, "commit")->value = text_copy(*manifest->commit ? manifest->commit : "unknown");
	add(side, ABOUT, "contract")->value = text_of("version %" PRIu64 "\ndigests of definition %" PRIu64,
	                                              manifest->contract, manifest->definition);
	add(side, ABOUT, "made on")->value = text_of("%s\n%s", manifest->host_processor, manifest->host_vendor);
	add(side, ABOUT, "engine")->value = text_copy(manifest->engine);
	add(side, ABOUT, "processor")->value = text_of("model %s\nfeatures %s", manifest->cpu, manifest->cpu_features);
	add(side, ABOUT, "memory")->value = text_of("%" PRIu64 " bytes", manifest->memory_bytes);
	for (unsigned i = 0; i < manifest->step_count; i++)
		add(side, STEP, "step %s", manifest->steps[i].name)->value = text_of("number %u", i + 1);
	for (unsigned i = 0; i < manifest->external_count; i++) {
		const struct eri_external *external = &manifest->externals[i];
		add(side, EXTERNAL, "--data must have %s", external->path)->value =
			text_of("%" PRIu64 " bytes\nSHA-256 %s", external->bytes, external->sha256);
	}
}

/* Adds an option: its name, and its value. The name of a variable belongs to the name of --env. */
static void add_option(struct side *side, const char *option)
{
	const char *end = strchr(option, '=');
	if (end && !strncmp(option, "--env=", 6))
		end = strchr(end + 1, '=');
	int length = (int)(end ? (size_t)(end - option) : strlen(option));
	add(side, OPTION, "option %.*s", length, option)->value = text_copy(end ? end + 1 : "");
}

static void add_output(struct side *side, const struct eri_output *output)
{
	const char *slash = !strcmp(output->what, "out") ? "/out" : "";
	struct item *item = add(side, OUTPUT, "output %s%s", slash, *output->path ? output->path : output->what);
	if (!output->mode)
		item->value = text_copy("removed");
	else if (*output->target)
		item->value = text_of("a link to %s", output->target);
	else
		item->value = text_of("mode %o\n%" PRIu64 " bytes%s%s", output->mode, output->bytes,
		                      *output->sha256 ? "\nSHA-256 " : "", output->sha256);
}

/* Adds a file of the step in /.eremite, whose SHA-256 the manifest does not have. */
static void add_own(struct side *side, const char *file, const char *key)
{
	struct error error;
	char path[PATH_MAX], hex[2 * DIGEST_BYTES + 1];
	eri_image_step_path(side->step, file, path);
	if (image_text_hash(&side->image, path, hex, &error))
		die("%s", error.text);
	add(side, INPUT, "%s", key)->value = text_of("SHA-256 %s", hex);
}

static int add_recorded(void *context, const char *path, const struct erofs_node *node)
{
	struct side *side = context;
	struct error error;
	char hex[2 * DIGEST_BYTES + 1];
	if (!S_ISREG(node->mode))
		return 0;
	if (image_text_hash(&side->image, path, hex, &error))
		die("%s", error.text);
	add(side, INPUT, "recording %s", strrchr(path, '/') + 1)->value =
		text_of("%" PRIu64 " bytes\nSHA-256 %s", node->size, hex);
	return 0;
}

static void add_recording(struct side *side)
{
	char path[PATH_MAX];
	eri_image_step_path(side->step, ERI_STEP_RECORDING, path);
	int error = erofs_walk(&side->image.files, path, add_recorded, side);
	if (error)
		die("%s is not a sound image: cannot read its recording: %s", side->image.path, strerror(-error));
}

static void add_result(struct side *side)
{
	const struct eri_step *step = side->step;
	add(side, RESULT, "end")->value = text_of("%s %d", step->end, step->status);
	if (!step->was_run)
		return;
	add(side, RESULT, "virtual time")->value = text_of("%" PRIu64 " ns", step->virtual_ns);
	add(side, RESULT, "events")->value = text_of("%" PRIu64, step->events);
	add(side, RESULT, "digest")->value = text_copy(step->digest);
	for (unsigned i = 0; i < step->part_count; i++)
		add(side, RESULT, "digest of %s", step->parts[i].name)->value = text_copy(step->parts[i].sum);
	if (*step->events_sha256)
		add(side, RESULT, "log of events")->value = text_of("SHA-256 %s", step->events_sha256);
	for (unsigned i = 0; i < step->output_count; i++)
		add_output(side, &step->outputs[i]);
}

static void add_name(struct side *side, unsigned tree, const char *below, const struct eri_name *name)
{
	static char path[IMAGE_TEXT_PATH]; /* too large for a stack */
	char hash[DIGEST_TEXT_BYTES];
	image_text_path(side->step, tree, below, path);
	struct item *item = add(side, NAME, "%s", path);
	if (name->kind == ERI_NONE) {
		item->value = text_copy(eri_kind_names[ERI_NONE]);
		return;
	}
	digest_text(name->hash, hash);
	item->value = text_of("%s\nmode %o\n%" PRIu64 " bytes\nmodified at %" PRId64 " ns\n%s%s\n%s%.*s",
	                      eri_kind_names[name->kind], name->mode, name->size, name->mtime_ns,
	                      name->has_hash ? "SHA-256 " : "no SHA-256", name->has_hash ? strchr(hash, ':') + 1 : "",
	                      name->detail_bytes ? "detail " : "no detail",
	                      (int)(name->detail_bytes < PATH_MAX ? name->detail_bytes : PATH_MAX), name->detail);
	if (name->kind == ERI_STORED)
		item->content = text_of(ERI_FILES "/%s", strchr(hash, ':') + 1);
	else if (name->kind == ERI_FILE)
		item->content = text_copy(path + 1);
}

static void add_names(struct side *side)
{
	static char path[PATH_MAX]; /* too large for a stack */
	struct eri_names names;
	struct eri_block block;
	struct eri_name name;
	struct error error;
	unsigned tree;
	size_t at = 0;
	int more;
	if (!*side->step->names_sha256)
		return;
	if (image_text_names(&side->image, side->step, &block, &names, &error))
		die("%s", error.text);
	while ((more = eri_names_line(&names, &at, &tree, path, &name)) > 0)
		add_name(side, tree, path, &name);
	if (more < 0)
		die("%s is not a sound image: its table of names is damaged", side->image.path);
	free(block.copy);
}

static void add_step(struct side *side, const struct eri_step *step)
{
	side->step = step;
	add(side, PROGRAM, "program")->value = image_text_words(step->arguments, step->argument_count);
	add(side, PROGRAM, "kind of program")->value = text_copy(step->is_linux ? "linux" : "native");
	struct item *kernel = add(side, PROGRAM, "kernel");
	kernel->value = text_of("SHA-256 %s", step->kernel_sha256);
	if (step->is_linux)
		kernel->content = text_copy(ERI_KERNEL);
	else
		kernel->content = text_of(ERI_STEPS "/%s/" ERI_STEP_KERNEL, step->name);
	for (unsigned i = 0; i < step->option_count; i++)
		add_option(side, step->options[i]);
	for (unsigned i = 0; i < step->default_count; i++) /* inputs, too: it does not count who gave them */
		add_option(side, step->defaults[i]);
	for (unsigned i = 0; i < step->tree_count; i++)
		add(side, TREE, "tree %s", step->trees[i].guest)->value =
			text_copy(step->trees[i].read_only ? "read-only" : "read-write");
	if (*step->root_sha256)
		add(side, INPUT, "root")->value = text_of("SHA-256 %s", step->root_sha256);
	if (*step->stdin_sha256)
		add_own(side, ERI_STEP_STDIN, "standard input");
	if (*step->schedule_sha256)
		add_own(side, ERI_STEP_SCHEDULE, "schedule");
	if (*step->log_sha256)
		add_recording(side);
	add_result(side);
	add_names(side);
	side->step = NULL;
}

static int compare(const struct item *a, const struct item *b)
{
	int order = strcmp(a->step, b->step);
	if (!order)
		order = (a->section > b->section) - (a->section < b->section);
	return order ? order : strcmp(a->key, b->key);
}

static int by_key(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	int order = compare(x, y);
	return order ? order : (x->order > y->order) - (x->order < y->order);
}

static void open_side(struct side *side, const char *path)
{
	struct error error;
	if (eri_image_open(&side->image, path, &error))
		die("%s", error.text);
	add_image(side);
	for (unsigned i = 0; i < side->image.manifest.step_count; i++)
		add_step(side, &side->image.manifest.steps[i]);
	qsort(side->items, side->count, sizeof(*side->items), by_key);
}

/* --- the difference --- */

static void print_line(char sign, const char *line)
{
	if (!differs) {
		image_text_print(stdout, "--- %s", sides[0].image.path);
		image_text_print(stdout, "+++ %s", sides[1].image.path);
	}
	differs = true;
	image_text_print(stdout, "%c %s", sign, line);
}

static void print(char sign, const struct item *item, const char *value)
{
	char *line = text_of("%s%s%s%s%s%s", *item->step ? "step " : "", item->step, *item->step ? ": " : "", item->key,
	                     *value ? ": " : "", value);
	print_line(sign, line);
	free(line);
}

/* Prints an item that only one image has, unless the whole step is missing in the other one. */
static void print_only(unsigned side, const struct item *item)
{
	if (*item->step && !eri_image_step(&sides[!side].image, item->step))
		return;
	for (char *at = item->value; (at = strchr(at, '\n')); at++)
		*at = ' ';
	print(side ? '+' : '-', item, item->value);
}

static size_t count_parts(const char *value)
{
	size_t count = 1;
	for (; (value = strchr(value, '\n')); value++)
		count++;
	return count;
}

/* Prints two values: only the parts that differ, if both have as many. */
static void print_change(const struct item *a, const struct item *b)
{
	const bool alike = count_parts(a->value) == count_parts(b->value);
	const char *from = a->value, *to = b->value;
	struct text_made made;
	FILE *out = text_open(&made);
	for (const char *before = "";;) {
		size_t x = alike ? strcspn(from, "\n") : strlen(from), y = alike ? strcspn(to, "\n") : strlen(to);
		if (x != y || memcmp(from, to, x)) {
			fprintf(out, "%s%.*s -> %.*s", before, (int)x, from, (int)y, to);
			before = ", ";
		}
		if (!from[x])
			break;
		from += x + 1;
		to += y + 1;
	}
	char *text = text_close(&made);
	print('~', a, text);
	free(text);
}

/* --- code --- */

/* Prints how a function differs, and counts. */
static void print_function(void *context, const struct code_difference *difference)
{
	static const char signs[] = {[CODE_ONLY_FIRST] = '-', [CODE_ONLY_SECOND] = '+', [CODE_DIFFERS] = '~'};
	const char *const *texts = (const char *const[]){difference->texts[0], difference->texts[1]};
	unsigned *count = context;
	if (++*count > FUNCTIONS_PRINTED)
		return;
	if (difference->kind != CODE_DIFFERS)
		image_text_print(stdout, "    %c function %.200s", signs[difference->kind], difference->name);
	else
		image_text_print(stdout, "    ~ function %.200s: first at +0x%" PRIx64 ": %s -> %s", difference->name,
		                 difference->offset, *texts[0] ? texts[0] : "its end",
		                 *texts[1] ? texts[1] : "its end");
}

/* Prints which functions of a program differ, below the line of its file. Contents that are no code, or cannot be read,
 * have no lines. */
static void print_functions(const struct item *a, const struct item *b)
{
	const struct item *const items[2] = {a, b};
	struct eri_block blocks[2] = {{0}, {0}};
	struct error error;
	unsigned count = 0;
	bool loaded = true;
	if (!a->content || !b->content)
		return;
	for (unsigned i = 0; i < 2 && loaded; i++)
		loaded = !eri_image_load(&sides[i].image, items[i]->content, CODE_BYTES_MAX, NULL, &blocks[i], &error);
	const uint8_t *const files[2] = {(const uint8_t *)blocks[0].data, (const uint8_t *)blocks[1].data};
	const uint64_t bytes[2] = {blocks[0].bytes, blocks[1].bytes};
	if (loaded && code_compare(files, bytes, print_function, &count, &error) < 0)
		image_text_print(stdout, "    cannot compare the functions: %s", error.text);
	if (count > FUNCTIONS_PRINTED)
		image_text_print(stdout, "    and %u more functions", count - FUNCTIONS_PRINTED);
	free(blocks[0].copy);
	free(blocks[1].copy);
}

static void print_changes(const struct item *a, const struct item *b)
{
	print_change(a, b);
	print_functions(a, b);
}

/* Calls `take` with each pair of items that differ; one of them is NULL if only one image has it. */
static void merge_lists(void (*take)(const struct item *a, const struct item *b))
{
	size_t at[2] = {0, 0};
	while (at[0] < sides[0].count || at[1] < sides[1].count) {
		const struct item *a = &sides[0].items[at[0]], *b = &sides[1].items[at[1]];
		int order = at[0] == sides[0].count ? 1 : at[1] == sides[1].count ? -1 : compare(a, b);
		if (order || strcmp(a->value, b->value))
			take(order > 0 ? NULL : a, order < 0 ? NULL : b);
		at[0] += order <= 0;
		at[1] += order >= 0;
	}
}

static void print_pair(const struct item *a, const struct item *b)
{
	if (a && b)
		print_changes(a, b);
	else
		print_only(!a, a ? a : b);
}

/* Whether both images have the step of an item. A step that one of them lacks has one line. */
static bool is_in_both(const struct item *item)
{
	return eri_image_step(&sides[0].image, item->step) && eri_image_step(&sides[1].image, item->step);
}

/* Counts a file of a package. */
static void count_file(const struct item *a, const struct item *b)
{
	const struct item *any = a ? a : b;
	if (any->section == NAME && is_in_both(any))
		diff_packages_count(any->key, (const bool[2]){a, b});
}

static uint64_t missing_names[2]; /* that did not exist, and only the run of one image looked for */

/* Prints a name, unless its package has a line. */
static void print_name(const struct item *a, const struct item *b)
{
	const struct item *any = a ? a : b;
	if (any->section != NAME || (!is_verbose && diff_packages_has(any->key)))
		return;
	if (!is_verbose && (!a || !b) && !strcmp(any->value, eri_kind_names[ERI_NONE]))
		missing_names[!a] += is_in_both(any);
	else
		print_pair(a, b);
}

static void print_missing_names(void)
{
	for (unsigned i = 0; i < 2; i++) {
		char *line = text_of("names that did not exist: %" PRIu64 " more; -v lists them", missing_names[i]);
		if (missing_names[i])
			print_line(i ? '+' : '-', line);
		free(line);
	}
}

static void print_other(const struct item *a, const struct item *b)
{
	if ((a ? a : b)->section != NAME)
		print_pair(a, b);
}

static void take_diff_verbose(void)
{
	is_verbose = true;
}

static void take_diff_option(void *, size_t row, char *)
{
	static void (*const takes[])(void) = {DIFF_OPTIONS(OPTION_TAKE)};
	takes[row]();
}

int cmd_diff(int argc, char **argv)
{
	static const struct verb_line line = {
		.rows = option_table_diff,
		.take = take_diff_option,
		.most = 2,
		.too_many = "diff: two images at a time; '%s' is a third one",
		.args_doc = "A.eri B.eri",
		.doc = "Say how two sealed images differ: packages, other files and functions of programs, options, "
		       "arguments, outputs, digests. A line that "
		       "begins with - is about A, with + about B, with ~ about both. The exit status is 0 if they "
		       "do not differ, and 1 if they do.",
	};
	char *paths[2] = {NULL, NULL};
	struct error error;
	verb_option_line(&line, argc, argv, NULL, paths);
	if (!paths[1])
		die("diff: give two images; see 'eremite diff --help'");
	open_side(&sides[0], paths[0]);
	open_side(&sides[1], paths[1]);
	if (diff_packages_open(&sides[0].image, &sides[1].image, &error))
		die("%s", error.text);
	merge_lists(count_file);
	diff_packages_print(print_line);
	merge_lists(print_name);
	print_missing_names();
	merge_lists(print_other);
	for (unsigned i = 0; i < sides[0].image.manifest.step_count; i++)
		diff_code_print(&sides[0].image, &sides[1].image, sides[0].image.manifest.steps[i].name, print_line);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %s", strerror(errno));
	return differs;
}
