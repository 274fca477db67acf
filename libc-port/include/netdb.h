/* SPDX-License-Identifier: MIT */
/* Names and addresses of hosts and services, with Linux's numbers (getaddrinfo(3)). */
#ifndef _NETDB_H
#define _NETDB_H

#include <netinet/in.h>

__BEGIN_DECLS

struct hostent {
	char *h_name;
	char **h_aliases;
	int h_addrtype;
	int h_length;
	char **h_addr_list;
};
#define h_addr h_addr_list[0]

struct netent {
	char *n_name;
	char **n_aliases;
	int n_addrtype;
	uint32_t n_net;
};

struct protoent {
	char *p_name;
	char **p_aliases;
	int p_proto;
};

struct servent {
	char *s_name;
	char **s_aliases;
	int s_port;
	char *s_proto;
};

struct addrinfo {
	int ai_flags;
	int ai_family;
	int ai_socktype;
	int ai_protocol;
	socklen_t ai_addrlen;
	struct sockaddr *ai_addr;
	char *ai_canonname;
	struct addrinfo *ai_next;
};

#define AI_PASSIVE 0x01
#define AI_CANONNAME 0x02
#define AI_NUMERICHOST 0x04
#define AI_V4MAPPED 0x08
#define AI_ALL 0x10
#define AI_ADDRCONFIG 0x20
#define AI_NUMERICSERV 0x400

#define NI_NUMERICHOST 1
#define NI_NUMERICSERV 2
#define NI_NOFQDN 4
#define NI_NAMEREQD 8
#define NI_DGRAM 16
#define NI_MAXHOST 1025
#define NI_MAXSERV 32

#define EAI_BADFLAGS (-1)
#define EAI_NONAME (-2)
#define EAI_AGAIN (-3)
#define EAI_FAIL (-4)
#define EAI_NODATA (-5)
#define EAI_FAMILY (-6)
#define EAI_SOCKTYPE (-7)
#define EAI_SERVICE (-8)
#define EAI_ADDRFAMILY (-9)
#define EAI_MEMORY (-10)
#define EAI_SYSTEM (-11)
#define EAI_OVERFLOW (-12)

#define HOST_NOT_FOUND 1
#define TRY_AGAIN 2
#define NO_RECOVERY 3
#define NO_DATA 4
#define NO_ADDRESS NO_DATA
#define NETDB_INTERNAL (-1)
#define NETDB_SUCCESS 0
extern int h_errno;

int getaddrinfo(const char *__restrict __node, const char *__restrict __service,
                const struct addrinfo *__restrict __hints, struct addrinfo **__restrict __result);
void freeaddrinfo(struct addrinfo *__list);
const char *gai_strerror(int __error);
int getnameinfo(const struct sockaddr *__restrict __addr, socklen_t __length, char *__restrict __node,
                socklen_t __node_size, char *__restrict __service, socklen_t __service_size, int __flags);
struct hostent *gethostbyname(const char *__name);
#if __MISC_VISIBLE
struct hostent *gethostbyname2(const char *__name, int __family);
#endif
struct hostent *gethostbyaddr(const void *__addr, socklen_t __length, int __family);
struct servent *getservbyname(const char *__name, const char *__protocol);
struct servent *getservbyport(int __port, const char *__protocol);
struct protoent *getprotobyname(const char *__name);
struct protoent *getprotobynumber(int __number);
struct netent *getnetbyname(const char *__name);
const char *hstrerror(int __error);
void herror(const char *__prefix);

__END_DECLS

#endif
