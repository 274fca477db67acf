/* SPDX-License-Identifier: MIT */
/* What a failing try has written: a JUnit file, and output with reports of test runners, sanitizers and languages. A
 * zero byte is between standard output, standard error and the file. */
#include <stdio.h>

#include "search/results/search_junit.h"
#include "search/results/search_said.h"
#include "tests/fuzz/fuzz.h"

#define MOST 5U
#define LINES_MAX 1000U

/* Lines that may go to a terminal: no control characters, and not many. */
static void look_at(const char *text)
{
	unsigned left = LINES_MAX;
	for (const char *c = text; *c; c++) {
		if ((unsigned char)*c < ' ' && *c != '\n')
			abort();
		if (*c == '\n' && left-- == 0)
			abort();
	}
}

static void read_junit(const char *file, size_t bytes)
{
	struct error error = {0};
	char *text;
	size_t length;
	FILE *to = open_memstream(&text, &length);
	const int failed = search_junit_find(file, bytes, MOST, to, &error);
	fclose(to);
	if (failed < 0 && (!error.text[0] || strchr(error.text, '\n')))
		abort();
	unsigned lines = 0;
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	if (lines > MOST) /* control characters are taken out later */
		abort();
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct search_text text = {0}, passing = {0};
	struct search_said said = {0};
	const uint8_t *end = data + size;
	for (unsigned i = 0; i < 2; i++) {
		const uint8_t *stop = memchr(data, 0, (size_t)(end - data));
		text.bytes[i] = (size_t)((stop ? stop : end) - data);
		text.text[i] = strndup((const char *)data, text.bytes[i]);
		passing.bytes[i] = text.bytes[i] / 2;
		passing.text[i] = strndup((const char *)data, passing.bytes[i]);
		data = stop ? stop + 1 : end;
	}
	read_junit((const char *)data, (size_t)(end - data));
	search_said_find(&said, &text, NULL);
	search_said_report(&said, (const char *)data, (size_t)(end - data));
	char *differs = search_said_differs(&text, &passing);
	look_at(said.lines ? said.lines : "");
	look_at(differs);
	free(differs);
	search_said_fini(&said);
	search_text_fini(&text);
	search_text_fini(&passing);
	return 0;
}
