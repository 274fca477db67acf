/* SPDX-License-Identifier: MIT */
/* The page is page/page.html (page/page.mk), in which each of the lines @STYLE@, @DATA@, @TEXT@ and @SCRIPT@ is
 * replaced. All that the program chose is in the data, where "<" is escaped, or in the text, where it is escaped as
 * HTML. */
#include "cli/analyze/analyze_html.h"

#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/die.h"
#include "base/json_out.h"
#include "cli/analyze/analyze_json.h"
#include "cli/analyze/analyze_results.h"

/* Beyond these the page would be too large for a browser. It says how much is left out. */
#define STRETCHES_AROUND 60
#define TRIES_MAX 4000

/* page/page.mk */
extern const char page_html[], page_html_end[], page_css[], page_css_end[], page_js[], page_js_end[];

/* Text in memory, which the caller frees. */
struct text {
	FILE *to;
	char *at;
	size_t bytes;
};

static void text_open(struct text *text)
{
	*text = (struct text){0};
	text->to = open_memstream(&text->at, &text->bytes);
	if (!text->to)
		die("out of memory");
}

static void text_close(struct text *text)
{
	if (ferror(text->to) || fclose(text->to))
		die("out of memory");
}

/* JSON that cannot end the element it is in: "<" occurs in strings only. */
static void put_data(FILE *to, const struct analyze *analyze)
{
	static const struct analyze_json_limits limits = {.stretches = STRETCHES_AROUND, .tries = TRIES_MAX};
	cJSON *json = analyze_json_make(analyze, &limits);
	struct text text;
	text_open(&text);
	if (json_out_print(text.to, json))
		die("out of memory");
	cjson.Delete(json);
	text_close(&text);
	for (const char *at = text.at; *at; at++)
		if (*at == '<')
			fputs("\\u003c", to);
		else
			putc(*at, to);
	free(text.at);
}

/* The text of the results, for browsers that run no scripts. */
static void put_text(FILE *to, const struct analyze *analyze)
{
	struct text text;
	text_open(&text);
	analyze_results_put(text.to, RESULTS_TEXT, analyze);
	text_close(&text);
	for (char *line = text.at, *end; *line; line = end) {
		end = strchrnul(line, '\n');
		clean_text(line, (size_t)(end - line));
		for (; line < end; line++)
			switch (*line) {
			case '<':
				fputs("&lt;", to);
				break;
			case '&':
				fputs("&amp;", to);
				break;
			default:
				putc(*line, to);
			}
		if (*end)
			putc(*end++, to);
	}
	free(text.at);
}

static void put_part(FILE *to, const char *from, const char *end)
{
	fwrite(from, 1, (size_t)(end - from), to);
}

void analyze_html_put(FILE *to, const struct analyze *analyze)
{
	for (const char *line = page_html, *end; line < page_html_end; line = end) {
		end = memchr(line, '\n', (size_t)(page_html_end - line));
		end = end ? end + 1 : page_html_end;
		if (!strncmp(line, "@STYLE@\n", (size_t)(end - line)))
			put_part(to, page_css, page_css_end);
		else if (!strncmp(line, "@SCRIPT@\n", (size_t)(end - line)))
			put_part(to, page_js, page_js_end);
		else if (!strncmp(line, "@DATA@\n", (size_t)(end - line)))
			put_data(to, analyze);
		else if (!strncmp(line, "@TEXT@\n", (size_t)(end - line)))
			put_text(to, analyze);
		else
			put_part(to, line, end);
	}
}
