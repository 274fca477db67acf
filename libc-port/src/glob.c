/* SPDX-License-Identifier: MIT */
/* glob as POSIX has it: over newlib's, which succeeds with no match and takes backslashes as they are. */
#include <glob.h>
#include <string.h>

/* newlib's own, renamed when it is compiled (newlib.mk). */
int __newlib_glob(const char *restrict pattern, int flags, int (*failed)(const char *, int), glob_t *restrict paths);

int glob(const char *restrict pattern, int flags, int (*failed)(const char *, int), glob_t *restrict paths)
{
	int before = flags & GLOB_APPEND ? paths->gl_pathc : 0, own = flags & ~GLOB_NOESCAPE;
	if (!(flags & GLOB_NOESCAPE) && strchr(pattern, '\\'))
		own |= GLOB_QUOTE;
	/* A pattern that stands for itself keeps its backslashes. */
	int result = __newlib_glob(pattern, own & GLOB_QUOTE ? own & ~GLOB_NOCHECK : own, failed, paths);
	if (result == 0 && paths->gl_pathc == before && own & GLOB_QUOTE && flags & GLOB_NOCHECK)
		result = __newlib_glob(pattern, own & ~GLOB_QUOTE, failed, paths);
	return result == 0 && paths->gl_pathc == before ? GLOB_NOMATCH : result;
}
