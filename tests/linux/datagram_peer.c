/* SPDX-License-Identifier: MIT */
/* A datagram socket whose peer was closed has what it received, until it sends: then that is lost, it has no peer any
 * more, and who watches it is told. */
/* also for native images */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static const char *told(ssize_t result)
{
	return result < 0 ? strerror(errno) : "done";
}

int main(void)
{
	int pair[2], watch = epoll_create1(0);
	char buffer[8];
	struct epoll_event event = {.events = EPOLLOUT | EPOLLET};
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, pair) ||
	    epoll_ctl(watch, EPOLL_CTL_ADD, pair[0], &event))
		return 1;
	for (int i = 0; i < 3; i++)
		printf("sent to it: %s\n", told(send(pair[1], "hello", 5, 0)));
	close(pair[1]);
	printf("told: %d\n", epoll_wait(watch, &event, 1, 0));
	printf("told again: %d\n", epoll_wait(watch, &event, 1, 0));
	printf("received: %s\n", told(recv(pair[0], buffer, sizeof(buffer), 0)));
	printf("sent by it: %s\n", told(send(pair[0], "hello", 5, 0)));
	printf("told: %d\n", epoll_wait(watch, &event, 1, 0));
	printf("received: %s\n", told(recv(pair[0], buffer, sizeof(buffer), 0)));
	printf("sent by it: %s\n", told(send(pair[0], "hello", 5, 0)));
	return 0;
}
