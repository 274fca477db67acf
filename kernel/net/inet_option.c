/* SPDX-License-Identifier: MIT */
/* One table has all options with a number as their value. Most have no effect here: there are no packets. They are
 * stored, so that they read back. */
#include "kernel/net/inet_option.h"

#include "abi/errno.h"
#include "kernel/lib/string.h"
#include "kernel/net/inet_group.h"

#define IP 0
#define TCP 6
#define UDP 17
#define IPV6 41
#define TCP_INFO 11
#define TCP_CONGESTION 13
#define TCP_MAXSEG 2
#define TCP_INFO_BYTES 232     /* struct tcp_info of Linux 6.1 */
#define MAXSEG_UNCONNECTED 536 /* RFC 9293, 3.7.1 */
#define MAXSEG_LOOPBACK 32741
#define CONGESTION_BYTES 16

/* A number from `least` to `most`; an option that is a switch stores 0 or 1 for any number. */
struct kind {
	int level, option;
	int32_t first, least, most;
	bool is_switch;
	bool resets; /* -1 sets the first value again */
};

#define NUMBER(level, option, first, least, most) \
	{ \
		level, option, first, least, most, false, false \
	}
#define RESET(level, option, first, least, most) \
	{ \
		level, option, first, least, most, false, true \
	}
#define SWITCH(level, option, first) \
	{ \
		level, option, first, 0, 1, true, false \
	}

/* clang-format off */
static const struct kind kinds[INET_OPTIONS] = {
	[INET_V6ONLY] = SWITCH(IPV6, 26, 0),
	[INET_FREEBIND] = SWITCH(IP, 15, 0),
	[INET_PKTINFO] = SWITCH(IP, 8, 0),
	[INET_V6_PKTINFO] = SWITCH(IPV6, 49, 0),
	[INET_RECVERR] = SWITCH(IP, 11, 0),
	[INET_V6_RECVERR] = SWITCH(IPV6, 25, 0),
	[INET_MAXSEG] = NUMBER(TCP, TCP_MAXSEG, 0, 0, 32767),
	[INET_MULTICAST_ALL] = SWITCH(IP, 49, 1),
	[INET_MULTICAST_LOOP] = SWITCH(IP, 34, 1),
	[INET_V6_MULTICAST_LOOP] = NUMBER(IPV6, 19, 1, 0, 1),
	[INET_TOS] = NUMBER(IP, 1, 0, INT32_MIN, INT32_MAX), /* the low eight bits */
	[INET_TTL] = RESET(IP, 2, 64, 1, 255),
	[INET_MULTICAST_TTL] = RESET(IP, 33, 1, 0, 255),
	[INET_V6_HOPS] = RESET(IPV6, 16, 64, 0, 255),
	[INET_V6_MULTICAST_HOPS] = RESET(IPV6, 18, 1, 0, 255),
	[INET_V6_TCLASS] = RESET(IPV6, 67, 0, 0, 255),
	[INET_RECVTTL] = SWITCH(IP, 12, 0),
	[INET_RECVTOS] = SWITCH(IP, 13, 0),
	[INET_RECVORIGDSTADDR] = SWITCH(IP, 20, 0),
	[INET_V6_RECVHOPLIMIT] = SWITCH(IPV6, 51, 0),
	[INET_V6_RECVTCLASS] = SWITCH(IPV6, 66, 0),
	[INET_V6_RECVORIGDSTADDR] = SWITCH(IPV6, 74, 0),
	[INET_TCP_INQ] = NUMBER(TCP, LINUX_TCP_INQ, 0, 0, 1),
	[INET_UDP_CORK] = SWITCH(UDP, LINUX_UDP_CORK, 0),
	[INET_UDP_SEGMENT] = NUMBER(UDP, LINUX_UDP_SEGMENT, 0, 0, UINT16_MAX),
	[INET_UDP_GRO] = SWITCH(UDP, LINUX_UDP_GRO, 0),
	SWITCH(IP, 6, 0),                       /* IP_RECVOPTS: no datagram has options */
	SWITCH(IP, 7, 0),                       /* IP_RETOPTS */
	NUMBER(IP, 10, 1, 0, 5),                /* IP_MTU_DISCOVER */
	SWITCH(IP, 24, 0),                      /* IP_BIND_ADDRESS_NO_PORT */
	NUMBER(IPV6, 23, 1, 0, 5),              /* IPV6_MTU_DISCOVER */
	SWITCH(IPV6, 62, 0),                    /* IPV6_DONTFRAG */
	SWITCH(IPV6, 53, 0),                    /* IPV6_RECVHOPOPTS: no datagram has extension headers */
	SWITCH(IPV6, 56, 0),                    /* IPV6_RECVRTHDR */
	SWITCH(IPV6, 58, 0),                    /* IPV6_RECVDSTOPTS */
	SWITCH(TCP, 1, 0),                      /* TCP_NODELAY */
	SWITCH(TCP, 3, 0),                      /* TCP_CORK */
	NUMBER(TCP, 4, 7200, 1, 32767),         /* TCP_KEEPIDLE */
	NUMBER(TCP, 5, 75, 1, 32767),           /* TCP_KEEPINTVL */
	NUMBER(TCP, 6, 9, 1, 127),              /* TCP_KEEPCNT */
	NUMBER(TCP, 7, 6, 1, 127),              /* TCP_SYNCNT */
	NUMBER(TCP, 8, 60, INT32_MIN, 120),     /* TCP_LINGER2 */
	NUMBER(TCP, 9, 0, 0, INT32_MAX),        /* TCP_DEFER_ACCEPT */
	NUMBER(TCP, 10, 0, 0, INT32_MAX),       /* TCP_WINDOW_CLAMP */
	SWITCH(TCP, 12, 1),                     /* TCP_QUICKACK */
	NUMBER(TCP, 18, 0, 0, INT32_MAX),       /* TCP_USER_TIMEOUT */
	NUMBER(TCP, 23, 0, 0, INT32_MAX),       /* TCP_FASTOPEN */
	NUMBER(TCP, 25, 0, INT32_MIN, INT32_MAX), /* TCP_NOTSENT_LOWAT */
	NUMBER(TCP, 30, 0, 0, 1),               /* TCP_FASTOPEN_CONNECT */
};
/* clang-format on */

void inet_option_init(struct socket *socket)
{
	for (int i = 0; i < INET_OPTIONS; i++)
		socket->inet.options[i] = kinds[i].first;
}

int32_t inet_option_value(const struct socket *socket, enum inet_option option)
{
	return socket->inet.options[option];
}

bool inet_option_is_on(const struct socket *socket, enum inet_option option)
{
	return socket->inet.options[option];
}

static bool has_level(const struct socket *socket, int level)
{
	return level == IP || (level == IPV6 && socket->domain == LINUX_AF_INET6) || level == socket->protocol;
}

/* The place of an option in the table; -1: unknown, or not of this socket. */
static int find(const struct socket *socket, int level, int option)
{
	for (int i = 0; i < INET_OPTIONS && has_level(socket, level); i++)
		if (kinds[i].level == level && kinds[i].option == option && kinds[i].most)
			return i;
	return -1;
}

/* Algorithms that every Linux has. */
static int set_congestion(struct socket *socket, const char *name, int bytes)
{
	char text[CONGESTION_BYTES] = "";
	if (bytes < 1)
		return -EINVAL;
	memcpy(text, name, (size_t)bytes < sizeof(text) - 1 ? (size_t)bytes : sizeof(text) - 1);
	bool is_reno = !strcmp(text, "reno");
	if (!is_reno && strcmp(text, "cubic") != 0)
		return -ENOENT;
	socket->inet.is_reno = is_reno;
	return 0;
}

int inet_option_set(struct socket *socket, int level, int option, const void *user, int bytes)
{
	int32_t value;
	if (level == TCP && socket->protocol == TCP && option == TCP_CONGESTION)
		return set_congestion(socket, user, bytes);
	int group = inet_group_set(socket, level, option, user, bytes);
	if (group <= 0)
		return group;
	int i = find(socket, level, option);
	if (i < 0)
		return -ENOPROTOOPT;
	if (bytes >= (int)sizeof(value))
		memcpy(&value, user, sizeof(value));
	else if (level == IP && bytes >= 1)
		value = *(const uint8_t *)user;
	else
		return -EINVAL;
	const struct kind *kind = &kinds[i];
	if (i == INET_V6ONLY && socket->inet.local.port)
		return -EINVAL;
	if (kind->is_switch)
		value = value != 0;
	else if (value == -1 && kind->resets)
		value = kind->first;
	if (value < kind->least || value > kind->most || (i == INET_MAXSEG && value && value < 88))
		return -EINVAL;
	socket->inet.options[i] = level == IP && option == 1 ? value & 0xff : value;
	return 0;
}

static int get_info(const struct socket *socket, void *value, int *bytes)
{
	*bytes = *bytes < TCP_INFO_BYTES ? *bytes : TCP_INFO_BYTES;
	memset(value, 0, (size_t)*bytes);
	if (*bytes)
		*(uint8_t *)value = (uint8_t)socket->inet.tcp;
	return 0;
}

static int get_congestion(const struct socket *socket, void *value, int *bytes)
{
	char text[CONGESTION_BYTES] = "";
	const char *name = socket->inet.is_reno ? "reno" : "cubic";
	memcpy(text, name, strlen(name));
	*bytes = *bytes < CONGESTION_BYTES ? *bytes : CONGESTION_BYTES;
	memcpy(value, text, (size_t)*bytes);
	return 0;
}

int inet_option_get(struct socket *socket, int level, int option, void *to, int *bytes)
{
	bool is_tcp = level == TCP && socket->protocol == TCP;
	if (is_tcp && option == TCP_INFO)
		return get_info(socket, to, bytes);
	if (is_tcp && option == TCP_CONGESTION)
		return get_congestion(socket, to, bytes);
	int group = inet_group_get(socket, level, option, to, bytes);
	if (group <= 0)
		return group;
	int i = find(socket, level, option);
	if (i < 0)
		return has_level(socket, level) ? -ENOPROTOOPT : -EOPNOTSUPP;
	int32_t value = socket->inet.options[i];
	if (i == INET_MAXSEG)
		value = socket->inet.tcp == LINUX_TCP_ESTABLISHED ? MAXSEG_LOOPBACK
		        : value                                   ? value
		                                                  : MAXSEG_UNCONNECTED;
	if (level == IP && *bytes > 0 && *bytes < (int)sizeof(value) && value >= 0 && value <= 255)
		*bytes = 1;
	else if (*bytes > (int)sizeof(value))
		*bytes = sizeof(value);
	memcpy(to, &value, (size_t)*bytes);
	return 0;
}
