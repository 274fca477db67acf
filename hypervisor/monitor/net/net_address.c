/* SPDX-License-Identifier: MIT */
#include "net/net_address.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#define DNS_PORT 53
#define V4_AT 12

static const uint8_t mapped[V4_AT] = {[10] = 0xff, [11] = 0xff};
static const uint8_t net_v4[16] = {[10] = 0xff, [11] = 0xff, 10, 0, 2, 0};
static const uint8_t net_v6[16] = {0xfd};
static union net_sockaddr resolver; /* all zero: the host has none */

/* Whether it is host number `last` of the guest's network. */
static bool is_own_address(const uint8_t *bytes, uint8_t last)
{
	return (!memcmp(bytes, net_v4, 15) || !memcmp(bytes, net_v6, 15)) && bytes[15] == last;
}

void net_address_find_resolver(void)
{
	char line[256], text[64];
	memset(&resolver, 0, sizeof(resolver));
	FILE *from = fopen("/etc/resolv.conf", "re");
	while (from && fgets(line, sizeof(line), from)) {
		struct in_addr v4;
		struct in6_addr v6;
		if (sscanf(line, " nameserver %63s", text) != 1)
			continue;
		if (inet_pton(AF_INET, text, &v4) == 1) {
			resolver.in = (struct sockaddr_in){
				.sin_family = AF_INET, .sin_port = htons(DNS_PORT), .sin_addr = v4};
			break;
		}
		if (inet_pton(AF_INET6, text, &v6) == 1) {
			resolver.in6 = (struct sockaddr_in6){
				.sin6_family = AF_INET6, .sin6_port = htons(DNS_PORT), .sin6_addr = v6};
			break;
		}
	}
	if (from)
		fclose(from);
}

void net_address_of(const struct sockaddr *from, struct network_address *to)
{
	const union net_sockaddr *address = (const union net_sockaddr *)from;
	memset(to, 0, sizeof(*to));
	to->port = ntohs(address->in.sin_port);
	if (from->sa_family == AF_INET) {
		memcpy(to->bytes, mapped, sizeof(mapped));
		memcpy(to->bytes + V4_AT, &address->in.sin_addr, 4);
	} else {
		memcpy(to->bytes, &address->in6.sin6_addr, sizeof(to->bytes));
	}
}

socklen_t net_address_to_host(const struct network_address *from, union net_sockaddr *to)
{
	const uint8_t *bytes = from->bytes;
	memset(to, 0, sizeof(*to));
	if (net_address_is_resolver(from)) {
		*to = resolver;
		return resolver.any.sa_family == AF_INET ? sizeof(to->in) : sizeof(to->in6);
	}
	if (network_is_v4(bytes)) {
		to->in.sin_family = AF_INET;
		to->in.sin_port = htons(from->port);
		memcpy(&to->in.sin_addr, bytes + V4_AT, 4);
		if (is_own_address(bytes, 2))
			to->in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		return sizeof(to->in);
	}
	to->in6.sin6_family = AF_INET6;
	to->in6.sin6_port = htons(from->port);
	memcpy(&to->in6.sin6_addr, bytes, 16);
	if (is_own_address(bytes, 2))
		to->in6.sin6_addr = in6addr_loopback;
	return sizeof(to->in6);
}

void net_address_host(int family, uint8_t bytes[16])
{
	memcpy(bytes, family == AF_INET ? net_v4 : net_v6, 16);
	bytes[15] = 2;
}

void net_address_guest(int family, uint8_t bytes[16])
{
	memcpy(bytes, family == AF_INET ? net_v4 : net_v6, 16);
	bytes[15] = family == AF_INET ? 15 : 0x15;
}

void net_address_resolver(const uint8_t guest[16], struct network_address *to)
{
	net_address_host(network_is_v4(guest) ? AF_INET : AF_INET6, to->bytes);
	to->bytes[15] = 3;
	to->port = DNS_PORT;
}

bool net_address_twin(const struct network_address *address, struct network_address *twin)
{
	if (!is_own_address(address->bytes, 2) && !is_own_address(address->bytes, 3))
		return false;
	*twin = *address;
	net_address_host(network_is_v4(address->bytes) ? AF_INET6 : AF_INET, twin->bytes);
	twin->bytes[15] = address->bytes[15];
	return true;
}

static bool is_loopback(const uint8_t *bytes)
{
	return network_is_v4(bytes) ? bytes[V4_AT] == 127 : !memcmp(bytes, &in6addr_loopback, 16);
}

void net_address_to_guest(const struct sockaddr *from, struct network_address *to)
{
	net_address_of(from, to);
	if (is_loopback(to->bytes))
		net_address_host(network_is_v4(to->bytes) ? AF_INET : AF_INET6, to->bytes);
}

bool net_address_comes_from_resolver(const struct sockaddr *from)
{
	struct network_address a, b;
	net_address_of(from, &a);
	net_address_of(&resolver.any, &b);
	return a.port == b.port && !memcmp(a.bytes, b.bytes, sizeof(a.bytes));
}

bool net_address_is_host(const struct network_address *address)
{
	const uint8_t *bytes = address->bytes;
	if (is_own_address(bytes, 2) || net_address_is_resolver(address))
		return true;
	if (is_loopback(bytes) || !memcmp(bytes, net_v4, 15) || !memcmp(bytes, net_v6, 15))
		return false;
	if (network_is_v4(bytes))
		return bytes[V4_AT] != 0 && bytes[V4_AT] < 224;
	static const uint8_t compatible[V4_AT]; /* ::a.b.c.d, among them the wildcard */
	return bytes[0] != 0xff && memcmp(bytes, compatible, sizeof(compatible)) != 0;
}

bool net_address_is_resolver(const struct network_address *address)
{
	return is_own_address(address->bytes, 3) && address->port == DNS_PORT && resolver.any.sa_family;
}

void net_address_text(const struct network_address *address, char text[NET_ADDRESS_TEXT])
{
	char number[INET6_ADDRSTRLEN];
	bool v4 = network_is_v4(address->bytes);
	inet_ntop(v4 ? AF_INET : AF_INET6, address->bytes + (v4 ? V4_AT : 0), number, sizeof(number));
	const char *protocol = address->protocol == IPPROTO_TCP   ? "/tcp"
	                       : address->protocol == IPPROTO_UDP ? "/udp"
	                                                          : "";
	snprintf(text, NET_ADDRESS_TEXT, v4 ? "%s:%u%s" : "[%s]:%u%s", number, address->port, protocol);
}
