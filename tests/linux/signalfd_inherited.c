/* SPDX-License-Identifier: MIT */
/* A signalfd in a set of epoll that fork copies: the set hears of the signals of the process that added the descriptor
 * (epoll(7), signalfd(2)), and what is pending is asked of the process that waits. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int fd, set;

/* What the set reports now, what poll(2) says of the descriptor, and what a read takes. */
static void look(const char *who, int set_fd)
{
	struct epoll_event event = {0};
	struct pollfd pollfd = {.fd = fd, .events = POLLIN};
	int count = epoll_wait(set_fd, &event, 1, 0);
	int polled = poll(&pollfd, 1, 0);
	printf("%s: epoll_wait %d, events %x, poll %d\n", who, count, count > 0 ? event.events : 0, polled);
	fflush(stdout);
}

static void take(const char *who)
{
	struct signalfd_siginfo info;
	ssize_t got = read(fd, &info, sizeof(info));
	printf("%s: read %zd, signal %d\n", who, got, got > 0 ? (int)info.ssi_signo : 0);
	fflush(stdout);
}

static int add(int set_fd, int operation, unsigned int events)
{
	struct epoll_event event = {.events = events};
	int result = epoll_ctl(set_fd, operation, fd, &event);
	return result ? errno : 0;
}

static void in_child(void (*code)(void))
{
	int status;
	fflush(stdout);
	pid_t pid = fork();
	if (pid == 0) {
		code();
		fflush(stdout);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	printf("child: status %d\n", status);
}

static void child_signals_itself(void)
{
	look("child before", set);
	kill(getpid(), SIGUSR1);
	look("child has a signal", set);
	take("child");
	look("child after", set);
}

static void child_has_its_own(void)
{
	int own = epoll_create1(0);
	printf("child adds to its own set: %d\n", add(own, EPOLL_CTL_ADD, EPOLLIN));
	kill(getpid(), SIGUSR1);
	look("child, the inherited set", set);
	look("child, its own set", own);
	take("child");
}

static void child_changes(void)
{
	printf("child changes the member: %d\n", add(set, EPOLL_CTL_MOD, EPOLLIN));
	kill(getpid(), SIGUSR1);
	look("child, after MOD without a signal", set);
	printf("child changes the member: %d\n", add(set, EPOLL_CTL_MOD, EPOLLIN));
	look("child, after MOD with a signal", set);
	take("child");
}

static void child_adds_again(void)
{
	printf("child removes and adds: %d", add(set, EPOLL_CTL_DEL, 0));
	printf(" %d\n", add(set, EPOLL_CTL_ADD, EPOLLIN));
	kill(getpid(), SIGUSR1);
	look("child, which has added it", set);
	take("child");
	look("child, which has added it", set);
}

static void child_signals_parent(void)
{
	kill(getppid(), SIGUSR2);
	look("child, the parent has a signal", set);
}

static void child_has_one_too(void)
{
	kill(getppid(), SIGUSR2);
	kill(getpid(), SIGUSR1);
	look("child, both have a signal", set);
	take("child");
}

static void child_masks(void)
{
	sigset_t none, mask;
	sigemptyset(&none);
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigaddset(&mask, SIGUSR2);
	kill(getpid(), SIGUSR1);
	signalfd(fd, &none, 0);
	look("child, a mask without the signal", set);
	signalfd(fd, &mask, 0);
	look("child, a mask with the signal", set);
}

int main(void)
{
	sigset_t mask;
	sigemptyset(&mask);
	sigaddset(&mask, SIGUSR1);
	sigaddset(&mask, SIGUSR2);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	fd = signalfd(-1, &mask, SFD_NONBLOCK);
	set = epoll_create1(0);
	printf("added: %d\n", add(set, EPOLL_CTL_ADD, EPOLLIN));
	look("parent before", set);
	in_child(child_signals_itself);
	in_child(child_has_its_own);
	in_child(child_changes);
	in_child(child_masks);
	look("parent", set);
	in_child(child_signals_parent);
	look("parent, after a look of the child", set);
	take("parent");
	in_child(child_has_one_too);
	look("parent, after a look of the child with a signal", set);
	take("parent");
	kill(getpid(), SIGUSR1);
	look("parent has a signal", set);
	take("parent");
	in_child(child_adds_again);
	kill(getpid(), SIGUSR1);
	look("parent, after the child that had added it", set);
	take("parent");
	printf("parent adds again: %d", add(set, EPOLL_CTL_DEL, 0));
	printf(" %d\n", add(set, EPOLL_CTL_ADD, EPOLLIN | EPOLLET));
	kill(getpid(), SIGUSR1);
	look("parent has added it by EPOLLET", set);
	look("parent, again", set);
	kill(getpid(), SIGUSR2);
	look("parent, after one more signal", set);
	return 0;
}
