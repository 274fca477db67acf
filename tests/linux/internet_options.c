/* SPDX-License-Identifier: MIT */
/* natively: root */
/* Options of sockets that need a capability or name an interface, asked for without privileges (socket(7)), and a
 * connection of a socket to itself. */
#include "tests/linux/internet.h"

static char buf[100];

static void show_device(int fd)
{
	char name[IFNAMSIZ] = "?";
	socklen_t bytes = sizeof(name);
	int error = getsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, name, &bytes);
	printf("%s, %u bytes, '%s'\n", error ? errno_name(errno) : "bound", bytes, name);
}

static void devices(int family, int type)
{
	int fd = socket(family, type, 0);
	socklen_t bytes = 4;
	show_device(fd);
	SAY(setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "none", 5));
	SAY(setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "", 1));
	SAY(setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 2));
	show_device(fd);
	SAY(getsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, buf, &bytes));
	SAY(option(fd, SOL_SOCKET, SO_BINDTOIFINDEX));
	SAY(setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "", 1));
	SAY(setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 2));
	SAY(set(fd, SOL_SOCKET, SO_BINDTOIFINDEX, 1));
	close(fd);
	fd = socket(family, type, 0);
	SAY(set(fd, SOL_SOCKET, SO_BINDTOIFINDEX, 77));
	SAY(set(fd, SOL_SOCKET, SO_BINDTOIFINDEX, -1));
	SAY(set(fd, SOL_SOCKET, SO_BINDTOIFINDEX, 1));
	show_device(fd);
	close(fd);
}

static void numbers(int type)
{
	static const struct {
		const char *name;
		int option;
	} options[] = {{"SO_NO_CHECK", SO_NO_CHECK},
	               {"SO_MARK", SO_MARK},
	               {"SO_RXQ_OVFL", SO_RXQ_OVFL},
	               {"SO_WIFI_STATUS", SO_WIFI_STATUS},
	               {"SO_NOFCS", SO_NOFCS},
	               {"SO_SELECT_ERR_QUEUE", SO_SELECT_ERR_QUEUE},
	               {"SO_BUSY_POLL", SO_BUSY_POLL},
	               {"SO_INCOMING_CPU", SO_INCOMING_CPU},
	               {"SO_PREFER_BUSY_POLL", SO_PREFER_BUSY_POLL},
	               {"SO_BUSY_POLL_BUDGET", SO_BUSY_POLL_BUDGET},
	               {"SO_INCOMING_NAPI_ID", SO_INCOMING_NAPI_ID},
	               {"unknown", 999}};
	for (unsigned i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		int fd = socket(AF_INET, type, 0);
		printf("%s: %d", options[i].name, option(fd, SOL_SOCKET, options[i].option));
		int most = options[i].option == SO_BUSY_POLL ? 0 : 2; /* more needs a capability until Linux 6.11 */
		for (int value = -1; value <= most; value++) {
			int error = set(fd, SOL_SOCKET, options[i].option, value) ? errno : 0;
			printf(", %s %d", error ? errno_name(error) : "set", option(fd, SOL_SOCKET, options[i].option));
		}
		printf("\n");
		close(fd);
	}
	int fd = socket(AF_INET, type, 0), other = socket(AF_INET, type, 0);
	unsigned long cookies[3];
	socklen_t bytes = 8;
	SAY(getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookies[0], &bytes));
	SAY(getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookies[1], &bytes));
	SAY(getsockopt(other, SOL_SOCKET, SO_COOKIE, &cookies[2], &bytes));
	printf("%d %d\n", cookies[0] == cookies[1], cookies[0] == cookies[2]);
	bytes = 4;
	SAY(getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookies[0], &bytes));
	close(fd);
	close(other);
}

static void itself(const char *text)
{
	int fd = socket(strchr(text, ':') ? AF_INET6 : AF_INET, SOCK_STREAM, 0);
	printf("a connection to itself\n");
	SAY(bind_to(fd, text, 0));
	SAY(connect_to(fd, text, port_of(fd)));
	show_name(fd, "own", getsockname);
	show_name(fd, "peer", getpeername);
	SAY(tcp_state(fd));
	SAY(recv(fd, buf, 9, MSG_DONTWAIT));
	SAY(send(fd, "hello", 5, 0));
	SAY(events_of(fd, POLLIN));
	SAY(recv(fd, buf, 9, 0));
	SAY(send(fd, "bye", 3, 0));
	SAY(shutdown(fd, SHUT_WR));
	SAY(recv(fd, buf, 9, 0));
	SAY(recv(fd, buf, 9, 0));
	SAY(send(fd, "late", 4, MSG_NOSIGNAL));
	SAY(tcp_state(fd));
	close(fd);
	fd = socket(strchr(text, ':') ? AF_INET6 : AF_INET, SOCK_STREAM, 0);
	SAY(bind_to(fd, text, 0));
	SAY(connect_to(fd, text, port_of(fd)));
	SAY(send(fd, "lost", 4, 0));
	close(fd);
}

/* Clients do not connect to themselves when they get the port for which they ask. */
static void not_itself(void)
{
	int listener = socket(AF_INET, SOCK_STREAM, 0), refused = 0;
	bind_to(listener, "127.0.0.1", 0);
	int port = port_of(listener) + 1;
	close(listener);
	for (int i = 0; i < 8; i++) {
		int fd = socket(AF_INET, SOCK_STREAM, 0);
		refused += connect_to(fd, "127.0.0.1", port + i) && errno == ECONNREFUSED;
		close(fd);
	}
	printf("%d refused\n", refused);
}

int main(void)
{
	own_network();
	setuid(65534);
	devices(AF_INET, SOCK_STREAM);
	devices(AF_INET6, SOCK_DGRAM);
	numbers(SOCK_STREAM);
	numbers(SOCK_DGRAM);
	itself("127.0.0.1");
	itself("::1");
	not_itself();
	return 0;
}
