/* SPDX-License-Identifier: MIT */
/* A server of HTTP for programs with one thread for it: it answers with the request's first line, and more by path. */
#ifndef TESTS_PACKAGES_HTTP_SERVER_H
#define TESTS_PACKAGES_HTTP_SERVER_H

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int http_listener;

/* Answers one request. The connection ends after it. */
static inline void http_answer(int fd)
{
	char request[4096], page[512], *body;
	long got = 0, more = 1, wanted = 0;
	do {
		more = recv(fd, request + got, sizeof(request) - 1 - (size_t)got, 0);
		got += more > 0 ? more : 0;
		request[got] = 0;
		body = strstr(request, "\r\n\r\n");
		const char *length = strcasestr(request, "content-length:");
		wanted = body ? body + 4 - request + (length ? atol(length + 15) : 0) : got + 1;
	} while (more > 0 && got < wanted);
	char *line = strtok(request, "\r"), *path = strchr(line, ' ') + 1;
	if (!strncmp(path, "/moved ", 7))
		dprintf(fd,
		        "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
	else if (!strncmp(path, "/chunks ", 8))
		dprintf(fd, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
		            "5\r\n<a>on\r\n8\r\ne</a>\n  \r\n0\r\n\r\n");
	else if (!strncmp(path, "/list.xml ", 10))
		dprintf(fd, "HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nConnection: close\r\n\r\n"
		            "<list><item>one</item><item>two</item></list>");
	else {
		int length = snprintf(page, sizeof(page), "%s\n%s", line, body ? body + 4 : "");
		dprintf(fd, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s", length, page);
	}
	close(fd);
}

static inline void *http_serve(void *unused)
{
	int fd;
	while ((fd = accept(http_listener, NULL, NULL)) >= 0)
		http_answer(fd);
	return unused;
}

/** Starts the server. Returns its port. */
static inline int http_start(pthread_t *thread)
{
	struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t bytes = sizeof(own);
	http_listener = socket(AF_INET, SOCK_STREAM, 0);
	bind(http_listener, (struct sockaddr *)&own, sizeof(own));
	getsockname(http_listener, (struct sockaddr *)&own, &bytes);
	listen(http_listener, 8);
	pthread_create(thread, NULL, http_serve, NULL);
	return ntohs(own.sin_port);
}

/** Ends the server. */
static inline void http_stop(pthread_t thread)
{
	shutdown(http_listener, SHUT_RD);
	pthread_join(thread, NULL);
}

#endif
