/* SPDX-License-Identifier: MIT */
/* An echo server that waits by epoll(7), a server of HTTP, and clients of both, as threads of one program. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "say.h"

#define CLIENTS 4
#define ROUNDS 50

static struct sockaddr_in echo_at, http_at;

static int listen_at(struct sockaddr_in *own)
{
	socklen_t bytes = sizeof(*own);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	own->sin_family = AF_INET;
	own->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	bind(fd, (struct sockaddr *)own, bytes);
	getsockname(fd, (struct sockaddr *)own, &bytes);
	listen(fd, 8);
	return fd;
}

static int connect_to(const struct sockaddr_in *to)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(fd, (const struct sockaddr *)to, sizeof(*to)) != 0)
		perror("connect");
	return fd;
}

static void serve_one(int set, int fd, int *left)
{
	char buf[512];
	ssize_t bytes = recv(fd, buf, sizeof(buf), 0);
	if (bytes > 0) {
		send(fd, buf, (size_t)bytes, 0);
		return;
	}
	epoll_ctl(set, EPOLL_CTL_DEL, fd, NULL);
	close(fd);
	--*left;
}

static void *echo(void *argument)
{
	int listener = *(int *)argument, set = epoll_create1(0), left = CLIENTS;
	struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[8];
	epoll_ctl(set, EPOLL_CTL_ADD, listener, &event);
	while (left > 0) {
		int count = epoll_wait(set, events, 8, -1);
		for (int i = 0; i < count; i++) {
			if (events[i].data.fd != listener) {
				serve_one(set, events[i].data.fd, &left);
				continue;
			}
			event.data.fd = accept(listener, NULL, NULL);
			epoll_ctl(set, EPOLL_CTL_ADD, event.data.fd, &event);
		}
	}
	close(set);
	return NULL;
}

/* Returns the number of bytes that came back as they were sent. */
static void *ask_echo(void *argument)
{
	long number = (long)argument, same = 0;
	char sent[64], got[64];
	int fd = connect_to(&echo_at);
	for (int round = 0; round < ROUNDS; round++) {
		int bytes = snprintf(sent, sizeof(sent), "client %ld, round %d", number, round);
		send(fd, sent, (size_t)bytes, 0);
		if (recv(fd, got, (size_t)bytes, MSG_WAITALL) == bytes && !memcmp(sent, got, (size_t)bytes))
			same += bytes;
	}
	close(fd);
	return (void *)same;
}

static void *serve_http(void *argument)
{
	char request[1024], page[200];
	for (int i = 0; i < 2; i++) {
		int fd = accept(*(int *)argument, NULL, NULL), got = 0;
		do
			got += (int)recv(fd, request + got, sizeof(request) - 1 - (size_t)got, 0);
		while ((request[got] = 0, !strstr(request, "\r\n\r\n")));
		request[strcspn(request, "\r")] = 0;
		int length = snprintf(page, sizeof(page), "You asked: %s\n", request);
		dprintf(fd, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", length, page);
		close(fd);
	}
	return NULL;
}

static void ask_http(const char *path)
{
	char answer[1024];
	int fd = connect_to(&http_at), got = 0, more;
	dprintf(fd, "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
	while ((more = (int)recv(fd, answer + got, sizeof(answer) - 1 - (size_t)got, 0)) > 0)
		got += more;
	answer[got] = 0;
	printf("%s", answer);
	close(fd);
}

int main(void)
{
	pthread_t server, clients[CLIENTS];
	int listener = listen_at(&echo_at), http = listen_at(&http_at);
	pthread_create(&server, NULL, echo, &listener);
	for (long i = 0; i < CLIENTS; i++)
		pthread_create(&clients[i], NULL, ask_echo, (void *)i);
	for (int i = 0; i < CLIENTS; i++) {
		void *same;
		pthread_join(clients[i], &same);
		printf("client %d: %ld bytes came back\n", i, (long)same);
	}
	pthread_join(server, NULL);
	pthread_create(&server, NULL, serve_http, &http);
	ask_http("/");
	ask_http("/a/path?query");
	pthread_join(server, NULL);
	return 0;
}
