/* SPDX-License-Identifier: MIT */
/* A read of standard input ends at a newline, when it is full, or at the end, whatever the host's pieces are. */
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "say.h"

int main(void)
{
	static const size_t sizes[] = {1000, 3, 1000, 1, 0, 1000, 70000, 1000, 1000, 1000};
	static char block[70000];
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		ssize_t got = read(0, block, sizes[i]);
		printf("%zu: %zd", sizes[i], got);
		if (got > 0 && got < 60)
			printf(" [%.*s]", (int)(block[got - 1] == '\n' ? got - 1 : got), block);
		putchar('\n');
	}
	struct pollfd fd = {0, POLLIN, 0};
	printf("poll %d\n", poll(&fd, 1, 0));
	SAY(lseek(0, 0, SEEK_SET));
	SAY(isatty(0));
	SAY(pread(0, block, 1, 0));
	return 0;
}
