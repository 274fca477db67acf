/* SPDX-License-Identifier: MIT */
/* Files that begin with #!, as execve(2) reads their first line: without an interpreter, without an end, too long. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define LINE 256 /* Linux reads no more */

static void run(const char *what, const void *text, size_t bytes)
{
	int fd = open("script", O_CREAT | O_TRUNC | O_WRONLY, 0755);
	if (write(fd, text, bytes) != (ssize_t)bytes)
		exit(1);
	close(fd);
	printf("%s: ", what);
	fflush(stdout);
	if (!fork()) {
		char *const arguments[] = {"name", "more", NULL};
		execv("./script", arguments);
		printf("%s\n", errno_name(errno));
		fflush(stdout);
		_exit(0);
	}
	wait(NULL);
}

#define RUN(text) run(#text, text, sizeof(text) - 1)

#define RUN(text) run(#text, text, sizeof(text) - 1)

/* The text, filled up with a byte to a length, and with another one at a place. */
static void fill(const char *text, char with, size_t bytes, int at, char other)
{
	char line[2 * LINE], what[100];
	memset(line, with, sizeof(line));
	memcpy(line, text, strlen(text));
	if (at)
		line[at] = other;
	snprintf(what, sizeof(what), "%s, %zu bytes of %#x, %#x at %d", text, bytes, with, other, at);
	run(what, line, bytes);
}

static void fills(const char *text, char with)
{
	for (int at = LINE - 3; at < LINE + 2; at++) {
		fill(text, with, (size_t)at, 0, 0);
		fill(text, with, 2 * LINE, at, ' ');
		fill(text, with, 2 * LINE, at, '\n');
		fill(text, with, 2 * LINE, at, 0);
	}
}

int main(int argc, char **argv)
{
	char own[400], directory[] = "/tmp/script-XXXXXX";
	if (argc > 1) { /* as an interpreter: of long arguments the length */
		for (int i = 0; i < argc; i++)
			strlen(argv[i]) < 40 ? printf("[%s]", argv[i]) : printf("[%zu]", strlen(argv[i]));
		printf("\n");
		return 0;
	}
	long length = readlink("/proc/self/exe", own, sizeof(own) - 1);
	if (length < 0 || !mkdtemp(directory) || chdir(directory))
		return 1;
	own[length] = 0;
	if (symlink(own, "i"))
		return 1;
	RUN("#!");
	RUN("#!\n");
	RUN("#! \t");
	RUN("#! \t\n");
	RUN("#! \t\nx");
	RUN("#!\0/nothing\n");
	RUN("#");
	RUN("");
	RUN("#!./i");
	RUN("#!./i\n");
	RUN("#! ./i  ");
	RUN("#!./i \t\n");
	RUN("#!./i a  ");
	RUN("#!./i\ta  b \n");
	RUN("#!./i\0 a\n");
	RUN("#!./i a\0 b\n");
	RUN("#!./nothing a\n");
	fills("#!", ' ');
	fills("#!", 'a');
	fills("#! ", 'a');
	fills("#!./i", ' ');
	fills("#!./i ", 'a');
	unlink("script");
	unlink("i");
	return rmdir(directory);
}
