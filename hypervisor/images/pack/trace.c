/* SPDX-License-Identifier: MIT */
/* Lines of fields with a tab between them; the first field says what the line is. Fields that can be any bytes are
 * escaped as in the table of names. The last line is "complete". */
#include "pack/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/write_all.h"
#include "code/service/code_sealed.h"
#include "guest/cpu_host.h"
#include "pack/trace_names.h"
#include "report/summary.h"

#define FIELDS_MAX 6
#define TEXT_BYTES_MAX (1L << 30)
#define EVENTS_MAX 65536UL /* records of events in an image, 1 MiB */
#define FILES 8U
#define FILES_OF_ALL 5U /* the others are only for an image */

static int open_one(int dir, int *fd)
{
	*fd = openat(dir, ".", O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
	if (*fd < 0)
		*fd = memfd_create("eremite trace", MFD_CLOEXEC);
	return *fd < 0 ? -errno : 0;
}

static void list_trace_files(struct trace_fds *fds, int *all[FILES])
{
	int *const files[FILES] = {&fds->text,       &fds->spool, &fds->input,  &fds->streams[1],
	                           &fds->streams[2], &fds->names, &fds->events, &fds->code};
	memcpy(all, files, sizeof(files));
}

int trace_open(struct trace_fds *fds, int dir, bool is_packed)
{
	int *all[FILES], result = 0;
	*fds = (struct trace_fds){-1, -1, -1, -1, -1, -1, {-1, -1, -1}};
	list_trace_files(fds, all);
	for (unsigned i = 0; i < (is_packed ? FILES : FILES_OF_ALL) && !result; i++)
		result = open_one(dir, all[i]);
	if (result)
		trace_close(fds);
	return result;
}

void trace_close(struct trace_fds *fds)
{
	int *all[FILES];
	list_trace_files(fds, all);
	for (unsigned i = 0; i < FILES; i++) {
		if (*all[i] >= 0)
			close(*all[i]);
		*all[i] = -1;
	}
}

/* --- writing --- */

static void put_trace_line(FILE *to, const char *what, const char *text)
{
	fprintf(to, "%s\t", what);
	eri_names_escape(to, text);
	fputc('\n', to);
}

static void put_changes(FILE *to, const struct changes *changes)
{
	for (size_t i = 0; changes && i < changes->count; i++) {
		const struct change_record *record = changes->records[i];
		const bool is_removed = record->what & CHANGE_REMOVED;
		if (!change_is_told(record))
			continue;
		fprintf(to, "change\t%o\t%" PRIu64 "\t%" PRId64 "\t", is_removed ? 0 : record->kind | record->mode,
		        record->bytes, record->has_contents ? (int64_t)record->at : -1);
		eri_names_escape(to, record->path);
		fputc('\n', to);
	}
}

static void put_digest(FILE *to, const struct run_config *config, const struct run_result *result)
{
	char text[DIGEST_TEXT_BYTES];
	struct summary_part parts[SUMMARY_PARTS_MAX];
	unsigned count = summary_parts(config, result, parts);
	for (unsigned i = 0; i < count; i++)
		fprintf(to, "part\t%s\t%s\n", parts[i].name, parts[i].text);
	digest_text(result->digest.all, text);
	put_trace_line(to, "digest", text);
}

static void put_trees(FILE *to, const struct host_files *files)
{
	for (unsigned i = 0; files && i < files->tree_count; i++) {
		fprintf(to, "tree\t%d\t", files->trees[i].read_only);
		eri_names_escape(to, files->trees[i].guest);
		fputc('\t', to);
		eri_names_escape(to, files->trees[i].real);
		fputc('\n', to);
	}
}

static int write_input(int fd, const struct input *input)
{
	return input && input->kept_bytes ? write_all(fd, input->kept, input->kept_bytes, 0) : 0;
}

/* Writes what programs were patched by, if there is any. */
static int write_code(int fd, const struct code_sealed *code)
{
	size_t bytes;
	void *packed = code_sealed_pack(code, &bytes);
	int result = packed ? write_all(fd, packed, bytes, 0) : -ENOMEM;
	free(packed);
	return result;
}

static char *write_trace_text(const struct run_config *config, const struct run_result *result,
                              const struct trace_given *given, size_t *bytes)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, bytes);
	if (!to)
		return NULL;
	for (unsigned i = 0; i < given->option_count; i++)
		put_trace_line(to, "option", given->options[i]);
	for (unsigned i = 0; i < given->default_count; i++)
		put_trace_line(to, "default", given->defaults[i]);
	for (unsigned i = 0; i < config->argument_count; i++)
		put_trace_line(to, "argument", i ? config->arguments[i] : config->program);
	put_trees(to, config->host_files);
	put_changes(to, config->changes);
	put_digest(to, config, result);
	fprintf(to, "end\t%s\t%d\n", given->no_run ? "none" : summary_end_name(result->end), result->status);
	fprintf(to, "count\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\n", result->stats.virtual_ns, result->stats.events,
	        config->memory_bytes);
	fprintf(to, "contract\t%u\n", result->contract);
	put_trace_line(to, "engine", result->engine);
	put_trace_line(to, "cpu", cpu_host_model_names[config->cpu.model]);
	if (config->root && config->root->has_identity) {
		char identity[DIGEST_TEXT_BYTES];
		digest_text(config->root->identity, identity);
		put_trace_line(to, "root", identity);
	}
	if (config->linux_program)
		put_trace_line(to, "kernel", config->image);
	if (config->input && (config->input->kept_bytes || config->input->ended))
		fputs("input\n", to);
	fputs("complete\n", to);
	return fclose(to) ? NULL : text;
}

int trace_write(const struct trace_fds *fds, const struct run_config *config, const struct run_result *result,
                const struct trace_given *given, struct error *error)
{
	size_t bytes;
	int failed = fds->names >= 0 && config->host_files
	                     ? trace_names_write(fds->names, config->host_files, given, error)
	                     : 0;
	if (failed)
		return failed;
	char *text = write_trace_text(config, result, given, &bytes);
	failed = !text ? -ENOMEM : write_input(fds->input, config->input);
	if (!failed && fds->events >= 0 && config->event_log)
		failed = event_log_write(config->event_log, &result->events, EVENTS_MAX, fds->events);
	if (!failed && fds->code >= 0 && config->code_noted && config->code_noted->count)
		failed = write_code(fds->code, config->code_noted);
	if (!failed)
		failed = write_all(fds->text, text, bytes, 0);
	free(text);
	return failed ? error_set(error, -failed, "cannot keep what the run did: %s", strerror(-failed)) : 0;
}

/* --- reading --- */

static bool append_trace_text(const char ***array, size_t *room, size_t *count, const char *text)
{
	if (!array_reserve(*array, *room, *count + 1))
		return false;
	(*array)[(*count)++] = text;
	return true;
}

static int take_tree(struct trace *trace, char *const fields[])
{
	if (trace->tree_count == ERI_TREES_MAX)
		return -EPROTO;
	trace->tree_hosts[trace->tree_count] = fields[3];
	trace->trees[trace->tree_count++] = (struct eri_tree_place){fields[2], *fields[1] == '1'};
	return 0;
}

static int take_change(struct trace *trace, char *const fields[])
{
	if (!array_reserve(trace->changes, trace->change_room, trace->change_count + 1))
		return -ENOMEM;
	trace->changes[trace->change_count++] = (struct trace_change){fields[4], (uint32_t)strtoul(fields[1], NULL, 8),
	                                                              strtoull(fields[2], NULL, 10), atoll(fields[3])};
	return 0;
}

static int take_trace_part(struct trace *trace, char *const fields[])
{
	if (trace->part_count == ERI_PARTS_MAX)
		return -EPROTO;
	trace->parts[trace->part_count++] = (struct eri_part){fields[1], fields[2]};
	return 0;
}

/* Takes one line, split into fields. Returns 1 if it is the last one, 0, or a negative errno. */
static int take_trace_line(struct trace *trace, char *const fields[], unsigned count)
{
	const char *what = fields[0];
	if (!strcmp(what, "complete"))
		return 1;
	if (!strcmp(what, "input"))
		trace->has_input = true;
	else if (count == 2 && !strcmp(what, "kernel"))
		trace->kernel = fields[1];
	else if (count == 2 && !strcmp(what, "option"))
		return append_trace_text(&trace->options, &trace->option_room, &trace->option_count, fields[1])
		               ? 0
		               : -ENOMEM;
	else if (count == 2 && !strcmp(what, "default"))
		return append_trace_text(&trace->defaults, &trace->default_room, &trace->default_count, fields[1])
		               ? 0
		               : -ENOMEM;
	else if (count == 2 && !strcmp(what, "argument"))
		return append_trace_text(&trace->arguments, &trace->argument_room, &trace->argument_count, fields[1])
		               ? 0
		               : -ENOMEM;
	else if (count == 2 && !strcmp(what, "engine"))
		trace->engine = fields[1];
	else if (count == 2 && !strcmp(what, "root"))
		trace->root = fields[1];
	else if (count == 2 && !strcmp(what, "contract"))
		trace->contract = (unsigned)strtoul(fields[1], NULL, 10);
	else if (count == 2 && !strcmp(what, "cpu"))
		trace->cpu = fields[1];
	else if (count == 2 && !strcmp(what, "digest"))
		trace->digest = fields[1];
	else if (count == 3 && !strcmp(what, "part"))
		return take_trace_part(trace, fields);
	else if (count == 4 && !strcmp(what, "tree"))
		return take_tree(trace, fields);
	else if (count == 5 && !strcmp(what, "change"))
		return take_change(trace, fields);
	else if (count == 3 && !strcmp(what, "end")) {
		trace->end = fields[1];
		trace->status = atoi(fields[2]);
	} else if (count == 4 && !strcmp(what, "count")) {
		trace->virtual_ns = strtoull(fields[1], NULL, 10);
		trace->events = strtoull(fields[2], NULL, 10);
		trace->memory_bytes = strtoull(fields[3], NULL, 10);
	} else {
		return -EPROTO;
	}
	return 0;
}

/* Splits a line in place and removes the escapes. Returns the number of fields, or -EPROTO. */
static int split_trace_line(char *line, char *fields[FIELDS_MAX])
{
	int count = 0;
	for (char *tab; line; line = tab) {
		tab = strchr(line, '\t');
		if (tab)
			*tab++ = 0;
		if (count == FIELDS_MAX || eri_names_text(line, strlen(line), line, strlen(line) + 1) < 0)
			return -EPROTO;
		fields[count++] = line;
	}
	return count;
}

static int read_trace_text(int fd, char **text)
{
	off_t bytes = lseek(fd, 0, SEEK_END);
	*text = bytes >= 0 && bytes < TEXT_BYTES_MAX ? malloc((size_t)bytes + 1) : NULL;
	if (!*text)
		return bytes < 0 ? -errno : -ENOMEM;
	if (pread(fd, *text, (size_t)bytes, 0) != bytes)
		return -EIO;
	(*text)[bytes] = 0;
	return 0;
}

int trace_read(struct trace *trace, const struct trace_fds *fds)
{
	char *fields[FIELDS_MAX];
	*trace = (struct trace){0};
	int result = read_trace_text(fds->text, &trace->text), done = 0;
	for (char *line = trace->text, *end; !result && !done; line = end + 1) {
		end = strchr(line, '\n');
		if (!end)
			return -ENODATA;
		*end = 0;
		int count = split_trace_line(line, fields);
		done = count < 0 ? count : take_trace_line(trace, fields, (unsigned)count);
		result = done < 0 ? done : 0;
	}
	bool is_whole = trace->end && trace->digest && trace->engine && trace->cpu && trace->argument_count;
	return result ? result : is_whole ? 0 : -EPROTO;
}

void trace_fini(struct trace *trace)
{
	free(trace->text);
	free(trace->options);
	free(trace->defaults);
	free(trace->arguments);
	free(trace->changes);
	*trace = (struct trace){0};
}
