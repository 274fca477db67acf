/* SPDX-License-Identifier: MIT */
/* glob as in POSIX, by newlib's. newlib's succeeds without a match, does not treat backslashes as escapes, and stops at
 * an object that is no folder. */
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* newlib's own, renamed when it is compiled (newlib.mk). */
int __newlib_glob(const char *restrict pattern, int flags, int (*failed)(const char *, int), glob_t *restrict paths);

/* Arguments of the current call, for the function that newlib's calls without them. */
static __thread int (*caller_failed)(const char *, int);
static __thread int caller_flags;

static int failed_at(const char *path, int error)
{
	if (error == ENOTDIR)
		return 0;
	return (caller_failed && caller_failed(path, error)) || caller_flags & GLOB_ERR;
}

/* The ranges of the classes in the C locale. None begins with ! or contains /, which newlib treats specially in sets.
 */
static const struct {
	const char *name, *ranges;
} classes[] = {{"alnum", "0-9A-Za-z"},  {"alpha", "A-Za-z"}, {"blank", "\t "},
               {"cntrl", "\1-\37\177"}, {"digit", "0-9"},    {"graph", "0-~\"-.!"},
               {"lower", "a-z"},        {"print", "0-~ -."}, {"punct", ":-@[-`{-~\"-.!"},
               {"space", "\t-\r "},     {"upper", "A-Z"},    {"xdigit", "0-9A-Fa-f"}};

enum { RANGES_MAX = 16 };

/* Copies a pattern, with ranges in place of [:classes:]. Returns NULL without memory. */
static char *write_out_classes(const char *pattern)
{
	char *copy = malloc(strlen(pattern) * RANGES_MAX + 1), *to = copy;
	while (copy && *pattern) {
		const char *ranges = NULL;
		if (pattern[0] == '[' && pattern[1] == ':') {
			for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
				size_t length = strlen(classes[i].name);
				if (strncmp(pattern + 2, classes[i].name, length) ||
				    strncmp(pattern + 2 + length, ":]", 2))
					continue;
				ranges = classes[i].ranges;
				pattern += length + 4;
				break;
			}
		}
		if (ranges)
			to = stpcpy(to, ranges);
		else
			*to++ = *pattern++;
	}
	if (copy)
		*to = 0;
	return copy;
}

static int glob_written_out(const char *restrict pattern, int flags, int (*failed)(const char *, int),
                            glob_t *restrict paths)
{
	int before = flags & GLOB_APPEND ? paths->gl_pathc : 0, own = flags & ~(GLOB_NOESCAPE | GLOB_ERR);
	if (!(flags & GLOB_NOESCAPE) && strchr(pattern, '\\'))
		own |= GLOB_QUOTE;
	caller_failed = failed;
	caller_flags = flags;
	/* A pattern without matches that is returned itself keeps its backslashes. */
	int result = __newlib_glob(pattern, own & GLOB_QUOTE ? own & ~GLOB_NOCHECK : own, failed_at, paths);
	if (result == 0 && paths->gl_pathc == before && own & GLOB_QUOTE && flags & GLOB_NOCHECK)
		result = __newlib_glob(pattern, own & ~GLOB_QUOTE, failed_at, paths);
	return result == 0 && paths->gl_pathc == before ? GLOB_NOMATCH : result;
}

int glob(const char *restrict pattern, int flags, int (*failed)(const char *, int), glob_t *restrict paths)
{
	if (!strstr(pattern, "[:"))
		return glob_written_out(pattern, flags, failed, paths);
	char *plain = write_out_classes(pattern);
	if (!plain)
		return GLOB_NOSPACE;
	int count = flags & GLOB_APPEND ? paths->gl_pathc : 0;
	int result = glob_written_out(plain, flags & ~GLOB_NOCHECK, failed, paths);
	free(plain);
	/* Without a match, returns the pattern as the program wrote it. */
	if (result == GLOB_NOMATCH && flags & GLOB_NOCHECK && paths->gl_pathc == count)
		return glob_written_out(pattern, flags, failed, paths);
	return result;
}
