/* SPDX-License-Identifier: MIT */
/* Sockets with Linux's numbers and structures (socket(7)). */
#ifndef _SYS_SOCKET_H
#define _SYS_SOCKET_H

#include <sys/cdefs.h>
#include <sys/types.h>
#include <sys/_timespec.h>
#include <sys/uio.h>

__BEGIN_DECLS

#ifndef _SOCKLEN_T_DECLARED
typedef __socklen_t socklen_t;
#define _SOCKLEN_T_DECLARED
#endif
#ifndef _SA_FAMILY_T_DECLARED
typedef __sa_family_t sa_family_t;
#define _SA_FAMILY_T_DECLARED
#endif

#define SOCK_STREAM 1
#define SOCK_DGRAM 2
#define SOCK_RAW 3
#define SOCK_RDM 4
#define SOCK_SEQPACKET 5
#define SOCK_NONBLOCK 04000
#define SOCK_CLOEXEC 02000000

#define PF_UNSPEC 0
#define PF_LOCAL 1
#define PF_UNIX PF_LOCAL
#define PF_FILE PF_LOCAL
#define PF_INET 2
#define PF_INET6 10
#define PF_NETLINK 16
#define PF_PACKET 17
#define PF_VSOCK 40
#define PF_MAX 46
#define AF_UNSPEC PF_UNSPEC
#define AF_LOCAL PF_LOCAL
#define AF_UNIX PF_UNIX
#define AF_FILE PF_FILE
#define AF_INET PF_INET
#define AF_INET6 PF_INET6
#define AF_NETLINK PF_NETLINK
#define AF_PACKET PF_PACKET
#define AF_VSOCK PF_VSOCK
#define AF_MAX PF_MAX

#define SOL_SOCKET 1
#define SO_DEBUG 1
#define SO_REUSEADDR 2
#define SO_TYPE 3
#define SO_ERROR 4
#define SO_DONTROUTE 5
#define SO_BROADCAST 6
#define SO_SNDBUF 7
#define SO_RCVBUF 8
#define SO_KEEPALIVE 9
#define SO_OOBINLINE 10
#define SO_NO_CHECK 11
#define SO_PRIORITY 12
#define SO_LINGER 13
#define SO_REUSEPORT 15
#define SO_PASSCRED 16
#define SO_PEERCRED 17
#define SO_RCVLOWAT 18
#define SO_SNDLOWAT 19
#define SO_RCVTIMEO 20
#define SO_SNDTIMEO 21
#define SO_BINDTODEVICE 25
#define SO_TIMESTAMP 29
#define SO_ACCEPTCONN 30
#define SO_PEERSEC 31
#define SO_SNDBUFFORCE 32
#define SO_RCVBUFFORCE 33
#define SO_PASSSEC 34
#define SO_TIMESTAMPNS 35
#define SO_MARK 36
#define SO_PROTOCOL 38
#define SO_DOMAIN 39
#define SO_RXQ_OVFL 40
#define SO_PEEK_OFF 42
#define SO_BUSY_POLL 46
#define SO_INCOMING_CPU 49
#define SO_COOKIE 57
#define SOMAXCONN 4096

#define MSG_OOB 0x01
#define MSG_PEEK 0x02
#define MSG_DONTROUTE 0x04
#define MSG_CTRUNC 0x08
#define MSG_TRUNC 0x20
#define MSG_DONTWAIT 0x40
#define MSG_EOR 0x80
#define MSG_WAITALL 0x100
#define MSG_FIN 0x200
#define MSG_CONFIRM 0x800
#define MSG_ERRQUEUE 0x2000
#define MSG_NOSIGNAL 0x4000
#define MSG_MORE 0x8000
#define MSG_WAITFORONE 0x10000
#define MSG_FASTOPEN 0x20000000
#define MSG_CMSG_CLOEXEC 0x40000000

#define SHUT_RD 0
#define SHUT_WR 1
#define SHUT_RDWR 2

#define SCM_RIGHTS 1
#define SCM_CREDENTIALS 2
#define SCM_TIMESTAMP SO_TIMESTAMP

#define SOL_IP 0
#define SOL_IPV6 41
#define SOL_RAW 255
#define SOL_NETLINK 270

struct sockaddr {
	sa_family_t sa_family;
	char sa_data[14];
};

struct sockaddr_storage {
	sa_family_t ss_family;
	char __padding[118];
	unsigned long __align;
};

struct msghdr {
	void *msg_name;
	socklen_t msg_namelen;
	struct iovec *msg_iov;
	size_t msg_iovlen;
	void *msg_control;
	size_t msg_controllen;
	int msg_flags;
};

struct mmsghdr {
	struct msghdr msg_hdr;
	unsigned int msg_len;
};

struct cmsghdr {
	size_t cmsg_len;
	int cmsg_level;
	int cmsg_type;
};

struct linger {
	int l_onoff;
	int l_linger;
};

#if __GNU_VISIBLE
struct ucred {
	pid_t pid;
	uid_t uid;
	gid_t gid;
};
#endif

#define CMSG_ALIGN(n) (((n) + sizeof(size_t) - 1) & ~(sizeof(size_t) - 1))
#define CMSG_SPACE(n) (CMSG_ALIGN(n) + CMSG_ALIGN(sizeof(struct cmsghdr)))
#define CMSG_LEN(n) (CMSG_ALIGN(sizeof(struct cmsghdr)) + (n))
#define CMSG_DATA(c) ((unsigned char *)((struct cmsghdr *)(c) + 1))
#define CMSG_FIRSTHDR(m) \
	((m)->msg_controllen >= sizeof(struct cmsghdr) ? (struct cmsghdr *)(m)->msg_control : (struct cmsghdr *)0)
#define __CMSG_END(m) ((unsigned char *)(m)->msg_control + (m)->msg_controllen)
#define __CMSG_AFTER(c) ((unsigned char *)(c) + CMSG_ALIGN((c)->cmsg_len))
#define CMSG_NXTHDR(m, c) \
	((c)->cmsg_len < sizeof(struct cmsghdr) || __CMSG_AFTER(c) + sizeof(struct cmsghdr) > __CMSG_END(m) \
	         ? (struct cmsghdr *)0 \
	         : (struct cmsghdr *)(void *)__CMSG_AFTER(c))

int socket(int __domain, int __type, int __protocol);
int socketpair(int __domain, int __type, int __protocol, int __fds[2]);
int bind(int __fd, const struct sockaddr *__addr, socklen_t __length);
int connect(int __fd, const struct sockaddr *__addr, socklen_t __length);
int listen(int __fd, int __backlog);
int accept(int __fd, struct sockaddr *__restrict __addr, socklen_t *__restrict __length);
int getsockname(int __fd, struct sockaddr *__restrict __addr, socklen_t *__restrict __length);
int getpeername(int __fd, struct sockaddr *__restrict __addr, socklen_t *__restrict __length);
ssize_t send(int __fd, const void *__buf, size_t __size, int __flags);
ssize_t recv(int __fd, void *__buf, size_t __size, int __flags);
ssize_t sendto(int __fd, const void *__buf, size_t __size, int __flags, const struct sockaddr *__addr,
               socklen_t __length);
ssize_t recvfrom(int __fd, void *__restrict __buf, size_t __size, int __flags, struct sockaddr *__restrict __addr,
                 socklen_t *__restrict __length);
ssize_t sendmsg(int __fd, const struct msghdr *__message, int __flags);
ssize_t recvmsg(int __fd, struct msghdr *__message, int __flags);
int getsockopt(int __fd, int __level, int __option, void *__restrict __value, socklen_t *__restrict __length);
int setsockopt(int __fd, int __level, int __option, const void *__value, socklen_t __length);
int shutdown(int __fd, int __how);
int sockatmark(int __fd);
#if __GNU_VISIBLE
int sendmmsg(int __fd, struct mmsghdr *__messages, unsigned __count, int __flags);
int recvmmsg(int __fd, struct mmsghdr *__messages, unsigned __count, int __flags, struct timespec *__timeout);
int accept4(int __fd, struct sockaddr *__restrict __addr, socklen_t *__restrict __length, int __flags);
#endif

__END_DECLS

#endif
