/* SPDX-License-Identifier: MIT */
/* Asks the host's server on a port, and prints its answer: network HOST PORT. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static const char question[] = "what time is it?\n";
	struct sockaddr_in to = {.sin_family = AF_INET};
	char answer[200];
	ssize_t got;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (argc != 3 || fd < 0 || inet_pton(AF_INET, argv[1], &to.sin_addr) != 1)
		return 2;
	to.sin_port = htons((unsigned short)atoi(argv[2]));
	if (connect(fd, (struct sockaddr *)&to, sizeof(to)) || write(fd, question, strlen(question)) < 0)
		return 1;
	while ((got = read(fd, answer, sizeof(answer))) > 0)
		fwrite(answer, 1, (size_t)got, stdout);
	return got < 0;
}
