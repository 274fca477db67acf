/* SPDX-License-Identifier: MIT */
/* Sets of descriptors to wait on: epoll(7). */
#ifndef _SYS_EPOLL_H
#define _SYS_EPOLL_H

#include <stdint.h>
#include <sys/cdefs.h>
#include <sys/_sigset.h>
#include <sys/_timespec.h>

__BEGIN_DECLS

#define EPOLL_CLOEXEC 02000000
#define EPOLL_CTL_ADD 1
#define EPOLL_CTL_DEL 2
#define EPOLL_CTL_MOD 3

#define EPOLLIN 0x001U
#define EPOLLPRI 0x002U
#define EPOLLOUT 0x004U
#define EPOLLERR 0x008U
#define EPOLLHUP 0x010U
#define EPOLLRDNORM 0x040U
#define EPOLLRDBAND 0x080U
#define EPOLLWRNORM 0x100U
#define EPOLLWRBAND 0x200U
#define EPOLLMSG 0x400U
#define EPOLLRDHUP 0x2000U
#define EPOLLEXCLUSIVE (1U << 28)
#define EPOLLWAKEUP (1U << 29)
#define EPOLLONESHOT (1U << 30)
#define EPOLLET (1U << 31)

typedef union epoll_data {
	void *ptr;
	int fd;
	uint32_t u32;
	uint64_t u64;
} epoll_data_t;

struct epoll_event {
	uint32_t events;
	epoll_data_t data;
} __attribute__((__packed__));

int epoll_create(int __size);
int epoll_create1(int __flags);
int epoll_ctl(int __set, int __operation, int __fd, struct epoll_event *__event);
int epoll_wait(int __set, struct epoll_event *__events, int __count, int __timeout_ms);
int epoll_pwait(int __set, struct epoll_event *__events, int __count, int __timeout_ms, const __sigset_t *__mask);
int epoll_pwait2(int __set, struct epoll_event *__events, int __count, const struct timespec *__timeout,
                 const __sigset_t *__mask);

__END_DECLS

#endif
