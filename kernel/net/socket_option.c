/* SPDX-License-Identifier: MIT */
/* Options of sockets (socket(7)). Options without effect here are stored, so that they read back. */
#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"
#include "kernel/net/socket_stamp.h"
#include "kernel/net/socket_stored.h"
#include "kernel/vfs/anon.h"
#include "kernel/personality.h"
#include "kernel/sys/sys.h"
#include "kernel/time/timespec.h"

#define BUFFER_MAX 212992 /* net.core.wmem_max, rmem_max; requested sizes are doubled */
#define CAP_NET_ADMIN 12
#define PRIORITY_FREE 6           /* larger ones need the capability */
#define RECEIVE_LEAST_MAX 3145728 /* half of the third number of net.ipv4.tcp_rmem */
#define DEVICE_BYTES 16           /* IFNAMSIZ */
#define SEND_MIN 4608
#define RECEIVE_MIN 2304
#define VALUE_BYTES 264 /* struct group_source_req: no option's value is longer */
#define BIT(option) (1UL << LINUX_SO_##option)
#define SWITCHES \
	(BIT(DEBUG) | BIT(REUSEADDR) | BIT(DONTROUTE) | BIT(BROADCAST) | BIT(KEEPALIVE) | BIT(OOBINLINE) | \
	 BIT(REUSEPORT) | BIT(PASSCRED) | BIT(RXQ_OVFL) | BIT(ZEROCOPY))

static int get_option_socket(int fd, struct socket **socket)
{
	struct file *file = anon_get(fd);
	*socket = file ? socket_of(file) : NULL;
	return *socket ? 0 : file ? -ENOTSOCK : -EBADF;
}

static bool is_switch(int option)
{
	return option >= 0 && option < 64 && (SWITCHES >> option & 1);
}

bool socket_call_has_timeout(uint64_t number, int fd)
{
	struct socket *socket;
	switch (number) {
	case 0:   /* read */
	case 19:  /* readv */
	case 43:  /* accept */
	case 45:  /* recvfrom */
	case 47:  /* recvmsg */
	case 288: /* accept4 */
	case 299: /* recvmmsg */
		return !get_option_socket(fd, &socket) && socket->receive_timeout_ns;
	case 1:   /* write */
	case 20:  /* writev */
	case 42:  /* connect */
	case 44:  /* sendto */
	case 46:  /* sendmsg */
	case 307: /* sendmmsg */
		return !get_option_socket(fd, &socket) && socket->send_timeout_ns;
	default:
		return false;
	}
}

static uint32_t buffer_bytes(int value, uint32_t min)
{
	uint32_t bytes = ((uint32_t)value < BUFFER_MAX ? (uint32_t)value : BUFFER_MAX) * 2;
	return bytes > min ? bytes : min;
}

static long set_timeout(uint64_t *timeout_ns, const void *user, int bytes)
{
	struct linux_timeval tv;
	if (bytes < (int)sizeof(tv))
		return -EINVAL;
	if (copy_from_user(&tv, user, sizeof(tv)))
		return -EFAULT;
	if (tv.tv_usec < 0 || tv.tv_usec >= 1000000)
		return -EDOM;
	if (tv.tv_sec < 0)
		*timeout_ns = 1;
	else
		*timeout_ns =
			tv.tv_sec < INT64_MAX / NS_PER_S - 1 ? (uint64_t)(tv.tv_sec * NS_PER_S + tv.tv_usec * 1000) : 0;
	return 0;
}

static long set_linger(struct socket *socket, const void *user, int bytes)
{
	int32_t linger[2];
	if (bytes < (int)sizeof(linger))
		return -EINVAL;
	if (copy_from_user(linger, user, sizeof(linger)))
		return -EFAULT;
	socket->linger[0] = linger[0] != 0;
	if (linger[0])
		socket->linger[1] = linger[1];
	return 0;
}

static long set_option_value(struct socket *socket, int option, int value)
{
	switch (option) {
	case LINUX_SO_SNDBUFFORCE:
	case LINUX_SO_SNDBUF:
		if (option == LINUX_SO_SNDBUFFORCE && !personality.may(CAP_NET_ADMIN))
			return -EPERM;
		socket->send_bytes = buffer_bytes(value, SEND_MIN);
		socket->inet.has_send_bytes = true;
		socket_tell(socket, SOCKET_WRITABLE);
		return 0;
	case LINUX_SO_RCVBUFFORCE:
	case LINUX_SO_RCVBUF:
		if (option == LINUX_SO_RCVBUFFORCE && !personality.may(CAP_NET_ADMIN))
			return -EPERM;
		socket->receive_bytes = buffer_bytes(value, RECEIVE_MIN);
		return 0;
	case LINUX_SO_PRIORITY:
		if ((value < 0 || value > PRIORITY_FREE) && !personality.may(CAP_NET_ADMIN))
			return -EPERM;
		socket->priority = value;
		return 0;
	case LINUX_SO_PEEK_OFF:
		if (socket->domain == LINUX_AF_NETLINK)
			return -EOPNOTSUPP;
		socket->peek_offset = value;
		return 0;
	case LINUX_SO_RCVLOWAT:
		socket->receive_least = value < 0 ? INT32_MAX : value ? value : 1;
		if (socket->protocol == LINUX_IPPROTO_TCP && socket->receive_least > RECEIVE_LEAST_MAX)
			socket->receive_least = RECEIVE_LEAST_MAX;
		return 0;
	default: {
		int result = socket_stamp_set(socket, option, value);
		return result <= 0 ? result : socket_stored_set(socket, option, value);
	}
	}
}

/* Sets the interface, by a name that need not end in a NUL. */
static long set_device(struct socket *socket, const void *user, int bytes)
{
	char name[DEVICE_BYTES] = "";
	size_t most = sizeof(name) - 1;
	if (copy_from_user(name, user, (size_t)bytes < most ? (size_t)bytes : most))
		return -EFAULT;
	return socket_stored_bind_device(socket, name);
}

/* Whether a switch may have a value. */
static long check_switch(const struct socket *socket, int option, int value)
{
	if (option == LINUX_SO_DEBUG && value && !personality.may(CAP_NET_ADMIN))
		return -EACCES;
	if (option == LINUX_SO_REUSEPORT && socket->domain == LINUX_AF_UNIX)
		return value ? -EOPNOTSUPP : 0;
	if (option != LINUX_SO_ZEROCOPY)
		return 0;
	if (socket->domain != LINUX_AF_INET && socket->domain != LINUX_AF_INET6)
		return -EOPNOTSUPP;
	return value < 0 || value > 1 ? -EINVAL : 0;
}

/* Sets an option of another level, whose value the family gets in kernel memory. */
static long set_of_level(struct socket *socket, int level, int option, const void *user, int bytes)
{
	uint8_t value[VALUE_BYTES];
	if (bytes > (int)sizeof(value))
		bytes = sizeof(value);
	if (copy_from_user(value, user, (size_t)bytes))
		return -EFAULT;
	return socket->family->set_option(socket, level, option, value, bytes);
}

long sys_setsockopt(int fd, int level, int option, const void *user, int bytes)
{
	struct socket *socket;
	int value, error = get_option_socket(fd, &socket);
	if (error)
		return error;
	if (bytes < 0)
		return -EINVAL;
	if (level != LINUX_SOL_SOCKET)
		return set_of_level(socket, level, option, user, bytes);
	if (option == LINUX_SO_LINGER)
		return set_linger(socket, user, bytes);
	if (option == LINUX_SO_BINDTODEVICE)
		return set_device(socket, user, bytes);
	if (option == LINUX_SO_RCVTIMEO)
		return set_timeout(&socket->receive_timeout_ns, user, bytes);
	if (option == LINUX_SO_SNDTIMEO)
		return set_timeout(&socket->send_timeout_ns, user, bytes);
	if (bytes < (int)sizeof(value))
		return -EINVAL;
	if (copy_from_user(&value, user, sizeof(value)))
		return -EFAULT;
	if (!is_switch(option))
		return set_option_value(socket, option, value);
	error = (int)check_switch(socket, option, value);
	if (error || (option == LINUX_SO_REUSEPORT && socket->domain == LINUX_AF_UNIX))
		return error;
	socket->flags = (socket->flags & ~(1UL << option)) | (uint64_t)(value != 0) << option;
	return 0;
}

/* Gets the value of a numeric option. Returns 0 or -ENOPROTOOPT. */
static int option_value(struct socket *socket, int option, int *value)
{
	switch (option) {
	case LINUX_SO_TYPE:
		*value = socket->type;
		return 0;
	case LINUX_SO_ERROR:
		*value = -socket_take_error(socket);
		return 0;
	case LINUX_SO_SNDBUF:
		*value = (int)socket->send_bytes;
		return 0;
	case LINUX_SO_RCVBUF:
		*value = (int)socket->receive_bytes;
		return 0;
	case LINUX_SO_PRIORITY:
		*value = socket->priority;
		return 0;
	case LINUX_SO_RCVLOWAT:
		*value = socket->receive_least;
		return 0;
	case LINUX_SO_PEEK_OFF:
		if (socket->domain == LINUX_AF_NETLINK)
			return -EOPNOTSUPP;
		*value = socket->peek_offset;
		return 0;
	case LINUX_SO_SNDLOWAT:
		*value = 1;
		return 0;
	case LINUX_SO_ACCEPTCONN:
		*value = socket->state == SOCKET_LISTENING;
		return 0;
	case LINUX_SO_PROTOCOL:
		*value = socket->protocol;
		return 0;
	case LINUX_SO_DOMAIN:
		*value = socket->domain;
		return 0;
	default:
		if (!is_switch(option))
			return socket_stored_get(socket, option, value);
		*value = (int)(socket->flags >> option & 1);
		return 0;
	}
}

static struct linux_timeval timeout_timeval(uint64_t ns)
{
	return (struct linux_timeval){(int64_t)(ns / NS_PER_S), (int64_t)(ns % NS_PER_S / 1000)};
}

/* Stores an option of another level for the program. */
static long get_of_level(struct socket *socket, int level, int option, void *user, int *user_bytes)
{
	uint8_t value[VALUE_BYTES];
	int bytes;
	if (copy_from_user(&bytes, user_bytes, sizeof(bytes)))
		return -EFAULT;
	if (bytes < 0)
		return -EINVAL;
	if (bytes > (int)sizeof(value))
		bytes = sizeof(value);
	int error = socket->family->get_option(socket, level, option, value, &bytes);
	if (error)
		return error;
	return copy_to_user(user, value, (size_t)bytes) || copy_to_user(user_bytes, &bytes, sizeof(bytes)) ? -EFAULT
	                                                                                                   : 0;
}

/* Stores the name of the interface, or nothing. */
static long get_device(const struct socket *socket, void *user, int *user_bytes, int room)
{
	const char *name;
	int error = socket_stored_device(socket, &name);
	int bytes = *name ? (int)strlen(name) + 1 : 0;
	if (error || (bytes && room < DEVICE_BYTES))
		return error ? error : -EINVAL;
	return copy_to_user(user, name, (size_t)bytes) || copy_to_user(user_bytes, &bytes, sizeof(bytes)) ? -EFAULT : 0;
}

long sys_getsockopt(int fd, int level, int option, void *user, int *user_bytes)
{
	struct socket *socket;
	union {
		int number;
		int32_t linger[2], numbers[2];
		struct linux_timeval tv;
		struct linux_ucred credentials;
		uint64_t cookie;
	} value;
	int room, bytes = sizeof(int), error = get_option_socket(fd, &socket);
	if (error)
		return error;
	if (level != LINUX_SOL_SOCKET)
		return get_of_level(socket, level, option, user, user_bytes);
	if (copy_from_user(&room, user_bytes, sizeof(room)))
		return -EFAULT;
	if (room < 0)
		return -EINVAL;
	if (option == LINUX_SO_BINDTODEVICE)
		return get_device(socket, user, user_bytes, room);
	if (option == LINUX_SO_COOKIE && room < (int)sizeof(value.cookie))
		return -EINVAL;
	if (option == LINUX_SO_COOKIE) {
		bytes = sizeof(value.cookie);
		value.cookie = socket->cookie;
	} else if (option == LINUX_SO_LINGER) {
		bytes = sizeof(value.linger);
		value.linger[0] = socket->linger[0];
		value.linger[1] = socket->linger[1];
	} else if (option == LINUX_SO_RCVTIMEO || option == LINUX_SO_SNDTIMEO) {
		bytes = sizeof(value.tv);
		value.tv = timeout_timeval(option == LINUX_SO_RCVTIMEO ? socket->receive_timeout_ns
		                                                       : socket->send_timeout_ns);
	} else if (option == LINUX_SO_PEERCRED) {
		bytes = sizeof(value.credentials);
		value.credentials = socket->peer_credentials;
	} else if (socket_stamp_get(socket, option, value.numbers, &bytes)) {
		error = option_value(socket, option, &value.number);
	}
	if (error)
		return error;
	bytes = bytes < room ? bytes : room;
	return copy_to_user(user, &value, (size_t)bytes) || copy_to_user(user_bytes, &bytes, sizeof(bytes)) ? -EFAULT
	                                                                                                    : 0;
}
