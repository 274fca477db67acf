/* SPDX-License-Identifier: MIT */
/* For others.test: children that borrow the memory of their parent, and that have a copy. */
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int main(void)
{
	char *words[] = {"echo", "spawned", NULL};
	pid_t child;
	for (int i = 0; i < 3; i++) {
		posix_spawn(&child, "/bin/echo", NULL, NULL, words, environ);
		waitpid(child, NULL, 0);
	}
	for (int i = 0; i < 3; i++) {
		child = fork();
		if (!child) {
			puts("forked");
			fflush(stdout);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
	puts("done");
	return 0;
}
