/* SPDX-License-Identifier: MIT */
/* Sockets and their control messages: descriptors in flight, also of sockets in their own queues, and wrong lengths. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/fuzz/guest/calls.h"

#define MOST_DESCRIPTORS 253 // of one message

/* An address of some family; returns its length. */
static socklen_t make_address(struct sockaddr_storage *at)
{
	memset(at, 0, sizeof(*at));
	unsigned port = 5000 + calls_below(4);
	switch (calls_below(5)) {
	case 0:
	case 1: {
		struct sockaddr_in *in = (void *)at;
		*in = (struct sockaddr_in){AF_INET,
		                           htons((uint16_t)port),
		                           {htonl(CALLS_RARELY(8) ? (uint32_t)calls_random() : INADDR_LOOPBACK)},
		                           {0}};
		return CALLS_RARELY(8) ? calls_below(20) : sizeof(*in);
	}
	case 2: {
		struct sockaddr_in6 *in6 = (void *)at;
		in6->sin6_family = AF_INET6;
		in6->sin6_port = htons((uint16_t)port);
		in6->sin6_addr = CALLS_RARELY(3) ? in6addr_any : in6addr_loopback;
		return CALLS_RARELY(8) ? calls_below(40) : sizeof(*in6);
	}
	case 3: {
		struct sockaddr_un *un = (void *)at;
		un->sun_family = AF_UNIX;
		snprintf(un->sun_path + calls_below(2), 20, "s%u", calls_below(4));
		return CALLS_RARELY(3) ? calls_below(120) : sizeof(*un);
	}
	default:
		memcpy(at, calls_memory(0) ? calls_room() : calls_room(), sizeof(*at));
		at->ss_family = (sa_family_t)calls_below(50);
		return calls_below(sizeof(*at) + 4);
	}
}

static void open_socket(void)
{
	int pair[2] = {-1, -1};
	int type = (int)CALLS_ONE_OF(SOCK_STREAM, SOCK_DGRAM, SOCK_SEQPACKET) | SOCK_NONBLOCK |
	           (int)calls_flags(SOCK_CLOEXEC);
	if (CALLS_RARELY(2)) {
		socketpair(AF_UNIX, type, 0, pair);
		calls_keep(pair[0]);
		calls_keep(pair[1]);
	} else {
		calls_keep(socket((int)CALLS_ONE_OF(AF_UNIX, AF_INET, AF_INET, AF_INET6), type,
		                  CALLS_RARELY(16) ? (int)calls_below(260) : 0));
	}
}

static void name_socket(void)
{
	struct sockaddr_storage address;
	socklen_t length = make_address(&address);
	switch (calls_below(5)) {
	case 0:
		bind(calls_fd(), (void *)&address, length);
		break;
	case 1:
		connect(calls_fd(), (void *)&address, length);
		break;
	case 2:
		listen(calls_fd(), (int)calls_number());
		break;
	case 3:
		calls_keep(accept4(calls_fd(), CALLS_RARELY(2) ? NULL : (void *)&address, &length, SOCK_NONBLOCK));
		break;
	default:
		shutdown(calls_fd(), (int)calls_below(4));
		break;
	}
}

/* Writes one control message into the room that is left; returns how many bytes it takes. */
static size_t make_control(unsigned char *at, size_t room)
{
	struct cmsghdr *head = (void *)at;
	size_t size = calls_below(40);
	if (room < CMSG_SPACE(MOST_DESCRIPTORS * 4 + 8))
		return 0;
	if (CALLS_RARELY(2)) {
		unsigned count = CALLS_RARELY(12) ? MOST_DESCRIPTORS + calls_below(3) - 1 : calls_below(5);
		head->cmsg_level = SOL_SOCKET;
		head->cmsg_type = SCM_RIGHTS;
		size = count * sizeof(int);
		for (unsigned i = 0; i < count; i++)
			((int *)CMSG_DATA(head))[i] = calls_fd();
	} else if (CALLS_RARELY(3)) {
		struct ucred own = {CALLS_RARELY(3) ? (pid_t)calls_number() : getpid(),
		                    CALLS_RARELY(3) ? (uid_t)calls_number() : getuid(), getgid()};
		head->cmsg_level = SOL_SOCKET;
		head->cmsg_type = SCM_CREDENTIALS;
		size = sizeof(own);
		memcpy(CMSG_DATA(head), &own, sizeof(own));
	} else {
		head->cmsg_level =
			(int)CALLS_ONE_OF(SOL_SOCKET, IPPROTO_IP, IPPROTO_IPV6, IPPROTO_UDP, IPPROTO_TCP, 270, 999);
		head->cmsg_type = CALLS_RARELY(8) ? (int)calls_number() : (int)calls_below(110);
		memset(CMSG_DATA(head), 0, 48);
		*(int *)CMSG_DATA(head) = (int)calls_number();
		size = CALLS_RARELY(2) ? 4 : size;
	}
	head->cmsg_len = CMSG_LEN(size);
	if (CALLS_RARELY(16))
		head->cmsg_len = (size_t)calls_number();
	return CMSG_SPACE(size);
}

/* Fills in a message to send or for what is received. */
static void make_message(struct msghdr *message, struct iovec *vectors, struct sockaddr_storage *name)
{
	static _Thread_local unsigned char control[16384] __attribute__((aligned(16)));
	unsigned count = calls_below(4), messages = calls_below(4);
	size_t length = 0;
	for (unsigned i = 0; i < count; i++) {
		size_t size = CALLS_RARELY(8) ? calls_below(70000) : calls_below(200);
		vectors[i] = (struct iovec){calls_memory(size), CALLS_RARELY(24) ? (size_t)calls_number() : size};
		if (vectors[i].iov_len > 60000 && !CALLS_RARELY(4))
			vectors[i].iov_len = 60000;
	}
	for (unsigned i = 0; i < messages; i++)
		length += make_control(control + length, sizeof(control) - length);
	if (CALLS_RARELY(16))
		length = calls_below(sizeof(control));
	*message = (struct msghdr){.msg_iov = vectors,
	                           .msg_iovlen = count,
	                           .msg_control = length ? control : NULL,
	                           .msg_controllen = length};
	if (CALLS_RARELY(2)) {
		message->msg_namelen = make_address(name);
		message->msg_name = name;
	}
	if (CALLS_RARELY(32))
		message->msg_control = calls_memory(length);
	if (CALLS_RARELY(48))
		message->msg_iovlen = (size_t)calls_number();
	if (CALLS_RARELY(48))
		message->msg_controllen = (size_t)calls_number();
	if (CALLS_RARELY(48))
		message->msg_namelen = (socklen_t)calls_number();
}

/* Keeps the descriptors that came with a message. */
static void keep_rights(struct msghdr *message)
{
	if (!message->msg_control || message->msg_controllen > 16384)
		return;
	for (struct cmsghdr *head = CMSG_FIRSTHDR(message); head; head = CMSG_NXTHDR(message, head))
		if (head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS)
			for (size_t i = 0; CMSG_LEN((i + 1) * sizeof(int)) <= head->cmsg_len; i++)
				calls_keep(((int *)CMSG_DATA(head))[i]);
}

static void transfer(void)
{
	struct iovec vectors[4];
	struct sockaddr_storage names[2];
	struct mmsghdr messages[2];
	int flags = MSG_DONTWAIT | (int)calls_flags(MSG_PEEK | MSG_TRUNC | MSG_OOB | MSG_WAITALL | MSG_MORE |
	                                            MSG_NOSIGNAL | MSG_EOR | MSG_CMSG_CLOEXEC | MSG_ERRQUEUE);
	make_message(&messages[0].msg_hdr, vectors, &names[0]);
	make_message(&messages[1].msg_hdr, vectors, &names[1]);
	if (CALLS_RARELY(8))
		flags &= ~MSG_DONTWAIT;
	switch (calls_below(8)) {
	case 0:
		sendmmsg(calls_fd(), messages, 2, flags | MSG_NOSIGNAL);
		break;
	case 1:
		recvmmsg(calls_fd(), messages, 2, flags, NULL);
		break;
	case 2:
	case 3:
	case 4:
		sendmsg(calls_fd(), &messages[0].msg_hdr, flags | MSG_NOSIGNAL);
		break;
	default:
		if (recvmsg(calls_fd(), &messages[0].msg_hdr, flags) >= 0 && messages[0].msg_hdr.msg_control)
			keep_rights(&messages[0].msg_hdr);
		break;
	}
}

static void options(void)
{
	static const int levels[] = {SOL_SOCKET, IPPROTO_IP, IPPROTO_IPV6, IPPROTO_TCP, IPPROTO_UDP, 270};
	int level = levels[calls_below(6)], option = (int)calls_below(level == IPPROTO_UDP ? 110 : 84),
	    value = (int)calls_below(3);
	socklen_t length = CALLS_RARELY(4) ? calls_below(80) : sizeof(value);
	if (CALLS_RARELY(3))
		getsockopt(calls_fd(), level, option, calls_memory(80), CALLS_RARELY(16) ? calls_memory(4) : &length);
	else
		setsockopt(calls_fd(), level, option, CALLS_RARELY(3) ? calls_memory(length) : &value,
		           length > sizeof(value) ? sizeof(value) : length);
}

void calls_message(void)
{
	switch (calls_below(10)) {
	case 0:
	case 1:
		open_socket();
		break;
	case 2:
		name_socket();
		break;
	case 3:
		options();
		break;
	default:
		transfer();
		break;
	}
}
