/* SPDX-License-Identifier: MIT */
/* poll(2). */
#ifndef _POLL_H
#define _POLL_H

#include <sys/cdefs.h>
#include <sys/_sigset.h>
#include <sys/_timespec.h>

__BEGIN_DECLS

#define POLLIN 0x001
#define POLLPRI 0x002
#define POLLOUT 0x004
#define POLLERR 0x008
#define POLLHUP 0x010
#define POLLNVAL 0x020
#define POLLRDNORM 0x040
#define POLLRDBAND 0x080
#define POLLWRNORM 0x100
#define POLLWRBAND 0x200
#define POLLMSG 0x400
#define POLLRDHUP 0x2000

typedef unsigned long nfds_t;

struct pollfd {
	int fd;
	short events;
	short revents;
};

int poll(struct pollfd *__fds, nfds_t __count, int __timeout_ms);
#if __GNU_VISIBLE
int ppoll(struct pollfd *__fds, nfds_t __count, const struct timespec *__timeout, const __sigset_t *__mask);
#endif

__END_DECLS

#endif
