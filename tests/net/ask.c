/* SPDX-License-Identifier: MIT */
/* A client: sends a line to a server, and prints how much and what it answers first. */
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(int count, char **arguments)
{
	struct addrinfo *address, hints = {.ai_socktype = SOCK_STREAM};
	char answer[256], first[65] = "";
	size_t total = 0;
	ssize_t got;
	if (count != 3 || getaddrinfo(arguments[1], arguments[2], &hints, &address))
		return 2;
	int fd = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
	if (fd < 0 || connect(fd, address->ai_addr, address->ai_addrlen)) {
		perror("connect");
		return 3;
	}
	freeaddrinfo(address);
	send(fd, "native\n", 7, 0);
	shutdown(fd, SHUT_WR);
	while ((got = recv(fd, answer, sizeof(answer), 0)) > 0) {
		for (ssize_t i = 0; i < got && total + (size_t)i < sizeof(first) - 1; i++)
			first[total + (size_t)i] = answer[i];
		total += (size_t)got;
	}
	close(fd);
	printf("%zu bytes, %s\n", total, first);
	return 0;
}
