/* SPDX-License-Identifier: MIT */
/* natively: root */
/* What /proc/self/fd leads to is opened again where there is something to open: no socket, no eventfd or its kin; and
 * which of these have a place, of which lseek(2) does not tell that it stays where it is. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "tests/guest/say.h"

static void again(const char *what, int fd)
{
	static const int flags[] = {O_RDONLY, O_RDWR | O_NONBLOCK, O_WRONLY | O_TRUNC, O_RDWR | O_CREAT};
	char path[40], byte = 0;
	struct stat st;
	sprintf(path, "/proc/self/fd/%d", fd);
	printf("%s\n", what);
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		int opened = (int)SAY(open(path, flags[i], 0600));
		if (opened < 0)
			continue;
		SAY(read(opened, &byte, 0));
		SAY(close(opened));
	}
	int named = (int)SAY(open(path, O_PATH));
	SAY(read(named, &byte, 1));
	SAY(fstat(named, &st));
	SAY(lseek(named, 0, SEEK_SET));
	SAY(close(named));
	SAY(lseek(fd, 5, SEEK_SET));
	SAY(lseek(fd, -5, SEEK_CUR));
	SAY(lseek(fd, 0, SEEK_END));
	SAY(lseek(fd, 0, 9));
	SAY(pread(fd, &byte, 1, 0));
	SAY(close(fd));
}

int main(void)
{
	int fds[2];
	sigset_t none;
	sigemptyset(&none);
	again("eventfd", eventfd(0, 0));
	again("epoll", epoll_create1(0));
	again("timerfd", timerfd_create(CLOCK_MONOTONIC, 0));
	again("signalfd", signalfd(-1, &none, 0));
	again("inotify", inotify_init());
	again("memfd", memfd_create("name", 0));
	again("socket", socket(AF_UNIX, SOCK_DGRAM, 0));
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
		return 1;
	again("pair", fds[0]);
	/* And by the names of standard streams. */
	dup2(fds[1], STDIN_FILENO);
	SAY(open("/dev/stdin", O_RDWR));
	SAY(open("/dev/fd/0", O_RDONLY));
	return 0;
}
