/* SPDX-License-Identifier: MIT */
/* A process and its child, a pipe, a signal, and a file that the parent maps. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t signals;

static void count(int number)
{
	signals += number == SIGUSR1;
}

int main(int argc, char **argv)
{
	int ends[2], status;
	char text[64] = "";
	signal(SIGUSR1, count);
	if (pipe(ends))
		return 1;
	pid_t child = fork();
	if (!child) {
		kill(getppid(), SIGUSR1);
		dprintf(ends[1], "pid %d, parent %d", getpid(), getppid());
		_exit(7);
	}
	close(ends[1]);
	ssize_t got = 0, more;
	while ((more = read(ends[0], text + got, sizeof(text) - 1 - (size_t)got)) > 0)
		got += more;
	if (waitpid(child, &status, 0) != child)
		return 1;
	int fd = open(argc > 1 ? argv[1] : argv[0], O_RDONLY);
	const unsigned char *file = mmap(NULL, 64, PROT_READ, MAP_PRIVATE, fd, 0);
	if (file == MAP_FAILED)
		return 1;
	unsigned sum = 0;
	for (unsigned i = 0; i < 64; i++)
		sum = sum * 31 + file[i];
	printf("child: %s, status %d; signals %d; file %08x\n", text, WEXITSTATUS(status), (int)signals, sum);
	return 0;
}
