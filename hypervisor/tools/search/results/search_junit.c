/* SPDX-License-Identifier: MIT */
#include "search/results/search_junit.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define DEPTH_MAX 64
#define SHOWN_MAX 200 /* bytes of a name or a message */

/* A part of the file. */
struct part {
	const char *at;
	size_t bytes;
};

struct reader {
	const char *at, *end;
	unsigned depth, tests, most;
	struct part suite;            /* name of the last test suite */
	struct part class_name, name; /* of the test that is open */
	unsigned test_depth;          /* of its content; 0: none is open */
	bool is_counted;              /* this test has failed already */
	bool has_root;
	FILE *to;
};

static bool is_at(const struct reader *reader, const char *text)
{
	const size_t bytes = strlen(text);
	return (size_t)(reader->end - reader->at) >= bytes && !memcmp(reader->at, text, bytes);
}

/* Moves the reader to the character after the next `text`. Returns false if the rest does not contain it. */
static bool skip_to(struct reader *reader, const char *text)
{
	const char *found = memmem(reader->at, (size_t)(reader->end - reader->at), text, strlen(text));
	if (!found)
		return false;
	reader->at = found + strlen(text);
	return true;
}

static bool is_named(struct part part, const char *name)
{
	return part.bytes == strlen(name) && !memcmp(part.at, name, part.bytes);
}

/* Writes text with the five entities that need no declaration; others stay as they are. */
static void put_text(FILE *to, struct part part)
{
	static const char *const entities[] = {"&lt;<", "&gt;>", "&amp;&", "&quot;\"", "&apos;'"};
	for (size_t i = 0; i < part.bytes && i < SHOWN_MAX; i++) {
		char c = part.at[i];
		for (unsigned j = 0; c == '&' && j < sizeof(entities) / sizeof(entities[0]); j++) {
			const size_t length = strlen(entities[j]) - 1;
			if (part.bytes - i < length || memcmp(part.at + i, entities[j], length))
				continue;
			c = entities[j][length];
			i += length - 1;
			break;
		}
		if (c == '\n' || (c == '&' && part.bytes - i >= 5 && !memcmp(part.at + i, "&#10;", 5)))
			break; /* the first line says enough */
		putc(c && c != '\r' ? c : ' ', to);
	}
}

/* A failure behind the end of a test, as that of a teardown, is the suite's. */
static void take_failure(struct reader *reader, struct part message)
{
	const bool is_in_test = reader->test_depth;
	const struct part of = is_in_test ? reader->class_name : reader->suite,
			  name = is_in_test ? reader->name : (struct part){0};
	if (is_in_test && reader->is_counted)
		return;
	reader->is_counted = true;
	if (reader->tests++ >= reader->most)
		return;
	put_text(reader->to, of);
	fputs(of.bytes && name.bytes ? "." : "", reader->to);
	put_text(reader->to, name);
	fputs(of.bytes || name.bytes ? "" : "unnamed", reader->to);
	fputs(message.bytes ? " - " : "", reader->to);
	put_text(reader->to, message);
	putc('\n', reader->to);
}

static struct part take_name(struct reader *reader)
{
	struct part name = {reader->at, 0};
	while (reader->at < reader->end && !strchr(" \t\r\n/>=", *reader->at))
		reader->at++;
	name.bytes = (size_t)(reader->at - name.at);
	return name;
}

/* Takes an attribute: NAME="VALUE". Returns false if the file ends in it, or it has another form. */
static bool take_attribute(struct reader *reader, struct part *name, struct part *value)
{
	*name = take_name(reader);
	if (!name->bytes || reader->at >= reader->end || *reader->at != '=')
		return false;
	reader->at++;
	if (reader->at >= reader->end || (*reader->at != '"' && *reader->at != '\''))
		return false;
	const char quote[2] = {*reader->at++, 0};
	value->at = reader->at;
	if (!skip_to(reader, quote))
		return false;
	value->bytes = (size_t)(reader->at - 1 - value->at);
	return true;
}

/* Takes the tag that begins here, behind its '<'. Returns false if the file ends in it. */
static bool take_tag(struct reader *reader)
{
	const struct part tag = take_name(reader);
	struct part name = {0}, class_name = {0}, message = {0}, attribute, value;
	for (;;) {
		while (reader->at < reader->end && strchr(" \t\r\n", *reader->at))
			reader->at++;
		if (reader->at >= reader->end)
			return false;
		if (*reader->at == '>' || *reader->at == '/')
			break;
		if (!take_attribute(reader, &attribute, &value))
			return false;
		name = is_named(attribute, "name") ? value : name;
		class_name = is_named(attribute, "classname") ? value : class_name;
		message = is_named(attribute, "message") ? value : message;
	}
	const bool is_empty = *reader->at == '/';
	if (!skip_to(reader, ">"))
		return false;
	reader->depth += !is_empty;
	if (is_named(tag, "testsuites") || is_named(tag, "testsuite")) {
		reader->has_root = true;
		reader->suite = name;
	} else if (is_named(tag, "testcase")) {
		reader->name = name;
		reader->class_name = class_name;
		reader->test_depth = is_empty ? 0 : reader->depth;
		reader->is_counted = false;
	} else if (is_named(tag, "failure") || is_named(tag, "error")) {
		take_failure(reader, message);
	}
	return true;
}

/* Takes what begins with the '<' here. Returns 0 or a negative errno. */
static int take_markup(struct reader *reader, struct error *error)
{
	bool is_whole;
	if (is_at(reader, "<!--"))
		is_whole = skip_to(reader, "-->");
	else if (is_at(reader, "<![CDATA["))
		is_whole = skip_to(reader, "]]>");
	else if (is_at(reader, "<!"))
		return error_set(error, EINVAL,
		                 "the JUnit file declares types or entities, which no report needs, and is not read");
	else if (is_at(reader, "<?"))
		is_whole = skip_to(reader, "?>");
	else if (is_at(reader, "</")) {
		if (!reader->depth)
			return error_set(error, EINVAL,
			                 "the JUnit file closes what it has not opened, and is not read");
		if (reader->depth-- == reader->test_depth)
			reader->test_depth = 0;
		is_whole = skip_to(reader, ">");
	} else {
		reader->at++;
		is_whole = take_tag(reader);
	}
	if (reader->depth > DEPTH_MAX)
		return error_set(error, EINVAL, "the JUnit file is nested too deep, and is not read");
	return is_whole ? 0 : error_set(error, EINVAL, "the JUnit file is cut off, or is not XML");
}

int search_junit_find(const char *file, size_t bytes, unsigned most, FILE *to, struct error *error)
{
	struct reader reader = {.at = file, .end = file + bytes, .most = most, .to = to};
	if (!bytes)
		return error_set(error, EINVAL, "the JUnit file is missing or empty");
	if (bytes > SEARCH_JUNIT_MAX)
		return error_set(error, EINVAL, "the JUnit file has more than 16 MiB, and is not read");
	while ((reader.at = memchr(reader.at, '<', (size_t)(reader.end - reader.at)))) {
		const int result = take_markup(&reader, error);
		if (result)
			return result;
	}
	if (!reader.has_root)
		return error_set(error, EINVAL, "the JUnit file has no test suite");
	return reader.depth ? error_set(error, EINVAL, "the JUnit file is cut off") : (int)reader.tests;
}
