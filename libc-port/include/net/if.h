/* SPDX-License-Identifier: MIT */
/* Network interfaces with Linux's numbers (netdevice(7)). */
#ifndef _NET_IF_H
#define _NET_IF_H

#include <sys/socket.h>

__BEGIN_DECLS

#define IF_NAMESIZE 16
#define IFNAMSIZ IF_NAMESIZE

#define IFF_UP 0x1
#define IFF_BROADCAST 0x2
#define IFF_DEBUG 0x4
#define IFF_LOOPBACK 0x8
#define IFF_POINTOPOINT 0x10
#define IFF_NOTRAILERS 0x20
#define IFF_RUNNING 0x40
#define IFF_NOARP 0x80
#define IFF_PROMISC 0x100
#define IFF_ALLMULTI 0x200
#define IFF_MASTER 0x400
#define IFF_SLAVE 0x800
#define IFF_MULTICAST 0x1000

struct if_nameindex {
	unsigned if_index;
	char *if_name;
};

struct ifreq {
	char ifr_name[IFNAMSIZ];
	union {
		struct sockaddr __addr;
		short __flags;
		int __value;
		char __data[24];
	} __u;
};
#define ifr_addr __u.__addr
#define ifr_netmask __u.__addr
#define ifr_broadaddr __u.__addr
#define ifr_hwaddr __u.__addr
#define ifr_flags __u.__flags
#define ifr_dstaddr __u.__addr
#define ifr_ifindex __u.__value
#define ifr_metric __u.__value
#define ifr_qlen __u.__value
#define ifr_mtu __u.__value

struct ifconf {
	int ifc_len;
	union {
		char *__data;
		struct ifreq *__requests;
	} __u;
};
#define ifc_buf __u.__data
#define ifc_req __u.__requests

unsigned if_nametoindex(const char *__name);
char *if_indextoname(unsigned __index, char *__name);
struct if_nameindex *if_nameindex(void);
void if_freenameindex(struct if_nameindex *__list);

__END_DECLS

#endif
