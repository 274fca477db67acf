/* SPDX-License-Identifier: MIT */
/* glob: what patterns match in a tree, order, flags, escapes, appending, offsets, errors. */
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

static void make_tree(void)
{
	static const char *const files[] = {"a",        "b.c",         "B.c",       "c.c",    ".hidden",
	                                    "d1/x.c",   "d1/y.h",      "d1/.z",     "d2/x.c", "d2/[q]",
	                                    "d2/star*", "back\\slash", "two words", "~tilde"};
	mkdir("tree", 0755);
	chdir("tree");
	mkdir("d1", 0755);
	mkdir("d2", 0755);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		close(open(files[i], O_CREAT | O_WRONLY, 0644));
	symlink("nowhere", "dangling");
	symlink("d1", "link");
}

static const char *result_name(int result)
{
	return result == 0 ? "0" : result == GLOB_NOMATCH ? "NOMATCH" : result == GLOB_ABORTED ? "ABORTED" : "NOSPACE";
}

static void show(const glob_t *paths)
{
	for (size_t i = 0; i < (size_t)paths->gl_pathc + paths->gl_offs; i++)
		printf(" <%s>", paths->gl_pathv[i] ? paths->gl_pathv[i] : "null");
	printf(" %s\n", paths->gl_pathv[paths->gl_pathc + paths->gl_offs] ? "unended" : "end");
}

static void match(const char *pattern, int flags, const char *names)
{
	glob_t paths = {0};
	int result = glob(pattern, flags, NULL, &paths);
	printf("%s %s: %s", pattern, names, result_name(result));
	if (result == 0) {
		show(&paths);
		globfree(&paths);
	} else {
		printf("\n");
	}
}
#define MATCH(pattern, flags) match(pattern, flags, #flags)

static const char *const patterns[] = {
	"*",        "*.c",    "?",         "?.c",     "[bc].c",  "[!b].c",     ".*n",        "d?",          "d*/x.c",
	"*/*",      "*/.*z",  "d1/*.[ch]", "d2/\\[*", "d2/[[]*", "d2/star\\*", "nothing",    "nothing*",    "a/*",
	"dangling", "link/*", "dang*",     "",        "./*.c",   "d1//x.c",    "back\\\\*",  "back\\slash", "back*\\h",
	"[",        "[b",     "two*",      "two\\ *", "\\*",     "\\nothing",  "nothing\\*", "d1/",         "d1/../*.c",
};

static int failing(const char *path, int error)
{
	printf("(%s %s)", path, errno_name(error));
	return 1;
}

static void appending(void)
{
	glob_t paths = {.gl_offs = 2};
	printf("append %s", result_name(glob("*.c", GLOB_DOOFFS, NULL, &paths)));
	printf(" %s", result_name(glob("none*", GLOB_DOOFFS | GLOB_APPEND, NULL, &paths)));
	printf(" %s", result_name(glob("d?", GLOB_DOOFFS | GLOB_APPEND | GLOB_MARK, NULL, &paths)));
	printf(" %s", result_name(glob("no\\ne", GLOB_DOOFFS | GLOB_APPEND | GLOB_NOCHECK, NULL, &paths)));
	printf(" %d %d", (int)paths.gl_pathc, (int)paths.gl_offs);
	show(&paths);
	globfree(&paths);
}

int main(void)
{
	make_tree();
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++) {
		MATCH(patterns[i], 0);
		MATCH(patterns[i], GLOB_MARK);
		MATCH(patterns[i], GLOB_NOCHECK);
		MATCH(patterns[i], GLOB_NOESCAPE);
		MATCH(patterns[i], GLOB_NOESCAPE | GLOB_NOCHECK);
	}
	appending();
	glob_t paths = {0};
	printf("%s\n", result_name(glob("a/*", GLOB_ERR, failing, &paths)));
	return 0;
}
