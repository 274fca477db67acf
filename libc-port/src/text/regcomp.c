/* SPDX-License-Identifier: MIT */
/* regcomp. Expands GNU's shorthands (\w, \s, \<, and in basic expressions \+ and \?) for newlib's, which takes each for
 * the plain letter. A shorthand that newlib's cannot express is an error. */
#include <regex.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* newlib's own, renamed when it is compiled (newlib.mk). */
int __newlib_regcomp(regex_t *restrict compiled, const char *restrict pattern, int flags);

enum { EXPANSION_MAX = 14 };

static const char *shorthand(char letter)
{
	switch (letter) {
	case 'w':
		return "[[:alnum:]_]";
	case 'W':
		return "[^[:alnum:]_]";
	case 's':
		return "[[:space:]]";
	case 'S':
		return "[^[:space:]]";
	case '<':
		return "[[:<:]]";
	case '>':
		return "[[:>:]]";
	default:
		return NULL;
	}
}

/* Whether newlib would silently take \LETTER for the letter. */
static bool is_unknown(char letter, bool extended)
{
	return letter && (strchr("bB`'", letter) || (extended ? letter >= '1' && letter <= '9' : letter == '|'));
}

/* Copies the set that begins at [; a backslash in it is an ordinary character. Returns its end. */
static const char *copy_set(const char *at, char **to)
{
	const char *start = at++;
	at += *at == '^';
	at += *at == ']';
	while (*at && *at != ']') {
		const char *end = NULL;
		if (*at == '[' && at[1] && strchr(":.=", at[1])) {
			const char close[] = {at[1], ']', 0};
			end = strstr(at + 2, close);
		}
		at = end ? end + 2 : at + 1;
	}
	at += *at == ']';
	*to = mempcpy(*to, start, (size_t)(at - start));
	return at;
}

/* Expands the pattern. Returns false if newlib cannot express it. */
static bool write_out(const char *at, bool extended, char *to)
{
	bool repeatable = false; /* \+ would have something to repeat */
	while (*at) {
		if (*at == '[') {
			at = copy_set(at, &to);
			repeatable = true;
			continue;
		}
		if (extended && at[0] == '{' && at[1] == ',')
			to = stpcpy(to, "{0"), at++;
		if (*at != '\\') {
			repeatable = *at != '^' || repeatable;
			*to++ = *at++;
			continue;
		}
		if (is_unknown(at[1], extended))
			return false;
		const char *text = shorthand(at[1]);
		if (!extended && repeatable && (at[1] == '+' || at[1] == '?'))
			text = at[1] == '+' ? "\\{1,\\}" : "\\{0,1\\}";
		else if (!extended && at[1] == '{' && at[2] == ',')
			text = "\\{0";
		repeatable = extended || at[1] != '(';
		if (text) {
			to = stpcpy(to, text);
			at += 2;
			continue;
		}
		*to++ = *at++;
		if (*at)
			*to++ = *at++;
	}
	*to = 0;
	return true;
}

int regcomp(regex_t *restrict compiled, const char *restrict pattern, int flags)
{
	if (flags & (REG_NOSPEC | REG_PEND) || (!strchr(pattern, '\\') && !strstr(pattern, "{,")))
		return __newlib_regcomp(compiled, pattern, flags);
	char *plain = malloc(strlen(pattern) * EXPANSION_MAX + 1);
	if (!plain)
		return REG_ESPACE;
	int result = REG_BADPAT;
	if (write_out(pattern, flags & REG_EXTENDED, plain))
		result = __newlib_regcomp(compiled, plain, flags);
	free(plain);
	return result;
}
