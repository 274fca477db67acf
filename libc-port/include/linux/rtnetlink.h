/* SPDX-License-Identifier: MIT */
/* Lists of network interfaces and their addresses by AF_NETLINK (rtnetlink(7)). */
#ifndef _LINUX_RTNETLINK_H
#define _LINUX_RTNETLINK_H

#include <linux/netlink.h>

#define RTM_NEWLINK 16
#define RTM_GETLINK 18
#define RTM_NEWADDR 20
#define RTM_GETADDR 22
#define RTM_NEWROUTE 24
#define RTM_GETROUTE 26

#define IFLA_ADDRESS 1
#define IFLA_BROADCAST 2
#define IFLA_IFNAME 3
#define IFLA_MTU 4
#define IFLA_STATS 7
#define IFLA_TXQLEN 13
#define IFLA_OPERSTATE 16

#define IFA_ADDRESS 1
#define IFA_LOCAL 2
#define IFA_LABEL 3
#define IFA_BROADCAST 4
#define IFA_FLAGS 8

#define RTA_DST 1
#define RTA_OIF 4
#define RTA_GATEWAY 5
#define RTA_PREFSRC 7
#define RTA_TABLE 15

struct rtgenmsg {
	unsigned char rtgen_family;
};

struct ifinfomsg {
	unsigned char ifi_family;
	unsigned char __ifi_pad;
	unsigned short ifi_type;
	int ifi_index;
	unsigned ifi_flags;
	unsigned ifi_change;
};

struct ifaddrmsg {
	uint8_t ifa_family;
	uint8_t ifa_prefixlen;
	uint8_t ifa_flags;
	uint8_t ifa_scope;
	uint32_t ifa_index;
};

struct rtmsg {
	unsigned char rtm_family;
	unsigned char rtm_dst_len;
	unsigned char rtm_src_len;
	unsigned char rtm_tos;
	unsigned char rtm_table;
	unsigned char rtm_protocol;
	unsigned char rtm_scope;
	unsigned char rtm_type;
	unsigned rtm_flags;
};

struct rtattr {
	unsigned short rta_len;
	unsigned short rta_type;
};

#define RTA_ALIGNTO 4U
#define RTA_ALIGN(n) (((n) + RTA_ALIGNTO - 1) & ~(RTA_ALIGNTO - 1))
#define RTA_LENGTH(n) (RTA_ALIGN(sizeof(struct rtattr)) + (n))
#define RTA_SPACE(n) RTA_ALIGN(RTA_LENGTH(n))
#define RTA_DATA(a) ((void *)((char *)(a) + RTA_LENGTH(0)))
#define RTA_PAYLOAD(a) ((int)(a)->rta_len - (int)RTA_LENGTH(0))
#define RTA_OK(a, left) \
	((left) >= (int)sizeof(struct rtattr) && (a)->rta_len >= sizeof(struct rtattr) && (int)(a)->rta_len <= (left))
#define RTA_NEXT(a, left) \
	((left) -= (int)RTA_ALIGN((a)->rta_len), (struct rtattr *)(void *)((char *)(a) + RTA_ALIGN((a)->rta_len)))

#define IFLA_RTA(m) ((struct rtattr *)(void *)((char *)(m) + NLMSG_ALIGN(sizeof(struct ifinfomsg))))
#define IFLA_PAYLOAD(m) NLMSG_PAYLOAD(m, sizeof(struct ifinfomsg))
#define IFA_RTA(m) ((struct rtattr *)(void *)((char *)(m) + NLMSG_ALIGN(sizeof(struct ifaddrmsg))))
#define IFA_PAYLOAD(m) NLMSG_PAYLOAD(m, sizeof(struct ifaddrmsg))

#endif
