/* SPDX-License-Identifier: MIT */
/* Calls for the network on descriptors that are no sockets, and families that do not exist. */
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "say.h"

int main(void)
{
	struct sockaddr addr = {0};
	socklen_t length = sizeof(addr);
	int fds[2];
	char byte = 0;
	SAY(socket(45, SOCK_STREAM, 0)); /* EAFNOSUPPORT */
	SAY(socketpair(AF_UNIX, 99, 0, fds));
	pipe(fds);
	SAY(bind(fds[0], &addr, length));    /* ENOTSOCK */
	SAY(connect(fds[0], &addr, length)); /* ENOTSOCK */
	SAY(accept(fds[0], &addr, &length)); /* ENOTSOCK */
	SAY(send(fds[1], &byte, 1, 0));      /* ENOTSOCK */
	SAY(recv(fds[0], &byte, 1, 0));      /* ENOTSOCK */
	SAY(shutdown(fds[0], SHUT_RD));      /* ENOTSOCK */
	SAY(sockatmark(fds[0]));
	SAY(epoll_ctl(fds[0], EPOLL_CTL_ADD, fds[1], &(struct epoll_event){0})); /* EINVAL */
	close(fds[0]);
	SAY(listen(fds[0], 1));
	SAY(getsockopt(-1, SOL_SOCKET, SO_ERROR, fds, &length));
	return 0;
}
