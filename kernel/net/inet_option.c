/* SPDX-License-Identifier: MIT */
/* One table has all options with a number as their value. Most have no effect here: there are no packets. They are
 * stored, so that they read back. */
#include "kernel/net/inet_option.h"

#include "abi/errno.h"
#include "kernel/lib/string.h"
#include "kernel/net/inet/inet_defer.h"
#include "kernel/net/inet/inet_info.h"
#include "kernel/net/inet_group.h"

#define IP 0
#define TCP 6
#define UDP 17
#define IPV6 41
#define TCP_DEFER_ACCEPT 9
#define TCP_INFO 11
#define TCP_CONGESTION 13
#define TCP_MAXSEG 2
#define MAXSEG_UNCONNECTED 536 /* RFC 9293, 3.7.1 */
#define MAXSEG_LOOPBACK 32741
#define MAXSEG_V6 32732
#define MAXSEG_OUTSIDE 1448 /* of Ethernet, with timestamps */
#define MAXSEG_V6_OUTSIDE 1428
#define CONGESTION_BYTES 16
#define ECN_MASK 3
#define WINDOW_LEAST 1152 /* half of the least receive buffer */
#define LINGER2_MAX 120
#define LINGER2_FIRST 60 /* net.ipv4.tcp_fin_timeout */

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
	[INET_DEFER_ACCEPT] = NUMBER(TCP, TCP_DEFER_ACCEPT, 0, INT32_MIN, INT32_MAX),
	[INET_V6_MULTICAST_ALL] = SWITCH(IPV6, 29, 1),
	[INET_V6_DONTFRAG] = SWITCH(IPV6, 62, 0),
	[INET_NOTSENT_LOWAT] = NUMBER(TCP, 25, 0, INT32_MIN, INT32_MAX),
	[INET_LINGER2] = NUMBER(TCP, 8, LINGER2_FIRST, INT32_MIN, INT32_MAX),
	[INET_WINDOW_CLAMP] = NUMBER(TCP, 10, 0, 0, INT32_MAX),
	[INET_FASTOPEN] = NUMBER(TCP, 23, 0, 0, INT32_MAX),
	[INET_FASTOPEN_CONNECT] = NUMBER(TCP, 30, 0, 0, 1),
	[INET_TCP_INQ] = NUMBER(TCP, LINUX_TCP_INQ, 0, 0, 1),
	[INET_UDP_CORK] = SWITCH(UDP, LINUX_UDP_CORK, 0),
	[INET_UDP_SEGMENT] = NUMBER(UDP, LINUX_UDP_SEGMENT, 0, 0, UINT16_MAX),
	[INET_UDP_GRO] = SWITCH(UDP, LINUX_UDP_GRO, 0),
	[INET_NODELAY] = SWITCH(TCP, LINUX_TCP_NODELAY, 0),
	[INET_CORK] = SWITCH(TCP, LINUX_TCP_CORK, 0),
	SWITCH(IP, 6, 0),                       /* IP_RECVOPTS: no datagram has options */
	SWITCH(IP, 7, 0),                       /* IP_RETOPTS */
	NUMBER(IP, 10, 1, 0, 5),                /* IP_MTU_DISCOVER */
	SWITCH(IP, 24, 0),                      /* IP_BIND_ADDRESS_NO_PORT */
	NUMBER(IPV6, 23, 1, 0, 5),              /* IPV6_MTU_DISCOVER */
	SWITCH(IPV6, 53, 0),                    /* IPV6_RECVHOPOPTS: no datagram has extension headers */
	SWITCH(IPV6, 56, 0),                    /* IPV6_RECVRTHDR */
	SWITCH(IPV6, 58, 0),                    /* IPV6_RECVDSTOPTS */
	NUMBER(TCP, 4, 7200, 1, 32767),         /* TCP_KEEPIDLE */
	NUMBER(TCP, 5, 75, 1, 32767),           /* TCP_KEEPINTVL */
	NUMBER(TCP, 6, 9, 1, 127),              /* TCP_KEEPCNT */
	NUMBER(TCP, 7, 6, 1, 127),              /* TCP_SYNCNT */
	SWITCH(TCP, 12, 1),                     /* TCP_QUICKACK */
	NUMBER(TCP, 18, 0, 0, INT32_MAX),       /* TCP_USER_TIMEOUT */
};
/* clang-format on */

void inet_option_init(struct socket *socket)
{
	for (int i = 0; i < INET_OPTIONS; i++)
		socket->inet.options[i] = kinds[i].first;
	if (socket->domain == LINUX_AF_INET6) /* as on Linux: IPV6_MULTICAST_ALL is the one that is on */
		socket->inet.options[INET_MULTICAST_ALL] = 0;
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
static int find_inet_option(const struct socket *socket, int level, int option)
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

/* Options that need a state of the socket, or a type. Returns 0 or a negative errno. */
static int check_state(const struct socket *socket, int i, int32_t value)
{
	bool is_stream = socket->protocol == TCP, is_closed = socket->inet.tcp == LINUX_TCP_CLOSE;
	/* At its end, a connection gives back a port that bind(2) has not named (tcp_disconnect). */
	bool has_ended = is_stream && is_closed && socket->state == SOCKET_CONNECTED && !socket->inet.has_port &&
	                 !socket->inet.has_address;
	switch (i) {
	case INET_V6ONLY:
		return socket->inet.local.port && !has_ended ? -EINVAL : 0;
	case INET_MULTICAST_TTL:
		return is_stream ? -EINVAL : 0;
	case INET_V6_MULTICAST_HOPS:
		return is_stream ? -ENOPROTOOPT : 0;
	case INET_MULTICAST_ALL:
		return value < 0 || value > 1 ? -EINVAL : 0;
	case INET_WINDOW_CLAMP:
		return !value && !is_closed ? -EINVAL : 0;
	case INET_FASTOPEN:
		return !is_closed && socket->inet.tcp != LINUX_TCP_LISTEN ? -EINVAL : 0;
	case INET_FASTOPEN_CONNECT:
		return is_closed ? 0 : -EINVAL;
	default:
		return 0;
	}
}

/* The value that Linux makes of one that a program sets. */
static int32_t adapt(const struct socket *socket, int i, int32_t value)
{
	bool is_stream = socket->protocol == TCP;
	switch (i) {
	case INET_DEFER_ACCEPT:
		return inet_defer_count(value);
	case INET_TOS:
		return is_stream ? value & 0xff & ~ECN_MASK : value & 0xff;
	case INET_V6_TCLASS:
		return is_stream ? value & ~ECN_MASK : value;
	case INET_WINDOW_CLAMP:
		return value && value < WINDOW_LEAST ? WINDOW_LEAST : value;
	case INET_FASTOPEN:
		return value < LINUX_SOMAXCONN ? value : LINUX_SOMAXCONN;
	case INET_LINGER2:
		return !value ? LINGER2_FIRST : value < LINGER2_MAX ? value : LINGER2_MAX;
	default:
		return value;
	}
}

/* Reads a number, which may be one byte for options of IP. Some options take no bytes for 0. */
static int read_value(const struct socket *socket, int i, const void *user, int bytes, int32_t *value)
{
	const struct kind *kind = &kinds[i];
	bool needs_byte = kind->least > 0 || i == INET_FREEBIND || i == INET_MULTICAST_TTL || i == INET_MULTICAST_ALL ||
	                  i == INET_MULTICAST_LOOP;
	*value = 0;
	if (bytes >= (int)sizeof(*value))
		memcpy(value, user, sizeof(*value));
	else if (kind->level == IP && bytes >= 1)
		*value = *(const uint8_t *)user;
	else if (i == INET_V6_MULTICAST_HOPS && socket->protocol == TCP)
		return -ENOPROTOOPT;
	else if (!(kind->level == IP && !needs_byte) && i != INET_V6_DONTFRAG)
		return -EINVAL;
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
	if ((level == TCP || level == UDP) && level == socket->protocol && bytes < (int)sizeof(value))
		return -EINVAL;
	int i = find_inet_option(socket, level, option);
	if (i < 0)
		return -ENOPROTOOPT;
	int wrong = read_value(socket, i, user, bytes, &value);
	if (wrong)
		return wrong;
	const struct kind *kind = &kinds[i];
	int error = check_state(socket, i, value);
	if (error)
		return error;
	if (kind->is_switch)
		value = value != 0;
	else if (value == -1 && kind->resets)
		value = kind->first;
	if (value < kind->least || value > kind->most || (i == INET_MAXSEG && value && value < 88))
		return -EINVAL;
	socket->inet.options[i] = adapt(socket, i, value);
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

int32_t inet_option_segment(const struct socket *socket)
{
	const bool is_outside = socket->peer && socket->peer->inet.flow;
	if (inet_address_is_v4(&socket->inet.remote))
		return is_outside ? MAXSEG_OUTSIDE : MAXSEG_LOOPBACK;
	return is_outside ? MAXSEG_V6_OUTSIDE : MAXSEG_V6;
}

int inet_option_get(struct socket *socket, int level, int option, void *to, int *bytes)
{
	bool is_tcp = level == TCP && socket->protocol == TCP;
	if (is_tcp && option == TCP_INFO) {
		inet_info_get(socket, to, bytes);
		return 0;
	}
	if (is_tcp && option == TCP_CONGESTION)
		return get_congestion(socket, to, bytes);
	int group = inet_group_get(socket, level, option, to, bytes);
	if (group <= 0)
		return group;
	int i = find_inet_option(socket, level, option);
	if (i < 0)
		return has_level(socket, level) || socket->domain == LINUX_AF_INET6 ? -ENOPROTOOPT : -EOPNOTSUPP;
	int32_t value = socket->inet.options[i];
	if (i == INET_DEFER_ACCEPT)
		value = inet_defer_seconds(value);
	if (i == INET_V6ONLY && socket->inet.has_address && !inet_address_is_v4(&socket->inet.local))
		value = 1; /* bound to an address of IPv6, it gets nothing else */
	if (i == INET_MAXSEG)
		value = socket->inet.tcp == LINUX_TCP_ESTABLISHED ? inet_option_segment(socket)
		        : value                                   ? value
		                                                  : MAXSEG_UNCONNECTED;
	if (level == IP && *bytes > 0 && *bytes < (int)sizeof(value) && value >= 0 && value <= 255)
		*bytes = 1;
	else if (*bytes > (int)sizeof(value))
		*bytes = sizeof(value);
	memcpy(to, &value, (size_t)*bytes);
	return 0;
}
