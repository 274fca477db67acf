/* SPDX-License-Identifier: MIT */
/* Addresses of hosts and services (getaddrinfo(3)). */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "libc-port/src/network/resolve.h"
#include "libc-port/src/network/service.h"

#define FLAGS (AI_PASSIVE | AI_CANONNAME | AI_NUMERICHOST | AI_V4MAPPED | AI_ALL | AI_ADDRCONFIG | AI_NUMERICSERV)

static const struct {
	int type, protocol;
	const char *name;
} types[] = {{SOCK_STREAM, IPPROTO_TCP, "tcp"}, {SOCK_DGRAM, IPPROTO_UDP, "udp"}, {SOCK_RAW, 0, NULL}};

#define TYPES (sizeof(types) / sizeof(types[0]))

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* A result with its address behind it, in one piece of memory. */
struct entry {
	struct addrinfo info;
	union address address;
};

static void set_address(union address *to, const struct resolve_address *from, int port)
{
	memset(to, 0, sizeof(*to));
	to->any.sa_family = (sa_family_t)from->family;
	to->v4.sin_port = htons((uint16_t)port); /* at the same place in both families */
	if (from->family == AF_INET)
		to->v4.sin_addr = from->v4;
	else
		to->v6.sin6_addr = from->v6;
}

static socklen_t length_of(int family)
{
	return family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
}

/* Whether a datagram could be sent to an address: no address of an unreachable network comes before one that can be
 * reached. */
static int can_reach(const struct resolve_address *address)
{
	union address to;
	set_address(&to, address, 65535);
	int fd = socket(address->family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int can = fd >= 0 && connect(fd, &to.any, length_of(address->family)) == 0;
	if (fd >= 0)
		close(fd);
	return can;
}

/* The order of RFC 6724, as far as its rules 1 and 6 give one: lower ranks first. */
static int rank_of(const struct resolve_address *address)
{
	int rank = can_reach(address) ? 0 : 3;
	if (address->family == AF_INET)
		return rank + 2;
	return rank + !IN6_IS_ADDR_LOOPBACK(&address->v6);
}

static void sort(struct resolve_host *host)
{
	int ranks[RESOLVE_ADDRESSES];
	for (int i = 0; i < host->count && host->count > 1; i++) {
		struct resolve_address address = host->addresses[i];
		int rank = rank_of(&address), at = i;
		for (; at > 0 && ranks[at - 1] > rank; at--) {
			ranks[at] = ranks[at - 1];
			host->addresses[at] = host->addresses[at - 1];
		}
		ranks[at] = rank;
		host->addresses[at] = address;
	}
}

/* AI_V4MAPPED: IPv4 addresses as those of IPv6, if there are no others or by AI_ALL. */
static void map_to_ipv6(struct resolve_host *host)
{
	for (int i = 0; i < host->count; i++) {
		struct resolve_address *address = &host->addresses[i];
		struct in_addr v4 = address->v4;
		if (address->family != AF_INET)
			continue;
		*address = (struct resolve_address){.family = AF_INET6};
		address->v6.s6_addr[10] = address->v6.s6_addr[11] = 0xff;
		memcpy(&address->v6.s6_addr[12], &v4, sizeof(v4));
	}
}

/* The addresses of this machine, or of all of them. */
static void find_own(int family, int passive, struct resolve_host *host)
{
	const struct in_addr v4 = {htonl(passive ? INADDR_ANY : INADDR_LOOPBACK)};
	host->count = 0;
	if (family != AF_INET && !passive)
		resolve_add(host, AF_INET6, &in6addr_loopback);
	if (family != AF_INET6)
		resolve_add(host, AF_INET, &v4);
	if (family != AF_INET && passive)
		resolve_add(host, AF_INET6, &in6addr_any);
}

static int find_named(const char *node, int family, int flags, struct resolve_host *host)
{
	int maps = family == AF_INET6 && (flags & AI_V4MAPPED), error;
	error = resolve_host(node, maps && (flags & AI_ALL) ? AF_UNSPEC : family, host);
	if (maps && (error == EAI_NODATA || error == EAI_ADDRFAMILY))
		error = resolve_host(node, AF_INET, host);
	if (!error && maps)
		map_to_ipv6(host);
	sort(host);
	return error;
}

static int find_host(const char *node, int family, int flags, struct resolve_host *host)
{
	struct resolve_address *only = &host->addresses[0];
	if (!node)
		return find_own(family, flags & AI_PASSIVE, host), 0;
	if (!resolve_number(node, only))
		return flags & AI_NUMERICHOST ? EAI_NONAME : find_named(node, family, flags, host);
	host->count = 1;
	snprintf(host->name, sizeof(host->name), "%s", node);
	if (family == AF_INET6 && (flags & AI_V4MAPPED))
		map_to_ipv6(host);
	return family == AF_UNSPEC || family == only->family ? 0 : EAI_ADDRFAMILY;
}

/* Adds a result at the end of the list. */
static struct addrinfo **add_result(struct addrinfo **next, const struct resolve_address *address, size_t type,
                                    int port, const struct addrinfo *wanted)
{
	struct entry *entry = calloc(1, sizeof(*entry));
	if (!entry)
		return NULL;
	set_address(&entry->address, address, port);
	entry->info.ai_flags = wanted->ai_flags;
	entry->info.ai_family = address->family;
	entry->info.ai_socktype = types[type].type;
	entry->info.ai_protocol = types[type].protocol ? types[type].protocol : wanted->ai_protocol;
	entry->info.ai_addrlen = length_of(address->family);
	entry->info.ai_addr = &entry->address.any;
	*next = &entry->info;
	return &entry->info.ai_next;
}

/* Sets ports[i] to the port of the service for types[i], or to -1 if the caller does not want that type or the service
 * does not exist for it. Returns 0 or EAI_*. */
static int find_ports(const char *service, const struct addrinfo *wanted, int ports[TYPES])
{
	int fits = 0, found = 0;
	int number = service ? service_number(service) : 0;
	if (number < 0 && (wanted->ai_flags & AI_NUMERICSERV))
		return EAI_NONAME;
	for (size_t i = 0; i < TYPES; i++) {
		ports[i] = -1;
		if ((wanted->ai_socktype && wanted->ai_socktype != types[i].type) ||
		    (wanted->ai_protocol && types[i].protocol && wanted->ai_protocol != types[i].protocol))
			continue;
		fits = 1;
		ports[i] = number >= 0 ? number : types[i].name ? service_port(service, types[i].name) : -1;
		found |= ports[i] >= 0;
	}
	return found ? 0 : fits ? EAI_SERVICE : EAI_SOCKTYPE;
}

int getaddrinfo(const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints,
                struct addrinfo **restrict result)
{
	static const struct addrinfo none = {.ai_flags = AI_V4MAPPED | AI_ADDRCONFIG};
	const struct addrinfo *wanted = hints ? hints : &none;
	struct addrinfo *first = NULL, **next = &first;
	struct resolve_host host;
	int ports[TYPES];
	if (!node && !service)
		return EAI_NONAME;
	if ((wanted->ai_flags & ~FLAGS) || (!node && (wanted->ai_flags & AI_CANONNAME)))
		return EAI_BADFLAGS;
	if (wanted->ai_family != AF_UNSPEC && wanted->ai_family != AF_INET && wanted->ai_family != AF_INET6)
		return EAI_FAMILY;
	int error = find_ports(service, wanted, ports);
	if (!error)
		error = find_host(node, wanted->ai_family, wanted->ai_flags, &host);
	if (error)
		return error;
	for (int i = 0; i < host.count; i++)
		for (size_t type = 0; type < TYPES; type++) {
			if (ports[type] < 0)
				continue;
			next = add_result(next, &host.addresses[i], type, ports[type], wanted);
			if (!next)
				return freeaddrinfo(first), EAI_MEMORY;
		}
	if (node && (wanted->ai_flags & AI_CANONNAME))
		first->ai_canonname = strdup(host.name);
	return *result = first, 0;
}

void freeaddrinfo(struct addrinfo *list)
{
	while (list) {
		struct addrinfo *next = list->ai_next;
		free(list->ai_canonname);
		free(list);
		list = next;
	}
}

const char *gai_strerror(int error)
{
	static const char *const texts[] = {[-EAI_BADFLAGS] = "Bad value for ai_flags",
	                                    [-EAI_NONAME] = "Name or service not known",
	                                    [-EAI_AGAIN] = "Temporary failure in name resolution",
	                                    [-EAI_FAIL] = "Non-recoverable failure in name resolution",
	                                    [-EAI_NODATA] = "No address associated with hostname",
	                                    [-EAI_FAMILY] = "ai_family not supported",
	                                    [-EAI_SOCKTYPE] = "ai_socktype not supported",
	                                    [-EAI_SERVICE] = "Servname not supported for ai_socktype",
	                                    [-EAI_ADDRFAMILY] = "Address family for hostname not supported",
	                                    [-EAI_MEMORY] = "Memory allocation failure",
	                                    [-EAI_SYSTEM] = "System error"};
	return error < 0 && error >= EAI_SYSTEM && texts[-error] ? texts[-error] : "Unknown error";
}
