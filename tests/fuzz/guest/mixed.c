/* SPDX-License-Identifier: MIT */
/* What any descriptor can be asked: to wait, to be copied, to signal, to be spliced into another, and to close. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/fuzz/guest/calls.h"

static void copy_descriptor(void)
{
	int ends[2];
	sigset_t set;
	char path[40];
	switch (calls_below(8)) {
	case 0:
		calls_keep(dup(calls_fd()));
		break;
	case 1:
		calls_keep(fcntl(calls_fd(), F_DUPFD_CLOEXEC, CALLS_RARELY(8) ? calls_number() : 0));
		break;
	case 2:
		if (pipe2(ends, O_NONBLOCK) == 0) {
			calls_keep(ends[0]);
			calls_keep(ends[1]);
		}
		break;
	case 3:
		calls_keep(eventfd(calls_below(5), EFD_NONBLOCK));
		break;
	case 4:
		sigfillset(&set);
		calls_keep(signalfd(CALLS_RARELY(3) ? calls_fd() : -1, &set, SFD_NONBLOCK));
		break;
	case 5:
		calls_keep((int)syscall(SYS_pidfd_open, CALLS_RARELY(3) ? (pid_t)calls_number() : getpid(), 0));
		break;
	case 6:
		snprintf(path, sizeof(path), "/proc/self/fd/%d", calls_fd());
		calls_keep(open(path, (int)(O_NONBLOCK | CALLS_ONE_OF(O_RDONLY, O_RDWR, O_PATH))));
		break;
	default:
		calls_keep(epoll_create1(0));
		break;
	}
}

static void wait_for(void)
{
	struct epoll_event events[4] = {{.events = (uint32_t)calls_flags(EPOLLIN | EPOLLOUT | EPOLLPRI | EPOLLRDHUP |
	                                                                 EPOLLET | EPOLLONESHOT | EPOLLEXCLUSIVE)}};
	struct pollfd polled[4];
	switch (calls_below(4)) {
	case 0:
	case 1:
		epoll_ctl(calls_fd(), (int)calls_below(4), calls_fd(), CALLS_RARELY(16) ? calls_memory(12) : events);
		break;
	case 2:
		epoll_wait(calls_fd(), events, CALLS_RARELY(12) ? (int)calls_number() : 4, (int)calls_below(3));
		break;
	default:
		for (unsigned i = 0; i < 4; i++)
			polled[i] = (struct pollfd){calls_fd(),
			                            (short)calls_flags(POLLIN | POLLOUT | POLLPRI | POLLRDHUP), 0};
		poll(polled, 4, (int)calls_below(3));
		break;
	}
}

static void ask_descriptor(void)
{
	struct f_owner_ex owner = {(int)calls_below(4), CALLS_RARELY(3) ? (pid_t)calls_number() : getpid()};
	struct stat status;
	switch (calls_below(6)) {
	case 0:
		fcntl(calls_fd(), F_SETFL, (int)(O_NONBLOCK | calls_flags(O_ASYNC | O_APPEND | O_DIRECT)));
		break;
	case 1:
		fcntl(calls_fd(), F_SETOWN_EX, CALLS_RARELY(8) ? calls_memory(8) : &owner);
		break;
	case 2:
		fcntl(calls_fd(), F_SETSIG, calls_signal());
		break;
	case 3:
		fstat(calls_fd(), CALLS_RARELY(8) ? calls_memory(144) : &status);
		break;
	case 4:
		lseek(calls_fd(), calls_number(), (int)calls_below(6));
		break;
	default:
		fcntl(calls_fd(),
		      (int)CALLS_ONE_OF(F_GETFL, F_GETFD, F_SETFD, F_GETSIG, F_GETOWN, F_SETPIPE_SZ, F_GETPIPE_SZ,
		                        F_ADD_SEALS),
		      calls_number() & 0xfffff);
		break;
	}
}

static void move_bytes(void)
{
	struct iovec vectors[3];
	for (unsigned i = 0; i < 3; i++) {
		size_t size = calls_below(500);
		vectors[i] = (struct iovec){calls_memory(size), size};
	}
	switch (calls_below(6)) {
	case 0:
		splice(calls_fd(), NULL, calls_fd(), NULL, calls_below(70000),
		       SPLICE_F_NONBLOCK | (unsigned)calls_flags(15));
		break;
	case 1:
		tee(calls_fd(), calls_fd(), calls_below(9000), SPLICE_F_NONBLOCK);
		break;
	case 2:
		sendfile(calls_fd(), calls_fd(), NULL, calls_below(9000));
		break;
	case 3:
		readv(calls_fd(), vectors, (int)calls_below(4));
		break;
	case 4:
		writev(calls_fd(), vectors, (int)calls_below(4));
		break;
	default:
		ftruncate(calls_fd(), (long)calls_below(20000));
		break;
	}
}

void calls_mixed(void)
{
	union sigval value = {.sival_int = (int)calls_number()};
	switch (calls_below(7)) {
	case 0:
		copy_descriptor();
		break;
	case 1:
	case 2:
		wait_for();
		break;
	case 3:
		ask_descriptor();
		break;
	case 4:
		move_bytes();
		break;
	case 5:
		sigqueue(getpid(), calls_signal(), value);
		break;
	default: {
		int fd = calls_fd();
		if (fd > 2)
			close(fd);
		break;
	}
	}
}
