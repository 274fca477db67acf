/* SPDX-License-Identifier: MIT */
/* A line is "  #2  0x00007f12 name+0x12 (module, file.c:3)"; without a symbol " +0x12 (module)"; for an inlined call
 * " name (module, file.c:3) inlined"; of Python " name (file.py:12) python". */
#include "profile/profile_frames.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "profile/profile_table.h"

#define INTERPRETER "_PyEval_EvalFrameDefault" /* runs a function of Python */
#define LINES_MAX 256
#define NAME_MAX_BYTES 400

struct line {
	const char *at;
	size_t length;
};

/* Lists the lines. Returns their number. */
static unsigned split_lines(const char *text, struct line lines[LINES_MAX])
{
	unsigned count = 0;
	while (*text && count < LINES_MAX) {
		const size_t length = strcspn(text, "\n");
		lines[count++] = (struct line){text, length};
		text += length + (text[length] == '\n');
	}
	return count;
}

/* What follows the address. */
static struct line after_address(struct line line)
{
	const char *found = memmem(line.at, line.length, " 0x", 3);
	if (!found)
		return (struct line){line.at + line.length, 0};
	size_t at = (size_t)(found - line.at) + 1;
	while (at < line.length && line.at[at] != ' ')
		at++;
	while (at < line.length && line.at[at] == ' ')
		at++;
	return (struct line){line.at + at, line.length - at};
}

/* The last place of a text in a line, or NULL. */
static const char *find_last(struct line line, const char *text)
{
	const char *last = NULL, *from = line.at, *end = line.at + line.length;
	for (const char *at; (at = memmem(from, (size_t)(end - from), text, strlen(text))); from = at + 1)
		last = at;
	return last;
}

/* The last component of the module's path, of a frame without a symbol. */
static void name_module(char name[NAME_MAX_BYTES], struct line rest)
{
	const char *open = memmem(rest.at, rest.length, "(", 1), *end = rest.at + rest.length;
	if (!open) {
		snprintf(name, NAME_MAX_BYTES, "[%s]", rest.length ? "made at run time" : "unknown");
		return;
	}
	const char *from = open + 1, *to = from;
	for (; to < end && *to != ')' && *to != ','; to++)
		if (*to == '/')
			from = to + 1;
	snprintf(name, NAME_MAX_BYTES, "[%.*s]", (int)(to - from), from);
}

static void name_frame(char name[NAME_MAX_BYTES], struct line line)
{
	struct line rest = after_address(line);
	const char *place = find_last(rest, " (");
	struct line symbol = {rest.at, place ? (size_t)(place - rest.at) : rest.length};
	const char *offset = find_last(symbol, "+0x");
	if (offset)
		symbol.length = (size_t)(offset - symbol.at);
	if (!symbol.length || (!offset && !place))
		name_module(name, rest);
	else
		snprintf(name, NAME_MAX_BYTES, "%.*s", (int)symbol.length, symbol.at);
}

/* "name (file.py)": the line is where the call is, and the function is the same at all of them. */
static void name_python(char name[NAME_MAX_BYTES], struct line line)
{
	struct line rest = after_address(line);
	const char *end = find_last(rest, ") python");
	if (end)
		rest.length = (size_t)(end - rest.at);
	const char *number = find_last(rest, ":");
	if (number)
		rest.length = (size_t)(number - rest.at);
	snprintf(name, NAME_MAX_BYTES, "%.*s)", (int)rest.length, rest.at);
}

/* Appends a name. Returns the new length of all; what does not fit is left out. */
static size_t append_frame(char names[PROFILE_NAMES_MAX], size_t used, const char *name)
{
	const size_t length = strlen(name);
	if (used + length + 2 > PROFILE_NAMES_MAX)
		return used;
	if (used)
		names[used++] = PROFILE_SEPARATOR;
	for (size_t i = 0; i < length; i++) {
		const char byte = name[i];
		names[used++] = byte == PROFILE_SEPARATOR ? ':' : byte < ' ' || byte > '~' ? '?' : byte;
	}
	names[used] = 0;
	return used;
}

void profile_frames_fold(char names[PROFILE_NAMES_MAX], const char *root, const char *python, const char *frames)
{
	struct line lines[LINES_MAX];
	char name[NAME_MAX_BYTES];
	size_t used = append_frame(names, 0, *root ? root : "[process]");
	unsigned count = split_lines(python, lines);
	const bool has_python = count;
	while (count--) {
		name_python(name, lines[count]);
		used = append_frame(names, used, name);
	}
	count = split_lines(frames, lines);
	for (unsigned i = 0; has_python && i < count; i++) {
		name_frame(name, lines[i]);
		if (!strcmp(name, INTERPRETER))
			count = i; /* the functions outside of it are those that call Python's */
	}
	while (count--) {
		name_frame(name, lines[count]);
		used = append_frame(names, used, name);
	}
}

void profile_frames_top(char names[PROFILE_NAMES_MAX], const char *root, const char *frames)
{
	static const char inlined[] = " inlined";
	struct line lines[LINES_MAX];
	char name[NAME_MAX_BYTES];
	unsigned at = 0;
	const unsigned count = split_lines(frames, lines);
	const size_t used = append_frame(names, 0, *root ? root : "[process]");
	while (at + 1 < count && lines[at].length > strlen(inlined) &&
	       !memcmp(lines[at].at + lines[at].length - strlen(inlined), inlined, strlen(inlined)))
		at++;
	name_frame(name, count ? lines[at] : (struct line){"", 0});
	append_frame(names, used, name);
}
