/* SPDX-License-Identifier: MIT */
/* glob as POSIX has it: over newlib's, which succeeds with no match, takes backslashes as they are, and gives up at
 * what is no folder. */
#include <errno.h>
#include <glob.h>
#include <string.h>

/* newlib's own, renamed when it is compiled (newlib.mk). */
int __newlib_glob(const char *restrict pattern, int flags, int (*failed)(const char *, int), glob_t *restrict paths);

/* Of the call that runs: newlib's passes nothing through to the function that it calls. */
static __thread int (*caller_failed)(const char *, int);
static __thread int caller_flags;

static int failed_at(const char *path, int error)
{
	if (error == ENOTDIR)
		return 0;
	return (caller_failed && caller_failed(path, error)) || caller_flags & GLOB_ERR;
}

int glob(const char *restrict pattern, int flags, int (*failed)(const char *, int), glob_t *restrict paths)
{
	int before = flags & GLOB_APPEND ? paths->gl_pathc : 0, own = flags & ~(GLOB_NOESCAPE | GLOB_ERR);
	if (!(flags & GLOB_NOESCAPE) && strchr(pattern, '\\'))
		own |= GLOB_QUOTE;
	caller_failed = failed;
	caller_flags = flags;
	/* A pattern that stands for itself keeps its backslashes. */
	int result = __newlib_glob(pattern, own & GLOB_QUOTE ? own & ~GLOB_NOCHECK : own, failed_at, paths);
	if (result == 0 && paths->gl_pathc == before && own & GLOB_QUOTE && flags & GLOB_NOCHECK)
		result = __newlib_glob(pattern, own & ~GLOB_QUOTE, failed_at, paths);
	return result == 0 && paths->gl_pathc == before ? GLOB_NOMATCH : result;
}
