/* SPDX-License-Identifier: MIT */
/* The page is page/page.html (page/page.mk), in which each of the lines @STYLE@, @DATA@, @TEXT@ and @SCRIPT@ is
 * replaced. All that the program chose is in the data, where "<" is escaped, or in the text, where it is escaped as
 * HTML. */
#include "analyze/analyze_html.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze_json.h"
#include "analyze/analyze_results.h"
#include "base/clean_text.h"
#include "base/memory.h"
#include "base/save.h"
#include "base/text.h"
#include "library/json_out.h"

/* Beyond these the page would be too large for a browser. It says how much is left out. */
#define STRETCHES_AROUND 60
#define TRIES_MAX 4000

/* page/page.mk */
extern const char page_html[], page_html_end[], page_css[], page_css_end[], page_js[], page_js_end[];

#define POINTS "--preempt=at:"
#define POINTS_SHOWN 100 /* bytes of a list that a command shows as it is */

/* The name of the file beside the page, which the command reads; NULL if the shell would read it otherwise. */
static char *points_path(const char *page)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
	const size_t bytes = strlen(page), suffix = bytes > 5 && !strcmp(page + bytes - 5, ".html") ? 5 : 0;
	if (*page == '-' || page[strspn(page, plain)])
		return NULL;
	return text_of("%.*s.points", (int)(bytes - suffix), page);
}

/* Writes a list of points beside the page. Returns whether that was possible. */
static bool write_points(const char *path, const char *list, size_t bytes)
{
	struct save save = {0};
	if (save_open(&save, path))
		return false;
	fwrite(list, 1, bytes, save.to);
	fputc('\n', save.to);
	return !save_commit(&save);
}

/* Replaces a long list of points in the command of a schedule by a file beside the page. */
static void shorten_command(cJSON *side, const char *page)
{
	const cJSON *command = cjson.GetObjectItemCaseSensitive(side, "command");
	const char *list = cjson.IsString(command) ? strstr(command->valuestring, " " POINTS) : NULL;
	list = list ? list + 1 + strlen(POINTS) : NULL;
	const size_t bytes = list ? strspn(list, "0123456789abcdef+,.-") : 0;
	if (bytes <= POINTS_SHOWN || list[bytes] != ' ')
		return;
	char *path = points_path(page);
	if (path && write_points(path, list, bytes)) {
		char *text = text_of("%.*s\"at:$(cat %s)\"%s", (int)(list - strlen("at:") - command->valuestring),
		                     command->valuestring, path, list + bytes);
		cjson.DeleteItemFromObjectCaseSensitive(side, "command");
		cjson.AddStringToObject(side, "command", text);
		free(text);
	}
	free(path);
}

/* JSON that cannot end the element it is in: "<" occurs in strings only. */
static void put_data(FILE *to, const struct analyze *analyze)
{
	static const struct analyze_json_limits limits = {.stretches = STRETCHES_AROUND, .tries = TRIES_MAX};
	cJSON *json = analyze_json_make(analyze, &limits);
	struct text_made made;
	shorten_command(cjson.GetObjectItemCaseSensitive(json, "failing"), analyze->option.html);
	shorten_command(cjson.GetObjectItemCaseSensitive(json, "passing"), analyze->option.html);
	if (analyze->option.races)
		cjson.AddItemReferenceToObject(json, "races", (cJSON *)(uintptr_t)analyze->option.races);
	if (analyze->option.differs)
		cjson.AddItemReferenceToObject(json, "differs", (cJSON *)(uintptr_t)analyze->option.differs);
	memory_check(!json_out_print(text_open(&made), json));
	cjson.Delete(json);
	char *text = text_close(&made);
	for (const char *at = text; *at; at++)
		if (*at == '<')
			fputs("\\u003c", to);
		else
			putc(*at, to);
	free(text);
}

/* The text of the results, for browsers that run no scripts. */
static void put_text(FILE *to, const struct analyze *analyze)
{
	struct text_made made;
	analyze_results_put(text_open(&made), RESULTS_TEXT, analyze);
	char *text = text_close(&made);
	for (char *line = text, *end; *line; line = end) {
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
	free(text);
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
