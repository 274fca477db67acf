/* SPDX-License-Identifier: MIT */
/* Files in the image have identifiers of the scheme arcp (app archive: arcp://uuid,UUID/PATH), with the UUID of the
 * EROFS file system. Files that the image does not contain are named by their SHA-256 (RFC 6920). Files of the crate
 * have their path in it. Each identifier occurs once, whatever an image says.
 *
 * Steps are linked by content: what a step has read is an output of an earlier step if both have the same SHA-256,
 * whether the file was saved between them, came by a pipe, or was there before. */
#include "sealed/crate.h"

#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/array.h"
#include "base/clean_path.h"
#include "base/die.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "sealed/image_text.h"

#define PROFILE "https://w3id.org/ro/wfrun/process/0.5"
#define EREMITE "#eremite"
#define ID_BYTES (3 * 2 * PATH_MAX + 128) /* a path with all bytes encoded */

/* An output of a step that has been added. */
struct made {
	const char *sha256;
	const struct eri_output *output;
	char *id;
};

struct crate {
	const struct eri_image *image;
	struct made *made; /* in the order of steps */
	size_t made_count, made_room;
	cJSON *graph, *parts, *image_parts, *mentions;
	void *ids;        /* tree of tsearch(3): identifiers that the graph has */
	char archive[64]; /* arcp://uuid,UUID/ */
	char id[ID_BYTES];
};

/* --- entities --- */

static int by_crate_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Adds an entity. Returns NULL if the graph has one with this identifier. */
static cJSON *add_crate_entity(struct crate *crate, const char *id, const char *type)
{
	char *copy = text_copy(id);
	char **found = memory_or_die(tsearch(copy, &crate->ids, by_crate_text));
	if (*found != copy) {
		free(copy);
		return NULL;
	}
	cJSON *entity = cjson.CreateObject();
	cjson.AddStringToObject(entity, "@id", id);
	cjson.AddStringToObject(entity, "@type", type);
	cjson.AddItemToArray(crate->graph, entity);
	return entity;
}

static void refer(cJSON *entity, const char *name, const char *id)
{
	cjson.AddStringToObject(cjson.AddObjectToObject(entity, name), "@id", id);
}

static void refer_in(cJSON *array, const char *id)
{
	cJSON *object = cjson.CreateObject();
	cjson.AddStringToObject(object, "@id", id);
	cjson.AddItemToArray(array, object);
}

/* Adds a text whose bytes may be a stranger's; json_out_print() makes it UTF-8. */
__attribute__((format(printf, 3, 4))) static void say_of(cJSON *entity, const char *name, const char *fmt, ...)
{
	va_list arguments;
	va_start(arguments, fmt);
	char *text = text_of_list(fmt, arguments);
	va_end(arguments);
	cjson.AddStringToObject(entity, name, text);
	free(text);
}

/* Appends a path to an identifier; all but unreserved characters and slashes are encoded (RFC 3986). */
static void append_path(char id[ID_BYTES], const char *path)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
	size_t used = strlen(id);
	for (; *path && used + 4 < ID_BYTES; path++)
		used += (size_t)snprintf(id + used, 4, strchr(plain, *path) ? "%c" : "%%%02X", (unsigned char)*path);
}

static const char *id_in_image(struct crate *crate, const char *path)
{
	snprintf(crate->id, ID_BYTES, "%s", crate->archive);
	append_path(crate->id, path);
	return crate->id;
}

static const char *id_of_hash(struct crate *crate, const uint8_t hash[DIGEST_BYTES])
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	strcpy(crate->id, "ni:///sha-256;");
	char *to = crate->id + strlen(crate->id);
	for (unsigned bit = 0; bit < 8 * DIGEST_BYTES; bit += 6) {
		unsigned at = bit / 8, two = (unsigned)hash[at] << 8 | (at + 1 < DIGEST_BYTES ? hash[at + 1] : 0);
		*to++ = digits[two >> (10 - bit % 8) & 63];
	}
	*to = 0;
	return crate->id;
}

static void describe_crate_file(cJSON *file, const char *name, const char *sha256, uint64_t bytes)
{
	say_of(file, "name", "%s", name);
	say_of(file, "contentSize", "%" PRIu64, bytes);
	say_of(file, "sha256", "%s", sha256);
}

/* --- inputs --- */

/* Whether an output is the file of this path in the guest. */
static bool is_output_at(const struct eri_output *output, const char *path)
{
	const bool is_out = !strcmp(output->what, "out");
	return (is_out || !strcmp(output->what, "file")) && !strncmp(path, "/out", is_out ? 4 : 0) &&
	       !strcmp(path + (is_out ? 4 : 0), output->path);
}

/* The output of an earlier step with these contents: of the same path, or the last one. NULL: none. Empty files are no
 * evidence. */
static const struct made *find_made(const struct crate *crate, const char *sha256, const char *path)
{
	const struct made *found = NULL;
	for (size_t i = 0; i < crate->made_count; i++) {
		const struct made *made = &crate->made[i];
		if (strcmp(made->sha256, sha256) || !made->output->bytes)
			continue;
		if (is_output_at(made->output, path))
			return made;
		found = made;
	}
	return found;
}

/* Links an input to the output that it is, by both of the words that readers of crates follow. */
static void link_made(struct crate *crate, cJSON *objects, cJSON *file, const char *sha256, const char *path)
{
	const struct made *made = find_made(crate, sha256, path);
	if (!made)
		return;
	refer_in(objects, made->id);
	if (file)
		refer(file, "sameAs", made->id);
}

/* Adds a file of the image in /.eremite as an input of the action. */
static int add_own_object(struct crate *crate, cJSON *objects, const char *path, const char *name, struct error *error)
{
	char hex[2 * DIGEST_BYTES + 1];
	struct eri_content content;
	int result = image_text_hash(crate->image, path, hex, error);
	if (result)
		return result;
	eri_image_find(crate->image, path, &content);
	refer_in(objects, id_in_image(crate, path));
	cJSON *file = add_crate_entity(crate, crate->id, "File");
	if (file) {
		describe_crate_file(file, name, hex, content.node.size);
		refer_in(crate->image_parts, crate->id);
	}
	link_made(crate, objects, file, hex, "");
	return 0;
}

/* Adds a file that the run read. */
static void add_read(struct crate *crate, cJSON *objects, const struct eri_step *step, unsigned tree, const char *below,
                     const struct eri_name *name)
{
	static char path[IMAGE_TEXT_PATH]; /* too large for a stack */
	char digest[DIGEST_TEXT_BYTES], stored[128];
	const bool is_external = name->kind == ERI_EXTERNAL;
	if ((name->kind != ERI_FILE && name->kind != ERI_STORED && !is_external) || !name->has_hash)
		return;
	digest_text(name->hash, digest);
	const char *hex = strchr(digest, ':') + 1;
	image_text_path(step, tree, below, path);
	snprintf(stored, sizeof(stored), ERI_FILES "/%s", hex);
	if (is_external)
		id_of_hash(crate, name->hash);
	else
		id_in_image(crate, name->kind == ERI_STORED ? stored : path + strspn(path, "/"));
	cJSON *file = add_crate_entity(crate, crate->id, "File");
	refer_in(objects, crate->id);
	link_made(crate, objects, file, hex, path);
	if (!file)
		return;
	describe_crate_file(file, path, hex, name->size);
	refer_in(is_external ? crate->parts : crate->image_parts, crate->id);
	if (is_external)
		cjson.AddStringToObject(file, "description", "Input that the image does not contain");
}

static int add_crate_names(struct crate *crate, cJSON *objects, const struct eri_step *step, struct error *error)
{
	static char path[PATH_MAX]; /* too large for a stack */
	struct eri_names names;
	struct eri_block block;
	struct eri_name name;
	unsigned tree;
	size_t at = 0;
	int result = image_text_names(crate->image, step, &block, &names, error), more;
	if (result)
		return result;
	while ((more = eri_names_line(&names, &at, &tree, path, &name)) > 0)
		add_read(crate, objects, step, tree, path, &name);
	free(block.copy);
	return more ? error_set(error, -more, "%.100s is not a sound image: its table of names is damaged",
	                        crate->image->path)
	            : 0;
}

static int add_crate_inputs(struct crate *crate, cJSON *action, const struct eri_step *step, struct error *error)
{
	cJSON *objects = cjson.AddArrayToObject(action, "object");
	char path[PATH_MAX];
	eri_image_step_path(step, ERI_STEP_KERNEL, path);
	int result =
		add_own_object(crate, objects, step->is_linux ? ERI_KERNEL : path,
	                       step->is_linux ? "kernel of Eremite that runs Linux programs" : "native image", error);
	if (!result && *step->stdin_sha256) {
		eri_image_step_path(step, ERI_STEP_STDIN, path);
		result = add_own_object(crate, objects, path, "standard input", error);
	}
	if (!result && *step->root_sha256) {
		eri_image_step_path(step, ERI_STEP_ROOT, path);
		result = add_own_object(crate, objects, path, "root file system", error);
	}
	if (!result && *step->schedule_sha256) {
		eri_image_step_path(step, ERI_STEP_SCHEDULE, path);
		result = add_own_object(crate, objects, path, "schedule", error);
	}
	return !result && *step->names_sha256 ? add_crate_names(crate, objects, step, error) : result;
}

/* --- outputs --- */

int crate_path(const struct eri_step *step, const struct eri_output *output, char path[PATH_MAX])
{
	static const char *const kinds[] = {"stdout", "stderr", "out", "file"};
	unsigned kind = 0;
	while (kind < 4 && strcmp(output->what, kinds[kind]))
		kind++;
	if (kind == 4 || (kind < 2 ? *output->path : *output->path != '/') ||
	    snprintf(path, PATH_MAX, "outputs/%s/%s%s", step->name, output->what, output->path) >= PATH_MAX)
		return -EUCLEAN;
	return clean_path(path) ? 0 : -EUCLEAN;
}

static int add_crate_outputs(struct crate *crate, cJSON *action, const struct eri_step *step, struct error *error)
{
	cJSON *results = cjson.AddArrayToObject(action, "result");
	char path[PATH_MAX];
	for (unsigned i = 0; i < step->output_count; i++) {
		const struct eri_output *output = &step->outputs[i];
		if (!*output->stored)
			continue;
		int error_code = crate_path(step, output, path);
		*crate->id = 0;
		append_path(crate->id, path);
		cJSON *file = error_code ? NULL : add_crate_entity(crate, crate->id, "File");
		if (!file)
			return error_set(error, EUCLEAN,
			                 "%.100s is not a sound image: its manifest has a bad output %.100s",
			                 crate->image->path, output->path);
		describe_crate_file(file, *output->path ? output->path : output->what, output->sha256, output->bytes);
		say_of(file, "alternateName", "%s%s", !strcmp(output->what, "out") ? "/out" : "",
		       *output->path ? output->path : output->what);
		refer_in(results, crate->id);
		refer_in(crate->parts, crate->id);
		memory_check(array_reserve(crate->made, crate->made_room, crate->made_count + 1));
		crate->made[crate->made_count++] = (struct made){output->sha256, output, text_of("%s", crate->id)};
	}
	return 0;
}

/* --- actions --- */

static int add_action(struct crate *crate, const struct eri_step *step, const char *agent, struct error *error)
{
	static char program[ID_BYTES]; /* too large for a stack */
	const char *slash = strrchr(step->arguments[0], '/');
	char *command = image_text_command(step);
	strcpy(program, "#program-");
	append_path(program, step->name);
	cJSON *tool = add_crate_entity(crate, program, "SoftwareApplication");
	strcpy(crate->id, "#run-");
	append_path(crate->id, step->name);
	cJSON *action = tool ? add_crate_entity(crate, crate->id, "CreateAction") : NULL;
	if (!action) {
		free(command);
		return error_set(error, EUCLEAN, "%.100s is not a sound image: it has two steps %.90s",
		                 crate->image->path, step->name);
	}
	refer_in(crate->mentions, crate->id);
	say_of(tool, "name", "%s", slash && slash[1] ? slash + 1 : step->arguments[0]);
	say_of(tool, "description", "%s", step->is_linux ? "Linux program" : "Image of eremite-cc");
	say_of(action, "name", "Run of %s (step %s)", step->arguments[0], step->name);
	say_of(action, "description", "%s", command);
	free(command);
	cJSON *instruments = cjson.AddArrayToObject(action, "instrument");
	refer_in(instruments, program);
	refer_in(instruments, EREMITE);
	if (agent)
		refer(action, "agent", "#agent");
	const bool is_done = !strcmp(step->end, "exit") && !step->status;
	refer(action, "actionStatus",
	      is_done ? "http://schema.org/CompletedActionStatus" : "http://schema.org/FailedActionStatus");
	if (!is_done)
		say_of(action, "error", "%s %d", step->end, step->status);
	say_of(action, "identifier", "%s", step->digest);
	int result = add_crate_inputs(crate, action, step, error);
	return result ? result : add_crate_outputs(crate, action, step, error);
}

/* --- the whole --- */

/* Adds the entities that every crate has, and the arrays that actions fill. */
static void add_frame(struct crate *crate, const struct crate_given *given)
{
	const struct eri_image *image = crate->image;
	const char *slash = strrchr(image->path, '/'), *name = slash ? slash + 1 : image->path;
	char date[32];
	struct tm parts;
	time_t seconds = (time_t)given->date_s;
	if (!gmtime_r(&seconds, &parts) || !strftime(date, sizeof(date), "%Y-%m-%d", &parts))
		die("provenance: the date %" PRId64 " of SOURCE_DATE_EPOCH is too large", given->date_s);
	cJSON *about = add_crate_entity(crate, "ro-crate-metadata.json", "CreativeWork");
	refer(about, "conformsTo", "https://w3id.org/ro/crate/1.1");
	refer(about, "about", "./");
	cJSON *root = add_crate_entity(crate, "./", "Dataset");
	refer(root, "conformsTo", PROFILE);
	say_of(root, "name", "Outputs of %s", name);
	say_of(root, "description",
	       "What the runs wrote that are sealed in %s. 'eremite verify %s' repeats them and compares.", name, name);
	say_of(root, "datePublished", "%s", date);
	crate->parts = cjson.AddArrayToObject(root, "hasPart");
	crate->mentions = cjson.AddArrayToObject(root, "mentions");
	cJSON *profile = add_crate_entity(crate, PROFILE, "CreativeWork");
	say_of(profile, "name", "Process Run Crate");
	say_of(profile, "version", "0.5");
	cJSON *eremite = add_crate_entity(crate, EREMITE, "SoftwareApplication");
	say_of(eremite, "name", "Eremite");
	say_of(eremite, "softwareVersion", "%s", image->manifest.version);
	say_of(eremite, "description", "Deterministic virtual machine, engine %s", image->manifest.engine);
	cJSON *archive = add_crate_entity(crate, crate->archive, "Dataset");
	say_of(archive, "name", "%s", name);
	say_of(archive, "description", "Sealed image (EROFS) with the programs and their input");
	say_of(archive, "identifier", "sha256:%s", image->identity);
	crate->image_parts = cjson.AddArrayToObject(archive, "hasPart");
	refer_in(crate->parts, crate->archive);
	if (given->agent)
		say_of(add_crate_entity(crate, "#agent", "Person"), "name", "%s", given->agent);
}

cJSON *crate_make(const struct eri_image *image, const struct crate_given *given, struct error *error)
{
	static struct crate crate; /* too large for a stack */
	const char *id = image->identity;
	crate = (struct crate){.image = image};
	cJSON *json = cjson.CreateObject();
	cJSON *context = cjson.AddArrayToObject(json, "@context");
	cjson.AddItemToArray(context, cjson.CreateString("https://w3id.org/ro/crate/1.1/context"));
	cjson.AddItemToArray(context, cjson.CreateString("https://w3id.org/ro/terms/workflow-run/context"));
	crate.graph = memory_or_die(cjson.AddArrayToObject(json, "@graph"));
	/* The UUID of the file system, as eremite pack makes it. */
	snprintf(crate.archive, sizeof(crate.archive), "arcp://uuid,%.8s-%.4s-8%.3s-8%.3s-%.12s/", id, id + 8, id + 12,
	         id + 15, id + 18);
	add_frame(&crate, given);
	int result = 0;
	for (unsigned i = 0; i < image->manifest.step_count && !result; i++)
		if (image->manifest.steps[i].was_run)
			result = add_action(&crate, &image->manifest.steps[i], given->agent, error);
	tdestroy(crate.ids, free);
	for (size_t i = 0; i < crate.made_count; i++)
		free(crate.made[i].id);
	free(crate.made);
	if (!result)
		return json;
	cjson.Delete(json);
	return NULL;
}
