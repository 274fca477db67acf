/* SPDX-License-Identifier: MIT */
/* Waiting for what a regular file, which is always ready to be read and written, never has; it ends when another
 * descriptor is ready, at a signal, or at the deadline. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/say.h"

static void heed(int sig)
{
	(void)sig;
}

/* Has a child write to a pipe in a while. */
static void write_later(int fd)
{
	if (!fork()) {
		usleep(20000);
		_exit(write(fd, "x", 1) != 1);
	}
}

int main(void)
{
	int file = open("file", O_RDWR | O_CREAT, 0600), fds[2];
	struct pollfd asked[] = {{file, 0, 0}, {0, POLLIN, 0}};
	struct timeval second = {1, 0};
	struct sigaction action = {.sa_handler = heed};
	char byte;
	fd_set readable, special;
	sigaction(SIGALRM, &action, NULL);
	SAY(pipe(fds));
	asked[1].fd = fds[0];
	write_later(fds[1]);
	SAY(poll(asked, 2, -1));
	printf("%x %x\n", asked[0].revents, asked[1].revents);
	SAY(read(fds[0], &byte, 1));
	asked[0].events = POLLPRI;
	write_later(fds[1]);
	SAY(poll(asked, 2, 10000));
	printf("%x %x\n", asked[0].revents, asked[1].revents);
	SAY(read(fds[0], &byte, 1));
	FD_ZERO(&readable);
	FD_ZERO(&special);
	FD_SET(fds[0], &readable);
	FD_SET(file, &special);
	write_later(fds[1]);
	SAY(select(8, &readable, NULL, &special, NULL));
	printf("%d %d\n", FD_ISSET(fds[0], &readable), FD_ISSET(file, &special));
	SAY(read(fds[0], &byte, 1));
	ualarm(10000, 0);
	SAY(poll(asked, 1, -1));
	FD_SET(file, &special);
	ualarm(10000, 0);
	SAY(select(8, NULL, NULL, &special, &second));
	SAY(poll(asked, 1, 10));
	while (wait(NULL) > 0)
		;
	return unlink("file");
}
