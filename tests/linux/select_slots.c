/* SPDX-License-Identifier: MIT */
/* select(2) of numbers that the table of descriptors has no room for yet: nobody looks at them. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

#include "in_child.h"

/* Selects one number, and descriptor 3 which can be read. */
static void ask(int number, int below)
{
	fd_set set;
	struct timeval now = {0};
	FD_ZERO(&set);
	FD_SET(3, &set);
	FD_SET(number, &set);
	printf("%d below %d: ", number, below);
	SAY(select(below, &set, NULL, NULL, &now));
	printf("%d %d\n", FD_ISSET(3, &set), FD_ISSET(number, &set));
}

static void ask_all(void)
{
	char line[100];
	FILE *status = fopen("/proc/self/status", "r");
	while (status && fgets(line, sizeof(line), status))
		if (!strncmp(line, "FDSize", 6))
			printf("%s", line);
	fclose(status);
	for (int number = 62; number < 1024; number = number < 66 ? number + 1 : 2 * number - 1) {
		ask(number, 1024);
		ask(number, number);
		ask(number, number + 1);
	}
	ask(1023, 1024);
	ask(200, 1 << 20);
}

/* A forked process has no more room than it needs. */
static void grown(void)
{
	ask_all();
	dup2(3, 64);
	ask_all();
	dup2(3, 300);
	ask_all();
	close(300); /* the room stays */
	ask_all();
	in_child(ask_all);
	close(64);
	in_child(ask_all);
	dup2(3, 127);
	in_child(ask_all);
}

int main(void)
{
	int ends[2];
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	if (pipe(ends) || ends[0] != 3 || write(ends[1], "x", 1) != 1)
		return 1;
	in_child(grown);
	return 0;
}
