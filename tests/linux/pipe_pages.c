/* SPDX-License-Identifier: MIT */
/* Room in a pipe is counted in pages: when poll(2), write(2) and F_SETPIPE_SZ say that there is none. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/guest/say.h"

static char block[1 << 20];
static int in, out;

static void open_pipe(int flags)
{
	int ends[2];
	close(in);
	close(out);
	if (pipe2(ends, flags))
		_exit(1);
	in = ends[0];
	out = ends[1];
}

static void tell(const char *what)
{
	struct pollfd pollfds[2] = {{in, POLLIN, 0}, {out, POLLOUT, 0}};
	int bytes = -1;
	ioctl(in, FIONREAD, &bytes);
	poll(pollfds, 2, 0);
	printf("%s: %d bytes%s%s\n", what, bytes, pollfds[0].revents & POLLIN ? ", to be read" : "",
	       pollfds[1].revents & POLLOUT ? ", room" : "");
}

/* How many writes of so many bytes there is room for. */
static int fill(size_t bytes)
{
	int count = 0;
	while (write(out, block, bytes) > 0)
		count++;
	return count;
}

static void reads(void)
{
	open_pipe(O_NONBLOCK);
	SAY(write(out, block, 100000));
	tell("full");
	SAY(read(in, block, 100));
	tell("a part of a page was read");
	SAY(write(out, block, 1));
	SAY(write(out, block, 100));
	SAY(read(in, block, 3995));
	tell("all but a byte");
	SAY(write(out, block, 1));
	SAY(read(in, block, 1));
	tell("all of a page");
	SAY(write(out, block, 5000));
	SAY(write(out, block, 1));
	SAY(read(in, block, 8192));
	tell("two pages");
	SAY(write(out, block, 3000));
	SAY(write(out, block, 3000));
	SAY(write(out, block, 1096));
	SAY(write(out, block, 1));
	tell("filled");
	SAY(read(in, block, 100000));
	tell("empty");
	SAY(write(out, block, 0));
	tell("nothing");
}

/* Writes of one size until there is no room, and what a page more of room is good for then. */
static void sizes(void)
{
	static const size_t bytes[] = {1,    2,    100,  2048, 2049, 3000,  4095,  4096,
	                               4097, 5000, 8191, 8192, 8193, 65535, 65536, 65537};
	for (unsigned i = 0; i < sizeof(bytes) / sizeof(bytes[0]); i++) {
		open_pipe(O_NONBLOCK);
		printf("%zu: %d\n", bytes[i], fill(bytes[i]));
		tell("filled");
		SAY(read(in, block, 4096));
		tell("a page was read");
		printf("%d more\n", fill(bytes[i]));
		tell("filled");
		SAY(fill(1));
	}
}

/* Writes and reads of many sizes. */
static void mixed(void)
{
	unsigned long random = 1, sum = 0;
	open_pipe(O_NONBLOCK);
	for (int i = 0; i < 20000; i++) {
		random = random * 6364136223846793005UL + 1442695040888963407UL;
		size_t bytes = 1 + (random >> 40) % (random >> 33 & 1 ? 100 : 9000);
		long done = random >> 32 & 1 ? write(out, block, bytes) : read(in, block, bytes);
		struct pollfd pollfd = {out, POLLOUT, 0};
		sum = sum * 31 + (unsigned long)done * 2 + (unsigned long)poll(&pollfd, 1, 0);
		if (i % 2000 == 0)
			printf("%d: %lx\n", i, sum);
	}
	printf("%lx\n", sum);
}

static void resized(void)
{
	open_pipe(O_NONBLOCK);
	SAY(fcntl(out, F_GETPIPE_SZ));
	SAY(fcntl(out, F_SETPIPE_SZ, 0));
	SAY(fcntl(out, F_SETPIPE_SZ, -1));
	SAY(fcntl(out, F_SETPIPE_SZ, 4097));
	SAY(fill(3000));
	tell("two pages");
	SAY(fcntl(out, F_SETPIPE_SZ, 4096));
	SAY(fcntl(out, F_SETPIPE_SZ, 131072));
	tell("grown");
	SAY(fill(3000));
	SAY(read(in, block, 3000 * 17));
	SAY(fcntl(out, F_SETPIPE_SZ, 32768));
	SAY(fcntl(out, F_SETPIPE_SZ, 65536));
	SAY(fill(4096));
	SAY(read(in, block, 3000 * 10));
	SAY(fill(2000));
	SAY(fill(1));
	tell("filled");
	SAY(fcntl(out, F_GETPIPE_SZ));
}

static void vectors(void)
{
	struct iovec iov[20];
	for (int i = 0; i < 20; i++)
		iov[i] = (struct iovec){block + 3000 * i, 3000};
	open_pipe(O_NONBLOCK);
	SAY(writev(out, iov, 20));
	tell("a vector");
	SAY(fill(4096));
	SAY(fill(1));
	SAY(read(in, block, 10000));
	SAY(writev(out, iov, 3));
	SAY(writev(out, iov, 1));
	SAY(writev(out, iov, 1));
	SAY(fill(1));
	open_pipe(O_NONBLOCK);
	iov[0].iov_len = 10;
	iov[2].iov_len = 0;
	SAY(write(out, block, 4000));
	SAY(writev(out, iov, 3));
	SAY(fill(4096));
	iov[0].iov_len = 50;
	iov[1].iov_len = 36;
	SAY(writev(out, iov, 2));
	iov[1].iov_len = 37;
	SAY(writev(out, iov, 2));
	tell("small ones");
	iov[1].iov_base = (void *)8;
	SAY(read(in, block, 8192));
	SAY(writev(out, iov, 2));
	tell("a bad one");
}

/* What is told, and who is woken, at the moment when there is room. */
static void *write_one(void *result)
{
	*(volatile long *)result = write(out, block, 1);
	return NULL;
}

static void waits(void)
{
	int epoll = epoll_create1(0);
	struct epoll_event event = {.events = EPOLLOUT | EPOLLET};
	pthread_t thread;
	volatile long written = 0;
	open_pipe(O_NONBLOCK);
	epoll_ctl(epoll, EPOLL_CTL_ADD, out, &event);
	SAY(fill(65536));
	SAY(epoll_wait(epoll, &event, 1, 0));
	SAY(epoll_wait(epoll, &event, 1, 0));
	SAY(read(in, block, 4095));
	SAY(epoll_wait(epoll, &event, 1, 0));
	SAY(read(in, block, 1));
	SAY(epoll_wait(epoll, &event, 1, 0));
	SAY(fill(65536) + fill(4096));
	fcntl(out, F_SETFL, 0);
	pthread_create(&thread, NULL, write_one, (void *)&written);
	usleep(10000);
	SAY(read(in, block, 4095));
	usleep(10000);
	SAY(written);
	SAY(read(in, block, 1));
	pthread_join(thread, NULL);
	SAY(written);
	tell("woken");
}

int main(void)
{
	in = out = -1;
	reads();
	sizes();
	mixed();
	resized();
	vectors();
	waits();
	return 0;
}
