/* SPDX-License-Identifier: MIT */
/* Hosts by name and by address, in static storage (gethostbyname(3)), and names of addresses (getnameinfo(3)). */
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "libc-port/src/network/resolve.h"
#include "libc-port/src/network/service.h"

int h_errno;

static struct resolve_host found;
static struct hostent entry;

static int error_of(int error)
{
	switch (error) {
	case EAI_NONAME:
		return HOST_NOT_FOUND;
	case EAI_AGAIN:
		return TRY_AGAIN;
	case EAI_NODATA:
	case EAI_ADDRFAMILY:
		return NO_DATA;
	default:
		return NO_RECOVERY;
	}
}

/* Makes an entry of what was found, whose addresses are of one family. */
static struct hostent *entry_of_found(int family)
{
	static char *addresses[RESOLVE_ADDRESSES + 1], *aliases[1];
	for (int i = 0; i < found.count; i++)
		addresses[i] = (char *)&found.addresses[i].v6;
	addresses[found.count] = NULL;
	entry = (struct hostent){found.name, aliases, family, family == AF_INET ? 4 : 16, addresses};
	return &entry;
}

struct hostent *gethostbyname2(const char *name, int family)
{
	int error = 0;
	found.count = 1;
	if (resolve_number(name, &found.addresses[0]) && found.addresses[0].family == family)
		snprintf(found.name, sizeof(found.name), "%s", name);
	else if (family == AF_INET || family == AF_INET6)
		error = resolve_host(name, family, &found);
	else
		error = EAI_FAMILY;
	if (!error)
		return entry_of_found(family);
	h_errno = error_of(error);
	return NULL;
}

struct hostent *gethostbyname(const char *name)
{
	return gethostbyname2(name, AF_INET);
}

struct hostent *gethostbyaddr(const void *address, socklen_t length, int family)
{
	found.count = 0;
	if (length == (family == AF_INET ? sizeof(struct in_addr) : sizeof(struct in6_addr)) &&
	    (family == AF_INET || family == AF_INET6)) {
		resolve_add(&found, family, address);
		int error = resolve_name(&found.addresses[0], found.name);
		if (!error)
			return entry_of_found(family);
		h_errno = error_of(error);
	} else {
		h_errno = NO_RECOVERY;
	}
	return NULL;
}

/* Stores the name of a host, or its number. Returns 0 or EAI_*. */
static int put_host(const struct resolve_address *address, char *node, socklen_t room, int flags)
{
	char name[RESOLVE_NAME_BYTES];
	int error = flags & NI_NUMERICHOST ? EAI_NONAME : resolve_name(address, name);
	if (!error)
		return (socklen_t)snprintf(node, room, "%s", name) >= room ? EAI_OVERFLOW : 0;
	if (flags & NI_NAMEREQD)
		return EAI_NONAME;
	return inet_ntop(address->family, &address->v6, node, room) ? 0 : EAI_OVERFLOW;
}

int getnameinfo(const struct sockaddr *restrict addr, socklen_t length, char *restrict node, socklen_t node_size,
                char *restrict service, socklen_t service_size, int flags)
{
	const struct sockaddr_in *v4 = (const void *)addr;
	const struct sockaddr_in6 *v6 = (const void *)addr;
	struct resolve_address address = {.family = length < sizeof(*v4) ? AF_UNSPEC : addr->sa_family};
	if (address.family == AF_INET)
		address.v4 = v4->sin_addr;
	else if (address.family == AF_INET6 && length >= sizeof(*v6))
		address.v6 = v6->sin6_addr;
	else
		return EAI_FAMILY;
	if ((!node || !node_size) && (!service || !service_size))
		return EAI_NONAME;
	int error = node && node_size ? put_host(&address, node, node_size, flags) : 0, written;
	if (error || !service || !service_size)
		return error;
	int port = ntohs(v4->sin_port); /* at the same place in both families */
	const char *name = flags & NI_NUMERICSERV ? NULL : service_name(port, flags & NI_DGRAM ? "udp" : "tcp");
	written = name ? snprintf(service, service_size, "%s", name) : snprintf(service, service_size, "%d", port);
	return (socklen_t)written >= service_size ? EAI_OVERFLOW : 0;
}

struct netent *getnetbyname(const char *)
{
	h_errno = HOST_NOT_FOUND;
	return NULL;
}

const char *hstrerror(int error)
{
	static const char *const texts[] = {"Resolver Error 0 (no error)", "Unknown host", "Host name lookup failure",
	                                    "Unknown server error", "No address associated with name"};
	return error < 0 ? "Resolver internal error" : error > NO_DATA ? "Unknown resolver error" : texts[error];
}

void herror(const char *prefix)
{
	fprintf(stderr, "%s%s%s\n", prefix ? prefix : "", prefix && *prefix ? ": " : "", hstrerror(h_errno));
}
