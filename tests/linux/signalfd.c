/* SPDX-License-Identifier: MIT */
/* natively: root */
/* signalfd(2): signals by number, what is told of them, masks that change, poll and epoll, readers that wait. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "tests/guest/say.h"

static sigset_t set_of(int a, int b)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, a);
	if (b)
		sigaddset(&set, b);
	return set;
}

static int events_of(int fd)
{
	struct pollfd pollfd = {fd, POLLIN | POLLOUT, 0};
	poll(&pollfd, 1, 0);
	return pollfd.revents;
}

static void show(const struct signalfd_siginfo *info)
{
	printf("signal %u, code %d, %s pid, uid %u, value %d %lx\n", info->ssi_signo, info->ssi_code,
	       (int)info->ssi_pid == getpid() ? "own" : "other", info->ssi_uid, info->ssi_int, (long)info->ssi_ptr);
}

static void take(int fd)
{
	struct signalfd_siginfo info;
	if (SAY(read(fd, &info, sizeof(info))) == sizeof(info))
		show(&info);
}

static void *kill_later(void *unused)
{
	(void)unused;
	usleep(10000);
	kill(getpid(), SIGUSR2);
	return NULL;
}

static void *reader(void *fd)
{
	struct signalfd_siginfo info;
	printf("read %zd\n", read(*(int *)fd, &info, sizeof(info)));
	printf("thread: signal %u\n", info.ssi_signo);
	return NULL;
}

/* Those that a thread brings about itself come first, also to who waits for them. */
static void order(void)
{
	sigset_t set = set_of(SIGHUP, SIGSEGV);
	siginfo_t info;
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	int fd = signalfd(-1, &set, SFD_NONBLOCK);
	for (int round = 0; round < 2; round++) {
		kill(getpid(), SIGUSR1);
		kill(getpid(), SIGSEGV);
		kill(getpid(), SIGHUP);
		for (int i = 0; i < 3; i++) {
			if (round)
				SAY(sigwaitinfo(&set, &info));
			else
				take(fd);
		}
	}
	close(fd);
}

int main(void)
{
	order();
	struct signalfd_siginfo two[2];
	sigset_t both = set_of(SIGUSR1, SIGUSR2), one = set_of(SIGUSR1, 0), real = set_of(SIGRTMIN, 0);
	sigprocmask(SIG_BLOCK, &both, NULL);
	sigprocmask(SIG_BLOCK, &real, NULL);
	SAY(signalfd(-1, &both, 1));
	SAY(signalfd(99, &both, 0));
	SAY(signalfd(0, &both, 0));
	int fd = signalfd(-1, &one, SFD_NONBLOCK | SFD_CLOEXEC);
	SAY(fcntl(fd, F_GETFL));
	SAY(fcntl(fd, F_GETFD));
	SAY(events_of(fd));
	take(fd);
	SAY(read(fd, two, 100));
	SAY(kill(getpid(), SIGUSR2));
	SAY(events_of(fd));
	SAY(signalfd(fd, &both, 0) == fd);
	SAY(events_of(fd));
	SAY(raise(SIGUSR1));
	SAY(read(fd, two, sizeof(two)));
	show(&two[0]);
	show(&two[1]);
	SAY(signalfd(fd, &real, 0) == fd);
	SAY(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 7}));
	SAY(sigqueue(getpid(), SIGRTMIN, (union sigval){.sival_int = 8}));
	take(fd);
	take(fd);
	take(fd);
	SAY(signalfd(fd, &both, 0) == fd);
	int epoll = epoll_create1(0);
	struct epoll_event event = {.events = EPOLLIN};
	SAY(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event));
	SAY(epoll_wait(epoll, &event, 1, 0));
	pthread_t thread;
	pthread_create(&thread, NULL, kill_later, NULL);
	SAY(epoll_wait(epoll, &event, 1, -1));
	pthread_join(thread, NULL);
	take(fd);
	SAY(epoll_wait(epoll, &event, 1, 0));
	fcntl(fd, F_SETFL, 0);
	pthread_create(&thread, NULL, kill_later, NULL);
	take(fd);
	pthread_join(thread, NULL);
	pthread_create(&thread, NULL, reader, &fd);
	usleep(10000);
	pthread_kill(thread, SIGUSR1);
	pthread_join(thread, NULL);
	struct pollfd pollfd = {fd, POLLIN, 0};
	pthread_create(&thread, NULL, kill_later, NULL);
	SAY(poll(&pollfd, 1, -1));
	pthread_join(thread, NULL);
	take(fd);
	close(fd);
	return 0;
}
