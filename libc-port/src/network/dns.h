/* SPDX-License-Identifier: MIT */
/* Questions to the name servers of /etc/resolv.conf over UDP (RFC 1035, resolv.conf(5)). */
#ifndef LIBC_PORT_DNS_H
#define LIBC_PORT_DNS_H

#include "libc-port/src/network/resolve.h"

/** Adds the addresses of a host in a family; AF_UNSPEC: both. Returns 0; EAI_NONAME: the name does not exist;
 * EAI_NODATA: it has no such address; EAI_AGAIN: no server has answered; EAI_FAIL: a server cannot answer. */
int dns_find(const char *name, int family, struct resolve_host *host);

/** Finds the name of the host with an address. Returns the same. */
int dns_find_name(const struct resolve_address *address, char name[RESOLVE_NAME_BYTES]);

#endif
