/* SPDX-License-Identifier: MIT */
/* fnmatch(3) with characters of the locale and classes in brackets, which newlib's lacks. */
#include <fnmatch.h>
#include <stdbool.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#define INVALID 0x40000000 /* with the byte: a byte that is no character matches itself */

/* Takes the character at *at, or 0 at the end. */
static wint_t next_character(const char **at)
{
	wchar_t character;
	mbstate_t state = {0};
	size_t length = (unsigned char)**at < 0x80 ? (size_t)-1 : mbrtowc(&character, *at, 16, &state);
	if (length > 16) {
		unsigned char byte = (unsigned char)**at;
		*at += byte != 0;
		return byte < 0x80 ? byte : (wint_t)byte | INVALID;
	}
	*at += length;
	return (wint_t)character;
}

static wint_t fold(wint_t character, int flags)
{
	return flags & FNM_CASEFOLD && !(character & INVALID) ? towlower(character) : character;
}

/* Takes [:class:] at *at. Returns whether the class contains the character, or -1 if there is no class. */
static int match_class(const char **at, wint_t character)
{
	char name[16];
	const char *end = strstr(*at + 2, ":]");
	size_t length = end ? (size_t)(end - *at - 2) : sizeof(name);
	if (length >= sizeof(name))
		return -1;
	memcpy(name, *at + 2, length);
	name[length] = 0;
	wctype_t type = wctype(name);
	if (!type)
		return -1;
	*at = end + 2;
	return !(character & INVALID) && iswctype(character, type);
}

/* Takes one end of a range: a character, escaped or as [.x.] or [=x=]. */
static wint_t range_end(const char **at, int flags)
{
	if (**at == '[' && ((*at)[1] == '.' || (*at)[1] == '=')) {
		char kind = (*at)[1];
		const char *inner = *at + 2;
		wint_t character = next_character(&inner);
		if (inner[0] == kind && inner[1] == ']') {
			*at = inner + 2;
			return character;
		}
	}
	if (**at == '\\' && !(flags & FNM_NOESCAPE) && (*at)[1])
		++*at;
	return next_character(at);
}

/* Matches the list after a '[' at *at, and moves *at behind its ']'. Returns 1, 0, or -1 if it is no list. */
static int match_list(const char **at, wint_t character, int flags)
{
	const char *p = *at;
	bool negated = *p == '!' || *p == '^', found = false;
	wint_t folded = fold(character, flags);
	p += negated;
	for (const char *start = p; *p != ']' || p == start;) {
		if (!*p || (*p == '/' && flags & FNM_PATHNAME))
			return -1;
		if (p[0] == '[' && p[1] == ':') {
			int member = match_class(&p, character);
			if (member >= 0) {
				found |= member;
				continue;
			}
		}
		wint_t first = range_end(&p, flags), last = first;
		if (p[0] == '-' && p[1] && p[1] != ']') {
			p++;
			last = range_end(&p, flags);
		}
		found |= (first <= character && character <= last) ||
		         (fold(first, flags) <= folded && folded <= fold(last, flags));
	}
	*at = p + 1;
	return found != negated;
}

static bool hidden(const char *text, const char *start, int flags)
{
	return *text == '.' && flags & FNM_PERIOD && (text == start || (flags & FNM_PATHNAME && text[-1] == '/'));
}

/* Matches one step of the pattern and one character of the text, and moves behind both. */
static bool match_one(const char **pattern, const char **text, const char *start, int flags)
{
	bool slash = **text == '/' && flags & FNM_PATHNAME, special = !slash && !hidden(*text, start, flags);
	const char *list = *pattern + 1;
	if (!**text)
		return false;
	wint_t character = next_character(text);
	if (**pattern == '?') {
		++*pattern;
		return special;
	}
	if (**pattern == '[') {
		int result = match_list(&list, character, flags);
		if (result >= 0) {
			*pattern = list;
			return special && result;
		}
	}
	if (**pattern == '\\' && !(flags & FNM_NOESCAPE) && !*++*pattern)
		return false; /* a backslash at the end */
	return fold(next_character(pattern), flags) == fold(character, flags);
}

/* Tries each length of a star. Only the last star must be tried again, unless it may not match a slash. */
int fnmatch(const char *pattern, const char *text, int flags)
{
	const char *start = text, *star_pattern = NULL, *star_text = NULL;
	for (;;) {
		if (*pattern == '*') {
			while (*pattern == '*')
				pattern++;
			if (hidden(text, start, flags))
				return FNM_NOMATCH;
			star_pattern = pattern;
			star_text = text;
			continue;
		}
		if (!*pattern && (!*text || (flags & FNM_LEADING_DIR && *text == '/')))
			return 0;
		if (*pattern && match_one(&pattern, &text, start, flags)) {
			if (text[-1] == '/' && flags & FNM_PATHNAME)
				star_pattern = NULL; /* a star before this slash cannot match it */
			continue;
		}
		if (!star_pattern || !*star_text || (*star_text == '/' && flags & FNM_PATHNAME))
			return FNM_NOMATCH;
		next_character(&star_text);
		pattern = star_pattern;
		text = star_text;
	}
}
