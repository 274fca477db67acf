/* SPDX-License-Identifier: MIT */
#include "libc-port/src/network/service.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define TCP 1
#define UDP 2

/* Names and ports of Debian's /etc/services that programs ask for, by port. */
static const struct {
	const char *name, *alias;
	uint16_t port;
	uint8_t protocols;
} services[] = {
	{"echo", NULL, 7, TCP | UDP},
	{"discard", "sink", 9, TCP | UDP},
	{"daytime", NULL, 13, TCP | UDP},
	{"ftp-data", NULL, 20, TCP},
	{"ftp", NULL, 21, TCP},
	{"ssh", NULL, 22, TCP},
	{"telnet", NULL, 23, TCP},
	{"smtp", "mail", 25, TCP},
	{"time", "timserver", 37, TCP | UDP},
	{"domain", NULL, 53, TCP | UDP},
	{"tftp", NULL, 69, UDP},
	{"gopher", NULL, 70, TCP},
	{"finger", NULL, 79, TCP},
	{"http", "www", 80, TCP},
	{"kerberos", "kerberos5", 88, TCP | UDP},
	{"pop3", "pop-3", 110, TCP},
	{"sunrpc", "portmapper", 111, TCP | UDP},
	{"nntp", "readnews", 119, TCP},
	{"ntp", NULL, 123, UDP},
	{"imap2", "imap", 143, TCP},
	{"snmp", NULL, 161, TCP | UDP},
	{"ldap", NULL, 389, TCP | UDP},
	{"https", NULL, 443, TCP | UDP},
	{"submissions", "ssmtp", 465, TCP},
	{"syslog", NULL, 514, UDP},
	{"submission", NULL, 587, TCP},
	{"ldaps", NULL, 636, TCP | UDP},
	{"imaps", NULL, 993, TCP},
	{"pop3s", NULL, 995, TCP},
	{"socks", NULL, 1080, TCP},
	{"mysql", NULL, 3306, TCP},
	{"postgresql", "postgres", 5432, TCP},
	{"http-alt", "webcache", 8080, TCP | UDP},
};

#define SERVICES (sizeof(services) / sizeof(services[0]))

static const struct {
	const char *name, *alias;
	int number;
} protocols[] = {
	{"ip", "IP", IPPROTO_IP},    {"icmp", "ICMP", IPPROTO_ICMP}, {"tcp", "TCP", IPPROTO_TCP},
	{"udp", "UDP", IPPROTO_UDP}, {"ipv6", "IPv6", IPPROTO_IPV6}, {"ipv6-icmp", "IPv6-ICMP", IPPROTO_ICMPV6},
};

#define PROTOCOLS (sizeof(protocols) / sizeof(protocols[0]))

static int bits_of(const char *protocol)
{
	return !protocol ? TCP | UDP : !strcmp(protocol, "tcp") ? TCP : !strcmp(protocol, "udp") ? UDP : 0;
}

/* The entry of a name, or if that is NULL of a port; SERVICES: none. */
static size_t find_service(const char *name, int port, const char *protocol)
{
	size_t i = 0;
	for (; i < SERVICES; i++) {
		int is = name ? !strcmp(services[i].name, name) ||
		                         (services[i].alias && !strcmp(services[i].alias, name))
		              : services[i].port == port;
		if (is && (services[i].protocols & bits_of(protocol)))
			break;
	}
	return i;
}

int service_number(const char *text)
{
	char *end;
	unsigned long port = strtoul(text, &end, 10);
	return *text < '0' || *text > '9' || *end || port > 65535 ? -1 : (int)port;
}

int service_port(const char *name, const char *protocol)
{
	size_t i = find_service(name, 0, protocol);
	return i < SERVICES ? services[i].port : -1;
}

const char *service_name(int port, const char *protocol)
{
	size_t i = find_service(NULL, port, protocol);
	return i < SERVICES ? services[i].name : NULL;
}

static struct servent *entry_of(size_t i, const char *protocol)
{
	static char name[16], alias[16], with[4], *aliases[2];
	static struct servent entry;
	if (i == SERVICES)
		return NULL;
	strcpy(name, services[i].name);
	strcpy(alias, services[i].alias ? services[i].alias : "");
	strcpy(with, protocol ? protocol : services[i].protocols & TCP ? "tcp" : "udp");
	aliases[0] = services[i].alias ? alias : NULL;
	entry = (struct servent){name, aliases, htons(services[i].port), with};
	return &entry;
}

struct servent *getservbyname(const char *name, const char *protocol)
{
	return entry_of(find_service(name, 0, protocol), protocol);
}

struct servent *getservbyport(int port, const char *protocol)
{
	return entry_of(find_service(NULL, ntohs((uint16_t)port), protocol), protocol);
}

static struct protoent *protocol_of(size_t i)
{
	static char name[16], alias[16], *aliases[2] = {alias, NULL};
	static struct protoent entry;
	if (i == PROTOCOLS)
		return NULL;
	strcpy(name, protocols[i].name);
	strcpy(alias, protocols[i].alias);
	entry = (struct protoent){name, aliases, protocols[i].number};
	return &entry;
}

struct protoent *getprotobyname(const char *name)
{
	size_t i = 0;
	while (i < PROTOCOLS && strcmp(protocols[i].name, name) != 0 && strcmp(protocols[i].alias, name) != 0)
		i++;
	return protocol_of(i);
}

struct protoent *getprotobynumber(int number)
{
	size_t i = 0;
	while (i < PROTOCOLS && protocols[i].number != number)
		i++;
	return protocol_of(i);
}
