/* SPDX-License-Identifier: MIT */
/* Addresses of the network interfaces (getifaddrs(3)). */
#ifndef _IFADDRS_H
#define _IFADDRS_H

#include <sys/socket.h>

__BEGIN_DECLS

struct ifaddrs {
	struct ifaddrs *ifa_next;
	char *ifa_name;
	unsigned ifa_flags;
	struct sockaddr *ifa_addr;
	struct sockaddr *ifa_netmask;
	union {
		struct sockaddr *ifu_broadaddr;
		struct sockaddr *ifu_dstaddr;
	} ifa_ifu;
	void *ifa_data;
};
#define ifa_broadaddr ifa_ifu.ifu_broadaddr
#define ifa_dstaddr ifa_ifu.ifu_dstaddr

int getifaddrs(struct ifaddrs **__list);
void freeifaddrs(struct ifaddrs *__list);

__END_DECLS

#endif
