/* SPDX-License-Identifier: MIT */
/* One table has all options; its line numbers are the places of their values in a socket. */
#include "kernel/net/socket_stored.h"

#include "abi/errno.h"
#include "kernel/lib/string.h"
#include "kernel/net/net_interface.h"

#define INCOMING_NAPI_ID 56
#define BINDTOIFINDEX 62
#define BUSY_POLL_BUDGET 70

struct kind {
	int option;
	int32_t first, least, most;
	int32_t free;   /* larger values need CAP_NET_ADMIN */
	bool is_switch; /* any number but 0 is 1 */
};

#define SWITCH(option) \
	{ \
		option, 0, 0, 1, 1, true \
	}

/* clang-format off */
static const struct kind kinds[SOCKET_STORED] = {
	SWITCH(11),                                 /* SO_NO_CHECK */
	{36, 0, INT32_MIN, INT32_MAX, INT32_MIN, false}, /* SO_MARK: any change needs the capability */
	SWITCH(41),                                 /* SO_WIFI_STATUS */
	SWITCH(43),                                 /* SO_NOFCS */
	SWITCH(45),                                 /* SO_SELECT_ERR_QUEUE */
	{46, 0, 0, INT32_MAX, 0, false},            /* SO_BUSY_POLL */
	{49, -1, INT32_MIN, INT32_MAX, INT32_MAX, false}, /* SO_INCOMING_CPU */
	{BINDTOIFINDEX, 0, 0, INT32_MAX, INT32_MAX, false},
	{69, 0, 0, 1, 0, true},                     /* SO_PREFER_BUSY_POLL */
	{BUSY_POLL_BUDGET, 0, 0, UINT16_MAX, 0, false},           /* SO_BUSY_POLL_BUDGET */
};
/* clang-format on */

static int find_stored(int option)
{
	for (int i = 0; i < SOCKET_STORED; i++)
		if (kinds[i].option == option)
			return i;
	return -1;
}

void socket_stored_init(struct socket *socket)
{
	for (int i = 0; i < SOCKET_STORED; i++)
		socket->stored[i] = kinds[i].first;
}

static const struct net_interface *stored_interface(int index)
{
	for (int i = 0; i < NET_INTERFACES; i++)
		if (net_interfaces[i].index == index)
			return &net_interfaces[i];
	return NULL;
}

/* Without the capability, a socket is bound to an interface only once. */
static int bind_interface(struct socket *socket, int index)
{
	int32_t *stored = &socket->stored[find_stored(BINDTOIFINDEX)];
	if (*stored)
		return -EPERM;
	if (index < 0)
		return -EINVAL;
	*stored = socket->interface = index;
	return 0;
}

int socket_stored_set(struct socket *socket, int option, int value)
{
	int i = find_stored(option);
	if (i < 0)
		return -ENOPROTOOPT;
	const struct kind *kind = &kinds[i];
	if (option == BINDTOIFINDEX)
		return bind_interface(socket, value);
	if (kind->is_switch)
		value = value != 0;
	if (value > kind->free && value > socket->stored[i])
		return -EPERM;
	if (kind->free == INT32_MIN)
		return -EPERM;
	if (value < kind->least || value > kind->most)
		return -EINVAL;
	socket->stored[i] = value;
	return 0;
}

int socket_stored_get(const struct socket *socket, int option, int *value)
{
	int i = find_stored(option);
	bool is_napi = option == INCOMING_NAPI_ID;
	if ((i < 0 && !is_napi) || option == BUSY_POLL_BUDGET) /* it can only be set */
		return -ENOPROTOOPT;
	*value = is_napi ? 0 : socket->stored[i];
	return 0;
}

int socket_stored_bind_device(struct socket *socket, const char *name)
{
	for (int i = 0; i < NET_INTERFACES; i++)
		if (!strcmp(net_interfaces[i].name, name))
			return bind_interface(socket, net_interfaces[i].index);
	return *name ? -ENODEV : bind_interface(socket, 0);
}

int socket_stored_device(const struct socket *socket, const char **name)
{
	int index = socket->stored[find_stored(BINDTOIFINDEX)];
	const struct net_interface *about = stored_interface(index);
	*name = about ? about->name : "";
	return index && !about ? -ENODEV : 0;
}
