/* SPDX-License-Identifier: MIT */
/* The exec family where it fails before a program could start: missing files, folders, no right, paths searched. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

static char *const argv[] = {(char *)"name", NULL};
static char *const no_environment[] = {NULL};

int main(void)
{
	char too_long[5000];
	memset(too_long, 'x', sizeof(too_long) - 1);
	too_long[sizeof(too_long) - 1] = 0;
	mkdir("folder", 0755);
	mkdir("search", 0755);
	close(open("plain", O_CREAT | O_WRONLY, 0644));
	close(open("search/plain2", O_CREAT | O_WRONLY, 0644));
	symlink("loop", "loop");

	SAY(execv("missing", argv));
	SAY(execv("folder", argv));
	SAY(execv("plain", argv));
	SAY(execv("plain/x", argv));
	SAY(execv("loop", argv));
	SAY(execv("", argv));
	SAY(execv(too_long, argv));
	SAY(execve("missing/x", argv, no_environment));
	SAY(execl("missing", "missing", "one", (char *)NULL));
	SAY(execle("folder", "folder", (char *)NULL, no_environment));

	setenv("PATH", "/nowhere:search:folder", 1);
	SAY(execvp("missing", argv));
	SAY(execlp("missing", "missing", (char *)NULL));
	SAY(execvp("plain2", argv));
	SAY(execvp("./plain", argv));
	SAY(execvp("folder/missing", argv));
	SAY(execvp("", argv));
	SAY(execvpe("missing", argv, no_environment));
	unsetenv("PATH");
	SAY(execvp("missing-everywhere", argv));

	int fd = open("plain", O_RDONLY);
	SAY(fexecve(fd, argv, no_environment));
	SAY(fexecve(-1, argv, no_environment));
	return 0;
}
