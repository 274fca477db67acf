/* SPDX-License-Identifier: MIT */
/* Sockets in their own queues, in each other's, and in those of connections that nobody has accepted: when the last
 * descriptor is closed, what they carry is closed, too. What a descriptor still reaches stays. */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void send_files(int to, const int *fds, unsigned count)
{
	char control[CMSG_SPACE(4 * sizeof(int))], byte = 'x';
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

/* Receives descriptors, and keeps the first. */
static int receive_file(int from)
{
	char control[CMSG_SPACE(4 * sizeof(int))], byte;
	struct iovec vector = {&byte, 1};
	struct msghdr message = {
		.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
	int fds[2];
	assert(recvmsg(from, &message, 0) == 1);
	struct cmsghdr *header = CMSG_FIRSTHDR(&message);
	memcpy(fds, CMSG_DATA(header), sizeof(fds));
	if (header->cmsg_len > CMSG_LEN(sizeof(int)))
		close(fds[1]);
	return fds[0];
}

/* The end of a pipe whose other end is in the messages: 0 when that is closed, which Linux may do later. */
static void show(const char *what, int end, int is_open)
{
	char byte;
	fcntl(end, F_SETFL, is_open ? O_NONBLOCK : 0);
	printf("%s: %zd\n", what, read(end, &byte, 1));
}

static void own_queue(int type)
{
	int pair[2], end[2];
	assert(!socketpair(AF_UNIX, type, 0, pair) && !pipe(end));
	send_files(pair[0], (int[]){pair[0], pair[1], end[1]}, 3);
	close(end[1]);
	close(pair[0]);
	show("one descriptor left", end[0], 1);
	close(pair[1]);
	show("none", end[0], 0);
	close(end[0]);
}

static void each_other(int type)
{
	int first[2], second[2], third[2], end[2];
	assert(!socketpair(AF_UNIX, type, 0, first) && !socketpair(AF_UNIX, type, 0, second) &&
	       !socketpair(AF_UNIX, type, 0, third) && !pipe(end));
	send_files(first[0], (int[]){second[0], second[1]}, 2);
	send_files(second[0], (int[]){first[0], first[1], end[1]}, 3);
	send_files(third[0], &first[1], 1); /* leads to all */
	close(end[1]);
	for (int i = 0; i < 2; i++) {
		close(first[i]);
		close(second[i]);
	}
	show("a message leads to them", end[0], 1);
	first[1] = receive_file(third[1]);
	second[1] = receive_file(first[1]);
	close(third[0]);
	close(third[1]);
	show("received", end[0], 1);
	close(first[1]);
	close(second[1]);
	show("closed", end[0], 0);
	close(end[0]);
}

static void not_accepted(void)
{
	struct sockaddr_un name = {AF_UNIX, "\0rights_cycles"};
	int listener = socket(AF_UNIX, SOCK_STREAM, 0), client = socket(AF_UNIX, SOCK_STREAM, 0), end[2];
	assert(!bind(listener, (void *)&name, sizeof(name)) && !listen(listener, 1) &&
	       !connect(client, (void *)&name, sizeof(name)) && !pipe(end));
	send_files(client, (int[]){listener, end[1]}, 2);
	close(end[1]);
	close(client);
	show("a listener", end[0], 1);
	close(listener);
	show("closed", end[0], 0);
	close(end[0]);
}

int main(void)
{
	static const int types[] = {SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET};
	for (unsigned i = 0; i < 3; i++) {
		own_queue(types[i]);
		each_other(types[i]);
	}
	not_accepted();
	return 0;
}
