/* SPDX-License-Identifier: MIT */
/* Names of C++ come from the function that every C++ runtime has (Itanium C++ ABI, 3.4). Old names of Rust are such
 * names with a hash behind them and signs written as $XX$. Of new ones (RFC 2603), which begin with _R, only the
 * identifiers are taken: paths without their generic arguments. */
#include "demangle.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANGLED_MAX \
	16384 /* longer symbols are shown as they are: demangling may take time that grows faster than they do */
#define HASH_BYTES 19 /* "::h" and 16 digits */

char *__cxa_demangle(const char *name, char *to, size_t *bytes, int *status);

static char text[DEMANGLE_MAX + 4];

/* Whether a name ends as Rust's do. */
static bool has_hash(const char *name, size_t bytes)
{
	return bytes > HASH_BYTES && !strncmp(name + bytes - HASH_BYTES, "::h", 3) &&
	       strspn(name + bytes - HASH_BYTES + 3, "0123456789abcdef") == HASH_BYTES - 3;
}

/* Undoes the signs of an old name of Rust: "$LT$" is "<", ".." is "::". */
static void undo_signs(char *name)
{
	static const struct {
		const char *sign, *is;
	} signs[] = {{"$LT$", "<"},   {"$GT$", ">"},  {"$LP$", "("},  {"$RP$", ")"},  {"$RF$", "&"},
	             {"$BP$", "*"},   {"$C$", ","},   {"$SP$", "@"},  {"$u20$", " "}, {"$u7b$", "{"},
	             {"$u7d$", "}"},  {"$u3b$", ";"}, {"$u5b$", "["}, {"$u5d$", "]"}, {"$u2b$", "+"},
	             {"$u22$", "\""}, {"$u27$", "'"}, {"$u7e$", "~"}, {"..", "::"}};
	char *to = name;
	for (const char *from = name; *from;) {
		unsigned i = 0;
		if (*from == '_' && from[1] == '$' && (from == name || from[-1] == ':'))
			from++;
		while (i < sizeof(signs) / sizeof(signs[0]) && strncmp(from, signs[i].sign, strlen(signs[i].sign)))
			i++;
		if (i == sizeof(signs) / sizeof(signs[0])) {
			*to++ = *from++;
			continue;
		}
		memcpy(to, signs[i].is, strlen(signs[i].is));
		to += strlen(signs[i].is);
		from += strlen(signs[i].sign);
	}
	*to = 0;
}

static const char *cut(const char *name)
{
	snprintf(text, sizeof(text), strlen(name) > DEMANGLE_MAX ? "%.*s..." : "%.*s", DEMANGLE_MAX, name);
	return text;
}

static const char *itanium(const char *symbol)
{
	int status;
	char *name = __cxa_demangle(symbol, NULL, NULL, &status);
	if (!name)
		return symbol;
	const size_t bytes = strlen(name);
	if (has_hash(name, bytes)) {
		name[bytes - HASH_BYTES] = 0;
		undo_signs(name);
	}
	cut(name);
	free(name);
	return text;
}

/* A number and "_" in base 62, as it follows a back reference or a disambiguator. */
static const char *skip_number(const char *at)
{
	while (isalnum((unsigned char)*at))
		at++;
	return *at == '_' ? at + 1 : at;
}

static const char *rust(const char *symbol)
{
	size_t used = 0;
	for (const char *at = symbol + 2; *at && *at != '.';) {
		if (*at == 'B' || *at == 's') {
			at = skip_number(at + 1);
		} else if (*at >= '1' && *at <= '9') {
			char *from;
			const size_t bytes = strtoul(at, &from, 10);
			from += *from == '_';
			if (bytes > strlen(from) || used + bytes + 3 > DEMANGLE_MAX)
				break;
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%.*s", used ? "::" : "",
			                         (int)bytes, from);
			at = from + bytes;
		} else {
			at++;
		}
	}
	return used ? text : symbol;
}

const char *demangle(const char *symbol)
{
	if (strlen(symbol) > MANGLED_MAX)
		return cut(symbol);
	if (!strncmp(symbol, "_R", 2) && isupper((unsigned char)symbol[2]))
		return rust(symbol);
	return !strncmp(symbol, "_Z", 2) ? itanium(symbol) : symbol;
}
