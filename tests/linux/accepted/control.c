/* SPDX-License-Identifier: MIT */
/* Control messages of sendmsg(2): each level and type, with data of several lengths. */
#include "tests/linux/accepted/accepted.h"

#define TYPES 90

static const struct {
	const char *name;
	int number;
} levels[] = {{"SOCKET", SOL_SOCKET}, {"IP", 0}, {"IPV6", 41}, {"TCP", 6}, {"UDP", 17}, {"999", 999}};

static void try_control(const struct kind *kind, unsigned level, int type, size_t bytes, int value)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(64)];
	} control;
	struct pair pair;
	char got[16];
	struct iovec iov = {"abc", 3};
	struct msghdr header = {
		.msg_iov = &iov, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = CMSG_SPACE(bytes)};
	memset(&control, 0, sizeof(control));
	control.header = (struct cmsghdr){CMSG_LEN(bytes), levels[level].number, type};
	memcpy(CMSG_DATA(&control.header), &value, sizeof(value));
	pair_make(kind, STATE_CONNECTED, &pair);
	printf("%s connected cmsg %s/%d,%zu=%d\t%s", kind->name, levels[level].name, type, bytes, value,
	       result_of(sendmsg(pair.own, &header, MSG_DONTWAIT | MSG_NOSIGNAL)));
	printf(" %s\n", result_of(recv(pair.peer, got, sizeof(got), MSG_DONTWAIT)));
	pair_close(&pair);
}

void part_control(void)
{
	static const size_t lengths[] = {0, 1, 2, 4, 8, 12, 20, 24};
	for (unsigned i = 0; i < kind_count; i++)
		for (unsigned level = 0; level < COUNT(levels); level++)
			for (int type = 0; type < TYPES; type++)
				for (unsigned k = 0; k < COUNT(lengths); k++)
					for (int value = 0; value < 2; value++)
						try_control(&kinds[i], level, type, lengths[k], value);
}
