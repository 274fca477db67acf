/* SPDX-License-Identifier: MIT */
#include "cmdline/results_format.h"

#include <sched.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/die.h"

enum results_format results_format_parse(const char *verb, char *text, char **file)
{
	static const char *const names[] = {"text", "tap", "junit", "json"};
	const size_t bytes = strcspn(text, ":");
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) != bytes || strncmp(text, names[i], bytes))
			continue;
		*file = text[bytes] ? text + bytes + 1 : NULL;
		if (*file && !**file)
			die("%s: --results=%s: give the name of a file after the colon", verb, text);
		return (enum results_format)i;
	}
	die("%s: --results=%s: give text, tap, junit or json, each with an optional :FILE", verb, text);
}

unsigned results_format_jobs(void)
{
	cpu_set_t set;
	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (unsigned)CPU_COUNT(&set);
}

/* The length of the next character, which is shown as it is; 0: its first byte is not, and '?' stands for it. */
static size_t shown_length(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	const size_t length = clean_text_utf8(at, strnlen(text, 4));
	return *at == '\n' || *at == '\t' ? 1 : length && clean_text_is_shown(at, length) ? length : 0;
}

static void put_character(FILE *to, const char *text, size_t length)
{
	if (length)
		fwrite(text, 1, length, to);
	else
		fputc('?', to);
}

void results_format_escape(FILE *to, const char *text, const char *characters)
{
	for (size_t length; *text; text += length ? length : 1) {
		length = *text == '\n' ? 0 : shown_length(text); /* it is one line */
		if (strchr(characters, *text))
			fputc('\\', to);
		put_character(to, text, length);
	}
}

void results_format_xml(FILE *to, const char *text)
{
	for (size_t length; *text; text += length ? length : 1) {
		length = shown_length(text);
		const char *known = *text == '&'   ? "&amp;"
		                    : *text == '<' ? "&lt;"
		                    : *text == '>' ? "&gt;"
		                    : *text == '"' ? "&quot;"
		                                   : NULL;
		if (known)
			fputs(known, to);
		else
			put_character(to, text, length);
	}
}

void results_format_lines(FILE *to, const char *indent, const char *text)
{
	for (const char *end; (end = strchr(text, '\n')); text = end + 1)
		fprintf(to, "%s%.*s\n", indent, (int)(end - text), text);
}
