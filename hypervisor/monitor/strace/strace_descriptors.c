/* SPDX-License-Identifier: MIT */
/* Sockets, terminals, locks, and what waits for descriptors. */
#include <arpa/inet.h>
#include <asm/termbits.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "strace/strace_argument.h"
#include "strace/strace_show.h"

/* --- sockets --- */

static void show_unix_name(struct strace_out *out, const uint8_t *name, size_t bytes)
{
	const size_t at = offsetof(struct sockaddr_un, sun_path);
	if (bytes <= at)
		return;
	strace_out_text(out, ", sun_path=");
	const char *path = (const char *)name + at;
	const size_t room = bytes - at;
	if (*path) {
		char ended[sizeof(struct sockaddr_un) + 1] = {0};
		memcpy(ended, path, room < sizeof(ended) - 1 ? room : sizeof(ended) - 1);
		strace_show_string(out, ended, sizeof(ended));
	} else {
		strace_out_text(out, "@");
		strace_show_text(out, path + 1, room - 1, room - 1);
	}
}

static void show_inet6_name(struct strace_out *out, const uint8_t *bytes)
{
	struct sockaddr_in6 name;
	char address[INET6_ADDRSTRLEN];
	memcpy(&name, bytes, sizeof(name));
	inet_ntop(AF_INET6, &name.sin6_addr, address, sizeof(address));
	strace_out_format(out,
	                  ", sin6_port=htons(%u), sin6_flowinfo=htonl(%u), inet_pton(AF_INET6, \"%s\", &sin6_addr), "
	                  "sin6_scope_id=%u",
	                  ntohs(name.sin6_port), ntohl(name.sin6_flowinfo), address, name.sin6_scope_id);
}

void strace_show_socket_name(struct strace_out *out, const uint8_t *name, size_t bytes)
{
	uint16_t family;
	if (bytes < sizeof(family))
		return;
	memcpy(&family, name, sizeof(family));
	strace_out_text(out, "{sa_family=");
	strace_names_one(out, STRACE_NAMES_family, family);
	if (family == AF_UNIX) {
		show_unix_name(out, name, bytes);
	} else if (family == AF_INET && bytes >= sizeof(struct sockaddr_in)) {
		struct sockaddr_in in;
		memcpy(&in, name, sizeof(in));
		const uint8_t *part = (const uint8_t *)&in.sin_addr;
		strace_out_format(out, ", sin_port=htons(%u), sin_addr=inet_addr(\"%u.%u.%u.%u\")", ntohs(in.sin_port),
		                  part[0], part[1], part[2], part[3]);
	} else if (family == AF_INET6 && bytes >= sizeof(struct sockaddr_in6)) {
		show_inet6_name(out, name);
	} else if (family == AF_NETLINK && bytes >= sizeof(struct sockaddr_nl)) {
		struct sockaddr_nl netlink;
		memcpy(&netlink, name, sizeof(netlink));
		strace_out_format(out, ", nl_pid=%u, nl_groups=%08x", netlink.nl_pid, netlink.nl_groups);
	} else if (bytes > sizeof(family)) {
		strace_out_text(out, ", sa_data=");
		strace_show_text(out, (const char *)name + sizeof(family), bytes - sizeof(family),
		                 bytes - sizeof(family));
	}
	strace_out_text(out, "}");
}

/* The data of a control message: descriptors, a sender, or bytes. */
static void show_control_data(struct strace_out *out, const struct cmsghdr *head, const char *data, size_t bytes)
{
	int32_t number[3];
	if (head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) {
		for (size_t at = 0; bytes - at >= sizeof(number[0]); at += sizeof(number[0])) {
			memcpy(number, data + at, sizeof(number[0]));
			strace_out_format(out, "%s%d", at ? ", " : "[", number[0]);
		}
		strace_out_text(out, bytes < sizeof(number[0]) ? "[]" : "]");
	} else if (head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_CREDENTIALS && bytes == sizeof(number)) {
		memcpy(number, data, sizeof(number));
		strace_out_format(out, "{pid=%d, uid=%u, gid=%u}", number[0], (uint32_t)number[1], (uint32_t)number[2]);
	} else {
		strace_show_text(out, data, bytes, bytes);
	}
}

void strace_show_control(struct strace_out *out, const char *from, size_t bytes)
{
	struct cmsghdr head;
	strace_out_text(out, "[");
	for (size_t at = 0; bytes - at >= sizeof(head);) {
		memcpy(&head, from + at, sizeof(head));
		const bool is_valid = head.cmsg_len >= sizeof(head) && head.cmsg_len <= bytes - at;
		strace_out_format(out, "%s{cmsg_len=%zu, cmsg_level=", at ? ", " : "", head.cmsg_len);
		strace_names_one(out, STRACE_NAMES_sock_level, (uint32_t)head.cmsg_level);
		strace_out_text(out, ", cmsg_type=");
		if (head.cmsg_level == SOL_SOCKET)
			strace_names_one(out, STRACE_NAMES_control, (uint32_t)head.cmsg_type);
		else
			strace_out_format(out, "%#x", (unsigned)head.cmsg_type);
		if (is_valid && head.cmsg_len > sizeof(head)) {
			strace_out_text(out, ", cmsg_data=");
			show_control_data(out, &head, from + at + sizeof(head), head.cmsg_len - sizeof(head));
		}
		strace_out_text(out, "}");
		const size_t padded = is_valid ? CMSG_ALIGN(head.cmsg_len) : bytes - at;
		at += padded < bytes - at ? padded : bytes - at;
	}
	strace_out_text(out, "]");
}

typedef void show_value(const struct strace_argument *a, const char *value, size_t known, size_t bytes);

/* Shows a value that the program gives, or that the call returns with its size in memory; the address if nothing is
 * known of it. */
static void show_sized(const struct strace_argument *a, bool is_returned, show_value *show)
{
	uint32_t bytes = is_returned ? 0 : (uint32_t)strace_other(a, 1);
	if (is_returned)
		strace_load_out(a, strace_other(a, 1), &bytes, sizeof(bytes));
	size_t known = bytes;
	const char *value = !a->value || !bytes ? NULL
	                    : is_returned       ? strace_call_text_out(a->call, a->value, &known)
	                                        : strace_call_text_in(a->call, a->value, &known);
	if (value)
		show(a, value, known, bytes);
	else
		strace_show_address(a->out, a->value);
}

static void show_name(const struct strace_argument *a, const char *value, size_t known, size_t bytes)
{
	(void)bytes;
	strace_show_socket_name(a->out, (const uint8_t *)value, known);
}

void strace_show_NAME(const struct strace_argument *a)
{
	show_sized(a, false, show_name);
}

void strace_show_NAME_OUT(const struct strace_argument *a)
{
	show_sized(a, true, show_name);
}

/* The value of an option: a number, or bytes. */
static void show_option(const struct strace_argument *a, const char *value, size_t known, size_t bytes)
{
	int number, linger[2];
	int64_t time[2];
	const uint64_t option = strace_other(a, -1);
	const bool is_linger = strace_other(a, -2) == SOL_SOCKET && option == SO_LINGER;
	const bool is_time = strace_other(a, -2) == SOL_SOCKET && (option == SO_RCVTIMEO || option == SO_SNDTIMEO);
	if (is_time && known == sizeof(time)) {
		memcpy(time, value, sizeof(time));
		strace_show_time(a->out, time, "tv_usec");
	} else if (is_linger && known == sizeof(linger)) {
		memcpy(linger, value, sizeof(linger));
		strace_out_format(a->out, "{l_onoff=%d, l_linger=%d}", linger[0], linger[1]);
	} else if (known == sizeof(number)) {
		memcpy(&number, value, sizeof(number));
		strace_out_format(a->out, "[%d]", number);
	} else {
		strace_show_text(a->out, value, known, bytes);
	}
}

void strace_show_OPTION(const struct strace_argument *a)
{
	show_sized(a, false, show_option);
}

void strace_show_OPTION_OUT(const struct strace_argument *a)
{
	show_sized(a, true, show_option);
}

/* --- terminals and locks --- */

static void show_termios(const struct strace_argument *a, bool is_out)
{
	struct termios termios;
	if (!(is_out ? strace_load_out : strace_load_in)(a, a->value, &termios, sizeof(termios))) {
		strace_show_address(a->out, a->value);
		return;
	}
	strace_out_format(a->out, "{c_iflag=%#x, c_oflag=%#x, c_cflag=%#x, c_lflag=%#x, ...}", termios.c_iflag,
	                  termios.c_oflag, termios.c_cflag, termios.c_lflag);
}

static void show_window(const struct strace_argument *a, bool is_out)
{
	struct winsize size;
	if ((is_out ? strace_load_out : strace_load_in)(a, a->value, &size, sizeof(size)))
		strace_out_format(a->out, "{ws_row=%u, ws_col=%u, ws_xpixel=%u, ws_ypixel=%u}", size.ws_row,
		                  size.ws_col, size.ws_xpixel, size.ws_ypixel);
	else
		strace_show_address(a->out, a->value);
}

static void show_number(const struct strace_argument *a, bool is_out)
{
	int number;
	if ((is_out ? strace_load_out : strace_load_in)(a, a->value, &number, sizeof(number)))
		strace_out_format(a->out, "[%d]", number);
	else
		strace_show_address(a->out, a->value);
}

void strace_show_IOCTL_ARG(const struct strace_argument *a)
{
	switch (strace_other(a, -1)) {
	case TCGETS:
		show_termios(a, true);
		break;
	case TCSETS:
	case TCSETSW:
	case TCSETSF:
		show_termios(a, false);
		break;
	case TIOCGWINSZ:
		show_window(a, true);
		break;
	case TIOCSWINSZ:
		show_window(a, false);
		break;
	case FIONREAD:
	case TIOCGPGRP:
	case TIOCGSID:
	case TIOCGPTN:
	case TIOCOUTQ:
		show_number(a, true);
		break;
	case TIOCSPGRP:
	case FIONBIO:
	case FIOASYNC:
	case TIOCSPTLCK:
		show_number(a, false);
		break;
	default:
		strace_out_format(a->out, "%#lx", a->value);
	}
}

static void show_lock(const struct strace_argument *a, bool is_out)
{
	struct flock lock;
	if (!(is_out ? strace_load_out : strace_load_in)(a, a->value, &lock, sizeof(lock))) {
		strace_show_address(a->out, a->value);
		return;
	}
	strace_out_text(a->out, "{l_type=");
	strace_names_one(a->out, STRACE_NAMES_lock_type, (uint16_t)lock.l_type);
	strace_out_text(a->out, ", l_whence=");
	strace_names_one(a->out, STRACE_NAMES_whence, (uint16_t)lock.l_whence);
	strace_out_format(a->out, ", l_start=%ld, l_len=%ld", lock.l_start, lock.l_len);
	if (is_out)
		strace_out_format(a->out, ", l_pid=%d", lock.l_pid);
	strace_out_text(a->out, "}");
}

static void show_owner(const struct strace_argument *a, bool is_out)
{
	int32_t owner[2];
	if (!(is_out ? strace_load_out : strace_load_in)(a, a->value, owner, sizeof(owner))) {
		strace_show_address(a->out, a->value);
		return;
	}
	strace_out_text(a->out, "{type=");
	strace_names_one(a->out, STRACE_NAMES_owner, (uint32_t)owner[0]);
	strace_out_format(a->out, ", pid=%d}", owner[1]);
}

void strace_show_FCNTL_ARG(const struct strace_argument *a)
{
	switch (strace_other(a, -1)) {
	case F_SETFD:
		if (a->value & ~(uint64_t)FD_CLOEXEC || !a->value)
			strace_out_format(a->out, a->value ? "%#lx" : "%lu", a->value);
		else
			strace_out_text(a->out, "FD_CLOEXEC");
		break;
	case F_SETFL:
		strace_show_OPEN(a);
		break;
	case F_GETLK:
	case F_OFD_GETLK:
		show_lock(a, true);
		break;
	case F_SETLK:
	case F_SETLKW:
	case F_OFD_SETLK:
	case F_OFD_SETLKW:
		show_lock(a, false);
		break;
	case F_DUPFD:
	case F_DUPFD_CLOEXEC:
	case F_SETPIPE_SZ:
	case F_SETOWN:
		strace_out_format(a->out, "%d", (int)a->value);
		break;
	case F_SETOWN_EX:
	case F_GETOWN_EX:
		show_owner(a, strace_other(a, -1) == F_GETOWN_EX);
		break;
	case F_SETLEASE:
		strace_names_one(a->out, STRACE_NAMES_lock_type, (uint32_t)a->value);
		break;
	case F_SETSIG:
		strace_show_SIG(a);
		break;
	default:
		strace_out_format(a->out, "%#lx", a->value);
	}
}

/* --- waiting --- */

#define SHOWN_MAX 32 /* elements of an array that are shown */

static void show_poll(const struct strace_argument *a, bool is_end)
{
	const uint64_t count = (uint32_t)strace_other(a, 1);
	struct {
		int32_t fd;
		uint16_t events, returned;
	} one;
	const char *between = "[";
	unsigned shown = 0;
	for (uint64_t i = 0; i < count; i++) {
		if (shown == SHOWN_MAX ||
		    !(is_end ? strace_load_out : strace_load_in)(a, a->value + i * sizeof(one), &one, sizeof(one))) {
			strace_out_format(a->out, "%s...", between);
			between = ", ";
			break;
		}
		if (is_end && !one.returned)
			continue;
		strace_out_format(a->out, "%s{fd=%d", between, one.fd);
		if (one.fd >= 0) {
			strace_out_text(a->out, is_end ? ", revents=" : ", events=");
			strace_names_flags(a->out, STRACE_NAMES_poll, is_end ? one.returned : one.events);
		}
		strace_out_text(a->out, "}");
		between = ", ";
		shown++;
	}
	strace_out_text(a->out, *between == '[' ? "[]" : "]");
}

void strace_show_POLLFDS(const struct strace_argument *a)
{
	if (a->value && strace_call_in(a->call, a->value, 1))
		show_poll(a, false);
	else if (a->value && !(uint32_t)strace_other(a, 1))
		strace_out_text(a->out, "[]");
	else
		strace_show_address(a->out, a->value);
}

void strace_show_poll_result(const struct strace_argument *a)
{
	show_poll(a, true);
}

static void show_bits(const struct strace_argument *a, bool is_out)
{
	const uint64_t count = (uint32_t)a->call->arguments[0];
	const char *between = "[";
	uint64_t word = 0;
	for (uint64_t i = 0; i < count && i < 1024; i++) {
		if (i % 64 == 0 && !(is_out ? strace_load_out : strace_load_in)(a, a->value + i / 8, &word, 8))
			break;
		if (word >> i % 64 & 1) {
			strace_out_format(a->out, "%s%lu", between, i);
			between = " ";
		}
	}
	strace_out_text(a->out, *between == '[' ? "[]" : "]");
}

void strace_show_FDSET(const struct strace_argument *a)
{
	if (a->value && strace_call_in(a->call, a->value, 8))
		show_bits(a, false);
	else
		strace_show_address(a->out, a->value);
}

void strace_show_bits_result(const struct strace_argument *a)
{
	show_bits(a, true);
}

static void show_event(struct strace_out *out, const uint8_t *from)
{
	uint32_t events;
	uint64_t data;
	memcpy(&events, from, sizeof(events));
	memcpy(&data, from + sizeof(events), sizeof(data));
	strace_out_text(out, "{events=");
	strace_names_flags(out, STRACE_NAMES_epoll_events, events);
	strace_out_format(out, ", data={u32=%u, u64=%lu}}", (uint32_t)data, data);
}

void strace_show_EPOLL_EVENT(const struct strace_argument *a)
{
	uint8_t event[12];
	if (strace_load_in(a, a->value, event, sizeof(event)))
		show_event(a->out, event);
	else
		strace_show_address(a->out, a->value);
}

void strace_show_EPOLL_EVENTS(const struct strace_argument *a)
{
	uint8_t event[12];
	if (a->call->result < 0) {
		strace_show_address(a->out, a->value);
		return;
	}
	strace_out_text(a->out, "[");
	for (int64_t i = 0; i < a->call->result; i++) {
		strace_out_text(a->out, i ? ", " : "");
		if (i == SHOWN_MAX ||
		    !strace_load_out(a, a->value + (uint64_t)i * sizeof(event), event, sizeof(event))) {
			strace_out_text(a->out, "...");
			break;
		}
		show_event(a->out, event);
	}
	strace_out_text(a->out, "]");
}
