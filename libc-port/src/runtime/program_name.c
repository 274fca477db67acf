/* SPDX-License-Identifier: MIT */
/* The program's name, from argv[0]. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char unnamed[] = "";

char *program_invocation_name = unnamed;
char *program_invocation_short_name = unnamed;
char *__progname = unnamed;

void program_name_set(char *path);

/* Called by crt0 before main. */
void program_name_set(char *path)
{
	char *slash = strrchr(path, '/');
	program_invocation_name = path;
	program_invocation_short_name = __progname = slash ? slash + 1 : path;
}

const char *getprogname(void)
{
	return __progname;
}

void setprogname(const char *name)
{
	const char *slash = strrchr(name, '/');
	__progname = (char *)(unsigned long)(slash ? slash + 1 : name);
}
