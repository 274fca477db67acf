/* SPDX-License-Identifier: MIT */
/* Linux structures and constants for descriptors that report events: epoll(7), signalfd(2). */
#ifndef ABI_LINUX_EVENT_H
#define ABI_LINUX_EVENT_H

#include <stdint.h>

#include "abi/linux.h"

#define LINUX_EPOLL_CTL_ADD 1
#define LINUX_EPOLL_CTL_DEL 2
#define LINUX_EPOLL_CTL_MOD 3

/* Events are those of poll(2) and the following. */
#define LINUX_POLLWRBAND 0x200
#define LINUX_POLLRDHUP 0x2000
#define LINUX_EPOLLEXCLUSIVE (1U << 28)
#define LINUX_EPOLLWAKEUP (1U << 29)
#define LINUX_EPOLLONESHOT (1U << 30)
#define LINUX_EPOLLET (1U << 31)

struct linux_epoll_event {
	uint32_t events;
	uint64_t data;
} __attribute__((packed));

_Static_assert(sizeof(struct linux_epoll_event) == 12, "struct epoll_event");

/** Record that read(2) returns from a signalfd. */
struct linux_signalfd_siginfo {
	uint32_t ssi_signo;
	int32_t ssi_errno, ssi_code;
	uint32_t ssi_pid, ssi_uid;
	int32_t ssi_fd;
	uint32_t ssi_tid, ssi_band, ssi_overrun, ssi_trapno;
	int32_t ssi_status, ssi_int;
	uint64_t ssi_ptr, ssi_utime, ssi_stime, ssi_addr;
	uint16_t ssi_addr_lsb;
	uint8_t pad[46];
};

_Static_assert(sizeof(struct linux_signalfd_siginfo) == 128, "struct signalfd_siginfo");

#endif
