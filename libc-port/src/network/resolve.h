/* SPDX-License-Identifier: MIT */
/* Names of hosts and their addresses: first /etc/hosts, or two entries for localhost if there is no such file, then DNS
 * (hosts(5), nsswitch.conf(5) with "hosts: files dns"). */
#ifndef LIBC_PORT_RESOLVE_H
#define LIBC_PORT_RESOLVE_H

#include <netdb.h>
#include <stddef.h>

#define RESOLVE_NAME_BYTES 256
#define RESOLVE_ADDRESSES 32 /* of one host; further ones are dropped */

struct resolve_address {
	int family; /**< AF_INET or AF_INET6 */
	union {
		struct in_addr v4;
		struct in6_addr v6;
	};
};

struct resolve_host {
	char name[RESOLVE_NAME_BYTES]; /**< the canonical name */
	int count;
	struct resolve_address addresses[RESOLVE_ADDRESSES];
};

/** Reads an address from a text, as inet_aton(3) and inet_pton(3) do. Returns whether it is one. */
int resolve_number(const char *text, struct resolve_address *address);

/** Finds the addresses of a host in a family; AF_UNSPEC: both. Returns 0 or EAI_*. */
int resolve_host(const char *name, int family, struct resolve_host *host);

/** Finds the name of the host with an address. Returns 0 or EAI_*. */
int resolve_name(const struct resolve_address *address, char name[RESOLVE_NAME_BYTES]);

/** Adds an address to a host, as long as there is room. */
void resolve_add(struct resolve_host *host, int family, const void *address);

#endif
