/* SPDX-License-Identifier: MIT */
/* Hosts and services without a network or a database: addresses and ports written as numbers are understood, names are
 * not known (getaddrinfo(3), gethostbyname(3)). */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

int h_errno;

static const struct {
	int type, protocol;
} types[] = {{SOCK_STREAM, IPPROTO_TCP}, {SOCK_DGRAM, IPPROTO_UDP}, {SOCK_RAW, 0}};

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

/* Returns the port that a text names, or -1 if it is no number. */
static long port_of(const char *service)
{
	char *end;
	if (!service)
		return 0;
	unsigned long port = strtoul(service, &end, 10);
	return *service < '0' || *service > '9' || *end || port > 65535 ? -1 : (long)port;
}

static int address_of(const char *node, int family, int passive, union address *address)
{
	memset(address, 0, sizeof(*address));
	if (family != AF_INET6 && (!node || inet_aton(node, &address->v4.sin_addr))) {
		if (!node)
			address->v4.sin_addr.s_addr = htonl(passive ? INADDR_ANY : INADDR_LOOPBACK);
		return address->any.sa_family = AF_INET, 0;
	}
	memset(address, 0, sizeof(*address));
	if (family != AF_INET && (!node || inet_pton(AF_INET6, node, &address->v6.sin6_addr) == 1)) {
		if (!node)
			address->v6.sin6_addr = passive ? in6addr_any : in6addr_loopback;
		return address->any.sa_family = AF_INET6, 0;
	}
	return inet_aton(node, NULL) || inet_pton(AF_INET6, node, &address->v6.sin6_addr) == 1 ? EAI_ADDRFAMILY
	                                                                                       : EAI_NONAME;
}

int getaddrinfo(const char *restrict node, const char *restrict service, const struct addrinfo *restrict hints,
                struct addrinfo **restrict result)
{
	static const struct addrinfo none;
	struct addrinfo *first = NULL, **next = &first;
	union address address;
	const struct addrinfo *wanted = hints ? hints : &none;
	long port = port_of(service);
	if (!node && !service)
		return EAI_NONAME;
	if (wanted->ai_family != AF_UNSPEC && wanted->ai_family != AF_INET && wanted->ai_family != AF_INET6)
		return EAI_FAMILY;
	if (port < 0)
		return wanted->ai_flags & AI_NUMERICSERV ? EAI_NONAME : EAI_SERVICE;
	int error = address_of(node, wanted->ai_family, wanted->ai_flags & AI_PASSIVE, &address);
	if (error)
		return error;
	address.v4.sin_port = htons((uint16_t)port); /* at the same place in both families */
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if ((wanted->ai_socktype && wanted->ai_socktype != types[i].type) ||
		    (wanted->ai_protocol && types[i].protocol && wanted->ai_protocol != types[i].protocol))
			continue;
		struct entry *entry = calloc(1, sizeof(*entry));
		if (!entry)
			return freeaddrinfo(first), EAI_MEMORY;
		entry->address = address;
		entry->info.ai_flags = wanted->ai_flags;
		entry->info.ai_family = address.any.sa_family;
		entry->info.ai_socktype = types[i].type;
		entry->info.ai_protocol = types[i].protocol ? types[i].protocol : wanted->ai_protocol;
		entry->info.ai_addrlen = address.any.sa_family == AF_INET ? sizeof(address.v4) : sizeof(address.v6);
		entry->info.ai_addr = &entry->address.any;
		if (!first && node && (wanted->ai_flags & AI_CANONNAME))
			entry->info.ai_canonname = strdup(node);
		*next = &entry->info;
		next = &entry->info.ai_next;
	}
	if (!first)
		return EAI_SOCKTYPE;
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

int getnameinfo(const struct sockaddr *restrict addr, socklen_t length, char *restrict node, socklen_t node_size,
                char *restrict service, socklen_t service_size, int flags)
{
	const union address *address = (const void *)addr;
	int family = length < sizeof(address->v4) ? AF_UNSPEC : addr->sa_family;
	if (family != AF_INET && (family != AF_INET6 || length < sizeof(address->v6)))
		return EAI_FAMILY;
	if (flags & NI_NAMEREQD)
		return EAI_NONAME;
	const void *from = family == AF_INET ? (const void *)&address->v4.sin_addr : &address->v6.sin6_addr;
	if (node && node_size && !inet_ntop(family, from, node, node_size))
		return EAI_OVERFLOW;
	if (service && service_size &&
	    (socklen_t)snprintf(service, service_size, "%u", ntohs(address->v4.sin_port)) >= service_size)
		return EAI_OVERFLOW;
	return 0;
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

struct hostent *gethostbyname(const char *name)
{
	static struct in_addr addr;
	static char text[INET_ADDRSTRLEN];
	static char *addresses[2], *aliases[1];
	static struct hostent host;
	if (strlen(name) >= sizeof(text) || !inet_aton(name, &addr))
		return h_errno = HOST_NOT_FOUND, NULL;
	strcpy(text, name);
	addresses[0] = (char *)&addr;
	host = (struct hostent){text, aliases, AF_INET, sizeof(addr), addresses};
	return &host;
}

struct hostent *gethostbyaddr(const void *addr, socklen_t length, int family)
{
	(void)addr, (void)length, (void)family;
	h_errno = HOST_NOT_FOUND;
	return NULL;
}

struct servent *getservbyname(const char *name, const char *protocol)
{
	(void)name, (void)protocol;
	return NULL;
}

struct servent *getservbyport(int port, const char *protocol)
{
	(void)port, (void)protocol;
	return NULL;
}

struct protoent *getprotobyname(const char *name)
{
	(void)name;
	return NULL;
}

struct protoent *getprotobynumber(int number)
{
	(void)number;
	return NULL;
}

struct netent *getnetbyname(const char *name)
{
	(void)name;
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
