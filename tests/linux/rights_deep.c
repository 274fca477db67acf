/* SPDX-License-Identifier: MIT */
/* natively: root */
/* Sockets in messages of sockets in messages: however deep they are, closing the outermost closes all. */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define DEPTH 3000

static void send_files(int to, const int *fds, unsigned count)
{
	char control[CMSG_SPACE(2 * sizeof(int))], byte = 0;
	struct iovec vector = {&byte, 1};
	struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control};
	message.msg_controllen = CMSG_SPACE(count * sizeof(int));
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(count * sizeof(int));
	memcpy(CMSG_DATA(header), fds, count * sizeof(int));
	assert(sendmsg(to, &message, 0) == 1);
}

int main(void)
{
	static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
	for (unsigned i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		int inner[2], outer[2], end[2];
		char byte;
		assert(!socketpair(AF_UNIX, types[i], 0, inner) && !pipe(end));
		send_files(inner[0], &end[1], 1);
		close(end[1]);
		for (unsigned depth = 0; depth < DEPTH; depth++) {
			assert(!socketpair(AF_UNIX, types[i], 0, outer));
			send_files(outer[0], inner, 2);
			close(inner[0]);
			close(inner[1]);
			memcpy(inner, outer, sizeof(inner));
		}
		fcntl(end[0], F_SETFL, O_NONBLOCK);
		printf("open: %zd", read(end[0], &byte, 1));
		close(inner[0]);
		close(inner[1]);
		printf(", closed: %zd\n", read(end[0], &byte, 1));
		close(end[0]);
	}
	return 0;
}
