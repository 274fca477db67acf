/* SPDX-License-Identifier: MIT */
/* Structures and constants of Linux sockets (socket(7), unix(7), recvmsg(2)). */
#ifndef ABI_LINUX_SOCKET_H
#define ABI_LINUX_SOCKET_H

#include <stddef.h>
#include <stdint.h>

#include "abi/linux.h"

#define LINUX_AF_UNSPEC 0
#define LINUX_AF_UNIX 1
#define LINUX_AF_INET 2
#define LINUX_AF_INET6 10
#define LINUX_AF_NETLINK 16
#define LINUX_AF_MAX 46

#define LINUX_SOCK_STREAM 1
#define LINUX_SOCK_DGRAM 2
#define LINUX_SOCK_RAW 3
#define LINUX_SOCK_SEQPACKET 5
#define LINUX_SOCK_TYPE_MASK 0xf
#define LINUX_SOCK_MAX 11

#define LINUX_MSG_OOB 1
#define LINUX_MSG_PEEK 2
#define LINUX_MSG_CTRUNC 8
#define LINUX_MSG_PROBE 0x10
#define LINUX_MSG_TRUNC 0x20
#define LINUX_MSG_DONTWAIT 0x40
#define LINUX_MSG_WAITALL 0x100
#define LINUX_MSG_ERRQUEUE 0x2000
#define LINUX_MSG_NOSIGNAL 0x4000
#define LINUX_MSG_MORE 0x8000
#define LINUX_MSG_WAITFORONE 0x10000
#define LINUX_MSG_ZEROCOPY 0x4000000
#define LINUX_MSG_FASTOPEN 0x20000000
#define LINUX_MSG_CMSG_CLOEXEC 0x40000000

#define LINUX_SOL_NETLINK 270

#define LINUX_IPPROTO_IP 0
#define LINUX_IPPROTO_TCP 6
#define LINUX_IPPROTO_UDP 17
#define LINUX_IPPROTO_IPV6 41
#define LINUX_TCP_NODELAY 1
#define LINUX_TCP_CORK 3
#define LINUX_TCP_INQ 36
#define LINUX_UDP_CORK 1
#define LINUX_UDP_SEGMENT 103
#define LINUX_UDP_GRO 104
#define LINUX_IP_TOS 1
#define LINUX_IP_TTL 2
#define LINUX_IP_PKTINFO 8
#define LINUX_IP_ORIGDSTADDR 20
#define LINUX_IP_RECVERR 11
#define LINUX_IPV6_2292PKTINFO 2
#define LINUX_IPV6_RECVERR 25
#define LINUX_IPV6_PKTINFO 50
#define LINUX_IPV6_HOPLIMIT 52
#define LINUX_IPV6_DONTFRAG 62
#define LINUX_IPV6_TCLASS 67
#define LINUX_IPV6_ORIGDSTADDR 74

/** States of a TCP socket (TCP_INFO, /proc/net/tcp). */
#define LINUX_TCP_ESTABLISHED 1
#define LINUX_TCP_SYN_SENT 2
#define LINUX_TCP_FIN_WAIT2 5
#define LINUX_TCP_TIME_WAIT 6
#define LINUX_TCP_CLOSE 7
#define LINUX_TCP_CLOSE_WAIT 8
#define LINUX_TCP_LAST_ACK 9
#define LINUX_TCP_LISTEN 10

#define LINUX_SOL_SOCKET 1
#define LINUX_SO_DEBUG 1
#define LINUX_SO_REUSEADDR 2
#define LINUX_SO_TYPE 3
#define LINUX_SO_ERROR 4
#define LINUX_SO_DONTROUTE 5
#define LINUX_SO_BROADCAST 6
#define LINUX_SO_SNDBUF 7
#define LINUX_SO_RCVBUF 8
#define LINUX_SO_KEEPALIVE 9
#define LINUX_SO_OOBINLINE 10
#define LINUX_SO_PRIORITY 12
#define LINUX_SO_LINGER 13
#define LINUX_SO_REUSEPORT 15
#define LINUX_SO_PASSCRED 16
#define LINUX_SO_PEERCRED 17
#define LINUX_SO_RCVLOWAT 18
#define LINUX_SO_SNDLOWAT 19
#define LINUX_SO_RCVTIMEO 20
#define LINUX_SO_SNDTIMEO 21
#define LINUX_SO_BINDTODEVICE 25
#define LINUX_SO_ACCEPTCONN 30
#define LINUX_SO_SNDBUFFORCE 32
#define LINUX_SO_RCVBUFFORCE 33
#define LINUX_SO_PROTOCOL 38
#define LINUX_SO_DOMAIN 39
#define LINUX_SO_RXQ_OVFL 40
#define LINUX_SO_PEEK_OFF 42
#define LINUX_SO_COOKIE 57
#define LINUX_SO_ZEROCOPY 60

#define LINUX_SCM_RIGHTS 1
#define LINUX_SCM_CREDENTIALS 2
#define LINUX_SCM_MAX_FD 253
#define LINUX_SOMAXCONN 4096
#define LINUX_SIOCOUTQ 0x5411
#define LINUX_SIOCATMARK 0x8905

#define LINUX_UNIX_PATH_MAX 108

struct linux_sockaddr_un {
	uint16_t sun_family;
	char sun_path[LINUX_UNIX_PATH_MAX];
};

_Static_assert(sizeof(struct linux_sockaddr_un) == 110, "struct sockaddr_un");

struct linux_sockaddr_in {
	uint16_t sin_family;
	uint16_t sin_port; /**< in network byte order, as all of an address */
	uint32_t sin_addr;
	uint8_t zero[8];
};

_Static_assert(sizeof(struct linux_sockaddr_in) == 16, "struct sockaddr_in");

struct linux_sockaddr_in6 {
	uint16_t sin6_family;
	uint16_t sin6_port;
	uint32_t sin6_flowinfo;
	uint8_t sin6_addr[16];
	uint32_t sin6_scope_id;
};

_Static_assert(sizeof(struct linux_sockaddr_in6) == 28, "struct sockaddr_in6");

struct linux_msghdr {
	uint64_t msg_name;
	int32_t msg_namelen;
	int32_t pad;
	uint64_t msg_iov;
	uint64_t msg_iovlen;
	uint64_t msg_control;
	uint64_t msg_controllen;
	uint32_t msg_flags;
	uint32_t pad2;
};

_Static_assert(sizeof(struct linux_msghdr) == 56, "struct msghdr");

struct linux_mmsghdr {
	struct linux_msghdr msg_hdr;
	uint32_t msg_len;
	uint32_t pad;
};

_Static_assert(sizeof(struct linux_mmsghdr) == 64, "struct mmsghdr");

/** Data follows; the next header begins at a multiple of 8 bytes. */
struct linux_cmsghdr {
	uint64_t cmsg_len;
	int32_t cmsg_level;
	int32_t cmsg_type;
};

_Static_assert(sizeof(struct linux_cmsghdr) == 16, "struct cmsghdr");

struct linux_ucred {
	int32_t pid;
	uint32_t uid, gid;
};

/** struct sock_extended_err (linux/errqueue.h). */
struct socket_extended_error {
	uint32_t number;
	uint8_t origin, type, code, pad;
	uint32_t info, data;
};

_Static_assert(sizeof(struct socket_extended_error) == 16, "struct sock_extended_err");

#endif
