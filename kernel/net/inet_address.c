/* SPDX-License-Identifier: MIT */
/* The guest's internet addresses are fixed: those of loopback, and 10.0.2.15 and fd00::15 of eth0. */
#include "kernel/net/inet_address.h"

#include "abi/errno.h"
#include "kernel/lib/string.h"
#include "kernel/net/socket.h"

#define V6_SMALLEST 24 /* struct sockaddr_in6 without sin6_scope_id (RFC 2133) */
#define LO 1
#define ETH0 2

static const uint8_t v4_prefix[12] = {[10] = 0xff, [11] = 0xff};
static const struct inet_address loopback_v4 = {{[10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1}, 0};
static const struct inet_address loopback_v6 = {{[15] = 1}, 0};
static const struct inet_address own_v4 = {{[10] = 0xff, [11] = 0xff, [12] = 10, [14] = 2, [15] = 15}, 0};
static const struct inet_address own_v6 = {{0xfd, [15] = 0x15}, 0};

struct inet_address inet_address_any(int domain)
{
	struct inet_address any = {.port = 0};
	if (domain == LINUX_AF_INET)
		memcpy(any.bytes, v4_prefix, sizeof(v4_prefix));
	return any;
}

int inet_address_read(const struct socket_address *name, int domain, struct inet_address *address)
{
	if (name->bytes < (domain == LINUX_AF_INET ? sizeof(name->in) : V6_SMALLEST))
		return -EINVAL;
	if (name->family != domain)
		return -EAFNOSUPPORT;
	*address = inet_address_any(domain);
	if (domain == LINUX_AF_INET)
		memcpy(address->bytes + sizeof(v4_prefix), &name->in.sin_addr, sizeof(name->in.sin_addr));
	else
		memcpy(address->bytes, name->in6.sin6_addr, sizeof(address->bytes));
	address->port = __builtin_bswap16(name->in.sin_port);
	return 0;
}

void inet_address_write(const struct inet_address *address, int domain, struct socket_address *name)
{
	memset(name, 0, sizeof(*name));
	name->family = (uint16_t)domain;
	name->bytes = domain == LINUX_AF_INET ? sizeof(name->in) : sizeof(name->in6);
	name->in.sin_port = __builtin_bswap16(address->port);
	if (domain == LINUX_AF_INET)
		memcpy(&name->in.sin_addr, address->bytes + sizeof(v4_prefix), sizeof(name->in.sin_addr));
	else
		memcpy(name->in6.sin6_addr, address->bytes, sizeof(address->bytes));
}

bool inet_address_is_v4(const struct inet_address *address)
{
	return !memcmp(address->bytes, v4_prefix, sizeof(v4_prefix));
}

bool inet_address_is_same(const struct inet_address *a, const struct inet_address *b)
{
	return !memcmp(a->bytes, b->bytes, sizeof(a->bytes));
}

bool inet_address_is_any(const struct inet_address *address)
{
	const struct inet_address v4 = inet_address_any(LINUX_AF_INET), v6 = inet_address_any(LINUX_AF_INET6);
	return inet_address_is_same(address, &v4) || inet_address_is_same(address, &v6);
}

static bool is_v4(const struct inet_address *address, uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
	const uint8_t numbers[4] = {a, b, c, d};
	return inet_address_is_v4(address) && !memcmp(address->bytes + sizeof(v4_prefix), numbers, sizeof(numbers));
}

bool inet_address_is_broadcast(const struct inet_address *address)
{
	return is_v4(address, 255, 255, 255, 255) || is_v4(address, 127, 255, 255, 255) ||
	       is_v4(address, 10, 0, 2, 255);
}

bool inet_address_is_multicast(const struct inet_address *address)
{
	if (inet_address_is_v4(address))
		return address->bytes[sizeof(v4_prefix)] >> 4 == 14; /* 224.0.0.0/4 */
	return address->bytes[0] == 0xff;
}

bool inet_address_is_local(const struct inet_address *address)
{
	if (inet_address_is_broadcast(address))
		return false;
	return (inet_address_is_v4(address) && address->bytes[sizeof(v4_prefix)] == 127) ||
	       inet_address_is_same(address, &loopback_v6) || inet_address_interface(address) == ETH0;
}

void inet_address_complete(struct inet_address *to)
{
	uint16_t port = to->port;
	if (inet_address_is_any(to))
		*to = inet_address_is_v4(to) ? loopback_v4 : loopback_v6;
	to->port = port;
}

struct inet_address inet_address_source(const struct inet_address *to)
{
	if (inet_address_interface(to) == ETH0)
		return *to;
	if (!inet_address_is_local(to))
		return inet_address_is_v4(to) ? own_v4 : own_v6;
	return inet_address_is_v4(to) ? loopback_v4 : loopback_v6;
}

int inet_address_interface(const struct inet_address *address)
{
	return inet_address_is_same(address, &own_v4) || inet_address_is_same(address, &own_v6) ? ETH0 : LO;
}
