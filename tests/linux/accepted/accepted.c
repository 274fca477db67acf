/* SPDX-License-Identifier: MIT */
/* Runs one part: each option, flag and command in each state. The process has no capabilities. */
#include "tests/linux/accepted/accepted.h"

#include <linux/capability.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>

#include "tests/linux/internet.h"

const struct kind kinds[] = {{"tcp4", AF_INET, SOCK_STREAM},
                             {"tcp6", AF_INET6, SOCK_STREAM},
                             {"udp4", AF_INET, SOCK_DGRAM},
                             {"udp6", AF_INET6, SOCK_DGRAM},
                             {"unix-stream", AF_UNIX, SOCK_STREAM},
                             {"unix-dgram", AF_UNIX, SOCK_DGRAM},
                             {"unix-seqpacket", AF_UNIX, SOCK_SEQPACKET}};
const unsigned kind_count = COUNT(kinds);
const char *const state_names[STATES] = {"fresh", "bound", "listening", "connected", "ended", "closed"};

const char *result_of(long result)
{
	static char text[32];
	if (result == -1)
		return strerrorname_np(errno) ? strerrorname_np(errno) : "unknown error";
	snprintf(text, sizeof(text), "%ld", result);
	return text;
}

void show_bytes(const void *from, size_t bytes, size_t most)
{
	const uint8_t *at = from;
	printf("%zu:", bytes);
	for (size_t i = 0; i < bytes && i < most; i++)
		printf("%02x", at[i]);
}

void *memory_fixed(void)
{
	void *at = (void *)0x100000000;
	return memset(mmap(at, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0), 0, 4096);
}

/* Binds a socket to an address that the system chooses. */
static int bind_any(int fd, const struct kind *kind)
{
	struct sockaddr_un un = {.sun_family = AF_UNIX};
	if (kind->family == AF_UNIX)
		return bind(fd, (struct sockaddr *)&un, sizeof(un.sun_family));
	return bind_to(fd, kind->family == AF_INET ? "127.0.0.1" : "::1", 0);
}

static int connect_like(int fd, int to)
{
	struct sockaddr_storage name;
	socklen_t bytes = sizeof(name);
	getsockname(to, (struct sockaddr *)&name, &bytes);
	return connect(fd, (struct sockaddr *)&name, bytes);
}

/* Connects a socket that is fresh. */
static void join(const struct kind *kind, struct pair *pair)
{
	int other = socket(kind->family, kind->type, 0);
	bind_any(other, kind);
	if (kind->type == SOCK_DGRAM) {
		pair->peer = other;
		bind_any(pair->own, kind);
		connect_like(pair->own, pair->peer);
		connect_like(pair->peer, pair->own);
		return;
	}
	pair->listener = other;
	listen(other, 5);
	connect_like(pair->own, other);
	pair->peer = accept(other, NULL, NULL);
}

bool pair_make(const struct kind *kind, enum state state, struct pair *pair)
{
	bool is_datagram = kind->type == SOCK_DGRAM;
	if (is_datagram && (state == STATE_LISTENING || state == STATE_ENDED))
		return false;
	*pair = (struct pair){socket(kind->family, kind->type, 0), -1, -1};
	if (state == STATE_BOUND || state == STATE_LISTENING)
		bind_any(pair->own, kind);
	if (state == STATE_LISTENING)
		listen(pair->own, 5);
	if (state >= STATE_CONNECTED)
		join(kind, pair);
	if (state == STATE_CLOSED)
		shutdown(pair->own, is_datagram ? SHUT_RDWR : SHUT_WR);
	if (state >= STATE_ENDED && !is_datagram) {
		close(pair->peer);
		pair->peer = -1;
	}
	return true;
}

void pair_close(struct pair *pair)
{
	const struct linger now = {1, 0};
	int all[] = {pair->own, pair->peer, pair->listener};
	for (unsigned i = 0; i < COUNT(all); i++) {
		if (all[i] < 0)
			continue;
		setsockopt(all[i], SOL_SOCKET, SO_LINGER, &now, sizeof(now));
		close(all[i]);
	}
}

static int open_regular(void)
{
	int fd = open("file", O_RDWR | O_CREAT | O_TRUNC, 0600);
	write(fd, "contents", 8);
	lseek(fd, 0, SEEK_SET);
	return fd;
}

static int open_pipe(int *other, int which)
{
	int fds[2];
	if (pipe(fds))
		return -1;
	*other = fds[!which];
	return fds[which];
}

int file_open(unsigned which, const char **name, int *other)
{
	static const char *const names[] = {"file",  "directory", "pipe-read", "pipe-write", "null",
	                                    "memfd", "eventfd",   "epoll",     "timerfd",    "signalfd",
	                                    "path",  "tcp4",      "udp4",      "unix-dgram"};
	sigset_t none;
	sigemptyset(&none);
	*other = -1;
	if (which >= COUNT(names))
		return -1;
	*name = names[which];
	switch (which) {
	case 0:
		return open_regular();
	case 1:
		return open(".", O_RDONLY | O_DIRECTORY);
	case 2:
		return open_pipe(other, 0);
	case 3:
		return open_pipe(other, 1);
	case 4:
		return open("/dev/null", O_RDWR);
	case 5:
		return memfd_create("name", MFD_ALLOW_SEALING);
	case 6:
		return eventfd(1, 0);
	case 7:
		return epoll_create1(0);
	case 8:
		return timerfd_create(CLOCK_MONOTONIC, 0);
	case 9:
		return signalfd(-1, &none, 0);
	case 10:
		return open(".", O_PATH);
	case 11:
		return socket(AF_INET, SOCK_STREAM, 0);
	case 12:
		return socket(AF_INET, SOCK_DGRAM, 0);
	default:
		return socket(AF_UNIX, SOCK_DGRAM, 0);
	}
}

static void drop_capabilities(void)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct none[2] = {{0}};
	syscall(SYS_capset, &header, none);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = {{"options", part_options}, {"messages", part_messages}, {"control", part_control},
	             {"files", part_files},     {"memory", part_memory},     {"processes", part_processes},
	             {"effects", part_effects}, {"corks", part_corks},       {"terminals", part_terminals}};
	signal(SIGPIPE, SIG_IGN);
	prctl(PR_SET_NAME, "accepted");
	own_network();
	drop_capabilities();
	for (unsigned i = 0; i < COUNT(parts); i++)
		if (argc < 2 || !strcmp(argv[1], parts[i].name))
			close_range(3, ~0U, 0), parts[i].run();
	return 0;
}
