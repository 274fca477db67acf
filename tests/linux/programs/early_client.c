/* SPDX-License-Identifier: MIT */
/* A server and a client that does not wait until the server has bound its port: under some schedules it is refused. */
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = 0x901f}; /* 8080 */

static int client(void)
{
	char answer[16] = "";
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(fd, (const struct sockaddr *)&address, sizeof(address))) {
		perror("connect");
		return 1;
	}
	recv(fd, answer, sizeof(answer) - 1, MSG_WAITALL);
	printf("%s\n", answer);
	return 0;
}

static void serve(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	bind(fd, (const struct sockaddr *)&address, sizeof(address));
	listen(fd, 5);
	int connection = accept(fd, NULL, NULL);
	send(connection, "an answer", 9, 0);
	close(connection);
}

int main(void)
{
	int status;
	pid_t child, server = fork();
	if (!server) {
		serve();
		return 0;
	}
	child = fork();
	if (!child)
		return client();
	waitpid(child, &status, 0);
	if (status)
		return 1; /* the run ends, and the server with it */
	waitpid(server, &status, 0);
	return 0;
}
