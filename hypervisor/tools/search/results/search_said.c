/* SPDX-License-Identifier: MIT */
#include "search/results/search_said.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/memory.h"
#include "search/results/search_junit.h"

#define LINE_MAX_SHOWN 240 /* bytes of a line */
#define TESTS_MAX 8        /* failed tests that are listed and part of a key */
#define LAST_LINES 4
#define DIFFERS_MAX 8
#define SEEN_MAX 65536U /* lines of a passing run; a power of two, half of which are used */

/* A line of a report that names a failed test: it begins with `prefix`, after blanks, and has `part` behind. What comes
 * behind `end` is left out. */
static const struct test_line {
	const char *prefix, *part, *end;
} test_lines[] = {
	{"FAILED ", "::", NULL},        /* pytest */
	{"ERROR ", "::", NULL},         /* pytest */
	{"--- FAIL: ", "", " ("},       /* go test */
	{"test ", " ... FAILED", NULL}, /* cargo test */
	{"[  FAILED  ] ", ".", " ("},   /* GoogleTest */
	{"FAIL: ", "(", NULL},          /* unittest */
	{"ERROR: ", "(", NULL},         /* unittest */
	{"not ok ", "", NULL},          /* TAP */
};

/* A line that begins a report: it contains `part`, at its beginning if `begins`. `more` lines behind belong to it. */
static const struct headline {
	const char *part;
	bool begins;
	unsigned more;
} headlines[] = {
	{"ERROR: AddressSanitizer", false, 0},
	{"ERROR: LeakSanitizer", false, 0},
	{"WARNING: MemorySanitizer", false, 0},
	{"WARNING: ThreadSanitizer", false, 0},
	{": runtime error: ", false, 0},
	{"WARNING: DATA RACE", true, 0},
	{"' panicked at ", false, 3},
	{") panicked at ", false, 3},
	{"panic: ", true, 0},
	{"fatal error: ", true, 0},
	{"Assertion `", false, 0},
	{"terminate called after throwing", true, 1},
	{"Exception in thread \"", true, 1},
	{"Assertion failed: ", false, 0},
};

/* A part of a text, without a newline. */
struct line {
	const char *at;
	size_t bytes;
};

struct found {
	FILE *lines, *key;
	unsigned tests;
	bool has_headline;
};

/* Takes the next line of a text that ends with a NUL. Returns false at its end. */
static bool next_line(const char **text, struct line *line)
{
	if (!**text)
		return false;
	*line = (struct line){*text, strcspn(*text, "\n")};
	*text += line->bytes;
	*text += **text == '\n';
	while (line->bytes && (line->at[line->bytes - 1] == '\r' || line->at[line->bytes - 1] == ' '))
		line->bytes--;
	return true;
}

static struct line trimmed(struct line line)
{
	while (line.bytes && (*line.at == ' ' || *line.at == '\t')) {
		line.at++;
		line.bytes--;
	}
	return line;
}

static bool begins_with(struct line line, const char *with)
{
	return line.bytes >= strlen(with) && !memcmp(line.at, with, strlen(with));
}

static const char *part_of(struct line line, const char *part)
{
	return memmem(line.at, line.bytes, part, strlen(part));
}

static void put_line(FILE *to, const char *stream, struct line line)
{
	char shown[LINE_MAX_SHOWN];
	const size_t bytes = line.bytes < sizeof(shown) ? line.bytes : sizeof(shown);
	memcpy(shown, line.at, bytes);
	for (size_t i = 0; i < bytes; i++)
		shown[i] = shown[i] == '\t' ? ' ' : shown[i];
	clean_text(shown, bytes);
	fprintf(to, "%s: %.*s%s\n", stream, (int)bytes, shown, line.bytes > bytes ? "..." : "");
}

/* Whether the word that ends before `end` looks like the name of a file: it has a slash or a suffix, and a letter
 * behind that. So 12:34:56, 127.0.0.1:80 and balance:5 are no places. */
static bool names_file(struct line line, size_t end)
{
	bool has_letter = false;
	for (; end; end--) {
		const char c = line.at[end - 1];
		if ((c == '/' || c == '.') && has_letter)
			return end < 3 || memcmp(line.at + end - 3, "://", 3); /* of a server and its port */
		if (!isalnum((unsigned char)c) && !strchr("_-+", c))
			return false;
		has_letter = c == '-' || isdigit((unsigned char)c) ? has_letter : true;
	}
	return false;
}

/* The end of the word before the blanks and marks that come before `end`. */
static size_t end_of_word(struct line line, size_t end)
{
	while (end && strchr(" ,:'\"", line.at[end - 1]))
		end--;
	return end;
}

/* Whether a number at `i` is a line's or a column's, as in file.c:12:3, 'File "a.py", line 12', "a.sh: line 12" and
 * "a.php on line 12". */
static bool is_place(struct line line, size_t i)
{
	static const char python[] = "\", line ";
	if (i >= strlen(python) && !memcmp(line.at + i - strlen(python), python, strlen(python)))
		return true; /* also of code that has no file */
	if (i >= 6 && !memcmp(line.at + i - 6, " line ", 6)) {
		size_t end = end_of_word(line, i - 6);
		if (end >= 3 && !memcmp(line.at + end - 3, " on", 3))
			end = end_of_word(line, end - 3);
		return names_file(line, end);
	}
	if (!i || line.at[i - 1] != ':')
		return false;
	size_t end = i - 1, digits = end;
	while (digits && isdigit((unsigned char)line.at[digits - 1]))
		digits--;
	return names_file(line, end) ||
	       (digits < end && digits && line.at[digits - 1] == ':' && names_file(line, digits - 1));
}

/* Writes a line without the numbers that may differ from run to run: addresses, values, times. Those of places and in
 * names stay. */
static void put_steady(FILE *to, struct line line)
{
	for (size_t i = 0; i < line.bytes && i < LINE_MAX_SHOWN;) {
		const bool is_in_name = i && (isalpha((unsigned char)line.at[i - 1]) || line.at[i - 1] == '_');
		size_t end = i;
		if (i + 2 < line.bytes && line.at[i] == '0' && line.at[i + 1] == 'x')
			for (end = i + 2; end < line.bytes && isxdigit((unsigned char)line.at[end]);)
				end++;
		while (end < line.bytes && isdigit((unsigned char)line.at[end]))
			end++;
		if (end == i || is_in_name || is_place(line, i)) {
			end += end == i;
			for (; i < end; i++)
				putc(isprint((unsigned char)line.at[i]) ? line.at[i] : ' ', to);
			continue;
		}
		putc('#', to);
		i = end;
	}
	putc(' ', to);
}

/* --- tests --- */

static void take_test(struct found *found, const char *stream, struct line line, const char *end)
{
	struct line name = line;
	const char *at = end ? part_of(line, end) : NULL;
	if (at)
		name.bytes = (size_t)(at - line.at);
	if (found->tests++ >= TESTS_MAX)
		return;
	put_line(found->lines, stream, line);
	put_steady(found->key, name);
}

static const struct test_line *test_of(struct line line)
{
	for (unsigned i = 0; i < sizeof(test_lines) / sizeof(test_lines[0]); i++)
		if (begins_with(line, test_lines[i].prefix) && part_of(line, test_lines[i].part))
			return &test_lines[i];
	return NULL;
}

/* Takes the lines of test runners. CTest lists its failed tests behind a line of their own. */
static void find_tests(struct found *found, const char *stream, const char *text)
{
	bool is_ctest = false, is_go = false;
	for (struct line line, bare; next_line(&text, &line);) {
		bare = trimmed(line);
		const struct test_line *test = test_of(bare);
		if (test)
			take_test(found, stream, bare, test->end);
		else if (is_ctest && bare.bytes && isdigit((unsigned char)*bare.at) && part_of(bare, " - "))
			take_test(found, stream, bare, NULL);
		else if (is_go && bare.at > line.at && found->tests && part_of(bare, ".go:"))
			take_test(found, stream, bare, NULL);
		is_go = (test && begins_with(bare, "--- FAIL: ")) || (is_go && !test && bare.at > line.at);
		is_ctest = (is_ctest && bare.bytes) || part_of(bare, "The following tests FAILED");
	}
}

/* --- reports --- */

/* Takes the first frame of a sanitizer's or Go's stack that is in a file of the program. */
static void take_frame(struct found *found, const char *stream, const char *text)
{
	struct line line, first = {0};
	for (unsigned i = 0; i < 40 && next_line(&text, &line); i++) {
		struct line bare = trimmed(line);
		const bool is_frame = *bare.at == '#' || (bare.at > line.at && part_of(bare, ".go:"));
		if (!is_frame && first.at && !bare.bytes)
			break;
		if (!is_frame)
			continue;
		first = first.at ? first : bare;
		const bool is_library = part_of(bare, "anitizer") || part_of(bare, "/runtime/") ||
		                        part_of(bare, "/usr/lib") || part_of(bare, "/lib/x86_64");
		if (is_library || !(part_of(bare, ".") && part_of(bare, ":")))
			continue;
		first = bare;
		break;
	}
	if (!first.at)
		return;
	put_line(found->lines, stream, first);
	const char *in = part_of(first, " in ");
	if (in)
		first = (struct line){in, first.bytes - (size_t)(in - first.at)};
	put_steady(found->key, first);
}

/* Takes a report that begins at a line. `text` is what follows. */
static void take_headline(struct found *found, const char *stream, const struct headline *headline, struct line line,
                          const char *text)
{
	found->has_headline = true;
	put_line(found->lines, stream, line);
	const char *part = part_of(line, headline->part); /* before it are numbers of the process */
	put_steady(found->key, (struct line){part, line.bytes - (size_t)(part - line.at)});
	for (unsigned i = 0; i < headline->more && next_line(&text, &line) && line.bytes; i++) {
		if (begins_with(line, "note: "))
			break;
		put_line(found->lines, stream, line);
		put_steady(found->key, line);
	}
	if (!headline->more && !strchr(headline->part, '`'))
		take_frame(found, stream, text);
}

static const struct headline *headline_of(struct line line)
{
	for (unsigned i = 0; i < sizeof(headlines) / sizeof(headlines[0]); i++) {
		const char *at = part_of(line, headlines[i].part);
		if (at && (!headlines[i].begins || at == line.at))
			return &headlines[i];
	}
	return NULL;
}

/* Takes Python's last traceback: the innermost place, its line of code, and the exception. */
static void find_traceback(struct found *found, const char *stream, const char *text)
{
	struct line line, file = {0}, code = {0}, last_file = {0}, last_code = {0}, exception = {0};
	bool is_inside = false;
	while (next_line(&text, &line)) {
		if (begins_with(line, "Traceback (most recent call last):")) {
			is_inside = true;
			file = code = (struct line){0};
		} else if (is_inside && begins_with(line, "  File \"")) {
			file = line;
			code = (struct line){0};
		} else if (is_inside && begins_with(line, "    ") && !code.at) {
			code = line;
		} else if (is_inside && line.bytes && *line.at != ' ' && file.at) {
			exception = line;
			last_file = file;
			last_code = code;
			is_inside = false;
		}
	}
	if (!exception.at)
		return;
	found->has_headline = true;
	put_line(found->lines, stream, trimmed(last_file));
	if (last_code.at)
		put_line(found->lines, stream, last_code);
	put_line(found->lines, stream, exception);
	put_steady(found->key, trimmed(last_file));
	put_steady(found->key, exception);
}

static void find_report(struct found *found, const char *stream, const char *text)
{
	const char *at = text;
	for (struct line line; !found->has_headline && next_line(&at, &line);) {
		const struct headline *headline = headline_of(line);
		if (headline)
			take_headline(found, stream, headline, line, at);
	}
	if (!found->has_headline)
		find_traceback(found, stream, text);
}

/* The last lines that are not empty. */
static bool put_last(FILE *to, const char *stream, const char *text)
{
	struct line last[LAST_LINES], line;
	size_t count = 0;
	while (next_line(&text, &line))
		if (line.bytes)
			last[count++ % LAST_LINES] = line;
	for (size_t i = count > LAST_LINES ? count - LAST_LINES : 0; i < count; i++)
		put_line(to, stream, last[i % LAST_LINES]);
	return count;
}

static void find_matches(struct found *found, const char *stream, const char *text, const regex_t *by)
{
	regmatch_t match[2];
	while (found->tests < TESTS_MAX && !regexec(by, text, 2, match, 0)) {
		const regmatch_t *part = match[1].rm_so >= 0 ? &match[1] : &match[0];
		const struct line line = {text + part->rm_so, (size_t)(part->rm_eo - part->rm_so)};
		put_line(found->lines, stream, line);
		fwrite(line.at, 1, line.bytes < LINE_MAX_SHOWN ? line.bytes : LINE_MAX_SHOWN, found->key);
		putc(' ', found->key);
		found->tests++;
		text += match[0].rm_eo;
		text += strcspn(text, "\n"); /* one for each line */
		text += *text == '\n';
		if (!*text)
			return;
	}
}

static const char *const streams[2] = {"stdout", "stderr"};

static FILE *open_text(char **text, size_t *bytes)
{
	return memory_or_die(open_memstream(text, bytes));
}

void search_said_find(struct search_said *said, const struct search_text *text, const regex_t *by)
{
	size_t bytes;
	struct found found = {.lines = open_text(&said->lines, &bytes), .key = open_text(&said->key, &bytes)};
	for (unsigned i = 0; i < 2 && by; i++)
		find_matches(&found, streams[i], text->text[i], by);
	for (unsigned i = 0; i < 2 && !by; i++)
		find_tests(&found, streams[i], text->text[i]);
	for (unsigned i = 2; i-- > 0 && !found.tests && !by;)
		find_report(&found, streams[i], text->text[i]);
	if (!found.tests && !found.has_headline && !put_last(found.lines, streams[1], text->text[1]))
		put_last(found.lines, streams[0], text->text[0]);
	memory_check(!fclose(found.lines) && !fclose(found.key));
	for (char *at = said->key; *at; at++)
		*at = *at == '\n' ? ' ' : *at;
	clean_text(said->key, strlen(said->key));
}

void search_said_report(struct search_said *said, const char *file, size_t bytes)
{
	struct error error;
	char *names, *key, *lines;
	size_t size;
	FILE *to = open_text(&names, &size);
	const int failed = search_junit_find(file, bytes, TESTS_MAX, to, &error);
	memory_check(!fclose(to));
	FILE *to_key = open_text(&key, &size), *to_lines = open_text(&lines, &size);
	const char *at = names;
	for (struct line line; failed > 0 && next_line(&at, &line);) {
		put_line(to_lines, "test", line);
		put_steady(to_key, line);
	}
	if (failed <= 0)
		fprintf(to_lines, "%s%s%s\n", said->lines, failed ? "report: " : "",
		        failed ? error.text : "report: no test of the JUnit file has failed");
	memory_check(!fclose(to_key) && !fclose(to_lines));
	clean_text(key, strlen(key));
	free(names);
	search_said_fini(said);
	*said = (struct search_said){.lines = lines, .key = key};
}

/* --- lines that differ --- */

/* A hash of a line without its numbers (FNV-1a); never 0. */
static uint64_t hash_of(struct line line)
{
	uint64_t hash = 0xcbf29ce484222325UL;
	for (size_t i = 0; i < line.bytes; i++)
		if (!isdigit((unsigned char)line.at[i]))
			hash = (hash ^ (unsigned char)line.at[i]) * 0x100000001b3UL;
	return hash ? hash : 1;
}

/* Whether a set of hashes has one, which it then adds as long as there is room. */
static bool meet(uint64_t *seen, unsigned *count, uint64_t hash)
{
	unsigned at = (unsigned)(hash % SEEN_MAX);
	while (seen[at] && seen[at] != hash)
		at = (at + 1) % SEEN_MAX;
	if (seen[at])
		return true;
	if (*count < SEEN_MAX / 2) {
		seen[at] = hash;
		++*count;
	}
	return false;
}

char *search_said_differs(const struct search_text *failing, const struct search_text *passing)
{
	char *lines;
	size_t bytes;
	unsigned count = 0, shown = 0;
	uint64_t *seen = memory_or_die(calloc(SEEN_MAX, sizeof(*seen)));
	FILE *to = open_text(&lines, &bytes);
	struct line line;
	for (unsigned i = 0; i < 2; i++)
		for (const char *at = passing->text[i]; next_line(&at, &line);)
			meet(seen, &count, hash_of(line));
	for (unsigned i = 0; i < 2; i++)
		for (const char *at = failing->text[i]; shown < DIFFERS_MAX && next_line(&at, &line);)
			if (line.bytes && !meet(seen, &count, hash_of(line))) {
				put_line(to, streams[i], line);
				shown++;
			}
	free(seen);
	memory_check(!fclose(to));
	return lines;
}

void search_text_clean(struct search_text *text)
{
	for (unsigned i = 0; i < 2; i++)
		for (size_t at = 0; at < text->bytes[i]; at++)
			text->text[i][at] = text->text[i][at] ? text->text[i][at] : ' ';
}

void search_said_fini(struct search_said *said)
{
	free(said->lines);
	free(said->key);
}

void search_text_fini(struct search_text *text)
{
	free(text->text[0]);
	free(text->text[1]);
}
