/* SPDX-License-Identifier: MIT */
/* inotify(7): watches, and the event that says that one was removed. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/guest/say.h"

static int events_of(int fd)
{
	struct pollfd pollfd = {fd, POLLIN | POLLOUT, 0};
	poll(&pollfd, 1, 0);
	return pollfd.revents;
}

static int queued(int fd)
{
	int bytes = -1;
	ioctl(fd, FIONREAD, &bytes);
	return bytes;
}

static void take(int fd, size_t bytes)
{
	struct inotify_event events[8];
	long got = SAY(read(fd, events, bytes));
	for (long i = 0; i < got / (long)sizeof(events[0]); i++)
		printf("%d %x %u %u\n", events[i].wd, events[i].mask, events[i].cookie, events[i].len);
}

static void *wait_for_event(void *fd)
{
	take(*(int *)fd, 16);
	return NULL;
}

int main(void)
{
	int fd = inotify_init1(IN_NONBLOCK), epoll = epoll_create1(0);
	struct epoll_event event = {.events = EPOLLIN | EPOLLET};
	pthread_t thread;
	epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
	SAY(inotify_add_watch(fd, "/", IN_DELETE_SELF));
	SAY(inotify_add_watch(fd, "/", IN_MOVE_SELF));
	SAY(inotify_add_watch(fd, "/dev", IN_DELETE_SELF));
	SAY(inotify_add_watch(fd, "/dev/null", IN_DELETE_SELF));
	SAY(inotify_rm_watch(fd, 4));
	take(fd, 16);
	take(fd, 15);
	SAY(events_of(fd));
	SAY(epoll_wait(epoll, &event, 1, 0));
	SAY(inotify_rm_watch(fd, 2));
	SAY(inotify_rm_watch(fd, 2));
	SAY(inotify_rm_watch(fd, 1));
	SAY(queued(fd));
	SAY(events_of(fd));
	SAY(epoll_wait(epoll, &event, 1, 0));
	SAY(epoll_wait(epoll, &event, 1, 0));
	take(fd, 15);
	take(fd, 31);
	SAY(queued(fd));
	SAY(inotify_add_watch(fd, "/", IN_DELETE_SELF));
	SAY(inotify_rm_watch(fd, 4));
	SAY(inotify_rm_watch(fd, 3));
	take(fd, sizeof(struct inotify_event[8]));
	SAY(events_of(fd));
	SAY(inotify_add_watch(fd, "/", IN_DELETE_SELF));
	SAY(inotify_rm_watch(fd, 5));
	SAY(read(fd, (void *)8, 16));
	SAY(queued(fd));
	for (int i = 0; i < 16390; i++)
		inotify_rm_watch(fd, inotify_add_watch(fd, "/", IN_DELETE_SELF));
	SAY(queued(fd));
	struct inotify_event last = {0};
	while (read(fd, &last, sizeof(last)) == sizeof(last))
		if (last.mask != IN_IGNORED || last.wd > 16388)
			printf("%d %x\n", last.wd, last.mask);
	SAY(fcntl(fd, F_SETFL, 0));
	SAY(inotify_add_watch(fd, "/", IN_DELETE_SELF));
	pthread_create(&thread, NULL, wait_for_event, &fd);
	usleep(20000);
	inotify_rm_watch(fd, 16396); /* the thread may tell of it first */
	pthread_join(thread, NULL);
	inotify_add_watch(fd, "/", IN_DELETE_SELF);
	SAY(close(fd));
	return 0;
}
