/* SPDX-License-Identifier: MIT */
/* libtsan has functions without a version, so a program that was linked with it refers to them without one, and would
 * get the oldest function of libc, with another type or other results. These pass on to the default ones. */
#include <glob.h>
#include <math.h>
#include <regex.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>

#include "next.h"

#define PASS(type, name, version, parameters, ...) \
	NEXT(name, version) \
	EXPORT type name parameters \
	{ \
		return next_##name()(__VA_ARGS__); \
	}

PASS(int, pthread_attr_getaffinity_np, "GLIBC_2.34", (const pthread_attr_t *attributes, size_t bytes, cpu_set_t *set),
     attributes, bytes, set)
PASS(int, sched_getaffinity, "GLIBC_2.3.4", (pid_t process, size_t bytes, cpu_set_t *set), process, bytes, set)
PASS(FILE *, fmemopen, "GLIBC_2.22", (void *at, size_t bytes, const char *mode), at, bytes, mode)
PASS(char *, realpath, "GLIBC_2.3", (const char *path, char *to), path, to)
PASS(int, regexec, "GLIBC_2.3.4",
     (const regex_t *pattern, const char *text, size_t count, regmatch_t found[restrict count], int flags), pattern,
     text, count, found, flags)
PASS(int, glob, "GLIBC_2.27",
     (const char *pattern, int flags, int (*error)(const char *path, int number), glob_t *found), pattern, flags, error,
     found)
PASS(int, glob64, "GLIBC_2.27",
     (const char *pattern, int flags, int (*error)(const char *path, int number), glob64_t *found), pattern, flags,
     error, found)
PASS(int, posix_spawn, "GLIBC_2.15",
     (pid_t * process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
      char *const *arguments, char *const *environment),
     process, path, actions, attributes, arguments, environment)
PASS(int, posix_spawnp, "GLIBC_2.15",
     (pid_t * process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
      char *const *arguments, char *const *environment),
     process, path, actions, attributes, arguments, environment)
PASS(double, lgamma, "GLIBC_2.23", (double x), x)
PASS(float, lgammaf, "GLIBC_2.23", (float x), x)
PASS(long double, lgammal, "GLIBC_2.23", (long double x), x)
