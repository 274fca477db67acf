/* SPDX-License-Identifier: MIT */
/* Sockets are listed in the order in which they were made; Linux lists them by hash. */
#include "kernel/linux/proc/proc_net.h"

#include "kernel/lib/string.h"
#include "kernel/net/inet_closed.h"
#include "kernel/net/socket_message.h"
#include "kernel/time/vclock.h"

#define LINE_BYTES 149 /* of IPv4's tables, padded with spaces */
#define HUNDREDTH_NS 10000000
#define V4_AT 12 /* of a mapped address */

/* Adds a number in base 16, in capitals, with this many digits. */
static void hex(struct text *text, uint64_t number, unsigned digits)
{
	while (digits--)
		text_add(text, &"0123456789ABCDEF"[number >> 4 * digits & 15], 1);
}

static void pad_line(struct text *text, size_t start, size_t bytes)
{
	while (!text->error && text->bytes - start < bytes)
		text_add(text, " ", 1);
	text_add(text, "\n", 1);
}

/* An address as words in the processor's byte order, and the port. */
static void address(struct text *text, const struct inet_address *from, bool is_v4)
{
	for (unsigned i = is_v4 ? V4_AT : 0; i < sizeof(from->bytes); i += sizeof(uint32_t)) {
		uint32_t word;
		memcpy(&word, from->bytes + i, sizeof(word));
		hex(text, word, 8);
	}
	text_add(text, ":", 1);
	hex(text, from->port, 4);
	text_add(text, " ", 1);
}

/* A listener shows how many connections wait to be accepted, others how many bytes wait to be sent and to be read. */
static void line(struct text *text, unsigned number, const struct socket *socket)
{
	size_t start = text->bytes;
	bool is_v4 = socket->domain == LINUX_AF_INET, listens = socket->state == SOCKET_LISTENING;
	int unread = listens ? (int)socket->queued : socket_message_unread(socket);
	text_print(text, socket->type == LINUX_SOCK_STREAM ? "%4u: " : "%5u: ", number);
	address(text, &socket->inet.local, is_v4);
	address(text, &socket->inet.remote, is_v4);
	int state = socket->type == LINUX_SOCK_DGRAM && socket->state == SOCKET_CONNECTED ? LINUX_TCP_ESTABLISHED
	                                                                                  : socket->inet.tcp;
	hex(text, (uint64_t)state, 2);
	text_add(text, " ", 1);
	hex(text, (uint64_t)socket->family->unsent(socket), 8);
	text_add(text, ":", 1);
	hex(text, (uint64_t)unread, 8);
	text_print(text, " 00:00000000 00000000     0        0 %lu 1 0000000000000000",
	           socket->inode ? socket->inode->ino : 0UL);
	text_print(text, socket->type == LINUX_SOCK_STREAM ? " 100 0 0 10 0" : " 0");
	if (is_v4)
		pad_line(text, start, LINE_BYTES);
	else
		text_add(text, "\n", 1);
}

/* A closed connection has no socket any more. It shows when its time ends, in hundredths of a second. */
static void closed_line(struct text *text, unsigned number, const struct inet_closed *closed)
{
	size_t start = text->bytes;
	bool is_v4 = closed->domain == LINUX_AF_INET;
	text_print(text, "%4u: ", number);
	address(text, &closed->local, is_v4);
	address(text, &closed->remote, is_v4);
	hex(text, (uint64_t)closed->tcp, 2);
	text_print(text, " 00000000:00000000 03:");
	hex(text, (closed->end_ns - vclock_now() + HUNDREDTH_NS - 1) / HUNDREDTH_NS, 8);
	text_print(text, " 00000000     0        0 0 3 0000000000000000");
	pad_line(text, start, is_v4 ? LINE_BYTES : 0);
}

static int table(struct text *text, int domain, int type)
{
	unsigned number = 0;
	for (const struct socket *socket = socket_next(NULL); socket; socket = socket_next(socket))
		if (!socket->dead && socket->domain == domain && socket->type == type && socket->inet.local.port &&
		    (type == LINUX_SOCK_DGRAM || socket->inet.tcp != LINUX_TCP_CLOSE))
			line(text, number++, socket);
	for (const struct inet_closed *closed = type == LINUX_SOCK_STREAM ? inet_closed_next(NULL) : NULL; closed;
	     closed = inet_closed_next(closed))
		if (closed->domain == domain)
			closed_line(text, number++, closed);
	return text->error;
}

static void head(struct text *text, const char *title, bool is_v4)
{
	size_t start = text->bytes;
	text_print(text, "%s", title);
	pad_line(text, start, is_v4 ? LINE_BYTES : 0);
}

#define V4_TITLE(before, after) \
	before "sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode" after
#define V6_TITLE(after) \
	"  sl  local_address                         remote_address                        st tx_queue rx_queue tr " \
	"tm->when retrnsmt   uid  timeout inode" after

int proc_net_tcp(const struct proc_object *object, struct text *text)
{
	(void)object;
	head(text, V4_TITLE("  ", ""), true);
	return table(text, LINUX_AF_INET, LINUX_SOCK_STREAM);
}

int proc_net_tcp6(const struct proc_object *object, struct text *text)
{
	(void)object;
	head(text, V6_TITLE(""), false);
	return table(text, LINUX_AF_INET6, LINUX_SOCK_STREAM);
}

int proc_net_udp(const struct proc_object *object, struct text *text)
{
	(void)object;
	head(text, V4_TITLE("   ", " ref pointer drops"), true);
	return table(text, LINUX_AF_INET, LINUX_SOCK_DGRAM);
}

int proc_net_udp6(const struct proc_object *object, struct text *text)
{
	(void)object;
	head(text, V6_TITLE(" ref pointer drops"), false);
	return table(text, LINUX_AF_INET6, LINUX_SOCK_DGRAM);
}

/* Abstract names begin with @ instead of a NUL. */
static void unix_line(struct text *text, const struct socket *socket)
{
	bool listens = socket->state == SOCKET_LISTENING;
	text_print(text, "0000000000000000: ");
	hex(text, socket->refs, 8);
	text_print(text, " 00000000 000%d0000 ", listens);
	hex(text, (uint64_t)socket->type, 4);
	text_print(text, " 0%d %5lu", socket->state == SOCKET_CONNECTED ? 3 : 1,
	           socket->inode ? socket->inode->ino : 0UL);
	const char *path = socket->name.un.sun_path;
	if (socket->name.bytes > sizeof(socket->name.family)) {
		size_t bytes = socket->name.bytes - sizeof(socket->name.family);
		text_add(text, path[0] ? " " : " @", path[0] ? 1 : 2);
		text_add(text, path[0] ? path : path + 1, bytes - 1);
	}
	text_add(text, "\n", 1);
}

int proc_net_unix(const struct proc_object *object, struct text *text)
{
	(void)object;
	text_print(text, "Num       RefCount Protocol Flags    Type St Inode Path\n");
	for (const struct socket *socket = socket_next(NULL); socket; socket = socket_next(socket))
		if (!socket->dead && socket->domain == LINUX_AF_UNIX)
			unix_line(text, socket);
	return text->error;
}
