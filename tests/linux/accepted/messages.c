/* SPDX-License-Identifier: MIT */
/* Flags of send(2) and recv(2), one by one. */
#include "tests/linux/accepted/accepted.h"

static void show_receive(int fd, int flags)
{
	char text[64] = "";
	long got = recv(fd, text, sizeof(text) - 1, flags | MSG_DONTWAIT);
	printf(" %s", result_of(got));
	if (got > 0)
		printf("'%.*s'", (int)got, text);
}

static void try_send(const struct kind *kind, enum state state, int bit)
{
	struct pair pair;
	int flag = 1U << bit;
	pair_make(kind, state, &pair);
	printf("%s %s send 0x%x\t%s", kind->name, state_names[state], flag,
	       result_of(send(pair.own, "abc", 3, flag | MSG_DONTWAIT | MSG_NOSIGNAL)));
	if (pair.peer >= 0) {
		show_receive(pair.peer, 0);
		printf(", %s", result_of(send(pair.own, "de", 2, MSG_DONTWAIT | MSG_NOSIGNAL)));
		show_receive(pair.peer, 0);
		show_receive(pair.peer, 0);
	}
	printf("\n");
	pair_close(&pair);
}

static void try_receive(const struct kind *kind, enum state state, int bit)
{
	char text[64] = "";
	struct pair pair;
	int flag = 1U << bit;
	struct iovec iov = {text, 3};
	struct msghdr header = {.msg_iov = &iov, .msg_iovlen = 1};
	pair_make(kind, state, &pair);
	if (pair.peer >= 0) {
		send(pair.peer, "hello", 5, 0);
		send(pair.peer, "again", 5, 0);
	}
	printf("%s %s recv 0x%x\t", kind->name, state_names[state], flag);
	long got = recvmsg(pair.own, &header, flag | MSG_DONTWAIT);
	printf("%s '%s'", result_of(got), text);
	if (got >= 0)
		printf(" flags 0x%x", header.msg_flags);
	show_receive(pair.own, 0);
	show_receive(pair.own, 0);
	printf("\n");
	pair_close(&pair);
}

void part_messages(void)
{
	for (unsigned i = 0; i < kind_count; i++)
		for (int state = 0; state < STATES; state++) {
			struct pair pair;
			if (!pair_make(&kinds[i], state, &pair))
				continue;
			pair_close(&pair);
			for (int bit = 0; bit < 32; bit++) {
				try_send(&kinds[i], state, bit);
				try_receive(&kinds[i], state, bit);
			}
		}
}
