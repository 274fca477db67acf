/* SPDX-License-Identifier: MIT */
/* pidfd_open(2), pidfd_send_signal(2), waitid(P_PIDFD): ends that are polled for, signals by descriptor, and what is
 * left once a child has been waited for. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

#define PIDFD_NONBLOCK O_NONBLOCK

static int open_pidfd(pid_t pid, unsigned flags)
{
	return (int)syscall(SYS_pidfd_open, pid, flags);
}

static long send(int fd, int sig, siginfo_t *info, unsigned flags)
{
	return syscall(SYS_pidfd_send_signal, fd, sig, info, flags);
}

static int events_of(int fd, int timeout_ms)
{
	struct pollfd pollfd = {fd, POLLIN | POLLOUT, 0};
	poll(&pollfd, 1, timeout_ms);
	return pollfd.revents;
}

/* A child that lives until the other end of *pipe_end is written to or closed, or a signal ends it. */
static pid_t start(int *pipe_end)
{
	int ends[2];
	char byte;
	pipe2(ends, O_CLOEXEC);
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		close(ends[1]);
		read(ends[0], &byte, 1);
		_exit(7);
	}
	close(ends[0]);
	*pipe_end = ends[1];
	return child;
}

static void wait_by(int fd, int options)
{
	siginfo_t info = {0};
	if (SAY(waitid(P_PIDFD, (id_t)fd, &info, options)) == 0)
		printf("signal %d, code %d, status %d\n", info.si_signo, info.si_code, info.si_status);
}

static void refusals(void)
{
	SAY(open_pidfd(0, 0));
	SAY(open_pidfd(-1, 0));
	SAY(open_pidfd(4000000, 0));
	SAY(open_pidfd(getpid(), 1));
	SAY(send(0, SIGTERM, NULL, 0));
	SAY(send(99, SIGTERM, NULL, 0));
	wait_by(0, WEXITED);
}

static void self(void)
{
	char byte;
	int fd = open_pidfd(getpid(), 0);
	printf("%d %d %d\n", fcntl(fd, F_GETFD), fcntl(fd, F_GETFL) & O_NONBLOCK, events_of(fd, 0));
	SAY(read(fd, &byte, 1));
	SAY(lseek(fd, 0, SEEK_SET));
	SAY(send(fd, 0, NULL, 0));
	SAY(send(fd, 0, NULL, 0x100));
	SAY(send(fd, 100, NULL, 0));
	wait_by(fd, WEXITED);
	close(fd);
}

static void ends(void)
{
	int pipe_end, epoll = epoll_create1(0);
	pid_t child = start(&pipe_end);
	int fd = open_pidfd(child, PIDFD_NONBLOCK);
	struct epoll_event event = {.events = EPOLLIN, .data.u64 = 5}, told = {0};
	SAY(epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event));
	printf("%d %d\n", fcntl(fd, F_GETFL) & O_NONBLOCK, events_of(fd, 0));
	wait_by(fd, WEXITED);
	wait_by(fd, WEXITED | WNOHANG);
	write(pipe_end, "x", 1);
	SAY(epoll_wait(epoll, &told, 1, -1));
	printf("%x %lu %x\n", told.events, told.data.u64, (unsigned)events_of(fd, -1));
	wait_by(fd, WEXITED | WNOWAIT);
	SAY(send(fd, SIGTERM, NULL, 0));
	wait_by(fd, WEXITED);
	wait_by(fd, WEXITED);
	SAY(send(fd, SIGTERM, NULL, 0));
	SAY(send(fd, 100, NULL, 0));
	printf("%x\n", (unsigned)events_of(fd, 0) & POLLIN);
	SAY(open_pidfd(child, 0));
	close(epoll), close(fd), close(pipe_end);
}

static void signals(void)
{
	int pipe_end;
	pid_t child = start(&pipe_end);
	int fd = open_pidfd(child, 0);
	siginfo_t info = {.si_signo = SIGTERM, .si_code = SI_USER};
	SAY(send(fd, SIGTERM, &info, 0));
	info.si_code = SI_QUEUE;
	SAY(send(fd, SIGUSR1, &info, 0));
	SAY(send(fd, SIGTERM, (void *)8, 0));
	SAY(send(fd, SIGTERM, &info, 0));
	printf("%x\n", (unsigned)events_of(fd, -1));
	wait_by(fd, WEXITED);
	close(fd), close(pipe_end);
}

/* A process's directory in /proc is one, too, for signals. */
static void by_directory(void)
{
	char path[32];
	int pipe_end;
	pid_t child = start(&pipe_end);
	int other = open("/proc", O_RDONLY), maps = open("/proc/self/maps", O_RDONLY);
	snprintf(path, sizeof(path), "/proc/%d", child);
	int fd = open(path, O_DIRECTORY), name = open(path, O_PATH);
	SAY(send(other, 0, NULL, 0));
	SAY(send(maps, 0, NULL, 0));
	SAY(send(name, 0, NULL, 0));
	wait_by(fd, WEXITED);
	SAY(send(fd, SIGTERM, NULL, 0));
	SAY(waitpid(child, NULL, 0) == child);
	SAY(send(fd, SIGTERM, NULL, 0));
	close(fd), close(name), close(maps), close(other), close(pipe_end);
}

int main(void)
{
	refusals();
	self();
	ends();
	signals();
	by_directory();
	return 0;
}
