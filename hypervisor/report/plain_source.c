/* SPDX-License-Identifier: MIT */
/* Paths and names come from debug information, which is untrusted: only a regular file is read, and only whether one
 * line is plain leaves this file. */
#include "report/plain_source.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX (16L << 20) /* bytes of a source that is read */
#define DEPTH_MAX 64         /* of parentheses */

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Copies "state.slots[2].busy[1]", of `bytes` bytes, as "state.slots.busy", without indices and blanks. Returns it for
 * the caller to free, or NULL. */
static char *chain_of(const char *text, size_t bytes)
{
	char *chain = malloc(bytes + 1), *to = chain;
	unsigned depth = 0;
	for (size_t i = 0; chain && i < bytes; i++) {
		depth += text[i] == '[';
		if (!depth && !isspace((unsigned char)text[i]))
			*to++ = text[i];
		depth -= text[i] == ']' && depth;
	}
	if (chain)
		*to = 0;
	return chain;
}

/* The last name in "state.slots.busy". Returns its length; 0: the text ends without a name. */
static size_t last_name(const char *chain, const char **name)
{
	const char *end = chain + strlen(chain), *from = end;
	while (from > chain && is_word_char(from[-1]))
		from--;
	*name = from;
	return strchr(chain, '+') || isdigit((unsigned char)*chain) ? 0 : (size_t)(end - from);
}

/* Copies a line without comments, and with the contents of strings blank. Returns it for the caller to free, or NULL.
 */
static char *code_of(const char *line)
{
	char *code = strdup(line), quote = 0;
	for (char *c = code; c && *c; c++) {
		if (quote) {
			if (*c == '\\' && c[1])
				*c++ = ' ';
			else if (*c == quote)
				quote = 0;
			*c = ' ';
		} else if (*c == '"' || *c == '\'') {
			quote = *c;
			*c = ' ';
		} else if (*c == '/' && c[1] == '/') {
			*c = 0;
			break;
		} else if (*c == '/' && c[1] == '*') {
			char *end = strstr(c + 2, "*/");
			if (end)
				memset(c, ' ', (size_t)(end + 2 - c));
			else
				*c-- = 0;
		}
	}
	for (size_t bytes = code ? strlen(code) : 0; bytes && isspace((unsigned char)code[bytes - 1]); bytes--)
		code[bytes - 1] = 0;
	return code;
}

/* Whether a statement can begin behind a line. */
static bool ends_statement(const char *before)
{
	char *code = code_of(before);
	const size_t bytes = code ? strlen(code) : 0;
	const bool ends = code && (!bytes || strchr(";{}:)", code[bytes - 1]) || *code == '#' ||
	                           (bytes >= 4 && !strcmp(code + bytes - 4, "else")) ||
	                           (bytes >= 2 && !strcmp(code + bytes - 2, "do")));
	free(code);
	return ends;
}

static bool is_keyword(const char *word, size_t bytes)
{
	static const char *const words[] = {"if", "while", "for", "switch", "return", "sizeof"};
	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strlen(words[i]) == bytes && !strncmp(word, words[i], bytes))
			return true;
	return false;
}

/* Whether a word may be that of an atomic operation, or of what stands for one. */
static bool is_suspect(const char *word, size_t bytes)
{
	static const char *const parts[] = {"atomic",  "volatile", "once",  "asm",     "acquire",
	                                    "release", "relaxed",  "fence", "barrier", "define"};
	for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		for (size_t at = 0; at + strlen(parts[i]) <= bytes; at++)
			if (!strncasecmp(word + at, parts[i], strlen(parts[i])))
				return true;
	return false;
}

/* Whether the code up to `end` is an access to a variable as such: what `chain` names, and not through a pointer, whose
 * type may be another one. */
static bool ends_with(const char *code, const char *end, const char *chain)
{
	const char *from = end;
	for (unsigned depth = 0; from > code; from--) {
		depth += from[-1] == ']';
		if (!depth && !is_word_char(from[-1]) && from[-1] != '.')
			break;
		depth -= from[-1] == '[' && depth;
	}
	char *have = chain_of(from, (size_t)(end - from));
	while (from > code && isspace((unsigned char)from[-1]))
		from--;
	const bool is = have && !strcmp(have, chain) && !(from > code && (from[-1] == '>' || from[-1] == '.'));
	free(have);
	return is;
}

/* Whether code names what `chain` does, each time as such and outside of arguments. */
static bool names_plainly(const char *code, const char *chain)
{
	const char *name;
	const size_t name_bytes = last_name(chain, &name);

	bool is_call[DEPTH_MAX + 1] = {false}, is_behind_name = false, is_there = false;
	unsigned depth = 0;
	for (const char *c = code; *c; c++) {
		if (is_word_char(*c)) {
			size_t bytes = 1;
			while (is_word_char(c[bytes]))
				bytes++;
			if (is_suspect(c, bytes))
				return false;
			if (bytes == name_bytes && !strncmp(c, name, bytes)) {
				is_there = true;
				if (is_call[depth] || !ends_with(code, c + bytes, chain))
					return false;
			}
			is_behind_name = !is_keyword(c, bytes);
			c += bytes - 1;
			continue;
		}
		if (*c == '&' && c[1] == '&')
			c++;
		else if (*c == '&')
			return false;
		if (*c == '(') {
			if (depth == DEPTH_MAX)
				return false;
			is_call[depth + 1] = is_call[depth] || is_behind_name;
			depth++;
		} else if (*c == ')' && !depth--) {
			return false;
		}
		if (!isspace((unsigned char)*c))
			is_behind_name = *c == ')' || *c == ']';
	}
	return is_there && !depth;
}

bool plain_source_is(const char *line, const char *before, const char *object)
{
	const char *name;
	char *chain = chain_of(object, strlen(object));
	char *code = chain && last_name(chain, &name) && ends_statement(before) ? code_of(line) : NULL;
	const bool is = code && *code && strchr(";{})", code[strlen(code) - 1]) && names_plainly(code, chain);
	free(code);
	free(chain);
	return is;
}

/* Opens a regular file of bearable size. */
static FILE *open_source(const char *place, size_t bytes)
{
	struct stat st;
	char *path = strndup(place, bytes);
	const int fd = path ? open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC) : -1;
	FILE *from =
		fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= FILE_MAX ? fdopen(fd, "r") : NULL;
	if (!from && fd >= 0)
		close(fd);
	free(path);
	return from;
}

/* Whether a line defines a macro of this name, which may be more than the variable. */
static bool is_macro(const char *line, const char *name, size_t bytes)
{
	line += strspn(line, " \t");
	if (*line++ != '#')
		return false;
	line += strspn(line, " \t");
	if (strncmp(line, "define", 6) != 0)
		return false;
	line += 6 + strspn(line + 6, " \t");
	return !strncmp(line, name, bytes) && !is_word_char(line[bytes]);
}

bool plain_source_is_at(const char *place, size_t bytes, const char *object)
{
	const char *colon = memrchr(place, ':', bytes);
	const unsigned long wanted = colon ? strtoul(colon + 1, NULL, 10) : 0;
	FILE *from = wanted ? open_source(place, (size_t)(colon - place)) : NULL;
	char *line = NULL, *before = strdup(""), *chain = chain_of(object, strlen(object));
	const char *name = "";
	const size_t name_bytes = chain ? last_name(chain, &name) : 0;
	size_t room = 0;
	bool is = false;
	for (unsigned long number = 1; from && before && number <= wanted && getline(&line, &room, from) >= 0;
	     number++) {
		if (is_macro(line, name, name_bytes))
			break;
		if (number == wanted) {
			is = plain_source_is(line, before, object);
		} else if (line[strspn(line, " \t\r\n")]) {
			free(before);
			before = strdup(line);
		}
	}
	free(line);
	free(before);
	free(chain);
	if (from)
		fclose(from);
	return is;
}
