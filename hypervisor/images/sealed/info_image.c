/* SPDX-License-Identifier: MIT */
#include "sealed/info_image.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"
#include "eri/eri_packages.h"
#include "eri/erofs_walk.h"
#include "library/json_out.h"
#include "sealed/image_text.h"

/* Regular files in the image. */
struct counts {
	uint64_t files, bytes;
	bool is_compressed;
};

static int count_node(void *context, const char *, const struct erofs_node *node)
{
	struct counts *counts = context;
	if (S_ISREG(node->mode)) {
		counts->files++;
		counts->bytes += node->size;
		counts->is_compressed = counts->is_compressed || node->layout == EROFS_FILE_COMPRESSED;
	}
	return 0;
}

static void print_output(FILE *to, const struct eri_output *output)
{
	const char *slash = !strcmp(output->what, "out") ? "/out" : "";
	const char *name = *output->path ? output->path : output->what;
	if (!output->mode)
		image_text_print(to, "  removed       %s%s", slash, name);
	else if (S_ISLNK(output->mode))
		image_text_print(to, "  output        %s%s, a link to %s", slash, name, output->target);
	else if (*output->stored)
		image_text_print(to, "  output        %s%s, %" PRIu64 " bytes, SHA-256 %s", slash, name, output->bytes,
		                 output->sha256);
	else
		image_text_print(to, "  output        %s%s, %s", slash, name,
		                 S_ISDIR(output->mode) ? "a directory" : "not a regular file");
}

/* Prints how many names of each kind a step knows. */
static int print_names(FILE *to, const struct eri_image *image, const struct eri_step *step, struct error *error)
{
	struct eri_names names;
	struct eri_block block;
	struct eri_name name;
	uint64_t counts[ERI_KINDS] = {0}, all = 0;
	char path[PATH_MAX], line[512];
	unsigned tree;
	size_t at = 0, used = 0;
	if (!*step->names_sha256)
		return 0;
	int result = image_text_names(image, step, &block, &names, error), more = 0;
	if (result)
		return result;
	while ((more = eri_names_line(&names, &at, &tree, path, &name)) > 0) {
		counts[name.kind]++;
		all++;
	}
	free(block.copy);
	if (more < 0)
		return error_set(error, -more, "%.100s is not a sound image: its table of names is damaged",
		                 image->path);
	*line = 0;
	for (unsigned i = 0; i < ERI_KINDS; i++)
		if (counts[i])
			used += (size_t)snprintf(line + used, sizeof(line) - used, "%s%" PRIu64 " %s", used ? ", " : "",
			                         counts[i], eri_kind_names[i]);
	image_text_print(to, "  names         %" PRIu64 "%s%s", all, all ? ": " : "", line);
	return 0;
}

static int print_step(FILE *to, const struct eri_image *image, const struct eri_step *step, struct error *error)
{
	char *options = image_text_words(step->options, step->option_count);
	char *defaults = image_text_words(step->defaults, step->default_count);
	char *arguments = image_text_words(step->arguments, step->argument_count);
	image_text_print(to, "step %s", step->name);
	image_text_print(to, "  program       %s (%s)", arguments,
	                 step->is_linux ? "a Linux program" : "a native image");
	image_text_print(to, "  options       %s", *options ? options : "none");
	image_text_print(to, "  defaults      %s", *defaults ? defaults : "none");
	free(options);
	free(defaults);
	free(arguments);
	for (unsigned i = 0; i < step->tree_count; i++)
		image_text_print(to, "  tree          %s%s", step->trees[i].guest,
		                 step->trees[i].read_only ? ", read-only" : "");
	int result = print_names(to, image, step, error);
	if (*step->root_sha256)
		image_text_print(to, "  root          SHA-256 %s", step->root_sha256);
	image_text_print(to, "  kernel        SHA-256 %s", step->kernel_sha256);
	image_text_print(to, "  input         %s", *step->stdin_sha256 ? "standard input is in the image" : "none");
	if (*step->schedule_sha256)
		image_text_print(to, "  schedule      in the image");
	if (*step->log_sha256)
		image_text_print(to, "  recording     in the image");
	if (!step->was_run) {
		image_text_print(to, "  end           not run: the image has no digest and no outputs");
		return result;
	}
	image_text_print(
		to, "  end           %s %d after %" PRIu64 ".%09" PRIu64 " s of virtual time, %" PRIu64 " events",
		step->end, step->status, step->virtual_ns / 1000000000, step->virtual_ns % 1000000000, step->events);
	image_text_print(to, "  digest        %s", step->digest);
	for (unsigned i = 0; i < step->output_count; i++)
		print_output(to, &step->outputs[i]);
	return result;
}

static int print_packages(FILE *to, const struct eri_image *image, struct error *error)
{
	struct eri_packages packages;
	int result = eri_packages_open(&packages, image, error);
	for (size_t i = 0; i < packages.count && !result; i++) {
		const struct eri_package *package = &packages.all[i];
		image_text_print(to, "package         %s %s (%s), %" PRIu64 " %s", package->name,
		                 *package->version ? package->version : "of an unknown version", package->architecture,
		                 package->files, package->files == 1 ? "file" : "files");
	}
	eri_packages_fini(&packages);
	return result;
}

static int print_image_text(FILE *to, const struct eri_image *image, const struct counts *counts, struct error *error)
{
	const struct eri_manifest *manifest = &image->manifest;
	int result = 0;
	image_text_print(to, "%s: sealed image, schema %u, made by eremite %s, %s%s", image->path, manifest->schema,
	                 manifest->version, *manifest->commit ? "commit " : "no commit", manifest->commit);
	image_text_print(to, "identity        %s", image->identity);
	image_text_print(
		to, "contents        %" PRIu64 " file%s with %" PRIu64 " bytes, %s; the image has %" PRIu64 " bytes",
		counts->files, text_s(counts->files), counts->bytes,
		counts->is_compressed ? "compressed" : "not compressed", image->bytes);
	image_text_print(to, "contract        version %" PRIu64 "; digests of definition %" PRIu64, manifest->contract,
	                 manifest->definition);
	image_text_print(to, "made on         %s (%s)",
	                 *manifest->host_processor ? manifest->host_processor : "an unknown processor",
	                 *manifest->host_vendor ? manifest->host_vendor : "unknown vendor");
	image_text_print(to, "engine          %s", manifest->engine);
	image_text_print(to, "processor       model %s; the host needs: %s", manifest->cpu,
	                 *manifest->cpu_features ? manifest->cpu_features : "nothing special");
	image_text_print(to, "memory          %" PRIu64 " bytes", manifest->memory_bytes);
	if (!manifest->external_count)
		image_text_print(to, "--data          not needed: the image has everything");
	for (unsigned i = 0; i < manifest->external_count; i++)
		image_text_print(to, "--data          must have %s, %" PRIu64 " bytes, SHA-256 %s",
		                 manifest->externals[i].path, manifest->externals[i].bytes,
		                 manifest->externals[i].sha256);
	result = print_packages(to, image, error);
	for (unsigned i = 0; i < manifest->step_count && !result; i++)
		result = print_step(to, image, &manifest->steps[i], error);
	return result;
}

/* Appends a name of a table. */
static void add_info_name(cJSON *array, const struct eri_step *step, const char *path, const struct eri_name *name)
{
	static char target[PATH_MAX]; /* too large for a stack */
	char hash[DIGEST_TEXT_BYTES];
	cJSON *json = json_out_append(array);
	digest_text(name->hash, hash);
	cjson.AddStringToObject(json, "step", step->name);
	cjson.AddStringToObject(json, "path", path);
	cjson.AddStringToObject(json, "kind", eri_kind_names[name->kind]);
	if (name->has_hash)
		cjson.AddStringToObject(json, "sha256", strchr(hash, ':') + 1);
	else
		cjson.AddNullToObject(json, "sha256");
	if (S_ISREG(name->mode))
		cjson.AddNumberToObject(json, "bytes", (double)name->size);
	else
		cjson.AddNullToObject(json, "bytes");
	if (name->kind == ERI_LINK && eri_names_text(name->detail, name->detail_bytes, target, sizeof(target)) >= 0)
		cjson.AddStringToObject(json, "target", target);
	else
		cjson.AddNullToObject(json, "target");
	if (name->kind == ERI_DIRECTORY)
		cjson.AddBoolToObject(json, "listing", true);
}

/* Appends all names that a step knows: also those that it has only seen in a directory that it listed. */
static int add_info_names(cJSON *array, const struct eri_image *image, const struct eri_step *step, struct error *error)
{
	static char below[PATH_MAX], path[IMAGE_TEXT_PATH]; /* too large for a stack */
	struct eri_names names;
	struct eri_block block;
	struct eri_name name;
	unsigned tree;
	size_t at = 0;
	if (!*step->names_sha256)
		return 0;
	int result = image_text_names(image, step, &block, &names, error), more = 0;
	if (result)
		return result;
	while ((more = eri_names_line(&names, &at, &tree, below, &name)) > 0) {
		image_text_path(step, tree, below, path);
		add_info_name(array, step, path, &name);
	}
	free(block.copy);
	return more < 0 ? error_set(error, -more, "%.100s is not a sound image: its table of names is damaged",
	                            image->path)
	                : 0;
}

/* Appends the packages, each with its files. */
static int add_info_packages(cJSON *array, const struct eri_image *image, struct error *error)
{
	struct eri_packages packages;
	int result = eri_packages_open(&packages, image, error);
	cJSON **files = result ? NULL : calloc(packages.count + 1, sizeof(*files));
	if (!result && !files)
		result = error_set(error, ENOMEM, "out of memory");
	for (size_t i = 0; i < packages.count && !result; i++) {
		cJSON *json = json_out_append(array);
		cjson.AddStringToObject(json, "name", packages.all[i].name);
		cjson.AddStringToObject(json, "version", packages.all[i].version);
		cjson.AddStringToObject(json, "architecture", packages.all[i].architecture);
		files[i] = cjson.AddArrayToObject(json, "files");
	}
	for (size_t i = 0; i < packages.file_count && !result; i++)
		cjson.AddItemToArray(files[packages.files[i].index], cjson.CreateString(packages.files[i].path));
	free(files);
	eri_packages_fini(&packages);
	return result;
}

/* The manifest as it is, and beside it the numbers that it does not have. */
static int print_json(FILE *to, const struct eri_image *image, const struct counts *counts, struct error *error)
{
	cJSON *json = cjson.CreateObject();
	if (!json)
		return error_set(error, ENOMEM, "out of memory");
	cJSON *about = cjson.AddObjectToObject(json, "image");
	cjson.AddNumberToObject(about, "bytes", (double)image->bytes);
	cjson.AddNumberToObject(about, "files", (double)counts->files);
	cjson.AddNumberToObject(about, "file_bytes", (double)counts->bytes);
	cjson.AddBoolToObject(about, "compressed", counts->is_compressed);
	cjson.AddItemReferenceToObject(json, "manifest", image->manifest.json);
	cJSON *packages = cjson.AddArrayToObject(json, "packages");
	cJSON *names = cjson.AddArrayToObject(json, "files");
	int result = names && packages ? add_info_packages(packages, image, error)
	                               : error_set(error, ENOMEM, "out of memory");
	for (unsigned i = 0; i < image->manifest.step_count && !result; i++)
		result = add_info_names(names, image, &image->manifest.steps[i], error);
	if (!result && json_out_print(to, json))
		result = error_set(error, ENOMEM, "out of memory");
	cjson.Delete(json);
	return result;
}

int info_image_print(FILE *to, const char *path, bool is_json, struct error *error)
{
	static struct eri_image image; /* too large for a stack */
	struct counts counts = {0};
	int result = eri_image_open(&image, path, error);
	if (result)
		return result;
	result = erofs_walk(&image.files, "", count_node, &counts);
	if (result)
		error_set(error, -result, "%.100s is not a sound image: cannot list its files: %s", path,
		          strerror(-result));
	else
		result =
			is_json ? print_json(to, &image, &counts, error) : print_image_text(to, &image, &counts, error);
	eri_image_close(&image);
	return result;
}
