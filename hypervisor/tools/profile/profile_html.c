/* SPDX-License-Identifier: MIT */
/* The page is flame/flame.html (flame/flame.mk), in which the line @DATA@ is replaced by the stacks. Names are of the
 * program: "<" in them is escaped, so that they stay data. */
#include <inttypes.h>
#include <string.h>

#include "profile/profile_write.h"

/* flame/flame.mk */
extern const char flame_html[], flame_html_end[];

static void put_string(FILE *to, const char *text)
{
	fputc('"', to);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', to);
		if (*text == '<' || *text == '>' || *text == '&' || *text < ' ' || *text > '~')
			fprintf(to, "\\u%04x", (unsigned char)*text);
		else
			fputc(*text, to);
	}
	fputc('"', to);
}

static void put_data(FILE *to, const struct profile *profile)
{
	fputs("{\"program\":", to);
	put_string(to, profile->option->program[0]);
	fprintf(to, ",\"by\":\"%s\",\"every\":%" PRIu64 ",\"unit\":\"%s\",\"stacks\":[",
	        profile_option_by(profile->option->by), profile->option->every, profile->has_times ? "ns" : "samples");
	for (size_t i = 0; i < profile->table.count; i++) {
		const struct profile_stack *stack = &profile->table.stacks[i];
		fputs(i ? ",\n[" : "\n[", to);
		put_string(to, stack->names);
		fprintf(to, ",%" PRIu64 "]", profile_weight(profile, stack->samples, stack->ns));
	}
	fputs("]}\n", to);
}

void profile_html(FILE *to, const struct profile *profile)
{
	static const char mark[] = "@DATA@\n";
	const size_t bytes = (size_t)(flame_html_end - flame_html);
	const char *at = memmem(flame_html, bytes, mark, strlen(mark));
	fwrite(flame_html, 1, (size_t)(at - flame_html), to);
	put_data(to, profile);
	at += strlen(mark);
	fwrite(at, 1, (size_t)(flame_html_end - at), to);
}
