/* SPDX-License-Identifier: MIT */
/* Messages of AF_NETLINK with Linux's numbers and structures (netlink(7), netlink(3)). */
#ifndef _LINUX_NETLINK_H
#define _LINUX_NETLINK_H

#include <stdint.h>
#include <sys/socket.h>

#define NETLINK_ROUTE 0

#define NLM_F_REQUEST 0x01
#define NLM_F_MULTI 0x02
#define NLM_F_ACK 0x04
#define NLM_F_ECHO 0x08
#define NLM_F_ROOT 0x100
#define NLM_F_MATCH 0x200
#define NLM_F_DUMP (NLM_F_ROOT | NLM_F_MATCH)

#define NLMSG_NOOP 1
#define NLMSG_ERROR 2
#define NLMSG_DONE 3
#define NLMSG_OVERRUN 4

struct sockaddr_nl {
	sa_family_t nl_family;
	unsigned short nl_pad;
	uint32_t nl_pid;
	uint32_t nl_groups;
};

struct nlmsghdr {
	uint32_t nlmsg_len;
	uint16_t nlmsg_type;
	uint16_t nlmsg_flags;
	uint32_t nlmsg_seq;
	uint32_t nlmsg_pid;
};

struct nlmsgerr {
	int error;
	struct nlmsghdr msg;
};

struct nlattr {
	uint16_t nla_len;
	uint16_t nla_type;
};

#define NLMSG_ALIGNTO 4U
#define NLMSG_ALIGN(n) (((n) + NLMSG_ALIGNTO - 1) & ~(NLMSG_ALIGNTO - 1))
#define NLMSG_HDRLEN ((int)NLMSG_ALIGN(sizeof(struct nlmsghdr)))
#define NLMSG_LENGTH(n) ((n) + NLMSG_HDRLEN)
#define NLMSG_SPACE(n) NLMSG_ALIGN(NLMSG_LENGTH(n))
#define NLMSG_DATA(m) ((void *)((char *)(m) + NLMSG_HDRLEN))
#define NLMSG_NEXT(m, left) \
	((left) -= NLMSG_ALIGN((m)->nlmsg_len), (struct nlmsghdr *)(void *)((char *)(m) + NLMSG_ALIGN((m)->nlmsg_len)))
#define NLMSG_OK(m, left) \
	((left) >= (int)sizeof(struct nlmsghdr) && (m)->nlmsg_len >= sizeof(struct nlmsghdr) && \
	 (int)(m)->nlmsg_len <= (left))
#define NLMSG_PAYLOAD(m, n) ((m)->nlmsg_len - NLMSG_SPACE(n))

#endif
