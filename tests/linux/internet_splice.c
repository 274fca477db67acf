/* SPDX-License-Identifier: MIT */
/* splice(2) carries data between pipes and connections, and sendfile(2) takes them from memory without a name. */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>

#include "tests/linux/internet.h"

int main(void)
{
	static char buf[100];
	own_network();
	int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0), ends[2];
	bind_to(listener, "127.0.0.1", 0);
	listen(listener, 5);
	connect_to(client, "127.0.0.1", port_of(listener));
	int server = accept(listener, NULL, NULL), file = memfd_create("data", 0);
	off_t at = 2;
	SAY(write(file, "a file's data", 13));
	SAY(sendfile(client, file, &at, 20));
	SAY(recv(server, buf, 11, MSG_WAITALL));
	printf("%.11s\n", buf);
	SAY(pipe(ends));
	SAY(write(ends[1], "through a pipe", 14));
	SAY(splice(ends[0], NULL, server, NULL, 100, 0));
	SAY(splice(client, NULL, ends[1], NULL, 14, 0));
	SAY(read(ends[0], buf, 20));
	printf("%.14s\n", buf);
	return 0;
}
