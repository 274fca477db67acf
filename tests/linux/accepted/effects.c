/* SPDX-License-Identifier: MIT */
/* What options of sockets do: control messages that a receiver gets, where messages end, when connections are accepted.
 */
#include "tests/linux/accepted/accepted.h"

#include <linux/errqueue.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>

#include "tests/linux/internet.h"

#define OPTION_NUMBERS 90
#define TIMESTAMPING 0x18 /* received by software, and shown */

static const struct {
	const char *name;
	int number;
} levels[] = {{"SOCKET", SOL_SOCKET}, {"IP", 0}, {"IPV6", 41}, {"TCP", 6}, {"UDP", 17}};

static void show_receive(int fd)
{
	char text[64] = "";
	long got = recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT);
	if (got < 0)
		printf(" %s", result_of(got));
	else
		printf(" '%s'", text);
}

/* The value of a control message is shown if it has one number or an address, and no moment. */
static void show_control(const struct cmsghdr *each)
{
	size_t bytes = each->cmsg_len - CMSG_LEN(0);
	bool is_moment = each->cmsg_level == SOL_SOCKET && each->cmsg_type != SCM_RIGHTS;
	printf(" %d/%d:", each->cmsg_level, each->cmsg_type);
	if (is_moment || bytes > 4)
		printf("%zu", bytes);
	else
		show_bytes(CMSG_DATA(each), bytes, 4);
}

/* Receives with room for control messages, and shows them. */
static void show_message(int fd)
{
	char text[256] = "", control[512];
	struct iovec iov = {text, sizeof(text) - 1};
	struct msghdr header = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
	long got = recvmsg(fd, &header, MSG_DONTWAIT);
	if (got < 0) {
		printf(" %s", result_of(got));
		return;
	}
	printf(" '%s' flags 0x%x", text, header.msg_flags);
	for (struct cmsghdr *each = CMSG_FIRSTHDR(&header); each; each = CMSG_NXTHDR(&header, each))
		show_control(each);
}

/* Each option, set for the receiver, and what it then receives. */
static void receive_with(const struct kind *kind, unsigned level, int option, int value)
{
	struct pair pair;
	pair_make(kind, STATE_CONNECTED, &pair);
	int error = setsockopt(pair.peer, levels[level].number, option, &value, sizeof(value));
	if (!error) {
		printf("%s effect receive %s/%d=%d\t", kind->name, levels[level].name, option, value);
		send(pair.own, "abc", 3, MSG_DONTWAIT);
		show_message(pair.peer);
		printf("\n");
	}
	pair_close(&pair);
}

/* Each option, set for the sender, and what a receiver sees that asks for all. */
static void send_with(const struct kind *kind, unsigned level, int option, int value)
{
	static const int asked[][2] = {
		{0, IP_RECVTTL}, {0, IP_RECVTOS}, {41, IPV6_RECVHOPLIMIT}, {41, IPV6_RECVTCLASS}};
	const int on = 1;
	struct pair pair;
	pair_make(kind, STATE_CONNECTED, &pair);
	int error = setsockopt(pair.own, levels[level].number, option, &value, sizeof(value));
	if (!error) {
		printf("%s effect send %s/%d=%d\t", kind->name, levels[level].name, option, value);
		for (unsigned i = 0; i < COUNT(asked); i++)
			setsockopt(pair.peer, asked[i][0], asked[i][1], &on, sizeof(on));
		long sent = send(pair.own, "abc", 3, MSG_DONTWAIT);
		printf("%s", result_of(sent));
		show_message(pair.peer);
		send(pair.own, "de", 2, MSG_DONTWAIT);
		show_message(pair.peer);
		printf("\n");
	}
	pair_close(&pair);
}

static void try_options(const struct kind *kind)
{
	for (unsigned level = 0; level < COUNT(levels); level++)
		for (int option = 0; option < OPTION_NUMBERS + 20; option++) {
			bool is_tables = (levels[level].number == 0 || levels[level].number == 41) && option >= 64 &&
			                 option < 66;
			if (is_tables || (kind->family == AF_UNIX && level))
				continue;
			for (int value = 1; value < 65; value += 63) {
				receive_with(kind, level, option, value);
				send_with(kind, level, option, value);
			}
		}
}

static void stamp(const struct kind *kind, int option, int value)
{
	struct pair pair;
	pair_make(kind, STATE_CONNECTED, &pair);
	printf("%s effect timestamp %d=0x%x\t%s", kind->name, option, value,
	       result_of(setsockopt(pair.peer, SOL_SOCKET, option, &value, sizeof(value))));
	send(pair.own, "abc", 3, 0);
	show_message(pair.peer);
	printf("\n");
	pair_close(&pair);
}

static void cork(const struct kind *kind)
{
	const int on = 1, off = 0;
	struct pair pair;
	pair_make(kind, STATE_CONNECTED, &pair);
	printf("%s effect MSG_MORE\t%s", kind->name, result_of(send(pair.own, "ab", 2, MSG_MORE)));
	show_receive(pair.peer);
	printf(" %s", result_of(send(pair.own, "cd", 2, MSG_MORE)));
	printf(" %s", result_of(send(pair.own, "", 0, 0)));
	show_receive(pair.peer);
	show_receive(pair.peer);
	printf("\n%s effect UDP_CORK\t%s", kind->name, result_of(setsockopt(pair.own, 17, UDP_CORK, &on, sizeof(on))));
	printf(" %s", result_of(send(pair.own, "ab", 2, 0)));
	printf(" %s", result_of(send(pair.own, "cd", 2, 0)));
	show_receive(pair.peer);
	printf(" %s", result_of(setsockopt(pair.own, 17, UDP_CORK, &off, sizeof(off))));
	show_receive(pair.peer);
	show_receive(pair.peer);
	printf("\n");
	pair_close(&pair);
}

static void cork_fills(const struct kind *kind)
{
	static char large[40000];
	struct pair pair;
	pair_make(kind, STATE_CONNECTED, &pair);
	printf("%s effect MSG_MORE too long\t%s", kind->name,
	       result_of(send(pair.own, large, sizeof(large), MSG_MORE)));
	printf(" %s", result_of(send(pair.own, large, sizeof(large), MSG_MORE)));
	printf(" %s", result_of(send(pair.own, "ab", 2, 0)));
	printf(" %s", result_of(recv(pair.peer, large, sizeof(large), MSG_DONTWAIT)));
	printf(" %s\n", result_of(recv(pair.peer, large, sizeof(large), MSG_DONTWAIT)));
	pair_close(&pair);
}

/* A destination that is named while a datagram is pending is not looked at. */
static void cork_elsewhere(const struct kind *kind)
{
	struct pair pair, other;
	struct sockaddr_storage name;
	socklen_t bytes = sizeof(name);
	pair_make(kind, STATE_CONNECTED, &pair);
	pair_make(kind, STATE_BOUND, &other);
	getsockname(other.own, (struct sockaddr *)&name, &bytes);
	printf("%s effect MSG_MORE elsewhere\t%s", kind->name, result_of(send(pair.own, "ab", 2, MSG_MORE)));
	printf(" %s", result_of(sendto(pair.own, "cd", 2, 0, (struct sockaddr *)&name, bytes)));
	show_receive(pair.peer);
	show_receive(other.own);
	printf("\n");
	pair_close(&pair);
	pair_close(&other);
}

static void segments(const struct kind *kind, bool is_gathered, int size, size_t bytes)
{
	static char data[8192];
	const int on = 1;
	struct pair pair;
	memset(data, 'x', sizeof(data));
	pair_make(kind, STATE_CONNECTED, &pair);
	printf("%s effect UDP_SEGMENT=%d,%zu%s\t%s", kind->name, size, bytes, is_gathered ? " with UDP_GRO" : "",
	       result_of(setsockopt(pair.own, 17, UDP_SEGMENT, &size, sizeof(size))));
	if (is_gathered)
		printf(" %s", result_of(setsockopt(pair.peer, 17, UDP_GRO, &on, sizeof(on))));
	printf(" %s", result_of(send(pair.own, data, bytes, 0)));
	for (int i = 0; i < 4; i++)
		show_message(pair.peer);
	printf("\n");
	pair_close(&pair);
}

static void segments_of_message(const struct kind *kind)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(uint16_t))];
	} control = {{CMSG_LEN(sizeof(uint16_t)), 17, UDP_SEGMENT}};
	struct iovec iov = {"abcdefg", 7};
	struct msghdr header = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};
	const uint16_t size = 3;
	struct pair pair;
	memcpy(CMSG_DATA(&control.header), &size, sizeof(size));
	pair_make(kind, STATE_CONNECTED, &pair);
	printf("%s effect UDP_SEGMENT by message\t%s", kind->name, result_of(sendmsg(pair.own, &header, 0)));
	for (int i = 0; i < 4; i++)
		show_receive(pair.peer);
	printf("\n");
	pair_close(&pair);
}

static void peek_offset(const struct kind *kind)
{
	const int off = 1;
	int now;
	char text[8];
	socklen_t bytes = sizeof(now);
	struct pair pair;
	pair_make(kind, STATE_CONNECTED, &pair);
	printf("%s effect SO_PEEK_OFF\t%s", kind->name,
	       result_of(setsockopt(pair.peer, SOL_SOCKET, SO_PEEK_OFF, &off, sizeof(off))));
	send(pair.own, "hello", 5, 0);
	send(pair.own, "world", 5, 0);
	for (int i = 0; i < 7; i++) {
		memset(text, 0, sizeof(text));
		long got = recv(pair.peer, text, 2, i == 3 ? MSG_DONTWAIT : MSG_DONTWAIT | MSG_PEEK);
		printf(" %s'%s'", result_of(got), text);
		if (!getsockopt(pair.peer, SOL_SOCKET, SO_PEEK_OFF, &now, &bytes))
			printf("@%d", now);
	}
	show_receive(pair.peer);
	printf("\n");
	pair_close(&pair);
}

static void defer_accept(const struct kind *kind)
{
	const int on = 5;
	struct pair pair;
	pair_make(kind, STATE_LISTENING, &pair);
	int client = socket(kind->family, kind->type | SOCK_NONBLOCK, 0);
	fcntl(pair.own, F_SETFL, O_NONBLOCK);
	printf("%s effect TCP_DEFER_ACCEPT\t%s", kind->name,
	       result_of(setsockopt(pair.own, IPPROTO_TCP, TCP_DEFER_ACCEPT, &on, sizeof(on))));
	connect_to(client, kind->family == AF_INET ? "127.0.0.1" : "::1", port_of(pair.own));
	poll(&(struct pollfd){client, POLLOUT, 0}, 1, 2000);
	printf(" %s", result_of(accept(pair.own, NULL, NULL)));
	printf(" poll %d", poll(&(struct pollfd){pair.own, POLLIN, 0}, 1, 0));
	printf(" %s", result_of(send(client, "abc", 3, 0)));
	poll(&(struct pollfd){pair.own, POLLIN, 0}, 1, 2000);
	pair.peer = accept(pair.own, NULL, NULL);
	printf(" %s", pair.peer < 0 ? result_of(-1) : "accepted");
	show_receive(pair.peer);
	printf("\n");
	close(client);
	pair_close(&pair);
}

/* Requests for groups: those of RFC 3678, by the interface lo. */
static void groups(const struct kind *kind, int level, const char *address, const char *source)
{
	static const char *const names[] = {"JOIN", "BLOCK", "UNBLOCK", "LEAVE", "JOIN_SOURCE", "LEAVE_SOURCE"};
	struct group_req one = {.gr_interface = 1};
	struct group_source_req two = {.gsr_interface = 1};
	struct pair pair;
	pair_make(kind, STATE_BOUND, &pair);
	memset(&one.gr_group, 0, sizeof(one.gr_group));
	address_of((union address *)&one.gr_group, address, 0);
	memcpy(&two.gsr_group, &one.gr_group, sizeof(two.gsr_group));
	address_of((union address *)&two.gsr_source, source, 0);
	for (int i = 0; i < 6; i++) {
		int option = MCAST_JOIN_GROUP + i;
		bool has_source = option != MCAST_JOIN_GROUP && option != MCAST_LEAVE_GROUP;
		const void *value = has_source ? (const void *)&two : &one;
		socklen_t bytes = has_source ? sizeof(two) : sizeof(one);
		printf("%s effect MCAST_%s %d\t%s", kind->name, names[i], level,
		       result_of(setsockopt(pair.own, level, option, value, bytes)));
		printf(" %s\n", result_of(setsockopt(pair.own, level, option, value, bytes)));
	}
	pair_close(&pair);
}

/* Which senders a member of a group hears: source filters. */
static void hear(const struct kind *kind, int option, const char *what)
{
	const struct ip_mreq_source filter = {
		{inet_addr("239.1.2.3")}, {inet_addr("127.0.0.1")}, {inet_addr("127.0.0.2")}};
	const struct ip_mreq member = {{inet_addr("239.1.2.3")}, {inet_addr("127.0.0.1")}};
	const int off = 0;
	int sender = socket(AF_INET, SOCK_DGRAM, 0), receiver = socket(AF_INET, SOCK_DGRAM, 0);
	union address to;
	bind_to(receiver, "239.1.2.3", 0);
	setsockopt(receiver, 0, IP_MULTICAST_ALL, &off, sizeof(off));
	if (option != IP_ADD_SOURCE_MEMBERSHIP)
		setsockopt(receiver, 0, IP_ADD_MEMBERSHIP, &member, sizeof(member));
	printf("%s effect %s\t%s", kind->name, what,
	       result_of(setsockopt(receiver, 0, option, &filter, sizeof(filter))));
	setsockopt(sender, 0, IP_MULTICAST_IF, &member.imr_interface, sizeof(member.imr_interface));
	socklen_t bytes = address_of(&to, "239.1.2.3", port_of(receiver));
	for (int i = 1; i <= 2; i++) {
		char text[] = "127.0.0.1";
		int from = socket(AF_INET, SOCK_DGRAM, 0);
		text[8] = (char)('0' + i);
		bind_to(from, text, 0);
		setsockopt(from, 0, IP_MULTICAST_IF, &member.imr_interface, sizeof(member.imr_interface));
		printf(" %s", result_of(sendto(from, text, strlen(text), 0, &to.any, bytes)));
		show_receive(receiver);
		close(from);
	}
	printf("\n");
	close(sender);
	close(receiver);
}

static void inquire(const struct kind *kind)
{
	const int on = 1;
	char text[4], control[64];
	struct iovec iov = {text, 2};
	struct msghdr header = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)};
	struct pair pair;
	pair_make(kind, STATE_CONNECTED, &pair);
	setsockopt(pair.peer, IPPROTO_TCP, TCP_INQ, &on, sizeof(on));
	send(pair.own, "hello", 5, 0);
	printf("%s effect TCP_INQ\t%s", kind->name, result_of(recvmsg(pair.peer, &header, 0)));
	for (struct cmsghdr *each = CMSG_FIRSTHDR(&header); each; each = CMSG_NXTHDR(&header, each))
		show_control(each);
	shutdown(pair.own, SHUT_WR);
	recv(pair.peer, text, 3, 0);
	poll(&(struct pollfd){pair.peer, POLLRDHUP, 0}, 1, 2000);
	header.msg_controllen = sizeof(control);
	printf(" %s", result_of(recvmsg(pair.peer, &header, 0)));
	for (struct cmsghdr *each = CMSG_FIRSTHDR(&header); each; each = CMSG_NXTHDR(&header, each))
		show_control(each);
	printf("\n");
	pair_close(&pair);
}

/* A sender that asks for few unsent bytes is not writable long before its buffer is full. */
static void unsent(const struct kind *kind)
{
	static char data[4096];
	const int few = 10000;
	struct pair pair;
	long sent = 0;
	pair_make(kind, STATE_CONNECTED, &pair);
	printf("%s effect TCP_NOTSENT_LOWAT\t%s", kind->name,
	       result_of(setsockopt(pair.own, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &few, sizeof(few))));
	while (sent < 8 << 20 && poll(&(struct pollfd){pair.own, POLLOUT, 0}, 1, 0) == 1)
		sent += send(pair.own, data, sizeof(data), MSG_DONTWAIT);
	printf(" %d", sent < 1 << 20);
	while (recv(pair.peer, data, sizeof(data), MSG_DONTWAIT) > 0)
		;
	printf(" %d\n", poll(&(struct pollfd){pair.own, POLLOUT, 0}, 1, 2000));
	pair_close(&pair);
}

/* Datagrams that a full buffer loses are counted. */
static void overflow(const struct kind *kind)
{
	const int on = 1, small = 1;
	struct pair pair;
	pair_make(kind, STATE_CONNECTED, &pair);
	setsockopt(pair.peer, SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof(on));
	setsockopt(pair.peer, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
	for (int i = 0; i < 20; i++)
		send(pair.own, "abc", 3, 0);
	while (recv(pair.peer, &(char){0}, 1, MSG_DONTWAIT) > 0)
		;
	send(pair.own, "abc", 3, 0);
	printf("%s effect SO_RXQ_OVFL\t", kind->name);
	show_message(pair.peer);
	printf("\n");
	pair_close(&pair);
}

static void try_datagrams(const struct kind *kind)
{
	cork(kind);
	cork_fills(kind);
	cork_elsewhere(kind);
	for (int i = 0; i < 2; i++) {
		segments(kind, i, 3, 7);
		segments(kind, i, 3, 6);
		segments(kind, i, 3, 3);
		segments(kind, i, 3, 0);
		segments(kind, i, 3, 500);
		segments(kind, i, 70000, 7);
		segments(kind, i, -1, 7);
	}
	segments_of_message(kind);
	overflow(kind);
}

/* Linux stamps packets only while a socket asks for it, and begins a moment later. */
static void begin_stamps(void)
{
	const int on = 1;
	setsockopt(socket(AF_INET, SOCK_DGRAM, 0), SOL_SOCKET, SO_TIMESTAMP, &on, sizeof(on));
	usleep(100000);
}

void part_effects(void)
{
	begin_stamps();
	for (unsigned i = 0; i < kind_count; i++) {
		const struct kind *kind = &kinds[i];
		try_options(kind);
		stamp(kind, SO_TIMESTAMP, 1);
		stamp(kind, SO_TIMESTAMPNS, 1);
		stamp(kind, SO_TIMESTAMPING, TIMESTAMPING);
		stamp(kind, SO_TIMESTAMPING, 0x8);
		peek_offset(kind);
		if (kind->family == AF_UNIX)
			continue;
		groups(kind, kind->family == AF_INET ? 0 : 41, kind->family == AF_INET ? "239.1.2.3" : "ff02::1234",
		       kind->family == AF_INET ? "127.0.0.2" : "::1");
		if (kind->type == SOCK_DGRAM)
			try_datagrams(kind);
		if (kind->type != SOCK_STREAM)
			continue;
		defer_accept(kind);
		inquire(kind);
		unsent(kind);
		for (int state = 0; state < STATES; state++)
			tcp_info_show(kind, state);
	}
	hear(&kinds[2], IP_BLOCK_SOURCE, "IP_BLOCK_SOURCE");
	hear(&kinds[2], IP_ADD_SOURCE_MEMBERSHIP, "IP_ADD_SOURCE_MEMBERSHIP");
}
