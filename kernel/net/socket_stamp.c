/* SPDX-License-Identifier: MIT */
/* As on Linux, SO_TIMESTAMP and SO_TIMESTAMPNS are one setting, with two shapes; each option exists twice, for programs
 * with 32-bit times. The moments are those of the virtual clock. */
#include "kernel/net/socket_stamp.h"

#include "abi/errno.h"
#include "kernel/time/timespec.h"
#include "kernel/time/vclock.h"

#define TIMESTAMP 29
#define TIMESTAMPNS 35
#define TIMESTAMPING 37
#define TIMESTAMP_NEW 63
#define TIMESTAMPNS_NEW 64
#define TIMESTAMPING_NEW 65

/* SO_TIMESTAMPING: what arrives is stamped, and the stamps are shown */
#define RX_SOFTWARE (1 << 3)
#define SOFTWARE (1 << 4)
#define OPT_ID (1 << 7)
#define OPT_TSONLY (1 << 11)
#define OPT_STATS (1 << 12)
#define TX_REFUSED (1 << 1 | 1 << 8 | 1 << 9) /* when data leave, are queued, are acknowledged */
#define BIND_PHC (1 << 15)
#define FLAGS 0xffff

static bool is_new_kind(int option)
{
	return option >= TIMESTAMP_NEW && option <= TIMESTAMPING_NEW;
}

static int set_stamping(struct socket *socket, int option, int value)
{
	bool is_idle = socket->inet.tcp == LINUX_TCP_CLOSE || socket->inet.tcp == LINUX_TCP_LISTEN;
	if (value & ~FLAGS || value & (TX_REFUSED | BIND_PHC))
		return -EINVAL;
	if (value & OPT_ID && socket->protocol == LINUX_IPPROTO_TCP && is_idle)
		return -EINVAL;
	if (value & OPT_STATS && !(value & OPT_TSONLY))
		return -EINVAL;
	socket->stamp.flags = value;
	socket->stamp.is_new = is_new_kind(option);
	return 0;
}

int socket_stamp_set(struct socket *socket, int option, int value)
{
	switch (option) {
	case TIMESTAMP:
	case TIMESTAMPNS:
	case TIMESTAMP_NEW:
	case TIMESTAMPNS_NEW:
		socket->stamp.is_on = value != 0;
		socket->stamp.is_ns = value && (option == TIMESTAMPNS || option == TIMESTAMPNS_NEW);
		if (value)
			socket->stamp.is_new = is_new_kind(option);
		return 0;
	case TIMESTAMPING:
	case TIMESTAMPING_NEW:
		return set_stamping(socket, option, value);
	default:
		return 1;
	}
}

int socket_stamp_get(const struct socket *socket, int option, int32_t value[2], int *bytes)
{
	const struct socket_stamp *stamp = &socket->stamp;
	*bytes = sizeof(int32_t);
	value[1] = 0;
	switch (option) {
	case TIMESTAMP:
		value[0] = stamp->is_on && !stamp->is_new && !stamp->is_ns;
		return 0;
	case TIMESTAMPNS:
		value[0] = stamp->is_ns && !stamp->is_new;
		return 0;
	case TIMESTAMP_NEW:
		value[0] = stamp->is_on && stamp->is_new;
		return 0;
	case TIMESTAMPNS_NEW:
		value[0] = stamp->is_ns && stamp->is_new;
		return 0;
	case TIMESTAMPING:
	case TIMESTAMPING_NEW:
		value[0] = option == TIMESTAMPING || stamp->is_new ? stamp->flags : 0;
		*bytes = 2 * sizeof(int32_t);
		return 0;
	default:
		return 1;
	}
}

/* The moment as SO_TIMESTAMP has it. A message of AF_UNIX gets its moment when it is read. */
static int put_moment(const struct socket *socket, int64_t ns, struct socket_control *control)
{
	const struct socket_stamp *stamp = &socket->stamp;
	struct linux_timespec moment = timespec_from_ns(ns);
	int type = stamp->is_new  ? stamp->is_ns ? TIMESTAMPNS_NEW : TIMESTAMP_NEW
	           : stamp->is_ns ? TIMESTAMPNS
	                          : TIMESTAMP;
	if (!stamp->is_ns)
		moment.tv_nsec /= 1000; /* struct timeval */
	return socket_control_put(control, LINUX_SOL_SOCKET, type, &moment, sizeof(moment));
}

int socket_stamp_put(const struct socket *socket, const struct socket_receive *receive, struct socket_control *control)
{
	const struct socket_stamp *stamp = &socket->stamp;
	bool is_unix = socket->domain == LINUX_AF_UNIX, shows = stamp->flags & RX_SOFTWARE && stamp->flags & SOFTWARE;
	int error = 0;
	if (!receive->has_arrival || (is_unix && socket->type == LINUX_SOCK_STREAM))
		return 0;
	if (stamp->is_on)
		error = put_moment(socket, is_unix ? vclock_realtime() : receive->arrived_ns, control);
	if (!error && shows && !is_unix) {
		const struct linux_timespec moments[3] = {
			timespec_from_ns(receive->arrived_ns)}; /* two are of hardware */
		error = socket_control_put(control, LINUX_SOL_SOCKET, stamp->is_new ? TIMESTAMPING_NEW : TIMESTAMPING,
		                           moments, sizeof(moments));
	}
	if (!error && receive->lost && socket->flags >> LINUX_SO_RXQ_OVFL & 1)
		error = socket_control_put(control, LINUX_SOL_SOCKET, LINUX_SO_RXQ_OVFL, &receive->lost,
		                           sizeof(receive->lost));
	return error;
}
