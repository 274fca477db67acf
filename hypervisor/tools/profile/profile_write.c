/* SPDX-License-Identifier: MIT */
/* Names are printable ASCII (profile_frames.c). */
#include "profile/profile_write.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/die.h"
#include "base/save.h"
#include "base/text.h"
#include "base/version.h"

#define FUNCTIONS_SHOWN 20

static void put_string(FILE *to, const char *text, size_t length)
{
	fputc('"', to);
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '"' || text[i] == '\\')
			fputc('\\', to);
		fputc(text[i] < ' ' || text[i] > '~' ? '?' : text[i], to);
	}
	fputc('"', to);
}

/* profile.folded: a stack and its weight on each line, for flamegraph.pl, inferno and speedscope. */
static void write_folded(FILE *to, const struct profile *profile)
{
	for (size_t i = 0; i < profile->table.count; i++) {
		const struct profile_stack *stack = &profile->table.stacks[i];
		const uint64_t weight = profile_weight(profile, stack->samples, stack->ns);
		if (weight)
			fprintf(to, "%s %" PRIu64 "\n", stack->names, weight);
	}
}

static void put_stack(FILE *to, const struct profile_stack *stack)
{
	fprintf(to, "{\"samples\":%" PRIu64 ",\"ns\":%" PRIu64 ",\"frames\":[", stack->samples, stack->ns);
	for (const char *name = stack->names; *name;) {
		const size_t length = strcspn(name, ";");
		put_string(to, name, length);
		if (!name[length])
			break;
		fputc(',', to);
		name += length + 1;
	}
	fputs("]}", to);
}

static void put_function(FILE *to, const struct profile_function *function)
{
	fputs("{\"name\":", to);
	put_string(to, function->name, function->length);
	fprintf(to,
	        ",\"self_ns\":%" PRIu64 ",\"total_ns\":%" PRIu64 ",\"self_samples\":%" PRIu64
	        ",\"total_samples\":%" PRIu64 "}",
	        function->self_ns, function->total_ns, function->self_samples, function->total_samples);
}

static void write_json(FILE *to, const struct profile *profile)
{
	size_t count;
	struct profile_function *functions = profile_table_functions(&profile->table, &count);
	const char *program = profile->option->program[0];
	fprintf(to, "{\n\"schema\":%d,\n\"eremite\":\"%s\",\n\"program\":", PROFILE_SCHEMA, EREMITE_VERSION);
	put_string(to, program, strlen(program));
	fprintf(to, ",\n\"by\":\"%s\",\n\"every\":%" PRIu64 ",\n\"samples\":%" PRIu64 ",\n\"virtual_ns\":%" PRIu64,
	        profile_option_by(profile->option->by), profile->option->every, profile->samples, profile->ns);
	fputs(",\n\"functions\":[", to);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? ",\n" : "\n", to);
		put_function(to, &functions[i]);
	}
	fputs("\n],\n\"stacks\":[", to);
	for (size_t i = 0; i < profile->table.count; i++) {
		fputs(i ? ",\n" : "\n", to);
		put_stack(to, &profile->table.stacks[i]);
	}
	fputs("\n]\n}\n", to);
	free(functions);
}

static void write_file(const struct profile *profile, const char *name, void (*write)(FILE *, const struct profile *))
{
	struct save save;
	char *path = text_of("%s/%s", profile->option->output, name);
	int error = save_open(&save, path);
	if (!error) {
		write(save.to, profile);
		error = save_commit(&save);
	}
	if (error)
		die("cannot write the profile to %s: %s", path, strerror(-error));
	free(path);
}

void profile_write(const struct profile *profile)
{
	if (mkdir(profile->option->output, 0777) && errno != EEXIST)
		die("cannot write the profile to %s: %s", profile->option->output, strerror(errno));
	write_file(profile, "profile.json", write_json);
	write_file(profile, "profile.folded", write_folded);
	write_file(profile, "profile.html", profile_html);
	write_file(profile, "profile.pb.gz", profile_pprof);
}

static double percent(uint64_t part, uint64_t all)
{
	return all ? 100 * (double)part / (double)all : 0;
}

void profile_write_functions(FILE *to, const struct profile *profile)
{
	size_t count;
	struct profile_function *functions = profile_table_functions(&profile->table, &count);
	const uint64_t all = profile_weight(profile, profile->samples, profile->ns);
	fprintf(to, "eremite: %" PRIu64 " samples, %" PRIu64 " ns of virtual time; see %s/profile.html\n",
	        profile->samples, profile->ns, profile->option->output);
	fprintf(to, "   self   total  %14s  function\n", profile->has_times ? "self ns" : "self samples");
	for (size_t i = 0; i < count && i < FUNCTIONS_SHOWN; i++) {
		const struct profile_function *f = &functions[i];
		const uint64_t self = profile_weight(profile, f->self_samples, f->self_ns),
			       total = profile_weight(profile, f->total_samples, f->total_ns);
		if (!self)
			break;
		fprintf(to, "%5.1f %% %5.1f %%  %14" PRIu64 "  %.*s\n", percent(self, all), percent(total, all), self,
		        (int)f->length, f->name);
	}
	free(functions);
}
