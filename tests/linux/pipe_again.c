/* SPDX-License-Identifier: MIT */
/* A pipe whose ends are all closed can be opened again by a descriptor of O_PATH, and is empty. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	int ends[2];
	char name[64], bytes[16];
	if (pipe2(ends, O_NONBLOCK) != 0 || write(ends[1], "lost", 4) != 4)
		return 1;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[0]);
	int path = open(name, O_PATH);
	close(ends[0]);
	close(ends[1]);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", path);
	int reader = open(name, O_RDONLY | O_NONBLOCK);
	printf("no writer: %zd\n", read(reader, bytes, sizeof(bytes)));
	int writer = open(name, O_WRONLY | O_NONBLOCK);
	printf("write: %zd\n", write(writer, "new", 3));
	printf("read: %zd\n", read(reader, bytes, sizeof(bytes)));
	return 0;
}
