/* SPDX-License-Identifier: MIT */
/* A working directory whose path is longer than PATH_MAX: no buffer is large enough for getcwd(2). */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define DEPTH 25
#define NAME 200

static void look(int depth)
{
	static char buffer[70000];
	printf("depth %d\n", depth);
	SAY(syscall(SYS_getcwd, buffer, 1));
	SAY(syscall(SYS_getcwd, buffer, 100));
	SAY(syscall(SYS_getcwd, buffer, PATH_MAX));
	SAY(syscall(SYS_getcwd, buffer, 8192));
	SAY(syscall(SYS_getcwd, buffer, sizeof(buffer)));
	SAY(readlink("/proc/self/cwd", buffer, sizeof(buffer)));
	char *path = getcwd(NULL, 0);
	SAY(path != NULL);
	free(path);
}

int main(void)
{
	char name[NAME + 1], top[] = "/dev/shm/eremite-long-XXXXXX";
	memset(name, 'n', NAME);
	name[NAME] = 0;
	SAY(mkdtemp(top) && !chdir(top));
	for (int i = 1; i <= DEPTH; i++) {
		if (mkdir(name, 0700) || chdir(name))
			return 1;
		if (i == 10 || i == DEPTH)
			look(i);
	}
	for (int i = 0; i < DEPTH; i++)
		if (chdir("..") || rmdir(name))
			return 1;
	SAY(chdir("/") || rmdir(top));
	return 0;
}
